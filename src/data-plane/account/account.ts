/** Makes the one record of a call: what was consumed, what it cost, who it was for and what became of it. */
import { type Caller, payingTeamId } from '../../domain/caller.ts'
import { findPrice } from '../../domain/find-price.ts'
import { nanoFromUsd } from '../../domain/money.ts'
import { costOf, type Price, ratesFor } from '../../domain/price.ts'
import type { Attempt, SpendFlag, SpendRecord } from '../../domain/spend-record.ts'
import { noUsage, type Usage } from '../../domain/usage.ts'
import type { Attribution, Candidate } from '../context.ts'

/** What is known about a call when it is over, whichever way it ended. */
export interface Outcome {
  readonly requestId: string
  /** Which hosted call of the request this was. */
  readonly round: number
  readonly receivedAtMs: number
  readonly durationMs: number
  readonly caller: Caller
  readonly attribution: Attribution
  readonly model: string
  readonly hostedModelId: string | null
  readonly streaming: boolean
  readonly status: number
  readonly errorType: string | null
  /** Null when the hosted service served nothing. */
  readonly served: Served | null
  readonly webSearches: number
  readonly attempts: readonly Attempt[]
  readonly routing: string | null
}

export interface Served {
  readonly candidate: Candidate
  readonly usage: Usage
  readonly stopReason: string | null
  readonly firstTokenMs: number | null
  readonly tools: readonly string[]
  readonly betasSent: readonly string[]
  readonly betasStripped: readonly string[]
  readonly repairs: readonly string[]
  readonly flags: readonly SpendFlag[]
}

export function toSpendRecord(
  outcome: Outcome,
  prices: ReadonlyMap<string, Price>,
  searchPriceUsd: number,
): SpendRecord {
  const { caller, served, attribution } = outcome
  const usage = served?.usage ?? noUsage
  const price = served === null ? undefined : priceOf(outcome, served, prices)
  const unpriced = served !== null && price === undefined
  return {
    requestId: outcome.requestId,
    round: outcome.round,
    atMs: outcome.receivedAtMs,
    keyId: caller.kind === 'key' ? caller.key.id : null,
    userId: caller.user?.id ?? null,
    teamId: payingTeamId(caller),
    model: outcome.model,
    hostedModel: served?.candidate.modelId ?? outcome.attempts.at(-1)?.hostedModel ?? null,
    endpointId: served?.candidate.endpoint.id ?? outcome.attempts.at(-1)?.endpointId ?? null,
    streaming: outcome.streaming,
    status: outcome.status,
    errorType: outcome.errorType,
    stopReason: served?.stopReason ?? null,
    usage,
    webSearches: outcome.webSearches,
    costNanoUsd: (price === undefined ? 0 : costOf(usage, price)) + outcome.webSearches * nanoFromUsd(searchPriceUsd),
    rates: price === undefined ? null : ratesFor(price, usage),
    durationMs: Math.round(outcome.durationMs),
    firstTokenMs: served?.firstTokenMs == null ? null : Math.round(served.firstTokenMs),
    attempts: outcome.attempts,
    sessionId: attribution.sessionId,
    agentId: attribution.agentId,
    parentAgentId: attribution.parentAgentId,
    tools: served?.tools ?? [],
    betasSent: served?.betasSent ?? [],
    betasStripped: served?.betasStripped ?? [],
    repairs: served?.repairs ?? [],
    routing: outcome.routing,
    flags: [...(served?.flags ?? []), ...(unpriced ? (['unpriced'] as const) : [])],
  }
}

function priceOf(outcome: Outcome, served: Served, prices: ReadonlyMap<string, Price>): Price | undefined {
  const { modelId: invokedId, endpoint } = served.candidate
  return findPrice(prices, { invokedId, hostedModelId: outcome.hostedModelId, region: endpoint.region })
}
