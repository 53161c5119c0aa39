/** Reads spend records back from their rows. */
import type { Selectable } from 'kysely'
import type { SpendContextTable, SpendLogTable } from '../../foundation/database/spend-schema.ts'
import type { Rates } from '../../foundation/domain/price.ts'
import { type Attempt, type SpendFlag, type SpendRecord, spendFlags } from '../../foundation/domain/spend-record.ts'

type Nullable<T> = { [K in keyof T]: T[K] | null }

/** `spend_log` left-joined with `spend_contexts`. */
export type StoredSpend = Omit<Selectable<SpendLogTable>, 'context_id'> &
  Nullable<Omit<Selectable<SpendContextTable>, 'id'>>

export function toSpendRecord(row: StoredSpend): SpendRecord {
  const ids = row.extra?.ids ?? {}
  const endpointId = ids['endpoint'] ?? row.endpoint_id
  return {
    requestId: ids['request'] ?? `req_${row.request_id.replaceAll('-', '')}`,
    round: row.round,
    atMs: row.at.getTime(),
    keyId: ids['key'] ?? row.key_id,
    userId: ids['user'] ?? row.user_id,
    teamId: ids['team'] ?? row.team_id,
    model: row.model,
    hostedModel: row.hosted_model,
    endpointId,
    streaming: row.streaming,
    status: row.status,
    errorType: row.error_type,
    reason: row.reason_kind === null || row.reason === null ? null : { kind: row.reason_kind, ...row.reason },
    stopReason: row.stop_reason,
    usage: {
      inputTokens: row.input_tokens,
      outputTokens: row.output_tokens,
      cacheReadTokens: row.cache_read_tokens,
      cacheWrite5mTokens: row.cache_write_5m_tokens,
      cacheWrite1hTokens: row.cache_write_1h_tokens,
    },
    webSearches: row.web_searches,
    costNanoUsd: row.cost_nano_usd,
    rates: readRates(row),
    durationMs: row.duration_ms,
    firstTokenMs: row.first_token_ms,
    attempts: row.extra?.attempts ?? onlyAttempt(row, endpointId),
    sessionId: ids['session'] ?? row.session_id,
    agentId: row.agent_id,
    parentAgentId: row.parent_agent_id,
    tools: row.tools === null ? [] : row.tools.split('\n'),
    betasSent: row.betas_sent ?? [],
    betasStripped: row.betas_stripped ?? [],
    repairs: row.repairs ?? [],
    routing: row.routing,
    flags: readFlags(row.flags),
  }
}

function onlyAttempt(row: StoredSpend, endpointId: string | null): readonly Attempt[] {
  if (row.attempt_ms === null) return []
  return [
    {
      endpointId: endpointId ?? '',
      hostedModel: row.hosted_model ?? '',
      status: row.status,
      error: null,
      durationMs: row.attempt_ms,
    },
  ]
}

function readRates(row: StoredSpend): Rates | null {
  if (row.rate_input === null) return null
  return {
    input: row.rate_input,
    output: row.rate_output ?? 0,
    cacheRead: row.rate_cache_read ?? 0,
    cacheWrite5m: row.rate_cache_write_5m ?? 0,
    cacheWrite1h: row.rate_cache_write_1h,
  }
}

function readFlags(bits: number): SpendFlag[] {
  const flags = spendFlags.filter((_flag, index) => (bits & (1 << index)) !== 0)
  return flags.includes('price_estimated') ? flags.filter((flag) => flag !== 'unpriced') : flags
}
