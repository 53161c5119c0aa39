/**
 * The served calls of a range as CSV, written by the database itself and handed on piece by piece.
 * The process only passes text on, so a library that writes CSV would have nothing to do.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../foundation/database/schema.ts'
import type { Span } from '../../foundation/domain/usage-range.ts'
import { at, cutAtMidnight, logCondition, type UsageFilter } from './usage/usage-source.store.ts'

/** About 50 kB of text, which comes in one read of the socket: little to hold, and no call waits for it. */
const ROWS_AT_ONCE = 200
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

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

function ownOr(kind: string, otherwise: string): string {
  const foreign = `log.extra -> 'ids' ->> '${kind}'`
  return `case when ${foreign} is null then ${otherwise} else csv_cell(${foreign}) end`
}

/** concat_ws would leave out what is null, so every part is text. Ids as we make them need no look for quotes. */
const line = sql.raw(
  `concat(${[
    `to_char(log.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    ownOr('request', `'req_' || replace(log.request_id::text, '-', '')`),
    'log.round',
    'coalesce(person.cell, log.user_id::text)',
    'coalesce(team.cell, log.team_id::text)',
    'coalesce(key.cell, log.key_id::text)',
    'csv_cell(log.model)',
    'csv_cell(log.hosted_model)',
    'coalesce(endpoint.cell, log.endpoint_id::text)',
    'log.status',
    'log.input_tokens',
    'log.output_tokens',
    'log.cache_read_tokens',
    'log.cache_write_5m_tokens',
    'log.cache_write_1h_tokens',
    'log.web_searches',
    'trim_scale(log.cost_nano_usd / 1000000000.0)',
    'log.duration_ms',
    ownOr('session', 'log.session_id::text'),
  ].join(`, ',', `)}, E'\\r\\n')`,
)

/** Once for each id of a piece, and one table to join: planning a join of all of them took longer than reading. */
const names = sql.raw(`
  select distinct on (id) id, csv_cell(name) as cell from (
    select id, subject as name, 0 as place from users where id in (select id from ids)
    union all select id, name, 0 from teams where id in (select id from ids)
    union all select id, name, 0 from virtual_keys where id in (select id from ids)
    union all select id, name, 0 from endpoints where id in (select id from ids)
    union all select id, name, 1 from former_names where id in (select id from ids)
  ) as found order by id, place`)

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
 * one day, so that the server plans it for one partition and not for hundreds, and of as much time as has about enough
 * rows: it would read and sort the rest of the day for each of them.
 */
export async function* exportSpend(db: Kysely<Schema>, range: Span, filter: UsageFilter): AsyncGenerator<string> {
  yield `${columns.join(',')}\r\n`
  let lengthMs = HOUR_MS
  for (const day of cutAtMidnight(range))
    for (let startMs = day.startMs; startMs < day.endMs; ) {
      const slice = { startMs, endMs: Math.min(day.endMs, startMs + lengthMs) }
      let after: Page | undefined
      let rows = 0
      do {
        const startedMs = performance.now()
        after = await readPiece(db, slice, filter, after)
        const tookMs = performance.now() - startedMs
        if (after === undefined) break
        rows += after.rows
        yield after.lines
        // As long as it took: a large file may have half a processor of the database, calls and records have the rest.
        await delay(tookMs)
      } while (after.rows === ROWS_AT_ONCE)
      startMs = slice.endMs
      if (rows >= ROWS_AT_ONCE) lengthMs = Math.max(1, Math.floor(lengthMs / 2))
      else if (rows < ROWS_AT_ONCE / 2) lengthMs = Math.min(DAY_MS, lengthMs * 2)
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
    ), ids as materialized (
      select user_id as id from log union select team_id from log union select key_id from log
      union select endpoint_id from log
    ), names as materialized (${names}), written as (
      select string_agg(${line}, '' order by log.at, log.request_id, log.round) as lines, count(*) as rows
      from log left join names as person on person.id = log.user_id left join names as team on team.id = log.team_id
      left join names as key on key.id = log.key_id left join names as endpoint on endpoint.id = log.endpoint_id
    )
    select written.lines, written.rows, last.at::text, last.request_id, last.round
    from written, (select at, request_id, round from log order by at desc, request_id desc, round desc limit 1) as last`.execute(
    db,
  )
  return rows[0]
}
