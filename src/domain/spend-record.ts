/** One row of the ledger, which is also the request log: a call to a message route, whatever came of it. */
import type { NanoUsd } from './money.ts'
import type { Rates } from './price.ts'
import type { Usage } from './usage.ts'

export const spendFlags = ['estimated', 'aborted', 'unpriced', 'probe', 'clamped'] as const
export type SpendFlag = (typeof spendFlags)[number]

/** One try at one endpoint. */
export interface Attempt {
  readonly endpointId: string
  readonly hostedModel: string
  readonly status: number
  /** Exception name or failure kind; null when the try succeeded. */
  readonly error: string | null
  readonly durationMs: number
}

export interface SpendRecord {
  readonly requestId: string
  /** 0 for the first hosted call of a request; web search rounds count up. (requestId, round) is unique. */
  readonly round: number
  readonly atMs: number
  readonly keyId: string | null
  readonly userId: string | null
  readonly teamId: string | null
  readonly model: string
  /** The profile id or ARN actually invoked; null when the call was refused before. */
  readonly hostedModel: string | null
  readonly endpointId: string | null
  readonly streaming: boolean
  readonly status: number
  readonly errorType: string | null
  readonly stopReason: string | null
  readonly usage: Usage
  readonly webSearches: number
  readonly costNanoUsd: NanoUsd
  /** The prices used, fixed when written; null for unpriced and unserved calls. */
  readonly rates: Rates | null
  readonly durationMs: number
  readonly firstTokenMs: number | null
  readonly attempts: readonly Attempt[]
  readonly sessionId: string | null
  readonly agentId: string | null
  readonly parentAgentId: string | null
  /** Names of tools the answer called, one entry a call. */
  readonly tools: readonly string[]
  readonly betasSent: readonly string[]
  readonly betasStripped: readonly string[]
  /** What was changed to make the hosted service accept the request, in words. */
  readonly repairs: readonly string[]
  /** Why this endpoint, in a sentence. */
  readonly routing: string | null
  readonly flags: readonly SpendFlag[]
}
