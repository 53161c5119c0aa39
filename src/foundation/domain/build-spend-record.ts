/** Builds every spend record: of calls that were served, refused or interrupted, and of the gateway's own calls. */
import { estimateUsage } from './estimate-usage.ts'
import type { ChargedPrice } from './estimated-price.ts'
import { type FailureReason, keepAllowed } from './failure-reason.ts'
import { findChargedPrice } from './find-price.ts'
import { nanoFromUsd } from './money.ts'
import { calculateCost, type Price, ratesFor } from './price.ts'
import type { Snapshot } from './snapshot.ts'
import {
  type Attempt,
  type Attribution,
  noAttribution,
  noChanges,
  type Payer,
  type RequestChanges,
  type SpendFlag,
  type SpendRecord,
} from './spend-record.ts'
import { noUsage, type Usage } from './usage.ts'

/** What is known about a call when it is over, whichever way it ended. */
export interface EndedCall {
  readonly requestId: string
  /** Which hosted call of the request this was. */
  readonly round: number
  readonly atMs: number
  readonly durationMs: number
  readonly payer: Payer
  /** Undefined for calls that no client's session made. */
  readonly attribution?: Attribution
  /** As the client asked for it. */
  readonly model: string
  readonly hostedModelId: string | null
  readonly streaming: boolean
  readonly status: number
  readonly errorType: string | null
  /** Null when the call succeeded. */
  readonly reason: FailureReason | null
  /** Undefined when the hosted service served nothing. */
  readonly served?: Served
  readonly webSearches?: number
  readonly attempts?: readonly Attempt[]
  readonly changes?: RequestChanges
  readonly routing: string | null
  /** Flags that do not follow from the other fields. */
  readonly flags?: readonly SpendFlag[]
}

export interface Served {
  readonly endpointId: string
  /** Null when the endpoint was deleted meanwhile. */
  readonly region: string | null
  readonly hostedModel: string
  /** Undefined when no part of an answer was seen. */
  readonly answer: ReadAnswer | undefined
  /** The whole answer was seen. Where it did not report its whole usage, the rest is estimated from its sizes. */
  readonly isComplete: boolean
  readonly requestBytes: number
  readonly firstTokenMs?: number | null
}

/** What an answer has reported. */
export interface ReadAnswer {
  readonly usage: Usage
  readonly usageReported: boolean
  readonly usageClamped: boolean
  /** Size of the text so far, for an estimate of what a broken stream has cost. */
  readonly outputCharacters: number
  readonly stopReason: string | null
  readonly toolsCalled: readonly string[]
}

export function isUsageComplete({ answer, isComplete }: Pick<Served, 'answer' | 'isComplete'>): boolean {
  return isComplete && answer?.usageReported === true
}

/** What an answer has reported so far, for the record of a call that is interrupted. */
export type AnswerProgress = Pick<ReadAnswer, 'usage' | 'outputCharacters'>

export function buildSpendRecord(call: EndedCall, known: Pick<Snapshot, 'prices' | 'settings'>): SpendRecord {
  const { served, webSearches = 0, attempts = [], attribution = noAttribution, changes = noChanges } = call
  const last = attempts.at(-1)
  const usage = served === undefined ? noUsage : readUsage(served)
  const price = served && priceCall(call, served, known.prices)
  const searchNanoUsd = webSearches * nanoFromUsd(known.settings.websearch_price_usd)
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
    stopReason: served?.answer?.stopReason ?? null,
    usage,
    webSearches,
    costNanoUsd: (price === undefined ? 0 : calculateCost(usage, price)) + searchNanoUsd,
    rates: price === undefined ? null : ratesFor(price, usage),
    durationMs: Math.round(call.durationMs),
    firstTokenMs: served?.firstTokenMs == null ? null : Math.round(served.firstTokenMs),
    attempts: known.settings.store_failure_messages
      ? attempts
      : attempts.map((attempt) => withAllowedReason(attempt, known.settings)),
    sessionId: attribution.sessionId,
    agentId: attribution.agentId,
    parentAgentId: attribution.parentAgentId,
    tools: served?.answer?.toolsCalled ?? [],
    betasSent: changes.betasSent,
    betasStripped: changes.betasStripped,
    repairs: changes.repairs,
    routing: call.routing,
    flags: listFlags(call, price),
  }
}

function withAllowedReason(attempt: Attempt, settings: Snapshot['settings']): Attempt {
  return attempt.reason == null ? attempt : { ...attempt, reason: keepAllowed(attempt.reason, settings) }
}

function readUsage(served: Served): Usage {
  const { usage = noUsage, outputCharacters = 0 } = served.answer ?? {}
  return isUsageComplete(served) ? usage : estimateUsage({ usage, outputCharacters, requestBytes: served.requestBytes })
}

function priceCall(call: EndedCall, served: Served, prices: ReadonlyMap<string, Price>): ChargedPrice | undefined {
  const { hostedModel: invokedId, region } = served
  return findChargedPrice(prices, { invokedId, hostedModelId: call.hostedModelId, region })
}

function listFlags({ served, flags = [] }: EndedCall, price: ChargedPrice | undefined): readonly SpendFlag[] {
  if (served === undefined) return flags
  const all: SpendFlag[] = isUsageComplete(served) ? [...flags] : ['estimated', ...flags]
  if (served.answer?.usageClamped === true) all.push('clamped')
  if (price === undefined) all.push('unpriced')
  else if (price.source === 'estimate') all.push('price_estimated')
  return all
}
