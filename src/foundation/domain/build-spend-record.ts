/** Builds every spend record: of calls that were served, refused or interrupted, and of the gateway's own calls. */
import { estimateUsage } from './estimate-usage.ts'
import type { ChargedPrice } from './estimated-price.ts'
import { type FailureReason, keepAllowed } from './failure-reason.ts'
import { findChargedPrice } from './find-price.ts'
import { nanoFromUsd } from './money.ts'
import { calculateCost, type Price, ratesFor } from './price.ts'
import type { Snapshot } from './snapshot.ts'
import type { Attempt, Attribution, Payer, RequestChanges, SpendFlag, SpendRecord } from './spend-record.ts'
import { noUsage, type Usage } from './usage.ts'

/** What is known about a call when it is over, whichever way it ended. */
export interface EndedCall {
  readonly requestId: string
  /** Which hosted call of the request this was. */
  readonly round: number
  readonly atMs: number
  readonly durationMs: number
  readonly payer: Payer
  readonly attribution: Attribution
  /** As the client asked for it. */
  readonly model: string
  readonly hostedModelId: string | null
  readonly streaming: boolean
  readonly status: number
  readonly errorType: string | null
  /** Null when the call succeeded. */
  readonly reason: FailureReason | null
  /** Null when the hosted service served nothing. */
  readonly served: Served | null
  readonly webSearches: number
  readonly attempts: readonly Attempt[]
  readonly changes: RequestChanges
  readonly routing: string | null
  /** Flags that do not follow from the other fields. */
  readonly flags: readonly SpendFlag[]
}

export interface Served {
  readonly endpointId: string
  /** Null when the endpoint was deleted meanwhile. */
  readonly region: string | null
  readonly hostedModel: string
  /** As far as the answer reported it. */
  readonly usage: Usage
  /** False when the answer did not report its whole usage: the rest is estimated from the sizes below. */
  readonly isUsageComplete: boolean
  readonly requestBytes: number
  readonly outputCharacters: number
  readonly stopReason: string | null
  readonly firstTokenMs: number | null
  readonly tools: readonly string[]
}

/** What an answer has reported so far, for the record of a call that is interrupted. */
export type AnswerProgress = Pick<Served, 'usage' | 'outputCharacters'>

export function buildSpendRecord(call: EndedCall, known: Pick<Snapshot, 'prices' | 'settings'>): SpendRecord {
  const { served } = call
  const last = call.attempts.at(-1)
  const usage = served === null ? noUsage : readUsage(served)
  const price = served === null ? undefined : priceCall(call, served, known.prices)
  const searchNanoUsd = call.webSearches * nanoFromUsd(known.settings.websearch_price_usd)
  return {
    requestId: call.requestId,
    round: call.round,
    atMs: call.atMs,
    keyId: call.payer.keyId,
    userId: call.payer.userId,
    teamId: call.payer.teamId,
    model: call.model,
    hostedModel: served?.hostedModel ?? last?.hostedModel ?? null,
    endpointId: served?.endpointId ?? last?.endpointId ?? null,
    streaming: call.streaming,
    status: call.status,
    errorType: call.errorType,
    reason: call.reason && keepAllowed(call.reason, known.settings),
    stopReason: served?.stopReason ?? null,
    usage,
    webSearches: call.webSearches,
    costNanoUsd: (price === undefined ? 0 : calculateCost(usage, price)) + searchNanoUsd,
    rates: price === undefined ? null : ratesFor(price, usage),
    durationMs: Math.round(call.durationMs),
    firstTokenMs: served?.firstTokenMs == null ? null : Math.round(served.firstTokenMs),
    attempts: known.settings.store_failure_messages
      ? call.attempts
      : call.attempts.map((attempt) => withAllowedReason(attempt, known.settings)),
    sessionId: call.attribution.sessionId,
    agentId: call.attribution.agentId,
    parentAgentId: call.attribution.parentAgentId,
    tools: served?.tools ?? [],
    betasSent: call.changes.betasSent,
    betasStripped: call.changes.betasStripped,
    repairs: call.changes.repairs,
    routing: call.routing,
    flags: listFlags(call, price),
  }
}

function withAllowedReason(attempt: Attempt, settings: Snapshot['settings']): Attempt {
  return attempt.reason == null ? attempt : { ...attempt, reason: keepAllowed(attempt.reason, settings) }
}

function readUsage(served: Served): Usage {
  return served.isUsageComplete ? served.usage : estimateUsage(served)
}

function priceCall(call: EndedCall, served: Served, prices: ReadonlyMap<string, Price>): ChargedPrice | undefined {
  const { hostedModel: invokedId, region } = served
  return findChargedPrice(prices, { invokedId, hostedModelId: call.hostedModelId, region })
}

function listFlags({ served, flags }: EndedCall, price: ChargedPrice | undefined): readonly SpendFlag[] {
  if (served === null) return flags
  const all: SpendFlag[] = served.isUsageComplete ? [...flags] : ['estimated', ...flags]
  if (price === undefined) all.push('unpriced')
  else if (price.source === 'estimate') all.push('price_estimated')
  return all
}
