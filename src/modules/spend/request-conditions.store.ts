/** What a search of the request log asks for: about the start of a request, and about how it ended and what it took. */
import { type RawBuilder, sql } from 'kysely'
import type { PageRequest } from '../../foundation/database/paging.ts'
import type { FailureKind } from '../../foundation/domain/failure-reason.ts'
import type { SpendFlag } from '../../foundation/domain/spend-record.ts'
import { flagBits, spendUuid } from './spend-row.store.ts'
import { isMatched, type NameMatch } from './usage/usage-names.store.ts'

export interface Between {
  readonly least?: number | undefined
  /** Included. */
  readonly most?: number | undefined
}

/** A number is this status and no other. */
export type WantedStatus = 'ok' | 'error' | number

/** Every part that is given must hold. */
export interface RequestFilter extends PageRequest {
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
  readonly statuses?: readonly WantedStatus[] | undefined
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
  readonly reasonKinds?: readonly FailureKind[] | undefined
  readonly tools?: readonly string[] | undefined
  readonly exactTools?: readonly string[] | undefined
  readonly flags?: readonly SpendFlag[] | undefined
  readonly costNanoUsd?: Between | undefined
  readonly durationMs?: Between | undefined
  readonly tokens?: Between | undefined
}

type Conditions = readonly RawBuilder<unknown>[]

/** Whose request it is: all its rounds say the same. */
export function ownerConditions(filter: RequestFilter): Conditions {
  return [
    ...(filter.requestIds ?? []).map((id) => sql`spend_log.request_id = ${spendUuid('request', id)}::uuid`),
    ...(filter.sessionIds ?? []).map((id) => sql`spend_log.session_id = ${spendUuid('session', id)}::uuid`),
    ...(filter.users ?? []).map((match) => isMatched(sql`spend_log.user_id`, match)),
    ...(filter.teams ?? []).map((match) => isMatched(sql`spend_log.team_id`, match)),
    ...(filter.keys ?? []).map((match) => isMatched(sql`spend_log.key_id`, match)),
  ]
}

/** What the first round tells of a request. A part of a name must never become a pattern: `strpos` knows none. */
export function startConditions(filter: RequestFilter): Conditions {
  return [
    ...optional(filter.fromMs, (ms) => sql`spend_log.at >= ${new Date(ms)}`),
    ...optional(filter.toMs, (ms) => sql`spend_log.at < ${new Date(ms)}`),
    ...(filter.models ?? []).map((part) => sql`strpos(lower(spend_log.model), lower(${part})) > 0`),
    ...(filter.exactModels ?? []).map((model) => sql`spend_log.model = ${model}`),
    ...(filter.agentIds ?? []).map((id) => sql`spend_log.agent_id = ${id}`),
    ...ownerConditions(filter),
  ]
}

/** Where the outcome of a request stands in a query. */
export interface OutcomeColumns {
  readonly status: RawBuilder<unknown>
  readonly errorType: RawBuilder<unknown>
  readonly reasonKind: RawBuilder<unknown>
  readonly failed: RawBuilder<unknown>
  readonly endpointId: RawBuilder<unknown>
  readonly tools: RawBuilder<unknown>
  readonly flags: RawBuilder<unknown>
  readonly costNanoUsd: RawBuilder<unknown>
  readonly durationMs: RawBuilder<unknown>
  readonly tokens: RawBuilder<unknown>
}

/** How a request ended and what it took. */
export function outcomeConditions(filter: RequestFilter, columns: OutcomeColumns): Conditions {
  const { status, failed, errorType, tools, flags } = columns
  return [
    ...(filter.statuses ?? []).map((wanted) => {
      if (wanted === 'error') return failed
      return wanted === 'ok' ? sql`not ${failed}` : sql`${status} = ${wanted}`
    }),
    ...(filter.errorTypes ?? []).map((part) => sql`strpos(lower(${errorType}), lower(${part})) > 0`),
    ...(filter.reasonKinds ?? []).map((kind) => sql`${columns.reasonKind} = ${kind}`),
    ...(filter.endpoints ?? []).map((match) => isMatched(columns.endpointId, match)),
    ...(filter.tools ?? []).map((part) => sql`strpos(lower(${tools}), lower(${part})) > 0`),
    ...(filter.exactTools ?? []).map((tool) => sql`${tool} = any(string_to_array(${tools}, E'\\n'))`),
    ...(filter.flags ?? []).map((flag) => hasFlag(flags, flag)),
    ...between(columns.costNanoUsd, filter.costNanoUsd),
    ...between(columns.durationMs, filter.durationMs),
    ...between(columns.tokens, filter.tokens),
  ]
}

/** The bit of `unpriced` is also set for requests that were charged an estimate. */
function hasFlag(flags: RawBuilder<unknown>, flag: SpendFlag): RawBuilder<unknown> {
  const isSet = sql`${flags} & ${flagBits([flag])}::smallint <> 0`
  if (flag !== 'unpriced') return isSet
  return sql`(${isSet} and ${flags} & ${flagBits(['price_estimated'])}::smallint = 0)`
}

function optional<T>(value: T | undefined, make: (value: T) => RawBuilder<unknown>): Conditions {
  return value === undefined ? [] : [make(value)]
}

function between(value: RawBuilder<unknown>, limits: Between | undefined): Conditions {
  return [
    ...optional(limits?.least, (least) => sql`${value} >= ${least}::float8`),
    ...optional(limits?.most, (most) => sql`${value} <= ${most}::float8`),
  ]
}
