/** The outcome of a request of one round, and of one that went on in later rounds, as web searches do. */
import { type RawBuilder, sql } from 'kysely'
import type { SpendLogTable } from '../../foundation/database/spend-schema.ts'
import { type OutcomeColumns, ownerConditions, type RequestFilter } from './request-conditions.store.ts'
import { joinConditions } from './usage/usage-source.store.ts'

/** A search goes on for minutes at most, and its rounds carry times of their own. */
export const LONGEST_REQUEST_MS = 3_600_000
const longestRequest = sql.raw(`interval '${LONGEST_REQUEST_MS} milliseconds'`)

/** When a request began; both ends are included. */
export interface Reach {
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
}

/** As the roll-ups count errors, and written so that the index of failed calls can be used with others. */
const failed = sql`(spend_log.status >= 400 or (spend_log.error_type is not null and spend_log.flags & 2 = 0))`

const tokens = sql`(spend_log.input_tokens::bigint + spend_log.output_tokens + spend_log.cache_read_tokens
  + spend_log.cache_write_5m_tokens + spend_log.cache_write_1h_tokens)`

export const ofOnlyRound: OutcomeColumns = {
  status: sql`spend_log.status`,
  error_type: sql`spend_log.error_type`,
  reason_kind: sql`spend_log.reason_kind`,
  failed,
  endpoint_id: sql`spend_log.endpoint_id`,
  tools: sql`spend_log.tools`,
  flags: sql`spend_log.flags`,
  cost_nano_usd: sql`spend_log.cost_nano_usd`,
  duration_ms: sql`spend_log.duration_ms`,
  tokens,
}

/** Of the `continuedRequests`, as the request log shows them. */
export const ofAllRounds: OutcomeColumns = {
  status: sql`spend_log.last_status`,
  error_type: sql`spend_log.last_error_type`,
  reason_kind: sql`spend_log.last_reason_kind`,
  failed: sql`spend_log.last_failed`,
  endpoint_id: sql`spend_log.last_endpoint_id`,
  tools: sql`concat_ws(E'\\n', spend_log.tools, spend_log.later_tools)`,
  flags: sql`(spend_log.flags | spend_log.later_flags)`,
  cost_nano_usd: sql`(spend_log.cost_nano_usd + spend_log.later_cost_nano_usd)`,
  duration_ms: sql`(spend_log.duration_ms + spend_log.later_duration_ms)`,
  tokens: sql`(${tokens} + spend_log.later_tokens)`,
}

/**
 * First rounds of the requests that went on, each with what its later rounds add. Found from the later rounds, of which
 * there are few: `offset 0` keeps the whole log from being read and joined with them.
 */
export function continuedRequests(filter: RequestFilter, reach: Reach): RawBuilder<SpendLogTable> {
  const last = (value: RawBuilder<unknown>): RawBuilder<unknown> => sql`(array_agg(${value} order by round desc))[1]`
  return sql`(
    select first.*, later.* from (
      select request_id as later_of, min(at) as later_at, ${last(sql`status`)} as last_status,
        ${last(sql`error_type`)} as last_error_type, ${last(sql`reason_kind`)} as last_reason_kind,
        ${last(failed)} as last_failed,
        ${last(sql`endpoint_id`)} as last_endpoint_id, string_agg(tools, E'\\n') as later_tools,
        bit_or(flags) as later_flags, sum(cost_nano_usd) as later_cost_nano_usd,
        sum(duration_ms) as later_duration_ms, sum(${tokens}) as later_tokens
      from spend_log where round > 0 and ${joinConditions([...ownerConditions(filter), ...within(reach, LONGEST_REQUEST_MS)])}
      group by request_id
    ) as later cross join lateral (
      select * from spend_log
      where request_id = later.later_of and round = 0 and at <= later.later_at and at >= later.later_at - ${longestRequest}
        and ${joinConditions(within(reach, 0))}
      offset 0
    ) as first)`
}

/** Times that are known beforehand, so that days out of reach are not even planned. */
function within({ fromMs, toMs }: Reach, longerMs: number): readonly RawBuilder<unknown>[] {
  return [
    ...(fromMs === undefined ? [] : [sql`spend_log.at >= ${new Date(fromMs)}`]),
    ...(toMs === undefined ? [] : [sql`spend_log.at <= ${new Date(toMs + longerMs)}`]),
  ]
}
