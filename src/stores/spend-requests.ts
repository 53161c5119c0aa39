/** The request log: pages of calls, and the names that go with their ids. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { SpendFlag, SpendRecord } from '../domain/spend-record.ts'
import { type Page, type PageRequest, readPage } from './paging.ts'
import type { Schema } from './schema.ts'
import { joinedSpend } from './spend-log.ts'
import { flagBits, spendUuid } from './spend-row.ts'
import { toSpendRecord } from './stored-spend.ts'
import { isMatched, type NameMatch } from './usage-names.ts'

export interface Between {
  readonly least?: number | undefined
  /** Included. */
  readonly most?: number | undefined
}

/** Every part that is given must hold. */
export interface RequestFilter extends PageRequest {
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
  readonly outcome?: 'ok' | 'error' | undefined
  readonly status?: number | undefined
  /** Part of the model's id. */
  readonly models?: readonly string[] | undefined
  /** The whole id. */
  readonly exactModels?: readonly string[] | undefined
  readonly users?: readonly NameMatch[] | undefined
  readonly teams?: readonly NameMatch[] | undefined
  readonly keys?: readonly NameMatch[] | undefined
  readonly endpoints?: readonly NameMatch[] | undefined
  readonly requestIds?: readonly string[] | undefined
  readonly sessionIds?: readonly string[] | undefined
  readonly agentIds?: readonly string[] | undefined
  readonly errorTypes?: readonly string[] | undefined
  readonly tools?: readonly string[] | undefined
  readonly exactTools?: readonly string[] | undefined
  readonly flags?: readonly SpendFlag[] | undefined
  readonly costNanoUsd?: Between | undefined
  readonly durationMs?: Between | undefined
  readonly tokens?: Between | undefined
}

/** The rounds of one request, in order. */
export type RequestRounds = readonly [SpendRecord, ...SpendRecord[]]

const sorts = { at: { expression: sql`spend_log.at`, type: 'timestamptz' } } as const

export function createSpendRequests(db: Kysely<Schema>) {
  return {
    /** Newest first. A request stands in the list once, at its first round. */
    list: async (filter: RequestFilter): Promise<Page<RequestRounds>> => {
      const page = await readPage(
        joinedSpend(db).where('spend_log.round', '=', 0).where(condition(filter)),
        { sorts, defaultSort: '-at', id: sql`spend_log.request_id`, idType: 'uuid' },
        filter,
        toSpendRecord,
      )
      const later = await laterRounds(db, page.data)
      return { ...page, data: page.data.map((record) => [record, ...(later.get(record.requestId) ?? [])] as const) }
    },
  }
}

export type SpendRequests = ReturnType<typeof createSpendRequests>

/** A search goes on for minutes at most, and its rounds carry times of their own. */
const LONGEST_REQUEST_MS = 3_600_000

async function laterRounds(
  db: Kysely<Schema>,
  records: readonly SpendRecord[],
): Promise<ReadonlyMap<string, readonly SpendRecord[]>> {
  if (records.length === 0) return new Map()
  const times = records.map(({ atMs }) => atMs)
  const rows = await joinedSpend(db)
    .where('spend_log.round', '>', 0)
    .where(
      sql<boolean>`spend_log.request_id = any(${records.map(({ requestId }) => spendUuid('request', requestId))}::uuid[])`,
    )
    .where('spend_log.at', '>=', new Date(Math.min(...times)))
    .where('spend_log.at', '<=', new Date(Math.max(...times) + LONGEST_REQUEST_MS))
    .orderBy('spend_log.round')
    .execute()
  return Map.groupBy(rows.map(toSpendRecord), ({ requestId }) => requestId)
}

/** A part of a name must never become a pattern: `strpos` knows none. */
function condition(filter: RequestFilter): RawBuilder<boolean> {
  const parts: RawBuilder<unknown>[] = [
    ...optional(filter.fromMs, (ms) => sql`spend_log.at >= ${new Date(ms)}`),
    ...optional(filter.toMs, (ms) => sql`spend_log.at < ${new Date(ms)}`),
    ...optional(filter.status, (status) => sql`spend_log.status = ${status}`),
    ...optional(filter.outcome, (outcome) => (outcome === 'error' ? failed : sql`not ${failed}`)),
    ...(filter.models ?? []).map((part) => sql`strpos(lower(spend_log.model), lower(${part})) > 0`),
    ...(filter.exactModels ?? []).map((model) => sql`spend_log.model = ${model}`),
    ...(filter.errorTypes ?? []).map((part) => sql`strpos(lower(spend_log.error_type), lower(${part})) > 0`),
    ...(filter.tools ?? []).map((part) => sql`strpos(lower(spend_log.tools), lower(${part})) > 0`),
    ...(filter.exactTools ?? []).map((tool) => sql`${tool} = any(string_to_array(spend_log.tools, E'\\n'))`),
    ...(filter.requestIds ?? []).map((id) => sql`spend_log.request_id = ${spendUuid('request', id)}::uuid`),
    ...(filter.sessionIds ?? []).map((id) => sql`spend_log.session_id = ${spendUuid('session', id)}::uuid`),
    ...(filter.agentIds ?? []).map((id) => sql`spend_log.agent_id = ${id}`),
    ...(filter.flags ?? []).map((flag) => sql`spend_log.flags & ${flagBits([flag])}::smallint <> 0`),
    ...among('user_id', filter.users),
    ...among('team_id', filter.teams),
    ...among('key_id', filter.keys),
    ...among('endpoint_id', filter.endpoints),
    ...between(sql`spend_log.cost_nano_usd`, filter.costNanoUsd),
    ...between(sql`spend_log.duration_ms`, filter.durationMs),
    ...between(allTokens, filter.tokens),
  ]
  return parts.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(parts, sql` and `)}`
}

/** As the roll-ups count errors, and written so that the index of failed calls can be used with others. */
const failed = sql`(spend_log.status >= 400 or (spend_log.error_type is not null and spend_log.flags & 2 = 0))`

const allTokens = sql`(spend_log.input_tokens::bigint + spend_log.output_tokens + spend_log.cache_read_tokens
  + spend_log.cache_write_5m_tokens + spend_log.cache_write_1h_tokens)`

function optional<T>(value: T | undefined, make: (value: T) => RawBuilder<unknown>): readonly RawBuilder<unknown>[] {
  return value === undefined ? [] : [make(value)]
}

function among(column: string, matches: readonly NameMatch[] | undefined): readonly RawBuilder<unknown>[] {
  return (matches ?? []).map((match) => isMatched(sql.ref(`spend_log.${column}`), match))
}

function between(value: RawBuilder<unknown>, limits: Between | undefined): readonly RawBuilder<unknown>[] {
  return [
    ...optional(limits?.least, (least) => sql`${value} >= ${least}::float8`),
    ...optional(limits?.most, (most) => sql`${value} <= ${most}::float8`),
  ]
}
