/** Turns spend records into rows that Postgres is sure to take. */
import { createHash } from 'node:crypto'
import type { SpendExtra, StoredReason } from '../../foundation/database/spend-schema.ts'
import type { FailureReason } from '../../foundation/domain/failure-reason.ts'
import { type SpendFlag, type SpendRecord, spendFlags } from '../../foundation/domain/spend-record.ts'
import { createSanitiser, type Sanitiser } from './spend-sanitiser.store.ts'

/** What many calls share; stored once, under a hash of its content. */
export interface SpendContext {
  /** A signed 64-bit number as text: JavaScript numbers would round it. */
  readonly id: string
  readonly hosted_model: string | null
  readonly routing: string | null
  readonly betas_sent: readonly string[]
  readonly betas_stripped: readonly string[]
  readonly repairs: readonly string[]
  readonly rate_input: number | null
  readonly rate_output: number | null
  readonly rate_cache_read: number | null
  readonly rate_cache_write_5m: number | null
  readonly rate_cache_write_1h: number | null
}

/** The columns of `spend_log`, with their Postgres types, in the order of the insert. */
export const spendColumns = {
  at: 'timestamptz',
  cost_nano_usd: 'bigint',
  context_id: 'bigint',
  input_tokens: 'integer',
  output_tokens: 'integer',
  cache_read_tokens: 'integer',
  cache_write_5m_tokens: 'integer',
  cache_write_1h_tokens: 'integer',
  duration_ms: 'integer',
  first_token_ms: 'integer',
  attempt_ms: 'integer',
  round: 'smallint',
  status: 'smallint',
  flags: 'smallint',
  web_searches: 'smallint',
  streaming: 'boolean',
  request_id: 'uuid',
  key_id: 'uuid',
  user_id: 'uuid',
  team_id: 'uuid',
  endpoint_id: 'uuid',
  session_id: 'uuid',
  model: 'text',
  stop_reason: 'text',
  error_type: 'text',
  agent_id: 'text',
  parent_agent_id: 'text',
  tools: 'text',
  reason_kind: 'text',
  reason: 'jsonb',
  extra: 'jsonb',
} as const

export type SpendColumn = keyof typeof spendColumns
export type SpendValue = string | number | boolean | null
/** Every row has its columns in the same order. */
export type SpendRow = Readonly<Record<SpendColumn, SpendValue>>

export interface PreparedSpend {
  readonly record: SpendRecord
  readonly row: SpendRow
  readonly context: SpendContext
  /** Something in the record could not be stored as it was. */
  readonly sanitised: boolean
}

export function prepareSpend(record: SpendRecord): PreparedSpend {
  const clean = createSanitiser()
  const { context, sanitised } = makeContext(record)
  const ids: Record<string, string> = {}
  const beside = { ids, clean }
  const attempts = attemptColumns(record, clean)
  // A journal of an earlier release has records without one.
  const reason = record.reason ?? null
  const row = {
    at: new Date(clean.time(record.atMs)).toISOString(),
    cost_nano_usd: clean.count(record.costNanoUsd, Number.MAX_SAFE_INTEGER),
    context_id: context.id,
    input_tokens: clean.count(record.usage.inputTokens),
    output_tokens: clean.count(record.usage.outputTokens),
    cache_read_tokens: clean.count(record.usage.cacheReadTokens),
    cache_write_5m_tokens: clean.count(record.usage.cacheWrite5mTokens),
    cache_write_1h_tokens: clean.count(record.usage.cacheWrite1hTokens),
    duration_ms: clean.count(record.durationMs),
    first_token_ms: record.firstTokenMs === null ? null : clean.count(record.firstTokenMs),
    attempt_ms: attempts.attemptMs,
    round: clean.count(record.round, SMALL),
    status: clean.count(record.status, SMALL),
    web_searches: clean.count(record.webSearches, SMALL),
    streaming: record.streaming,
    request_id: idColumn('request', record.requestId, beside),
    key_id: idColumn('key', record.keyId, beside),
    user_id: idColumn('user', record.userId, beside),
    team_id: idColumn('team', record.teamId, beside),
    endpoint_id: idColumn('endpoint', record.endpointId, beside),
    session_id: idColumn('session', record.sessionId, beside),
    model: clean.text(record.model, 256),
    stop_reason: clean.optionalText(record.stopReason, 64),
    error_type: clean.optionalText(record.errorType, 128),
    agent_id: clean.optionalText(record.agentId, 200),
    parent_agent_id: clean.optionalText(record.parentAgentId, 200),
    tools: toolsText(record.tools, clean),
    reason_kind: reason === null ? null : reason.kind,
    reason: reason === null ? null : JSON.stringify(storedReason(reason, clean)),
    extra: extraText(attempts.extra, ids),
    // Last: what was clamped above is known only now.
    flags: storedFlags(clean.clamped() ? [...record.flags, 'clamped'] : record.flags),
  }
  return { record, row, context, sanitised: sanitised || clean.sanitised() }
}

