/** The message path, top to bottom. This is the only file that joins its stages. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AnswerProgress } from '../foundation/domain/build-spend-record.ts'
import { type Caller, callerLabel, findSubject } from '../foundation/domain/caller.ts'
import { problem } from '../foundation/domain/errors.ts'
import type { ProviderFailure } from '../foundation/domain/provider-failure.ts'
import type { RawContext } from '../foundation/http/route.ts'
import { admit } from './admit/admit.ts'
import { reserveBudget, reserveRound } from './admit/reserve-budget.ts'
import { type ClientStream, createClientStream } from './answer/client-stream.ts'
import { createRelay, type Relay, type RelayOutcome } from './answer/relay-stream.ts'
import { createRunningAnswers } from './answer/running-answers.ts'
import { afterSent, type DepartureWatch, sendWhole, watchDeparture } from './answer/send-answer.ts'
import { beginSearch, createPlainer, offersSearch } from './begin-search.ts'
import { abandoned, attemptStream, attemptWhole, neverSent } from './call-provider/attempt.ts'
import { type CallSteps, callProvider, type TryResult } from './call-provider/call-provider.ts'
import type { Authenticated, Reserved } from './context.ts'
import { estimateInputTokens } from './count-tokens/estimate-tokens.ts'
import type { StreamTranslator } from './dialect.ts'
import { type Ended, toEnded } from './ended.ts'
import { recordServed, recordUnserved } from './keep-record.ts'
import { logBody, logStream } from './log-body.ts'
import {
  answerHeaders,
  begin,
  forwardedHeaderProblem,
  hostedCall,
  listCandidates,
  type Operation,
  type Passage,
  shuttingDown,
  unreadableAnswer,
} from './passage.ts'
import type { PathPorts } from './path-ports.ts'
import { createPreparer, type PreparedRequest, type Preparer } from './prepare-request.ts'
import { contentProblem, overloaded, receiveBody } from './receive/receive-body.ts'
import { recordUnsent, refuse } from './refuse.ts'
import { resolveModel } from './resolve-model/resolve-model.ts'
import { reachableEndpoints } from './route/reachable-endpoints.ts'
import { route } from './route/route.ts'
import { moveAffinity } from './route/sticky-user.ts'
import { endFailed, sendReply } from './send-reply.ts'
import { hasAged, requireStillValid } from './still-valid.ts'
import { factsOfHead } from './translate/head-facts.ts'
import type { MessagesRequest } from './translate/read-request.ts'
import { mayHaveSearchHistory } from './translate/request-watch.ts'
import { wholeMessage } from './translate/stream-facts.ts'
import type { SearchTurn } from './web-search/search-turn.ts'

export type MessagePath = (
  request: IncomingMessage,
  response: ServerResponse,
  context: RawContext,
  operation: Operation,
) => void

export function createMessagePath(given: PathPorts): MessagePath {
  const ports: PathPorts = { ...given, track: createRunningAnswers(given.track) }
  const resolvePorts = {
    ...ports,
    reachableEndpoints: (caller: Caller) => reachableEndpoints(ports.snapshot.current(), caller),
  }

  const arrive = async (passage: Passage, context: RawContext): Promise<Work | undefined> => {
    const found = authenticate(passage.request, ports)
    const caller = found instanceof Promise ? await found : found
    context.identify(callerLabel(caller))
    ports.onCall(caller, context.sourceAddress)
    const authenticated: Authenticated = { ...passage.reached, caller }
    passage.reached = authenticated

    passage.trace?.enter('receive')
    const sent = await receive(passage, findSubject(caller), ports)

    passage.trace?.enter('admit')
    const admitting = admit(authenticated, ports.rateWindows)
    const admitted = admitting instanceof Promise ? await admitting : admitting
    passage.reached = admitted

    passage.trace?.enter('resolve-model')
    const resolved = resolveModel(admitted, sent.model, resolvePorts)

    const named = resolved instanceof Promise ? await resolved : resolved
    passage.trace?.enter('route')
    const routed = route(named, ports)
    passage.reached = routed

    const { request, search, plainer } = speaksOfSearch(passage, sent)
      ? await beginSearch(passage, sent, caller, ports.webSearch)
      : { request: sent, search: undefined, plainer: undefined }

    passage.trace?.enter('reserve-budget')
    const weight = { requestBytes: request.bytes.length, maxTokens: request.maxTokens }
    const reserving = reserveBudget(routed, weight, ports, () => passage.response.destroyed)
    const reserved = reserving instanceof Promise ? await reserving : reserving
    if (reserved === undefined) {
      await recordUnsent(passage, routed, neverSent, ports)
      return undefined
    }
    passage.reached = reserved
    if (hasAged(reserved, ports.clock)) await requireStillValid(passage, reserved, ports)
    if (search === undefined && ports.calibration.shouldSample(routed.model.hostedModelId, request.bytes.length))
      passage.estimatedTokens = estimateInputTokens(request.bytes)

    const preparer = createPreparer(passage.request, request, routed.model, ports, { plainer })
    return { passage, routed: reserved, preparer, search, ports }
  }

  const serve = async (passage: Passage, context: RawContext): Promise<void> => {
    // Apart, because what waits for the end of an answer must not hold on to its request.
    const work = await arrive(passage, context)
    if (work === undefined) return
    passage.trace?.enter('call-provider')
    // Call, translate and account: in one piece, because a stream does all three at once.
    await (passage.asked?.stream === true ? answerStream : answerWhole)(work)
  }

  return (request, response, context, operation) => {
    const reached = begin(request, context, operation.dialect, ports.clock)
    const place = ports.overload.enter(request)
    const passage: Passage = {
      ...operation,
      request,
      response,
      reached,
      asked: undefined,
      round: 0,
      estimatedTokens: undefined,
      trace: ports.tracer?.begin(context.requestId, request.headers),
      explain: context.explain,
      holdBody: place?.bodyHeld ?? (() => false),
      releaseBody: place?.bodySent ?? (() => {}),
    }
    if (place === undefined) {
      refuse(passage, overloaded(), ports)
      passage.trace?.end()
      return
    }
    const served = serve(passage, context).then(place.leave, (error: unknown) => {
      place.leave()
      refuse(passage, error, ports)
    })
    if (passage.trace !== undefined) void served.then(passage.trace.end)
  }
}

function authenticate(request: IncomingMessage, ports: PathPorts): Caller | Promise<Caller> {
  const reason = ports.whyNotReady()
  if (reason !== undefined) throw problem('not_ready', { reason }, { headers: { 'retry-after': '2' } })
  return ports.authenticate(request.headers)
}

async function receive(passage: Passage, subject: string, ports: PathPorts): Promise<MessagesRequest> {
  const refused = contentProblem(passage.request) ?? forwardedHeaderProblem(passage)
  if (refused !== undefined) throw refused
  const bodyCame = ports.overload.awaitBody(subject)
  if (bodyCame === undefined) throw overloaded()
  let body: Buffer
  try {
    body = await receiveBody(passage.request, passage.holdBody)
  } finally {
    bodyCame()
  }
  logBody(ports.log, passage.reached.requestId, 'request body', body)
  const request = passage.read(body)
  passage.asked = { model: request.model, stream: request.stream, bytes: body.length }
  return request
}

/** Nothing else pays for web search than these two looks. */
function speaksOfSearch({ dialect }: Passage, sent: MessagesRequest): boolean {
  return dialect.form === 'messages' && (offersSearch(sent) || mayHaveSearchHistory(sent))
}

