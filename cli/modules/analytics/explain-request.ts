/** One call in words: where it went and why, every try, its tokens and its price line by line. */
import type { Arg } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { isForPeople, printDocument, type Row } from '../../output/render.ts'
import { count, milliseconds, money, relativeTime } from '../../output/shown.ts'
import { harmless } from '../../output/table.ts'
import { attemptText, failureLines } from './failure-lines.ts'
import { nameIn, requestColumns } from './request-fields.ts'

export const requestArg: Arg = { name: '<request-id>', text: 'as in the header request-id' }

export async function explainRequest(context: Context, path: string, id: string): Promise<void> {
  const client = await context.client()
  const record = await client.get(`${path}/${encodeURIComponent(id)}`)
  if (!isForPeople(context.output.format)) return printDocument(context.output, record, requestColumns(context))
  context.io.out(`${explain(context, record, client.base).join('\n')}\n`)
}

function explain({ paint, io }: Context, record: Row, base: string): string[] {
  const fact = (label: string, text: string | null | undefined): string[] =>
    (text ?? '') === '' ? [] : [`${paint.dim(label.padEnd(12))} ${harmless(text ?? '')}`]
  const { tokens } = record
  return [
    ...fact('request', record.request_id),
    ...fact('at', `${record.at} (${relativeTime(record.at, io.nowMs())})`),
    ...fact('status', `${record.status}${record.error_type ? ` ${record.error_type}` : ''}`),
    ...failureLines(record, base, io.nowMs()).flatMap(({ label, text }) => fact(label, text)),
    ...fact(
      'who',
      [nameIn(record.user), nameIn(record.team), nameIn(record.key)].filter((name) => name !== undefined).join(' · '),
    ),
    ...fact('model', `${record.model || '-'} → ${record.hosted_model ?? '-'} on ${nameIn(record.endpoint) ?? '-'}`),
    ...fact('routing', record.routing),
    ...fact('time', `${milliseconds(record.duration_ms)}, first token after ${milliseconds(record.first_token_ms)}`),
    ...fact(
      'tokens',
      tokens &&
        `${count(tokens.input)} in, ${count(tokens.output)} out, ${count(tokens.cache_read)} cache read, ${count(tokens.cache_write_5m)} + ${count(tokens.cache_write_1h)} cache write`,
    ),
    ...(record.price ?? []).flatMap((line: Row) =>
      fact('', `${line.kind}: ${count(line.tokens)} at ${money(line.usd_per_mtok)} a million = ${money(line.usd)}`),
    ),
    ...fact('', searchesLine(record)),
    ...fact('cost', money(record.cost_usd)),
    ...(record.attempts ?? []).flatMap((attempt: Row, index: number) =>
      fact(index === 0 ? 'attempts' : '', attemptText(attempt)),
    ),
    ...fact(
      'betas',
      record.betas &&
        `sent ${record.betas.sent?.join(', ') || 'none'}; stripped ${record.betas.stripped?.join(', ') || 'none'}`,
    ),
    ...fact(
      'repairs',
      record.repairs?.map((repair: Row) => (typeof repair === 'string' ? repair : JSON.stringify(repair))).join(', '),
    ),
    ...fact('tools', record.tools?.map((tool: Row) => nameIn(tool)).join(', ')),
    ...fact('session', record.session_id),
    ...fact('flags', record.flags?.join(', ')),
  ]
}

function searchesLine({ web_searches: searches, web_search_cost_usd: usd }: Row): string | undefined {
  return usd > 0 ? `web searches: ${count(searches)} = ${money(usd)}` : undefined
}
