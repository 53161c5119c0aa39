/** `causeway why`: the reason for which a request failed, and what to do about it. */
import type { Client } from '../../client/http-client.ts'
import type { Leaf } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { isForPeople, printDocument, type Row } from '../../output/render.ts'
import { harmless } from '../../output/table.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { requestArg } from './explain-request.ts'
import { attemptText, failureLines } from './failure-lines.ts'

export const why: Leaf = {
  name: 'why',
  summary: 'explain why a request failed and what to do about it',
  kind: 'read',
  args: [requestArg],
  about: 'You can ask about your own requests. Administrators can ask about all requests.',
  examples: ['why req_01J…', 'why req_01J… --json'],
  run: async (context, [id]) => {
    const client = await context.client()
    const { request_id, at, status, reason, hint, attempts } = await readRequest(client, id)
    const document = { request_id, at, status, reason, hint, attempts }
    if (isForPeople(context.output.format)) context.io.out(`${writeLines(context, document, client.base).join('\n')}\n`)
    else await printDocument(context.output, document, columns)
  },
}

/** As an administrator where that is allowed, else among the caller's own requests. */
async function readRequest(client: Client, id: string): Promise<Row> {
  const path = `requests/${encodeURIComponent(id)}`
  try {
    return await client.get(`/admin/${path}`)
  } catch (error) {
    if (!(error instanceof CliError) || (error.parts.exit !== 'notAllowed' && error.parts.exit !== 'notFound'))
      throw error
    return await client.get(`/me/${path}`)
  }
}

const columns = [
  { name: 'request', value: (row: Row) => row.request_id },
  { name: 'status', value: (row: Row) => row.status },
  { name: 'reason', value: (row: Row) => row.reason?.kind },
  { name: 'code', value: (row: Row) => row.reason?.code },
  { name: 'message', value: (row: Row) => row.reason?.message },
  { name: 'next step', value: (row: Row) => row.hint?.text },
  { name: 'link', value: (row: Row) => row.hint?.link },
]

function writeLines({ paint, io }: Context, record: Row, base: string): string[] {
  const failure = failureLines(record, base, io.nowMs())
  const attempts = record.reason === null ? [] : (record.attempts ?? [])
  const facts = [
    { label: 'request', text: String(record.request_id) },
    { label: 'status', text: String(record.status) },
    ...failure,
    ...attempts.map((attempt: Row, index: number) => ({
      label: index === 0 ? 'attempts' : '',
      text: attemptText(attempt),
    })),
    ...(failure.length === 0 ? [{ label: 'reason', text: withoutReason(record) }] : []),
  ]
  return facts.map(({ label, text }) => `${paint.dim(label.padEnd(12))} ${harmless(text)}`)
}

function withoutReason({ status }: Row): string {
  if (Number(status) < 400) return 'The request succeeded.'
  return 'No reason was kept. The request is older than this feature.'
}