/** What the last three stages work on. */
interface Work {
  readonly passage: Passage
  readonly routed: Reserved
  /** Only for requests that offer web search: their answer may take several hosted calls. */
  readonly search: SearchTurn | undefined
  /** Holds the body, so it is let go as soon as no other endpoint can be asked. */
  preparer: Preparer | undefined
  readonly ports: PathPorts
}

/** A whole answer: gathered, translated, recorded, sent. */
async function answerWhole(work: Work): Promise<void> {
  const { passage, search, ports } = work
  const departure = watchDeparture(passage.response, ports.departures)
  const tracked = ports.track(() => {
    search?.stop()
    departure.abort()
  })
  try {
    for (let round: Work | undefined = work; round !== undefined; ) round = await answerWholeRound(round, departure)
  } finally {
    departure.done()
    afterSent(passage.response, ports.answerLimits.unreadMs, tracked.done)
  }
}

/** Gives back the next round when the model has searched and must go on. */
async function answerWholeRound(work: Work, departure: DepartureWatch): Promise<Work | undefined> {
  const { passage, routed, search, ports } = work
  const called = await callProvider(
    listCandidates(routed),
    createSteps(work, departure.hasLeft, (candidate, request) =>
      attemptWhole(
        ports.host.invoke,
        hostedCall(passage, routed, candidate, request, ports),
        departure.began,
        wholeMessage,
      ),
    ),
    ports,
  )
  const ended = toEnded(called)
  if (called.result.kind === 'failed')
    return await answerFailure(work, ended, whyFailed(called.result.failure, departure.hasLeft))
  const { body, headers } = called.result.answer
  logBody(ports.log, routed.requestId, 'response body', body)
  const answer = passage.dialect.translateWhole(body, routed.model.requestedId, headers)
  if (answer === undefined) return await answerFailure(work, { ...ended, head: headers }, unreadableAnswer)
  noteAnswer(work, ended)
  const durationMs = ports.clock.monotonicMs() - routed.startedMs
  const searched = search && (await search.afterWhole(answer))
  const clientLeft = departure.hasLeft()
  const webSearches = searched?.webSearches ?? 0
  const seen = { facts: answer.facts, complete: true, clientLeft, firstTokenMs: null, durationMs, webSearches }
  await recordServed(work, ended, seen, null)
  if (searched?.goesOn === true) return await nextRound(work, ended)
  const whole = searched?.answer ?? answer
  if (searched?.isStopped === true)
    sendReply(passage, passage.dialect.failure(shuttingDown, routed.requestId), ports.log)
  else sendWhole(passage.response, Object.assign(answerHeaders(routed), answer.headers), whole.body, whole.bytes)
  return undefined
}

