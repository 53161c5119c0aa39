/** What is known about a call after each stage. A stage takes one type and makes the next, so the compiler keeps their order. */
import type { Caller } from '../foundation/domain/caller.ts'
import type { Endpoint } from '../foundation/domain/endpoint.ts'
import type { ModelMapping } from '../foundation/domain/model-mapping.ts'
import type { Attribution } from '../foundation/domain/spend-record.ts'
import type { BudgetHold, BudgetView } from './ports.ts'

/** The client's form decides how answers, errors and streams are written. */
export type ClientForm = 'messages' | 'bedrock'

export interface Incoming {
  readonly requestId: string
  readonly receivedAtMs: number
  /** Monotonic; durations are measured from it. */
  readonly startedMs: number
  readonly form: ClientForm
  readonly attribution: Attribution
}

export interface Authenticated extends Incoming {
  readonly caller: Caller
}

export interface RateState {
  readonly limitRpm: number
  readonly remaining: number
  readonly resetSeconds: number
  readonly takenAtMs: number
}

export interface Admitted extends Authenticated {
  readonly rate: RateState | null
}

export interface ResolvedModel {
  /** As the client sent it, `[1m]` included: answers carry it back. */
  readonly requestedId: string
  /** Without `[1m]`: what mappings and AIP overrides are keyed by. */
  readonly logicalId: string
  /** Foundation model id, such as `anthropic.claude-sonnet-5`. */
  readonly hostedModelId: string
  /** A profile id or ARN that the caller named itself; only endpoints that offer exactly this are candidates. */
  readonly namedTarget: string | null
  /** The `[1m]` suffix was there: it means the long-context beta. */
  readonly longContext: boolean
  readonly mapping: ModelMapping | null
}

export interface Resolved extends Admitted {
  readonly model: ResolvedModel
}

/** One endpoint that may be asked, with the id that is right on it. */
export interface Candidate {
  readonly endpoint: Endpoint
  /** Profile id or ARN to invoke on this endpoint, and the profile that capabilities are known by. */
  readonly modelId: string
  readonly via: 'aip-override' | 'legacy-profile' | 'cross-region-profile' | 'named-by-caller'
}

export interface Routed extends Resolved {
  readonly candidates: readonly Candidate[]
  /** Why in this order, in a sentence for the request log. */
  readonly routing: string
}

export interface Reserved extends Routed {
  /** What was reserved from budgets; null when none applies. */
  readonly hold: BudgetHold | null
  /** The strictest budget in force, as it stood before this call. */
  readonly budget: BudgetView | null
}
