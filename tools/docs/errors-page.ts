import { catalogue } from '../../src/foundation/domain/errors.ts'
import { findHint } from '../../src/foundation/domain/failure-hints.ts'
import { failureKinds } from '../../src/foundation/domain/failure-reason.ts'

export function errorsPage(): string {
  const lines = [
    '# Errors',
    '',
    'Made by `npm run docs` from `src/foundation/domain/errors.ts`; edit that.',
    '',
    'Every route answers errors in one shape. `code` is stable; `message` is for people.',
    '',
    '```json',
    '{"type":"error","error":{"type":"not_found_error","message":"…","code":"not_found"},"request_id":"req_…"}',
    '```',
    '',
    'Errors of the hosted service keep its status and its words, with the code `upstream_error`; when it could not be reached or understood,',
    'its code is `upstream_unreachable` or `upstream_broken`.',
    '',
    '| Code | Status | Type | Message |',
    '|---|---|---|---|',
    ...Object.entries(catalogue).map(
      ([code, entry]) => `| \`${code}\` | ${entry.status} | \`${entry.type}\` | ${entry.text.replaceAll('|', '\\|')} |`,
    ),
    '',
    '## Reasons',
    '',
    'Records of failed requests have a `reason` with its `kind`, `code`, `message` and, for limits, `limit`. They also have a `hint`.',
    'See it with `causeway why <request-id>`. `code` is a code of the table above or the name of an AWS exception.',
    '',
    '| Kind | For users | For administrators |',
    '|---|---|---|',
    ...failureKinds.map((kind) => {
      const hint = (reader: 'user' | 'admin'): string => findHint({ kind, code: '' }, reader).text
      return `| \`${kind}\` | ${hint('user')} | ${hint('admin')} |`
    }),
  ]
  return `${lines.join('\n')}\n`
}