const SMALL = 32_767

function makeContext(record: SpendRecord): { readonly context: SpendContext; readonly sanitised: boolean } {
  const clean = createSanitiser()
  const rates = record.rates
  const content = {
    hosted_model: clean.optionalText(record.hostedModel, 2_048),
    routing: clean.optionalText(record.routing, 1_000),
    betas_sent: clean.texts(record.betasSent, 64, 200),
    betas_stripped: clean.texts(record.betasStripped, 64, 200),
    repairs: clean.texts(record.repairs, 64, 500),
    rate_input: clean.rate(rates?.input),
    rate_output: clean.rate(rates?.output),
    rate_cache_read: clean.rate(rates?.cacheRead),
    rate_cache_write_5m: clean.rate(rates?.cacheWrite5m),
    rate_cache_write_1h: clean.rate(rates?.cacheWrite1h),
  }
  const digest = createHash('sha256').update(JSON.stringify(content)).digest()
  return { context: { id: digest.readBigInt64BE(0).toString(), ...content }, sanitised: clean.sanitised() }
}

const noExtra: SpendExtra = {}

/** Most calls have one try whose facts stand in the row already; only its duration is its own. */
function attemptColumns(record: SpendRecord, clean: Sanitiser): { attemptMs: number | null; extra: SpendExtra } {
  const [only, ...others] = record.attempts
  if (only === undefined) return { attemptMs: null, extra: noExtra }
  const repeatsRow =
    others.length === 0 &&
    only.error === null &&
    only.status === record.status &&
    only.endpointId === record.endpointId &&
    only.hostedModel === record.hostedModel
  if (repeatsRow) return { attemptMs: clean.count(only.durationMs), extra: noExtra }
  const attempts = record.attempts.slice(0, 32).map((attempt) => ({
    endpointId: clean.text(attempt.endpointId, 64),
    hostedModel: clean.text(attempt.hostedModel, 2_048),
    status: clean.count(attempt.status),
    error: clean.optionalText(attempt.error, 200),
    durationMs: clean.count(attempt.durationMs),
    ...(attempt.reason == null
      ? {}
      : { reason: { kind: attempt.reason.kind, ...storedReason(attempt.reason, clean) } }),
  }))
  return { attemptMs: null, extra: { attempts } }
}

function storedReason({ code, message, limit }: FailureReason, clean: Sanitiser): StoredReason {
  return {
    code: clean.text(code, 128),
    message: clean.optionalText(message, 1_000),
    limit: limit === null ? null : { ...limit, id: clean.text(limit.id, 64), name: clean.text(limit.name, 320) },
  }
}

/** One name a line: half the size of an array, and no tool name has a line break. */
function toolsText(tools: readonly string[], clean: Sanitiser): string | null {
  return tools.length === 0
    ? null
    : clean
        .texts(tools, 500, 128)
        .map((name) => name.replace(/\s/g, ' '))
        .join('\n')
}

function extraText(extra: SpendExtra, ids: Readonly<Record<string, string>>): string | null {
  for (const _name in ids) return JSON.stringify({ ...extra, ids })
  return extra === noExtra ? null : JSON.stringify(extra)
}

interface BesideRow {
  readonly ids: Record<string, string>
  readonly clean: Sanitiser
}

/** What is no UUID is stored under a hash, and as it was beside the row. */
function idColumn(name: string, value: string | null, beside: BesideRow): string | null {
  if (value === null) return null
  const known = findUuid(name, value)
  if (known !== undefined) return known
  beside.ids[name] = beside.clean.text(value, 200)
  return hashedUuid(name, value)
}

/** Bit n is set when the flag with index n of `spendFlags` is. */
export function flagBits(flags: readonly SpendFlag[]): number {
  if (flags.length === 0) return 0
  return spendFlags.reduce((bits, flag, index) => (flags.includes(flag) ? bits | (1 << index) : bits), 0)
}

/**
 * The bit of `unpriced` marks every request to a model without a price, also one that was charged an estimate. The sums of
 * charts count this bit.
 */
function storedFlags(flags: readonly SpendFlag[]): number {
  return flagBits(flags.includes('price_estimated') ? [...flags, 'unpriced'] : flags)
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const REQUEST_ID = /^req_[0-9a-f]{32}$/

function findUuid(name: string, value: string): string | undefined {
  if (name !== 'request') return UUID.test(value) ? value : undefined
  if (!REQUEST_ID.test(value)) return undefined
  return `${value.slice(4, 12)}-${value.slice(12, 16)}-${value.slice(16, 20)}-${value.slice(20, 24)}-${value.slice(24)}`
}

function hashedUuid(name: string, value: string): string {
  const hex = createHash('sha256').update(`${name}:${value}`).digest('hex')
  const uuid = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)]
  return uuid.join('-')
}

/** How a request id or a client's session id is found in the log. */
export function spendUuid(name: 'request' | 'session', value: string): string {
  return findUuid(name, value) ?? hashedUuid(name, value)
}
