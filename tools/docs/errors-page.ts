import { catalogue } from '../../src/domain/errors.ts'

export function errorsPage(): string {
  const lines = [
    '# Errors',
    '',
    'Made by `npm run docs` from `src/domain/errors.ts`; edit that.',
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
  ]
  return `${lines.join('\n')}\n`
}
