/** The message path, top to bottom. This is the only file that joins its stages. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Caller, callerLabel, subjectOf } from '../domain/caller.ts'
import { Problem, problem } from '../domain/errors.ts'
import type { ProviderFailure } from '../domain/provider-failure.ts'
import type { Attempt } from '../domain/spend-record.ts'
import { promptTokens } from '../domain/usage.ts'
import type { RawContext } from '../http/route.ts'
import { type Outcome, toSpendRecord } from './account/account.ts'
import { type ServedInput, toServed } from './account/served.ts'
import { admit, giveBack } from './admit/admit.ts'
import { reserveBudget } from './admit/reserve-budget.ts'
import { createClientStream } from './answer/client-stream.ts'
import { createRelay, type Relay, type RelayOutcome } from './answer/relay-stream.ts'
import { createRunningAnswers } from './answer/running-answers.ts'
import { afterSent, sendText, sendWhole, watchDeparture } from './answer/send-answer.ts'
import { abandoned, attemptStream, attemptWhole } from './call-provider/attempt.ts'
import { type Called, type CallSteps, callProvider, type TryResult } from './call-provider/call-provider.ts'
import type { Authenticated, Candidate, Reserved, Routed } from './context.ts'
import { estimateInputTokens } from './count-tokens/estimate-tokens.ts'
import type { Reply } from './dialect.ts'
import {
  begin,
  candidatesOf,
  endBroken,
  hostedCall,
  isPaced,
  limitHeaders,
  logBody,
  type Operation,
  type Passage,
  shuttingDown,
  unreadableAnswer,
} from './passage.ts'
import type { PathPorts } from './path-ports.ts'
import { createPreparer, type PreparedRequest, type Preparer } from './prepare-request.ts'
import { contentProblem, receiveBody } from './receive/receive-body.ts'
import { resolveModel } from './resolve-model/resolve-model.ts'
import { reachableEndpoints } from './route/reachable-endpoints.ts'
import { route } from './route/route.ts'
import { parseBetaHeader } from './translate/betas.ts'
import type { RequestPlan } from './translate/plan-request.ts'
import type { MessagesRequest } from './translate/read-request.ts'

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

  const arrive = async (passage: Passage, context: RawContext): Promise<Work> => {
    const found = authenticate(passage.request, ports)
    const caller = found instanceof Promise ? await found : found
    context.identify(callerLabel(caller))
    const authenticated: Authenticated = { ...passage.reached, caller }
    passage.reached = authenticated

    passage.trace?.enter('receive')
    const request = await receive(passage, ports)

    passage.trace?.enter('admit')
    const admitting = admit(authenticated, ports.rateWindows)
    const admitted = admitting instanceof Promise ? await admitting : admitting
    passage.reached = admitted

    passage.trace?.enter('resolve-model')
    const resolved = resolveModel(admitted, request.model, resolvePorts)

    const named = resolved instanceof Promise ? await resolved : resolved
    passage.trace?.enter('route')
    const routed = route(named, ports)
    passage.reached = routed

    passage.trace?.enter('reserve-budget')
    const reserving = reserveBudget(routed, { requestBytes: request.bytes.length, maxTokens: request.maxTokens }, ports)
    const reserved = reserving instanceof Promise ? await reserving : reserving
    passage.reached = reserved
    if (ports.calibration.shouldSample(routed.model.hostedModelId, request.bytes.length))
      passage.estimatedTokens = estimateInputTokens(request.bytes)

    const preparer = createPreparer({
      request,
      headerBetas: parseBetaHeader(passage.request.headers['anthropic-beta']),
      model: routed.model,
      webSearchTool: { kind: 'drop' },
      capabilities: ports.capabilities,
    })
    return { passage, routed: reserved, preparer, ports }
  }

  const serve = async (passage: Passage, context: RawContext): Promise<void> => {
    // Apart, because what waits for the end of an answer must not hold on to its request.
    const work = await arrive(passage, context)
    passage.trace?.enter('call-provider')
    // Call, translate and account: in one piece, because a stream does all three at once.
    await (passage.asked?.stream === true ? answerStream : answerWhole)(work)
  }

  return (request, response, context, operation) => {
    const reached = begin(request, context, operation.dialect, ports.clock)
    const place = ports.overload.enter(request)
    const releaseBody = place?.bodySent ?? (() => {})
    const passage: Passage = {
      ...operation,
      request,
      response,
      reached,
      asked: undefined,
      round: 0,
      estimatedTokens: undefined,
      trace: ports.tracer?.begin(context.requestId, request.headers),
      releaseBody,
    }
    if (place === undefined) {
      refuse(passage, problem('overloaded', {}, { headers: { 'retry-after': '2' } }), ports)
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

async function receive(passage: Passage, ports: PathPorts): Promise<MessagesRequest> {
  const refused = contentProblem(passage.request)
  if (refused !== undefined) throw refused
  const body = await receiveBody(passage.request)
  logBody(ports.log, passage.reached.requestId, 'request body', body)
  const request = passage.read(body)
  passage.asked = { model: request.model, stream: request.stream, bytes: body.length }
  return request
}

/** What the last three stages work on. */
interface Work {
  readonly passage: Passage
  readonly routed: Reserved
  /** Holds the body, so it is let go as soon as no other endpoint can be asked. */
  preparer: Preparer | undefined
  readonly ports: PathPorts
}

