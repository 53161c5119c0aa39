/** The served calls of a range as CSV, written by the database itself and handed on piece by piece. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Span } from '../domain/usage-range.ts'
import type { Schema } from './schema.ts'
import { at, logCondition, type UsageFilter } from './usage-source.ts'

/** About 260 kB of text: little to hold, and calls that are served meanwhile wait for a piece of it at most. */
const ROWS_AT_ONCE = 1_000
const DAY_MS = 86_400_000

const columns = [
  'time',
  'request_id',
  'round',
  'user',
  'team',
  'key',
  'model',
  'hosted_model',
  'endpoint',
  'status',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_5m_tokens',
  'cache_write_1h_tokens',
  'web_searches',
  'cost_usd',
  'duration_ms',
  'session_id',
]

/** concat_ws would leave out what is null, so every part is text. */
const line = sql.raw(
  `concat(${[
    `to_char(log.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    `csv_cell(coalesce(log.extra -> 'ids' ->> 'request', 'req_' || replace(log.request_id::text, '-', '')))`,
    'log.round',
    'csv_cell(coalesce(users.subject, former_user.name, log.user_id::text))',
    'csv_cell(coalesce(teams.name, former_team.name, log.team_id::text))',
    'csv_cell(coalesce(virtual_keys.name, former_key.name, log.key_id::text))',
    'csv_cell(log.model)',
    'csv_cell(log.hosted_model)',
    'csv_cell(coalesce(endpoints.name, former_endpoint.name, log.endpoint_id::text))',
    'log.status',
    'log.input_tokens',
    'log.output_tokens',
    'log.cache_read_tokens',
    'log.cache_write_5m_tokens',
    'log.cache_write_1h_tokens',
    'log.web_searches',
    'trim_scale(log.cost_nano_usd / 1000000000.0)',
    'log.duration_ms',
    `csv_cell(coalesce(log.extra -> 'ids' ->> 'session', log.session_id::text))`,
  ].join(`, ',', `)}, E'\\r\\n')`,
)

interface Page {
  readonly lines: string
  readonly rows: number
  readonly at: string
  readonly request_id: string
  readonly round: number
}

/**
 * Oldest first. Each piece goes on after the last row of the one before instead of keeping a cursor open: a reader that
 * stops half-way would hold a connection of the pool and a snapshot that keeps the server from cleaning up. A piece is of
 * one day, so that the server plans it for one partition and not for hundreds.
 */
export async function* exportSpend(db: Kysely<Schema>, range: Span, filter: UsageFilter): AsyncGenerator<string> {
  yield `${columns.join(',')}\r\n`
  for (const day of daysOf(range)) {
    let after: Page | undefined
    do {
      const startedMs = performance.now()
      after = await readPiece(db, day, filter, after)
      const tookMs = performance.now() - startedMs
      if (after === undefined) break
      yield after.lines
      // As long as it took: a large file may have half a processor of the database, calls and records have the rest.
      await delay(tookMs)
    } while (after.rows === ROWS_AT_ONCE)
  }
}

/** Cut at midnight of UTC, where partitions end. */
function* daysOf({ startMs, endMs }: Span): Generator<Span> {
  for (let fromMs = startMs; fromMs < endMs; ) {
    const toMs = Math.min(endMs, (Math.floor(fromMs / DAY_MS) + 1) * DAY_MS)
    yield { startMs: fromMs, endMs: toMs }
    fromMs = toMs
  }
}

async function readPiece(
  db: Kysely<Schema>,
  range: Span,
  filter: UsageFilter,
  after: Page | undefined,
): Promise<Page | undefined> {
  const start =
    after === undefined
      ? sql`log.at >= ${at(range.startMs)}`
      : sql`log.at >= ${after.at}::timestamptz and (log.at, log.request_id, log.round) > (${after.at}::timestamptz, ${after.request_id}::uuid, ${after.round}::smallint)`
  const { rows } = await sql<Page>`
    with log as materialized (
      select log.*, context.hosted_model from spend_log as log
      left join spend_contexts as context on context.id = log.context_id
      where ${start} and log.at < ${at(range.endMs)} and (context.rate_input is not null or log.flags & 4 <> 0)
        and ${logCondition(filter)}
      order by log.at, log.request_id, log.round limit ${ROWS_AT_ONCE}
    ), written as (
      select string_agg(${line}, '' order by log.at, log.request_id, log.round) as lines, count(*) as rows
      from log
      left join users on users.id = log.user_id
      left join former_names as former_user on former_user.id = log.user_id and former_user.kind = 'user'
      left join teams on teams.id = log.team_id
      left join former_names as former_team on former_team.id = log.team_id and former_team.kind = 'team'
      left join virtual_keys on virtual_keys.id = log.key_id
      left join former_names as former_key on former_key.id = log.key_id and former_key.kind = 'key'
      left join endpoints on endpoints.id = log.endpoint_id
      left join former_names as former_endpoint
        on former_endpoint.id = log.endpoint_id and former_endpoint.kind = 'endpoint'
    )
    select written.lines, written.rows, last.at::text, last.request_id, last.round
    from written, (select at, request_id, round from log order by at desc, request_id desc, round desc limit 1) as last`.execute(
    db,
  )
  return rows[0]
}
