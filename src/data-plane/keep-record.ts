/** Keeps the record of one hosted call, or of a request that came to none: budget, meters and ledger, in this order. */
import type { ProviderFailure } from '../domain/provider-failure.ts'
import type { Attempt } from '../domain/spend-record.ts'
import { promptTokens } from '../domain/usage.ts'
import { type Outcome, toSpendRecord } from './account/account.ts'
import { type ServedInput, toServed } from './account/served.ts'
import type { Authenticated, Candidate, Reserved, Routed } from './context.ts'
import type { Passage } from './passage.ts'
import type { PathPorts } from './path-ports.ts'

export interface Ending extends Pick<Outcome, 'status' | 'errorType' | 'served' | 'attempts'> {
  readonly webSearches?: number
  /** Until now when it is left out. */
  readonly durationMs?: number
}

/** Resolves when the record is safe. */
export function keepRecord(
  passage: Passage,
  reached: Authenticated | Routed | Reserved,
  ending: Ending,
  ports: PathPorts,
): Promise<void> {
  const model = 'model' in reached ? reached.model : undefined
  const { prices, settings } = ports.snapshot.current()
  const entry = toSpendRecord(
    {
      requestId: reached.requestId,
      round: passage.round,
      receivedAtMs: reached.receivedAtMs,
      durationMs: ending.durationMs ?? ports.clock.monotonicMs() - reached.startedMs,
      caller: reached.caller,
      attribution: reached.attribution,
      model: model?.requestedId ?? passage.asked?.model ?? '',
      hostedModelId: model?.hostedModelId ?? null,
      streaming: passage.asked?.stream ?? false,
      routing: 'routing' in reached ? reached.routing : null,
      status: ending.status,
      errorType: ending.errorType,
      served: ending.served,
      webSearches: ending.webSearches ?? 0,
      attempts: ending.attempts,
    },
    prices,
    settings.websearch_price_usd,
  )
  passage.trace?.account(entry)
  passage.round = entry.round + 1
  if ('hold' in reached) reached.hold?.settle(entry)
  ports.meters.served(entry)
  return ports.ledger.append(entry)
}

/** What is left of a call to the hosted service once it has answered, or has begun to. */
export interface ServedCall {
  readonly candidate: Candidate
  readonly plan: {
    readonly betas: readonly string[]
    readonly strippedBetas: readonly string[]
    readonly repairs: readonly string[]
  }
  readonly attempts: readonly Attempt[]
}

type Seen = Pick<ServedInput, 'facts' | 'complete' | 'clientLeft' | 'firstTokenMs'> &
  Pick<Ending, 'webSearches' | 'durationMs'>

/** Resolves when the record is safe. */
export function recordServed(
  { passage, routed, ports }: { readonly passage: Passage; readonly routed: Reserved; readonly ports: PathPorts },
  { plan, candidate, attempts }: ServedCall,
  seen: Seen,
  failure: ProviderFailure | null,
  status = 200,
): Promise<void> {
  const served = toServed({
    ...seen,
    candidate,
    requestBytes: passage.asked?.bytes ?? 0,
    betasSent: plan.betas,
    betasStripped: plan.strippedBetas,
    repairs: plan.repairs,
  })
  if (passage.estimatedTokens !== undefined && seen.complete && seen.facts?.usageReported === true)
    ports.calibration.learn(routed.model.hostedModelId, passage.estimatedTokens, promptTokens(served.usage))
  const errorType = failure === null ? null : passage.dialect.failure(failure, routed.requestId).errorType
  const { webSearches = 0, durationMs = ports.clock.monotonicMs() - routed.startedMs } = seen
  if (failure === null) ports.conditions.recordSuccess(candidate.endpoint.id, durationMs, seen.firstTokenMs)
  return keepRecord(passage, routed, { status, errorType, served, attempts, webSearches, durationMs }, ports)
}