/** A stream: relayed as it comes; its last events wait for the record. */
async function answerStream(work: Work): Promise<void> {
  const { passage, routed, search, ports } = work
  const { dialect, response } = passage
  let relay: Relay | undefined
  const plainClient = createClientStream({
    response,
    headers: { ...dialect.streamHeaders, ...answerHeaders(routed) },
    pingBytes: dialect.pingBytes,
    pings: ports.pings,
    clock: ports.clock,
    unreadMs: ports.answerLimits.unreadMs,
    onDrain: () => relay?.drained(),
  })
  const client = logStream(ports.log, routed.requestId, response, plainClient)
  const tracked = ports.track(() => {
    search?.stop()
    relay?.stop()
  })
  try {
    for (let round: Work | undefined = work; round !== undefined; ) {
      const plain = dialect.translateStream(routed.model.requestedId)
      const writer = search === undefined ? plain : search.translateStream(plain)
      relay = createRelay({ response, client, writer, departures: ports.departures, limits: ports.answerLimits })
      round = await answerStreamRound(round, client, writer, relay)
    }
  } finally {
    relay?.close()
    // A slow reader still has to take what is written: only then may the process end.
    afterSent(response, ports.answerLimits.unreadMs, tracked.done)
  }
}

/** Gives back the next round when the model has searched and must go on. */
async function answerStreamRound(
  work: Work,
  client: ClientStream,
  translator: StreamTranslator,
  relay: Relay,
): Promise<Work | undefined> {
  const { passage, routed, search, ports } = work
  const { result, ...ended } = await openStream(work, relay, translator.facts)
  if (result.kind === 'failed') return await answerFailure(work, ended, whyFailed(result.failure, relay.hasLeft))
  const firstTokenMs = ports.clock.monotonicMs() - routed.startedMs
  noteAnswer(work, ended)
  const outcome = await relay.outcome
  if (outcome.kind === 'failed') ports.conditions.recordFailure(ended.candidate.endpoint.id, outcome.failure)
  const durationMs = ports.clock.monotonicMs() - routed.startedMs
  const searched = outcome.kind === 'complete' && search ? await search.afterStream(client.write) : undefined
  const failure = searched?.isStopped === true ? shuttingDown : failureIn(outcome)
  const complete = outcome.kind === 'complete' || (outcome.kind === 'left' && outcome.complete)
  // Between two rounds no relay watches the client.
  const clientLeft = outcome.kind === 'left' || (searched !== undefined && passage.response.destroyed)
  const webSearches = searched?.webSearches ?? 0
  const seen = { facts: translator.facts(), complete, clientLeft, firstTokenMs, durationMs, webSearches }
  await recordServed(work, ended, seen, failure)
  if (searched?.goesOn === true) return await nextRound(work, ended)
  if (failure !== null) client.end(passage.dialect.failureInStream(failure, routed.requestId))
  else if (outcome.kind === 'complete') client.end(translator.take())
  return undefined
}

