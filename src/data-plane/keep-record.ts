/** Keeps the record of one hosted call, or of a request that came to none: budget, meters and ledger, in this order. */
import { buildSpendRecord, type EndedCall } from '../domain/build-spend-record.ts'
import { payerOf } from '../domain/caller.ts'
import type { ProviderFailure } from '../domain/provider-failure.ts'
import { type Attempt, noChanges, type RequestChanges } from '../domain/spend-record.ts'
import { promptTokens } from '../domain/usage.ts'
import { listFlags, type SeenAnswer, toServed } from './account/served.ts'
import type { Authenticated, Candidate, Reserved, Routed } from './context.ts'
import type { Passage } from './passage.ts'
import type { PathPorts } from './path-ports.ts'

export interface Ending
  extends Pick<EndedCall, 'status' | 'errorType'>,
    Partial<Pick<EndedCall, 'served' | 'attempts' | 'changes' | 'flags' | 'webSearches'>> {
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
  const entry = buildSpendRecord(
    {
      requestId: reached.requestId,
      round: passage.round,
      atMs: reached.receivedAtMs,
      durationMs: ending.durationMs ?? ports.clock.monotonicMs() - reached.startedMs,
      payer: payerOf(reached.caller),
      attribution: reached.attribution,
      model: model?.requestedId ?? passage.asked?.model ?? '',
      hostedModelId: model?.hostedModelId ?? null,
      streaming: passage.asked?.stream ?? false,
      routing: 'routing' in reached ? reached.routing : null,
      status: ending.status,
      errorType: ending.errorType,
      served: ending.served ?? null,
      webSearches: ending.webSearches ?? 0,
      attempts: ending.attempts ?? [],
      changes: ending.changes ?? noChanges,
      flags: ending.flags ?? [],
    },
    ports.snapshot.current(),
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
  readonly changes: RequestChanges
  readonly attempts: readonly Attempt[]
}

type Seen = SeenAnswer & Pick<Ending, 'webSearches' | 'durationMs'>

/** Resolves when the record is safe. */
export function recordServed(
  { passage, routed, ports }: { readonly passage: Passage; readonly routed: Reserved; readonly ports: PathPorts },
  { changes, candidate, attempts }: ServedCall,
  seen: Seen,
  failure: ProviderFailure | null,
  status = 200,
): Promise<void> {
  const served = toServed(seen, candidate, passage.asked?.bytes ?? 0)
  if (passage.estimatedTokens !== undefined && served.isUsageComplete)
    ports.calibration.learn(routed.model.hostedModelId, passage.estimatedTokens, promptTokens(served.usage))
  const errorType = failure === null ? null : passage.dialect.failure(failure, routed.requestId).errorType
  const { webSearches = 0, durationMs = ports.clock.monotonicMs() - routed.startedMs } = seen
  if (failure === null) ports.conditions.recordSuccess(candidate.endpoint.id, durationMs, seen.firstTokenMs)
  const flags = listFlags(seen)
  const ending: Ending = { status, errorType, served, attempts, changes, flags, webSearches, durationMs }
  return keepRecord(passage, routed, ending, ports)
}
