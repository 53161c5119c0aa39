/** Asks the candidates in order until one answers. Each is tried once, and again after a repair: one for each thing refused. */
import { describeFailure } from '../../foundation/domain/describe-failure.ts'
import type { AnswerHead } from '../../foundation/domain/model-host.ts'
import { mayFailOver, type ProviderFailure } from '../../foundation/domain/provider-failure.ts'
import type { Attempt } from '../../foundation/domain/spend-record.ts'
import type { Clock } from '../../foundation/platform/clock.ts'
import type { Candidate } from '../call.ts'
import type { EndpointConditions } from '../ports.ts'

export type TryResult<A> =
  | { readonly kind: 'answered'; readonly answer: A }
  /** `head` is that of an answer that broke later: the call was served and is charged. */
  | { readonly kind: 'failed'; readonly failure: ProviderFailure; readonly head?: AnswerHead }

export interface Repaired<Request> {
  readonly request: Request
  /** What was refused. A call is repaired once for each. */
  readonly about: string
}

/** More than a new client on a new model was ever seen to need; what is left then is no matter of dialects. */
const MAX_REPAIRS = 6

export interface CallSteps<Request, A> {
  /** The request in the form that is right for this candidate. */
  readonly prepare: (candidate: Candidate) => Request
  /** A request that avoids what the candidate refused; undefined when nothing can be done. */
  readonly repair: (candidate: Candidate, request: Request, failure: ProviderFailure) => Repaired<Request> | undefined
  /** The words for the client when nothing can be done. */
  readonly explain: (failure: ProviderFailure) => ProviderFailure
  readonly attempt: (candidate: Candidate, request: Request) => Promise<TryResult<A>>
  /** Nobody is waiting any more: no further candidate, and no further try, is worth its cost. */
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
  const repaired: string[] = []

  let last: Called<Request, A> | undefined
  for (const candidate of candidates) {
    if (last !== undefined) conditions.recordFailover(last.candidate.endpoint.id)
    let request = steps.prepare(candidate)
    let result: TryResult<A>
    for (;;) {
      const startedMs = clock.monotonicMs()
      result = await steps.attempt(candidate, request)
      attempts.push(toAttempt(candidate, result, clock.monotonicMs() - startedMs))
      const next =
        result.kind === 'failed' ? repairOnce(steps, candidate, request, result.failure, repaired) : undefined
      if (next === undefined) break
      request = next
    }
    if (result.kind === 'failed') result = { ...result, failure: steps.explain(result.failure) }
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

function repairOnce<Request, A>(
  steps: CallSteps<Request, A>,
  candidate: Candidate,
  request: Request,
  failure: ProviderFailure,
  repaired: string[],
): Request | undefined {
  // Asked even where no further try is made: the next call then knows what this one was refused for.
  const repair = steps.repair(candidate, request, failure)
  if (repair === undefined || repaired.includes(repair.about) || repaired.length === MAX_REPAIRS) return undefined
  if (steps.isAbandoned()) return undefined
  repaired.push(repair.about)
  return repair.request
}

function toAttempt(candidate: Candidate, result: TryResult<unknown>, durationMs: number): Attempt {
  return {
    endpointId: candidate.endpoint.id,
    hostedModel: candidate.modelId,
    status: result.kind === 'answered' ? 200 : result.failure.status,
    error: result.kind === 'answered' ? null : result.failure.name || result.failure.kind,
    durationMs: Math.round(durationMs),
    reason: result.kind === 'answered' ? null : describeFailure(result.failure),
  }
}