/** A further hosted call of the same request: routed, paid for and recorded like the first, at the endpoint that answered. */
async function nextRound({ passage, routed, search, ports }: Work, { candidate }: Ended): Promise<Work | undefined> {
  if (search === undefined) return undefined
  await requireStillValid(passage, routed, ports)
  const request = passage.read(search.nextBody())
  passage.asked = { model: request.model, stream: request.stream, bytes: request.bytes.length }
  const candidates = [candidate, ...routed.candidates.filter((other) => other !== candidate)]
  const call = { ...routed, candidates, receivedAtMs: ports.clock.nowMs(), startedMs: ports.clock.monotonicMs() }
  const weight = { requestBytes: request.bytes.length, maxTokens: request.maxTokens }
  const reserved = await reserveRound(call, weight, ports, () => passage.response.destroyed)
  if (reserved === undefined) return undefined
  passage.reached = reserved
  passage.trace?.enter('call-provider')
  const plainer = search.form === 'cited' ? createPlainer(passage, request) : undefined
  const preparer = createPreparer(passage.request, request, routed.model, ports, { plainer })
  return { passage, routed: reserved, preparer, search, ports }
}

/** Apart from what follows, so that the request is not kept while its answer streams. */
async function openStream(
  work: Work,
  relay: Relay,
  readProgress: () => AnswerProgress,
): Promise<Ended & { readonly result: TryResult<unknown> }> {
  const { passage, routed, ports } = work
  const called = await callProvider(
    listCandidates(routed),
    createSteps(work, relay.hasLeft, (candidate, request) =>
      attemptStream(ports.host, hostedCall(passage, routed, candidate, request, ports, readProgress), relay),
    ),
    ports,
  )
  return { ...toEnded(called), result: called.result }
}

function createSteps<A>(
  { preparer }: Work,
  isAbandoned: () => boolean,
  attempt: CallSteps<PreparedRequest, A>['attempt'],
): CallSteps<PreparedRequest, A> {
  if (preparer === undefined) throw new Error('the request was let go before it was sent')
  return { ...preparer, attempt, isAbandoned }
}

function failureIn(outcome: RelayOutcome): ProviderFailure | null {
  if (outcome.kind === 'failed') return outcome.failure
  return outcome.kind === 'stopped' ? shuttingDown : null
}

/** A call that was given up although its client waits was ended by the end of the process. */
function whyFailed(failure: ProviderFailure, hasLeft: () => boolean): ProviderFailure {
  return (failure === abandoned || failure === neverSent) && !hasLeft() ? shuttingDown : failure
}

/** The endpoint has answered: it is alive, it takes these betas, and a user who had to move stays with it. */
function noteAnswer(work: Work, { candidate, changes }: Ended): void {
  const { passage, routed, ports } = work
  passage.trace?.enter('answer')
  ports.conditions.recordAlive(candidate.endpoint.id)
  work.preparer?.learnAccepted(candidate, changes.betasSent)
  work.preparer = undefined
  // Further rounds send it again.
  if (work.search === undefined) passage.releaseBody()
  moveAffinity(routed, candidate.endpoint, ports.routing)
}

/** No whole answer. Nothing was served, unless one had begun, or was awaited when the client left or the process ended. */
async function answerFailure(work: Work, called: Ended, failure: ProviderFailure): Promise<undefined> {
  const { passage, routed, ports } = work
  const facts = called.head && factsOfHead(called.head)
  const unseen = { facts, complete: facts !== undefined, firstTokenMs: null }
  if (failure === abandoned) {
    await recordServed(work, called, { ...unseen, clientLeft: true }, failure)
    return
  }
  const reply = passage.dialect.failure(failure, routed.requestId)
  const wasServed = called.head !== undefined || (failure === shuttingDown && !called.isUnsent)
  if (wasServed) await recordServed(work, called, { ...unseen, clientLeft: false }, failure, reply.status)
  else await recordUnserved(work, called, failure, reply)
  if (failure === neverSent) return
  if (passage.response.headersSent) endFailed(passage, failure, ports.log)
  else sendReply(passage, reply, ports.log)
}
