/** `causeway requests tail`: calls as they happen, from the gateway's stream of events or, without one, by asking again. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, Query } from '../../client/http-client.ts'
import { readPages } from '../../client/pages.ts'
import { readEvents } from '../../client/server-events.ts'
import type { Leaf } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { wholeNumber } from '../../command/option-values.ts'
import { isDocumentFormat, type Row } from '../../output/render.ts'
import { milliseconds, money } from '../../output/shown.ts'
import { harmless, tabLine } from '../../output/table.ts'
import { CliError, exitCodes } from '../../terminal/cli-error.ts'
import { nameIn, requestColumns, requestFilters, requestQuery } from './request-fields.ts'

const POLL_MS = 2_000
const REMEMBERED = 1_000

export const tail: Leaf = {
  name: 'tail',
  summary: 'follow calls as they happen, until Ctrl-C',
  kind: 'plain',
  routes: ['GET /admin/events'],
  options: [
    ...requestFilters.filter(({ flags }) => !/^--(since|until)/.test(flags)),
    { flags: '--json', text: 'one JSON object a line' },
    { flags: '--count <n>', text: 'stop after this many', parse: wholeNumber(1, 1_000_000) },
  ],
  about: 'Where more than ten calls end in a second, some that took long may be missing; "requests list" has them all.',
  examples: ['requests tail --errors', 'requests tail --user ada@example.com --json'],
  run: async (context, _args, values) => {
    const client = await context.client()
    const most: number = values['count'] ?? Number.POSITIVE_INFINITY
    let printed = 0
    try {
      for await (const record of follow(client, context)) {
        print(context, record)
        printed += 1
        if (printed >= most) return
      }
    } catch (error) {
      if (context.io.signal.aborted) throw new CliError('stopped', { exit: 'interrupted', cause: error })
      throw error
    }
    if (context.io.signal.aborted) process.exitCode = exitCodes.interrupted
  },
}

/** Events only wake the reader up: the list answers with the filters applied, so both ways give the same records. */
async function* follow(client: Client, context: Context): AsyncGenerator<Row> {
  const seen = new Map<string, string>()
  const query = requestQuery(context.values)
  const startedAt = await gatewayTime(client, context.io.nowMs)
  let from = startedAt
  for await (const toldAt of wakeUps(client, context.io.signal)) {
    const { records, since } = await readNew(client, { ...query, from }, seen)
    const isDeeper = toldAt !== undefined && toldAt >= startedAt && toldAt <= since
    for (const record of isDeeper ? [...(await readAt(client, query, toldAt)), ...records] : records) {
      if (seen.has(toRecordId(record))) continue
      seen.set(toRecordId(record), record.at)
      yield record
    }
    from = forgetOldest(seen) ?? from
  }
}

const toRecordId = (record: Row): string => `${record.request_id}/${record.round ?? ''}`

interface Look {
  /** Oldest first. */
  readonly records: readonly Row[]
  /** Whatever began later than this was read. */
  readonly since: string
}

/** A burst fills several pages: read on until one has nothing new. */
async function readNew(
  client: Client,
  query: Query & { readonly from: string },
  seen: ReadonlyMap<string, string>,
): Promise<Look> {
  const found: Row[] = []
  for await (const { data } of readPages(client, '/admin/requests', query, true)) {
    const unseen = data.filter((record) => !seen.has(toRecordId(record)))
    if (unseen.length === 0 && data.length > 0) return { records: found.reverse(), since: data.at(-1).at }
    found.push(...unseen)
  }
  return { records: found.reverse(), since: query.from }
}

/** Calls are listed by when they began: one that took long stands far below those that the newest pages show. */
async function readAt(client: Client, query: Query, at: string): Promise<readonly Row[]> {
  const to = new Date(Date.parse(at) + 1).toISOString()
  return (await client.get('/admin/requests', { ...query, from: at, to, limit: 200 })).data
}

/** Bounds what is remembered. Returns since when it is whole: what was forgotten must not be read again. */
function forgetOldest(seen: Map<string, string>): string | undefined {
  if (seen.size <= REMEMBERED) return undefined
  const oldest = [...seen.values()].sort().at(-REMEMBERED) ?? ''
  for (const [id, at] of seen) if (at < oldest) seen.delete(id)
  return oldest
}

/**
 * When this was called, by the clock of the gateway, which is the one that dates calls. That of this machine may be wrong:
 * ahead it would hide them, behind it would show old ones as new.
 */
async function gatewayTime(client: Client, nowMs: () => number): Promise<string> {
  const calledMs = nowMs()
  const answer = await client.open('/auth/me')
  await answer.body?.cancel()
  // Whole seconds, cut off: a call of the second before may be shown, none is left out.
  const thereMs = Date.parse(answer.headers.get('date') ?? '')
  return new Date(Number.isNaN(thereMs) ? calledMs : thereMs - (nowMs() - calledMs)).toISOString()
}

/** Gives when the call began that it tells of, if it does. */
async function* wakeUps(client: Client, signal: AbortSignal): AsyncGenerator<string | undefined> {
  const stream = await client
    .open('/admin/events', { topics: 'requests' }, 'text/event-stream')
    .catch((error: unknown) => {
      // A gateway without live events is asked again and again instead.
      if (error instanceof CliError && error.parts.exit === 'notFound') return undefined
      throw error
    })
  // Not before: what is stored while the stream is opened would wait for the call after it.
  yield undefined
  try {
    if (stream !== undefined)
      for await (const { event, data } of readEvents(stream)) if (event === 'request') yield JSON.parse(data).at
  } catch (error) {
    // An instance that is replaced, or a proxy, cuts the stream: asking again goes on, and tells when nobody answers.
    if (signal.aborted) throw error
  }
  while (!signal.aborted) {
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined)
    if (!signal.aborted) yield undefined
  }
}

function print(context: Context, record: Row): void {
  const { io, paint, output } = context
  if (context.values['json'] === true || isDocumentFormat(output.format)) io.out(`${JSON.stringify(record)}\n`)
  else if (!io.isTerminal) io.out(`${tabLine(record, requestColumns(context))}\n`)
  else {
    const time = String(record.at).slice(11, 19)
    const status = Number(record.status) >= 400 ? paint.red(String(record.status)) : paint.green(String(record.status))
    const rest = [
      nameIn(record.user) ?? nameIn(record.key) ?? '-',
      record.model || '-',
      nameIn(record.endpoint) ?? '-',
      money(record.cost_usd),
      milliseconds(record.duration_ms),
    ]
    io.out(
      `${paint.dim(time)} ${status} ${harmless(rest.join('  '))} ${record.reason?.kind ?? record.error_type ?? ''} ${paint.dim(record.request_id)}\n`,
    )
  }
}
