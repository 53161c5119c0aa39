/** Reads the records of one file from the spend log, in pieces and in the order of the columns. */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../foundation/database/schema.ts'
import { at } from '../../modules/spend/usage/usage-source.store.ts'
import { type SpendColumnName, type SpendValue, spendFileColumns } from './spend-columns.ts'

/** Some milliseconds to read and to convert: nobody waits for it. */
const ROWS_AT_ONCE = 1_000
const DAY_MS = 86_400_000

export interface FilePart {
  readonly day: string
  readonly part: number
}

export interface Piece {
  /** One list for each column. */
  readonly columns: readonly SpendValue[][]
  readonly costNanoUsd: bigint
}

/** Ids of other gateways are no UUIDs and stand beside the row. */
const ownOr = (kind: string, otherwise: string): string => `coalesce(log.extra -> 'ids' ->> '${kind}', ${otherwise})`
const rate = (name: string): string => `round(log.rate_${name}::numeric * 1000000000)::bigint`
const flag = (index: number): string => `log.flags & ${1 << index} <> 0`

const expressions: Record<SpendColumnName, string> = {
  request_id: ownOr('request', `'req_' || replace(log.request_id::text, '-', '')`),
  round: 'log.round',
  requested_at: '(extract(epoch from log.at) * 1000)::bigint',
  status: 'log.status',
  is_served: '(log.rate_input is not null or log.flags & 4 <> 0)',
  user_id: ownOr('user', 'log.user_id::text'),
  user_name: 'person.name',
  team_id: ownOr('team', 'log.team_id::text'),
  team_name: 'team.name',
  key_id: ownOr('key', 'log.key_id::text'),
  key_name: 'key.name',
  endpoint_id: ownOr('endpoint', 'log.endpoint_id::text'),
  endpoint_name: 'endpoint.name',
  model: 'log.model',
  hosted_model: 'log.hosted_model',
  session_id: ownOr('session', 'log.session_id::text'),
  agent_id: 'log.agent_id',
  parent_agent_id: 'log.parent_agent_id',
  tools: `replace(log.tools, E'\\n', ',')`,
  stop_reason: 'log.stop_reason',
  error_type: 'log.error_type',
  reason_kind: 'log.reason_kind',
  streaming: 'log.streaming',
  input_tokens: 'log.input_tokens',
  output_tokens: 'log.output_tokens',
  cache_read_tokens: 'log.cache_read_tokens',
  cache_write_5m_tokens: 'log.cache_write_5m_tokens',
  cache_write_1h_tokens: 'log.cache_write_1h_tokens',
  web_searches: 'log.web_searches',
  cost_nano_usd: 'log.cost_nano_usd',
  cost_usd: 'log.cost_nano_usd',
  rate_input_usd: rate('input'),
  rate_output_usd: rate('output'),
  rate_cache_read_usd: rate('cache_read'),
  rate_cache_write_5m_usd: rate('cache_write_5m'),
  rate_cache_write_1h_usd: rate('cache_write_1h'),
  duration_ms: 'log.duration_ms',
  first_token_ms: 'log.first_token_ms',
  is_estimated: flag(0),
  is_aborted: flag(1),
  is_unpriced: flag(2),
  is_price_estimated: flag(5),
  is_probe: flag(3),
  is_clamped: flag(4),
}

const row = sql.raw(`json_build_array(${spendFileColumns.map(({ name }) => expressions[name]).join(', ')})`)

/** Of those who are gone too, as long as their former name is known. */
const names = sql.raw(`
  select distinct on (id) id, name from (
    select id, subject as name, 0 as place from users where id in (select id from ids)
    union all select id, name, 0 from teams where id in (select id from ids)
    union all select id, name, 0 from virtual_keys where id in (select id from ids)
    union all select id, name, 0 from endpoints where id in (select id from ids)
    union all select id, name, 1 from former_names where id in (select id from ids)
  ) as found order by id, place`)

interface Page {
  readonly records: readonly (readonly SpendValue[])[]
  readonly at: string
  readonly request_id: string
  readonly round: number
}

/**
 * The first file of a day has what was not late, a later one what was assigned to it. What is stored meanwhile belongs to
 * neither, so whoever reads a file again reads the same records.
 */
export async function* readFileRows(db: Kysely<Schema>, file: FilePart): AsyncGenerator<Piece> {
  const costAt = spendFileColumns.findIndex(({ name }) => name === 'cost_nano_usd')
  let after: Page | undefined
  do {
    after = await readPage(db, file, after)
    if (after === undefined) return
    const { records } = after
    yield {
      columns: spendFileColumns.map((_, place) => records.map((record) => record[place] ?? null)),
      costNanoUsd: records.reduce((sum, record) => sum + BigInt(record[costAt] as number), 0n),
    }
  } while (after.records.length === ROWS_AT_ONCE)
}

async function readPage(
  db: Kysely<Schema>,
  { day, part }: FilePart,
  after: Page | undefined,
): Promise<Page | undefined> {
  const startMs = Date.parse(`${day}T00:00:00Z`)
  const from =
    after === undefined
      ? sql`log.at >= ${at(startMs)}`
      : sql`log.at >= ${after.at}::timestamptz and (log.at, log.request_id, log.round) > (${after.at}::timestamptz, ${after.request_id}::uuid, ${after.round}::smallint)`
  const late = sql`select from warehouse_late as late where late.day = ${day}::date
    and late.request_id = log.request_id and late.round = log.round and late.at = log.at`
  const belongs = part === 1 ? sql`not exists (${late})` : sql`exists (${late} and late.part = ${part}::integer)`
  const { rows } = await sql<Page>`
    with log as materialized (
      select log.*, context.hosted_model, context.rate_input, context.rate_output, context.rate_cache_read,
        context.rate_cache_write_5m, context.rate_cache_write_1h
      from spend_log as log left join spend_contexts as context on context.id = log.context_id
      where ${from} and log.at < ${at(startMs + DAY_MS)} and ${belongs}
      order by log.at, log.request_id, log.round limit ${ROWS_AT_ONCE}
    ), ids as materialized (
      select user_id as id from log union select team_id from log union select key_id from log
      union select endpoint_id from log
    ), names as materialized (${names}), read as (
      select json_agg(${row} order by log.at, log.request_id, log.round) as records
      from log left join names as person on person.id = log.user_id left join names as team on team.id = log.team_id
      left join names as key on key.id = log.key_id left join names as endpoint on endpoint.id = log.endpoint_id
    )
    select read.records, last.at::text, last.request_id, last.round
    from read, (select at, request_id, round from log order by at desc, request_id desc, round desc limit 1) as last`.execute(
    db,
  )
  return rows[0]
}
