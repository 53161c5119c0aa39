/** One call to Bedrock for a request, which web search may make several times: what whole and streamed answers share. */
import { problem } from '../foundation/domain/errors.ts'
import type { EndedAtBedrock, Reserved, Tried } from './call.ts'
import { type CallSteps, callProvider, type TryResult } from './call-provider/call-provider.ts'
import { abandoned, neverSent, shuttingDown } from './path-failures.ts'
import type { PathPorts } from './path-ports.ts'
import type { PreparedRequest, Preparer } from './prepare-request.ts'
import { endFailed, sendReply } from './reply.ts'
import { moveAffinity } from './route/sticky-user.ts'
import { factsOfHead } from './translate/stream-facts.ts'
import type { SearchTurn } from './web-search/search-turn.ts'

export interface Round {
  readonly call: Reserved
  /** Only for requests that offer web search: their answer may take several rounds. */
  readonly search: SearchTurn | undefined
  /** Holds the body, so it is released as soon as no other endpoint can be asked. */
  preparer: Preparer | undefined
}

export interface RoundResult {
  readonly ended: EndedAtBedrock
  /** The model has searched and must see what was found: there is a further round. */
  readonly goesOn: boolean
  /** Sends what the client still gets. This waits for the record: a client that saw the end was also charged for it. */
  readonly send: () => void
}

/** How a client is answered, over all rounds of its request. */
export interface Answer {
  readonly serve: (round: Round) => Promise<RoundResult>
  /** Nothing of the client is watched any more. */
  readonly close: () => void
}

export interface Called<A> {
  readonly result: TryResult<A>
  readonly tried: Tried
}

/** Apart from what waits for the answer, which must not hold on to the request. */
export async function askBedrock<A>(
  { call, preparer }: Round,
  isAbandoned: () => boolean,
  attempt: CallSteps<PreparedRequest, A>['attempt'],
  ports: PathPorts,
): Promise<Called<A>> {
  if (preparer === undefined) throw new Error('the request was released before it was sent')
  const [first, ...others] = call.candidates
  if (first === undefined) throw problem('no_endpoint')
  const steps = { ...preparer, attempt, isAbandoned }
  const { candidate, attempts, result, request } = await callProvider([first, ...others], steps, ports)
  const { betas, strippedBetas, repairs } = request.plan
  const changes = { betasSent: betas, betasStripped: strippedBetas, repairs }
  return { result, tried: { candidate, attempts, changes } }
}

/** The endpoint has answered: it is alive, it takes these betas, and a user who had to move stays with it. */
export function noteAnswer(round: Round, { candidate, changes }: Tried, ports: PathPorts): void {
  const { call } = round
  call.trace?.enter('answer')
  ports.conditions.recordAlive(candidate.endpoint.id)
  round.preparer?.learnAccepted(candidate, changes.betasSent)
  round.preparer = undefined
  // Further rounds send it again.
  if (round.search === undefined) call.releaseBody()
  moveAffinity(call, candidate.endpoint, ports.routing)
}

type Failed = Extract<TryResult<unknown>, { readonly kind: 'failed' }>

/** No whole answer. Nothing was served, unless one had begun, or was awaited when the client left or the process ended. */
export function failRound(
  { call }: Round,
  tried: Tried,
  { failure: found, head }: Omit<Failed, 'kind'>,
  hasLeft: () => boolean,
  ports: PathPorts,
): RoundResult {
  // A call that was given up although its client waits was ended by the end of the process.
  const isStopped = (found === abandoned || found === neverSent) && !hasLeft()
  const failure = isStopped ? shuttingDown : found
  const facts = head && factsOfHead(head)
  const unseen = { facts, complete: facts !== undefined, firstTokenMs: null }
  if (failure === abandoned) {
    const seen = { ...unseen, clientLeft: true }
    return { ended: { stage: 'served', call, tried, seen, failure, status: 200 }, goesOn: false, send: () => {} }
  }
  const reply = call.dialect.failure(failure, call.requestId)
  const wasServed = head !== undefined || (failure === shuttingDown && found !== neverSent)
  const seen = { ...unseen, clientLeft: false }
  const ended: EndedAtBedrock = wasServed
    ? { stage: 'served', call, tried, seen, failure, status: reply.status }
    : { stage: 'failed', call, tried, failure }
  const send = (): void => {
    if (failure === neverSent) return
    if (call.response.headersSent) endFailed(call, failure, ports.log)
    else sendReply(ended, reply, ports.log)
  }
  return { ended, goesOn: false, send }
}
