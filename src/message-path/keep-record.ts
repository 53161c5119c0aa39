/** Keeps the record of one hosted call, or of a request that came to none: budget, meters and ledger, in this order. */
import { buildSpendRecord, type EndedCall } from '../foundation/domain/build-spend-record.ts'
import { findPayer } from '../foundation/domain/caller.ts'
import { clientLeft, describeFailure, guardrailIntervened } from '../foundation/domain/describe-failure.ts'
import type { FailureReason } from '../foundation/domain/failure-reason.ts'
import type { ProviderFailure } from '../foundation/domain/provider-failure.ts'
import { type Attempt, noChanges, type RequestChanges } from '../foundation/domain/spend-record.ts'
import { promptTokens } from '../foundation/domain/usage.ts'
import { listFlags, type SeenAnswer, toServed } from './account/served.ts'
import type { Authenticated, Candidate, Reserved, Routed } from './context.ts'
import type { Reply } from './dialect.ts'
import type { Passage } from './passage.ts'
import type { PathPorts } from './path-ports.ts'

export interface Ending
  extends Pick<EndedCall, 'status' | 'errorType' | 'reason'>,
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
      payer: findPayer(reached.caller),
      attribution: reached.attribution,
      model: model?.requestedId ?? passage.asked?.model ?? '',
      hostedModelId: model?.hostedModelId ?? null,
      streaming: passage.asked?.stream ?? false,
      routing: 'routing' in reached ? reached.routing : null,
      status: ending.status,
      errorType: ending.errorType,
      reason: ending.reason,
      served: ending.served ?? null,
      webSearches: ending.webSearches ?? 0,
      attempts: ending.attempts ?? [],
      changes: ending.changes ?? noChanges,
      flags: ending.flags ?? [],
    },
    ports.snapshot.current(),
  )
  if (entry.reason !== null) passage.explain(entry.reason)
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

/** No endpoint served the call. Resolves when the record is safe. */
export function recordUnserved(
  { passage, routed, ports }: { readonly passage: Passage; readonly routed: Reserved; readonly ports: PathPorts },
  { attempts, changes }: ServedCall,
  failure: ProviderFailure,
  { status, errorType, message }: Reply,
): Promise<void> {
  const reason = describeFailure(failure, message)
  return keepRecord(passage, routed, { attempts, changes, status, errorType, reason }, ports)
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
  const reply = failure === null ? null : passage.dialect.failure(failure, routed.requestId)
  const reason = failure === null ? findReason(seen) : describeFailure(failure, reply?.message)
  const { webSearches = 0, durationMs = ports.clock.monotonicMs() - routed.startedMs } = seen
  if (failure === null) ports.conditions.recordSuccess(candidate.endpoint.id, durationMs, seen.firstTokenMs)
  const flags = listFlags(seen)
  const ending: Ending = {
    status,
    errorType: reply?.errorType ?? null,
    reason,
    served,
    attempts,
    changes,
    flags,
    webSearches,
    durationMs,
  }
  return keepRecord(passage, routed, ending, ports)
}

/** A call that no endpoint failed may still have come to nothing for its client. */
function findReason({ facts, clientLeft: hasLeft }: SeenAnswer): FailureReason | null {
  if (hasLeft) return clientLeft
  return facts?.guardrailIntervened === true ? guardrailIntervened : null
}
