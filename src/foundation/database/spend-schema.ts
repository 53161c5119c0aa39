/** The tables of the spend log as Kysely sees them. */
import type { ColumnType } from 'kysely'
import type { FailureKind, FailureReason } from '../domain/failure-reason.ts'
import type { Attempt } from '../domain/spend-record.ts'

type Time = ColumnType<Date, Date | string, Date | string>
type OptionalJson<T> = ColumnType<T | null, string | null | undefined, string | null>

export interface SpendSchema {
  spend_log: SpendLogTable
  spend_contexts: SpendContextTable
}

/** What many calls share. Join it by id inside SQL: as a JavaScript number the id would be rounded. */
export interface SpendContextTable {
  id: ColumnType<never, string, never>
  hosted_model: string | null
  routing: string | null
  betas_sent: string[]
  betas_stripped: string[]
  repairs: string[]
  /** US dollars per million tokens, as used for this call. */
  rate_input: number | null
  rate_output: number | null
  rate_cache_read: number | null
  rate_cache_write_5m: number | null
  rate_cache_write_1h: number | null
}

export interface SpendLogTable {
  at: Time
  cost_nano_usd: number
  context_id: ColumnType<never, string, never>
  input_tokens: number
  output_tokens: number
  cache_read_tokens: number
  cache_write_5m_tokens: number
  cache_write_1h_tokens: number
  duration_ms: number
  first_token_ms: number | null
  /** Duration of the only try; null when `extra.attempts` tells, or none was made. */
  attempt_ms: number | null
  round: number
  status: number
  /** Bit n is set when the flag with index n of `spendFlags` is; `price_estimated` sets the bit of `unpriced` too. */
  flags: number
  web_searches: number
  streaming: boolean
  /** The hex digits of `req_…`. */
  request_id: string
  key_id: string | null
  user_id: string | null
  team_id: string | null
  endpoint_id: string | null
  session_id: string | null
  model: string
  stop_reason: string | null
  error_type: string | null
  agent_id: string | null
  parent_agent_id: string | null
  /** One name a line. */
  tools: string | null
  /** Null also in records from before reasons were kept. */
  reason_kind: FailureKind | null
  /** Null exactly when the kind is. */
  reason: OptionalJson<StoredReason>
  extra: OptionalJson<SpendExtra>
}

/** A reason without its kind, which has a column of its own. */
export type StoredReason = Omit<FailureReason, 'kind'>

/** Rarely needed, so outside the columns. */
export interface SpendExtra {
  readonly attempts?: readonly Attempt[]
  /** Ids that are no uuids: the column holds a hash, the text stands here. */
  readonly ids?: Readonly<Record<string, string>>
}