/** What is left of a call to the hosted service once it has begun to answer. */
interface Ended {
  readonly candidate: Candidate
  readonly plan: RequestPlan
  readonly attempts: readonly Attempt[]
}

function endedOf({ candidate, request, attempts }: Called<PreparedRequest, unknown>): Ended {
  return { candidate, plan: request.plan, attempts }
}

/** A whole answer: gathered, translated, recorded, sent. */
async function answerWhole(work: Work): Promise<void> {
  const { passage, routed, ports } = work
  const departure = watchDeparture(passage.response, ports.departures)
  const tracked = ports.track(departure.abort)
  try {
    const called = await callProvider(
      candidatesOf(routed),
      stepsOf(work, departure.hasLeft, (candidate, request) =>
        attemptWhole(
          ports.host.invoke,
          hostedCall(passage, routed, candidate, request, ports.firstByteTimeoutMs),
          departure.began,
        ),
      ),
      ports,
    )
    const ended = endedOf(called)
    if (called.result.kind === 'failed')
      return await answerFailure(work, ended, whyFailed(called.result.failure, departure.hasLeft))
    const { body, headers } = called.result.answer
    logBody(ports.log, routed.requestId, 'response body', body)
    const answer = passage.dialect.translateWhole(body, routed.model.requestedId, headers)
    if (answer === undefined) return await answerFailure(work, ended, unreadableAnswer)
    noteAnswer(work, ended)
    const clientLeft = departure.hasLeft()
    await record(work, ended, { facts: answer.facts, complete: true, clientLeft, firstTokenMs: null }, null)
    sendWhole(passage.response, limitHeaders(routed), answer.body, answer.bytes)
  } finally {
    departure.done()
    afterSent(passage.response, tracked.done)
  }
}

/** A stream: relayed as it comes; its last events wait for the record. */
async function answerStream(work: Work): Promise<void> {
  const { passage, routed, ports } = work
  const { dialect, response } = passage
  const translator = dialect.translateStream(routed.model.requestedId)
  const client = createClientStream({
    response,
    headers: { ...dialect.streamHeaders, ...limitHeaders(routed) },
    pingBytes: dialect.pingBytes,
    pings: ports.pings,
    clock: ports.clock,
    onDrain: () => relay.drained(),
  })
  const relay = createRelay({
    response,
    client,
    writer: translator,
    departures: ports.departures,
    limits: ports.answerLimits,
  })
  const tracked = ports.track(relay.stop)
  try {
    const { result, ...ended } = await openStream(work, relay)
    if (result.kind === 'failed') return await answerFailure(work, ended, whyFailed(result.failure, relay.hasLeft))
    const firstTokenMs = ports.clock.monotonicMs() - routed.startedMs
    noteAnswer(work, ended)
    const outcome = await relay.outcome
    const failure = failureIn(outcome)
    if (outcome.kind === 'failed') ports.conditions.recordFailure(ended.candidate.endpoint.id, outcome.failure)
    const complete = outcome.kind === 'complete' || (outcome.kind === 'left' && outcome.complete)
    const clientLeft = outcome.kind === 'left'
    await record(work, ended, { facts: translator.facts(), complete, clientLeft, firstTokenMs }, failure)
    if (outcome.kind === 'complete') client.end(translator.take())
    else if (failure !== null) client.end(dialect.failureInStream(failure, routed.requestId))
  } finally {
    relay.close()
    // A slow reader still has to take what is written: only then may the process end.
    afterSent(response, tracked.done)
  }
}

/** Apart from what follows, so that the request is not kept while its answer streams. */
async function openStream(work: Work, relay: Relay): Promise<Ended & { readonly result: TryResult<unknown> }> {
  const { passage, routed, ports } = work
  const called = await callProvider(
    candidatesOf(routed),
    stepsOf(work, relay.hasLeft, (candidate, request) =>
      attemptStream(ports.host, hostedCall(passage, routed, candidate, request, ports.firstByteTimeoutMs), relay),
    ),
    ports,
  )
  return { ...endedOf(called), result: called.result }
}

function stepsOf<A>(
  { preparer }: Work,
  isAbandoned: () => boolean,
  attempt: CallSteps<PreparedRequest, A>['attempt'],
): CallSteps<PreparedRequest, A> {
  if (preparer === undefined) throw new Error('the request was let go before it was sent')
  return { prepare: preparer.prepare, repair: preparer.repair, attempt, isAbandoned }
}

function failureIn(outcome: RelayOutcome): ProviderFailure | null {
  if (outcome.kind === 'failed') return outcome.failure
  return outcome.kind === 'stopped' ? shuttingDown : null
}

/** A call that was given up although its client waits was ended by the end of the process. */
function whyFailed(failure: ProviderFailure, hasLeft: () => boolean): ProviderFailure {
  return failure === abandoned && !hasLeft() ? shuttingDown : failure
}

