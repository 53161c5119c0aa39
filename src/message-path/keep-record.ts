/** Keeps the record of one call to Bedrock, or of a request that came to none: budget, meters and ledger, in this order. */
import {
  buildSpendRecord,
  type EndedCall,
  isUsageComplete,
  type Served,
} from '../foundation/domain/build-spend-record.ts'
import { findPayer } from '../foundation/domain/caller.ts'
import { clientLeft, describeFailure, guardrailIntervened } from '../foundation/domain/describe-failure.ts'
import type { FailureReason } from '../foundation/domain/failure-reason.ts'
import type { ProviderFailure } from '../foundation/domain/provider-failure.ts'
import { promptTokens } from '../foundation/domain/usage.ts'
import type { Asked, Ended, EndedAtBedrock, Reserved, Routed, SeenAnswer } from './call.ts'
import type { PathPorts } from './path-ports.ts'
import type { BudgetHold } from './ports.ts'

/** Nothing is recorded of a request whose caller nobody knows. */
export type KnownEnded = Exclude<Ended, { readonly stage: 'arrived' }>

/** What the client was told. */
export type Ending = Pick<EndedCall, 'status' | 'errorType' | 'reason'>

/** Resolves when the record is safe. */
export function keepRecord(ended: KnownEnded, ending: Ending, ports: PathPorts): Promise<void> {
  const { call } = ended
  const now = ports.clock.monotonicMs()
  const { hold, ...facts } = collectFacts(ended, now)
  const entry = buildSpendRecord(
    {
      requestId: call.requestId,
      round: call.round,
      atMs: call.receivedAtMs,
      payer: findPayer(call.caller),
      attribution: call.attribution,
      ...ending,
      ...facts,
    },
    ports.snapshot.current(),
  )
  if (entry.reason !== null) call.explain(entry.reason)
  call.trace?.account(entry)
  hold?.settle(entry)
  ports.meters.served(entry)
  return ports.ledger.append(entry)
}

/** Keeps the record of a call that Bedrock was asked for. */
export function keepCallRecord(ended: EndedAtBedrock, ports: PathPorts): Promise<void> {
  switch (ended.stage) {
    case 'failed':
      return keepRecord(ended, describeEnding(ended.call, ended.failure), ports)
    case 'served': {
      const { call, failure, status, seen } = ended
      learnFrom(ended, ports)
      if (failure === null) return keepRecord(ended, { status, errorType: null, reason: findReason(seen) }, ports)
      return keepRecord(ended, { ...describeEnding(call, failure), status }, ports)
    }
  }
}

function describeEnding({ dialect, requestId }: Reserved, failure: ProviderFailure): Ending {
  const { status, errorType, message } = dialect.failure(failure, requestId)
  return { status, errorType, reason: describeFailure(failure, message) }
}

type ServedCall = Extract<Ended, { readonly stage: 'served' }>

type Facts = Omit<EndedCall, keyof Ending | 'requestId' | 'round' | 'atMs' | 'payer' | 'attribution'> & {
  readonly hold: BudgetHold | null
}

function collectFacts(ended: KnownEnded, nowMs: number): Facts {
  const durationMs = nowMs - ended.call.startedMs
  switch (ended.stage) {
    case 'authenticated':
      return { durationMs, model: '', hostedModelId: null, streaming: false, routing: null, hold: null }
    case 'received':
    case 'admitted':
      return { durationMs, ...describeAsked(ended.call.asked), hostedModelId: null, routing: null, hold: null }
    case 'routed':
      return { durationMs, ...describeRoute(ended.call), hold: null }
    case 'reserved':
      return { durationMs, ...describeRoute(ended.call), hold: ended.call.hold }
    case 'failed': {
      const { attempts, changes } = ended.tried
      return { durationMs, ...describeRoute(ended.call), attempts, changes, hold: ended.call.hold }
    }
    case 'served':
      return {
        durationMs: ended.seen.durationMs ?? durationMs,
        ...describeRoute(ended.call),
        served: toServed(ended),
        webSearches: ended.seen.webSearches ?? 0,
        attempts: ended.tried.attempts,
        changes: ended.tried.changes,
        flags: ended.seen.clientLeft ? ['aborted'] : [],
        hold: ended.call.hold,
      }
  }
}

function describeAsked({ model, stream }: Asked): Pick<Facts, 'model' | 'streaming'> {
  return { model, streaming: stream }
}

function describeRoute({
  asked,
  model,
  routing,
}: Routed): Pick<Facts, 'model' | 'hostedModelId' | 'streaming' | 'routing'> {
  return { model: model.requestedId, hostedModelId: model.hostedModelId, streaming: asked.stream, routing }
}

function toServed({ call, tried: { candidate }, seen }: ServedCall): Served {
  return {
    endpointId: candidate.endpoint.id,
    region: candidate.endpoint.region,
    hostedModel: candidate.modelId,
    answer: seen.facts,
    isComplete: seen.complete,
    requestBytes: call.asked.bytes,
    firstTokenMs: seen.firstTokenMs,
  }
}

/** A call that no endpoint failed may still have come to nothing for its client. */
function findReason({ facts, clientLeft: hasLeft }: SeenAnswer): FailureReason | null {
  if (hasLeft) return clientLeft
  return facts?.guardrailIntervened === true ? guardrailIntervened : null
}

/** What an answer says about its endpoint, and about the estimate of its prompt. */
function learnFrom({ call, tried, seen, failure }: ServedCall, ports: PathPorts): void {
  const { facts: answer, complete: isComplete } = seen
  if (call.estimatedTokens !== undefined && answer !== undefined && isUsageComplete({ answer, isComplete }))
    ports.calibration.learn(call.model.hostedModelId, call.estimatedTokens, promptTokens(answer.usage))
  if (failure !== null) return
  const durationMs = seen.durationMs ?? ports.clock.monotonicMs() - call.startedMs
  ports.conditions.recordSuccess(tried.candidate.endpoint.id, durationMs, seen.firstTokenMs)
}
