/** Asks the candidates in order until one answers. Each is tried once; one repaired retry is allowed per call. */
import { mayFailOver, type ProviderFailure } from '../../domain/provider-failure.ts'
import type { Attempt } from '../../domain/spend-record.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Candidate } from '../context.ts'
import type { AnswerHead, EndpointConditions } from '../ports.ts'

export type TryResult<A> =
  | { readonly kind: 'answered'; readonly answer: A }
  /** `head` is that of an answer that broke later: the call was served and is charged. */
  | { readonly kind: 'failed'; readonly failure: ProviderFailure; readonly head?: AnswerHead }

export interface CallSteps<Request, A> {
  /** The request in the form that is right for this candidate. */
  readonly prepare: (candidate: Candidate) => Request
  /** A request that avoids what the candidate refused; undefined when nothing can be done. */
  readonly repair: (candidate: Candidate, request: Request, failure: ProviderFailure) => Request | undefined
  readonly attempt: (candidate: Candidate, request: Request) => Promise<TryResult<A>>
  /** Nobody is waiting any more: no further candidate is worth its cost. */
  readonly isAbandoned: () => boolean
}

export interface Called<Request, A> {
  readonly result: TryResult<A>
  readonly candidate: Candidate
  readonly request: Request
  readonly attempts: readonly Attempt[]
}

export interface CallPorts {
  readonly clock: Clock
  readonly conditions: Pick<EndpointConditions, 'recordFailure' | 'recordFailover'>
}

export async function callProvider<Request, A>(
  candidates: readonly [Candidate, ...Candidate[]],
  steps: CallSteps<Request, A>,
  { clock, conditions }: CallPorts,
): Promise<Called<Request, A>> {
  const attempts: Attempt[] = []
  let mayRepair = true

  const note = (candidate: Candidate, result: TryResult<A>, startedMs: number): void => {
    attempts.push(toAttempt(candidate, result, clock.monotonicMs() - startedMs))
  }

  let last: Called<Request, A> | undefined
  for (const candidate of candidates) {
    if (last !== undefined) conditions.recordFailover(last.candidate.endpoint.id)
    let request = steps.prepare(candidate)
    let startedMs = clock.monotonicMs()
    let result = await steps.attempt(candidate, request)
    note(candidate, result, startedMs)
    if (result.kind === 'failed' && mayRepair) {
      const repaired = steps.repair(candidate, request, result.failure)
      if (repaired !== undefined) {
        mayRepair = false
        request = repaired
        startedMs = clock.monotonicMs()
        result = await steps.attempt(candidate, request)
        note(candidate, result, startedMs)
        // No further try, but the next call knows what this one was refused for.
        if (result.kind === 'failed') steps.repair(candidate, request, result.failure)
      }
    }
    last = { result, candidate, request, attempts }
    if (result.kind === 'answered') return last
    const mayMoveOn = mayFailOver(result.failure)
    // A client that left is nobody's failure.
    if (mayMoveOn || result.failure.kind === 'answered') conditions.recordFailure(candidate.endpoint.id, result.failure)
    // What broke off was served; the client decides whether it pays for another one.
    if (!mayMoveOn || result.head !== undefined || steps.isAbandoned()) return last
  }
  // spec: Errors 2. All endpoints failed: the last one's error goes to the client.
  return last as Called<Request, A>
}

function toAttempt(candidate: Candidate, result: TryResult<unknown>, durationMs: number): Attempt {
  return {
    endpointId: candidate.endpoint.id,
    hostedModel: candidate.modelId,
    status: result.kind === 'answered' ? 200 : result.failure.status,
    error: result.kind === 'answered' ? null : result.failure.name || result.failure.kind,
    durationMs: Math.round(durationMs),
  }
}