/** The endpoint has answered: it is alive, it takes these betas, and a user who had to move stays with it. */
function noteAnswer(work: Work, { candidate, plan }: Ended): void {
  const { passage, routed, ports } = work
  passage.trace?.enter('answer')
  ports.conditions.recordAlive(candidate.endpoint.id)
  work.preparer?.learnAccepted(candidate, plan)
  work.preparer = undefined
  passage.releaseBody()
  const first = routed.candidates[0]
  const subject = subjectOf(routed.caller)
  const moved = first !== undefined && first.endpoint.id !== candidate.endpoint.id
  // Only a user who was kept on the endpoint that failed moves; other strategies know no affinity.
  if (moved && ports.routing.findAffinity(subject) === first.endpoint.id)
    ports.routing.setAffinity(subject, candidate.endpoint.id)
}

async function record(
  work: Work,
  called: Ended,
  seen: Pick<ServedInput, 'facts' | 'complete' | 'clientLeft' | 'firstTokenMs'>,
  failure: ProviderFailure | null,
  status = 200,
): Promise<void> {
  const { passage, routed, ports } = work
  const { plan, candidate } = called
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
  await append(passage, routed, { status, errorType, served, attempts: called.attempts }, ports)
  const durationMs = ports.clock.monotonicMs() - routed.startedMs
  if (failure === null) ports.conditions.recordSuccess(candidate.endpoint.id, durationMs, seen.firstTokenMs)
}

/** No endpoint answered. Nothing was served, unless one was still at it when the client left or the process had to end. */
async function answerFailure(work: Work, called: Ended, failure: ProviderFailure): Promise<void> {
  const { passage, routed, ports } = work
  const unseen = { facts: undefined, complete: false, firstTokenMs: null }
  if (failure === abandoned) return await record(work, called, { ...unseen, clientLeft: true }, failure)
  const reply = passage.dialect.failure(failure, routed.requestId)
  const { status, errorType } = reply
  if (failure === shuttingDown) await record(work, called, { ...unseen, clientLeft: false }, failure, status)
  else await append(passage, routed, { status, errorType, served: null, attempts: called.attempts }, ports)
  if (passage.response.headersSent) passage.response.end(passage.dialect.failureInStream(failure, routed.requestId))
  else sendReply(passage, reply, limitHeaders(routed))
}

type Ending = Pick<Outcome, 'status' | 'errorType' | 'served' | 'attempts'>

async function append(
  passage: Passage,
  reached: Authenticated | Routed | Reserved,
  ending: Ending,
  ports: PathPorts,
): Promise<void> {
  const model = 'model' in reached ? reached.model : undefined
  const durationMs = ports.clock.monotonicMs() - reached.startedMs
  const entry = toSpendRecord(
    {
      requestId: reached.requestId,
      receivedAtMs: reached.receivedAtMs,
      durationMs,
      caller: reached.caller,
      attribution: reached.attribution,
      model: model?.requestedId ?? passage.asked?.model ?? '',
      hostedModelId: model?.hostedModelId ?? null,
      streaming: passage.asked?.stream ?? false,
      routing: 'routing' in reached ? reached.routing : null,
      ...ending,
    },
    ports.snapshot.current().prices,
  )
  passage.trace?.account(entry)
  passage.round = entry.round + 1
  if ('hold' in reached) reached.hold?.settle(entry)
  ports.meters.served(entry)
  await ports.ledger.append(entry)
}

/** The gateway itself says no, at whatever stage. */
function refuse(passage: Passage, error: unknown, ports: PathPorts): void {
  const refused = error instanceof Problem ? error : problem('internal', {}, { cause: error })
  const { reached } = passage
  if (refused.code === 'internal') ports.log.error({ id: reached.requestId, err: error }, 'request failed')
  if ('rate' in reached) giveBack(reached, ports.rateWindows)
  const reply = passage.dialect.refusal(refused, reached.requestId)
  if (passage.response.headersSent) endBroken(passage)
  else sendReply(passage, reply, 'rate' in reached ? limitHeaders(reached) : {})
  ports.meters.refused(refused.code)
  passage.trace?.refused(refused.code, reply.status)
  if (!('caller' in reached)) {
    ports.meters.unrecorded(reply.status)
    return
  }
  const { caller } = reached
  if (refused.code === 'rate_limited') ports.onRateLimited(caller)
  if (isPaced(refused) && caller.kind === 'key' && !ports.mayRecordRefusal(caller.key.id)) {
    ports.meters.unrecorded(reply.status)
    return
  }
  const ending: Ending = { status: reply.status, errorType: reply.errorType, served: null, attempts: [] }
  append(passage, reached, ending, ports).catch((failed: unknown) =>
    // failure-modes: refusal not recorded. The caller has the answer already, and no money is in it.
    ports.log.error({ id: reached.requestId, err: failed }, 'the record of a refused call was lost'),
  )
}

function sendReply({ request, response }: Passage, reply: Reply, headers: Readonly<Record<string, string>>): void {
  // What is left of a body is read and thrown away, so that the client sees the answer instead of a reset.
  if (!request.complete) request.resume()
  sendText(response, reply.status, { ...headers, ...reply.headers }, reply.body)
}
