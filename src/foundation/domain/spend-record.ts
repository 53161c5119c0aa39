/** One row of the ledger, which is also the request log: a call to a message route, whatever came of it. */
import type { FailureReason } from './failure-reason.ts'
import type { NanoUsd } from './money.ts'
import type { Rates } from './price.ts'
import type { Usage } from './usage.ts'

/**
 * `price_estimated`: the model had no price, and its family's highest rates were charged. `unpriced`: no price of any model
 * was known either, so nothing was charged.
 */
export const spendFlags = ['estimated', 'aborted', 'unpriced', 'probe', 'clamped', 'price_estimated'] as const
export type SpendFlag = (typeof spendFlags)[number]

/** One try at one endpoint. */
export interface Attempt {
  readonly endpointId: string
  readonly hostedModel: string
  readonly status: number
  /** Exception name or failure kind; null when the try succeeded. */
  readonly error: string | null
  readonly durationMs: number
  /** Null or absent when the try succeeded. Absent in records from before reasons were kept. */
  readonly reason?: FailureReason | null
}

/** Who pays for a call; all null for calls of the gateway itself. */
export interface Payer {
  readonly keyId: string | null
  readonly userId: string | null
  readonly teamId: string | null
}

export const noPayer: Payer = { keyId: null, userId: null, teamId: null }

/** Which client session and agent a call belongs to, as the client said. */
export interface Attribution {
  readonly sessionId: string | null
  readonly agentId: string | null
  readonly parentAgentId: string | null
}

export const noAttribution: Attribution = { sessionId: null, agentId: null, parentAgentId: null }

/** What the gateway changed in a request before it sent it. */
export interface RequestChanges {
  readonly betasSent: readonly string[]
  readonly betasStripped: readonly string[]
  /** What was changed to make the hosted service accept the request, in words. */
  readonly repairs: readonly string[]
}

export const noChanges: RequestChanges = { betasSent: [], betasStripped: [], repairs: [] }

export interface SpendRecord extends Payer, Attribution, RequestChanges {
  readonly requestId: string
  /** 0 for the first hosted call of a request; web search rounds count up. (requestId, round) is unique. */
  readonly round: number
  readonly atMs: number
  readonly model: string
  /** The profile id or ARN actually invoked; null when the call was refused before. */
  readonly hostedModel: string | null
  readonly endpointId: string | null
  readonly streaming: boolean
  readonly status: number
  readonly errorType: string | null
  /** Null for requests that succeeded. Records from before reasons were kept have none. */
  readonly reason: FailureReason | null
  readonly stopReason: string | null
  readonly usage: Usage
  readonly webSearches: number
  readonly costNanoUsd: NanoUsd
  /** The prices used, fixed when written; null for unserved calls and those that were not charged. */
  readonly rates: Rates | null
  readonly durationMs: number
  readonly firstTokenMs: number | null
  readonly attempts: readonly Attempt[]
  /** Names of tools the answer called, one entry a call. */
  readonly tools: readonly string[]
  /** Why this endpoint, in a sentence. */
  readonly routing: string | null
  readonly flags: readonly SpendFlag[]
}
