/** The message path, top to bottom: from the first byte of a request to its record. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Caller, callerLabel, findSubject } from '../foundation/domain/caller.ts'
import type { RawContext } from '../foundation/http/route.ts'
import { admit } from './admit/admit.ts'
import { reserveBudget, reserveRound } from './admit/reserve-budget.ts'
import { authenticate, hasAged, requireStillValid } from './authenticate.ts'
import { beginSearch, createPlainer } from './begin-search.ts'
import {
  type Admitted,
  type Arrived,
  type Authenticated,
  begin,
  type EndedEarly,
  type Operation,
  type Received,
  type Reserved,
  type Routed,
  type Tried,
} from './call.ts'
import { estimateInputTokens } from './count-tokens/estimate-tokens.ts'
import { findHeaderProblem } from './hosted-call.ts'
import { keepCallRecord } from './keep-record.ts'
import { logBody } from './log-body.ts'
import type { PathPorts } from './path-ports.ts'
import { createPreparer } from './prepare-request.ts'
import { contentProblem, overloaded, receiveBody } from './receive/receive-body.ts'
import { recordUnsent, refuse } from './refuse.ts'
import { resolveModel } from './resolve-model/resolve-model.ts'
import type { Round } from './round.ts'
import { route } from './route/route.ts'
import { reachableEndpoints } from './route/usable-endpoints.ts'
import { openStreamedAnswer } from './streamed-answer.ts'
import type { MessagesRequest } from './translate/read-request.ts'
import { openWholeAnswer } from './whole-answer.ts'

export type MessagePath = (
  request: IncomingMessage,
  response: ServerResponse,
  context: RawContext,
  operation: Operation,
) => void

export function createMessagePath(ports: PathPorts): MessagePath {
  const serve = async (arrived: Arrived, context: RawContext): Promise<void> => {
    // Apart, because what waits for the end of an answer must not hold on to its request.
    const round = await admitRequest(arrived, context, ports)
    if (round !== undefined) await answerRequest(round, ports)
  }
  return (request, response, context, operation) => {
    const begun = begin(request, context, ports.clock)
    const place = ports.overload.enter(request)
    const arrived: Arrived = {
      ...begun,
      ...operation,
      request,
      response,
      trace: ports.tracer?.begin(context.requestId, request.headers),
      holdBody: place?.bodyHeld ?? (() => false),
      releaseBody: place?.bodySent ?? (() => {}),
    }
    if (place === undefined) {
      refuse({ stage: 'arrived', call: arrived }, overloaded(), ports)
      arrived.trace?.end()
      return
    }
    void serve(arrived, context).finally(place.leave).then(arrived.trace?.end)
  }
}

/** Everything that can refuse a request before Bedrock is asked. Undefined when the request ends here. */
async function admitRequest(arrived: Arrived, context: RawContext, ports: PathPorts): Promise<Round | undefined> {
  const { trace } = arrived
  let ended: EndedEarly = { stage: 'arrived', call: arrived }
  try {
    const caller = await authenticate(arrived.request, ports)
    context.identify(callerLabel(caller))
    ports.onCall(caller, context.sourceAddress)
    const authenticated: Authenticated = { ...arrived, caller }
    ended = { stage: 'authenticated', call: authenticated }

    trace?.enter('receive')
    const sent = await receive(authenticated, ports)
    const received: Received = { ...authenticated, asked: summarize(sent) }
    ended = { stage: 'received', call: received }

    trace?.enter('admit')
    const admitted: Admitted = { ...received, rate: await admit(received, ports.rateWindows) }
    ended = { stage: 'admitted', call: admitted }

    trace?.enter('resolve-model')
    const model = await resolveModel(caller, sent.model, {
      ...ports,
      reachableEndpoints: (one: Caller) => reachableEndpoints(ports.snapshot.current(), one),
    })
    trace?.enter('route')
    const routed: Routed = { ...admitted, model, ...route({ caller, model }, ports) }
    ended = { stage: 'routed', call: routed }
    const { request, search, plainer } = await beginSearch(routed, sent, ports.webSearch)

    trace?.enter('reserve-budget')
    const reservation = await reserveBudget(routed, toWeight(request), ports, () => arrived.response.destroyed)
    if (reservation === undefined) {
      await recordUnsent(routed, ports)
      return undefined
    }
    const isSample = search === undefined && ports.calibration.shouldSample(model.hostedModelId, request.bytes.length)
    const estimatedTokens = isSample ? estimateInputTokens(request.bytes) : undefined
    const call: Reserved = { ...routed, ...reservation, estimatedTokens }
    ended = { stage: 'reserved', call }
    if (hasAged(call, ports.clock)) await requireStillValid(call, ports)
    return { call, search, preparer: createPreparer(call.request, request, model, ports, { plainer }) }
  } catch (error) {
    refuse(ended, error, ports)
    return undefined
  }
}

async function receive(call: Authenticated, ports: PathPorts): Promise<MessagesRequest> {
  const refused = contentProblem(call.request) ?? findHeaderProblem(call)
  if (refused !== undefined) throw refused
  const body = await receiveBody(call.request, call.holdBody, () => ports.overload.awaitBody(findSubject(call.caller)))
  logBody(ports.log, call.requestId, 'request body', body)
  return call.read(body)
}

function summarize({ model, stream, bytes }: MessagesRequest): Received['asked'] {
  return { model, stream, bytes: bytes.length }
}

function toWeight({ bytes, maxTokens }: MessagesRequest) {
  return { requestBytes: bytes.length, maxTokens }
}

/** From the first call to Bedrock to the last record, which the client's last byte waits for. */
async function answerRequest(first: Round, ports: PathPorts): Promise<void> {
  const answer = first.call.asked.stream ? openStreamedAnswer(first, ports) : openWholeAnswer(first, ports)
  let ended: EndedEarly = { stage: 'reserved', call: first.call }
  try {
    for (let round: Round | undefined = first; round !== undefined; ) {
      ended = { stage: 'reserved', call: round.call }
      round.call.trace?.enter('call-provider')
      const result = await answer.serve(round)
      // What fails after this leaves a record of its own.
      ended = { stage: 'reserved', call: { ...round.call, round: round.call.round + 1 } }
      await keepCallRecord(result.ended, ports)
      if (!result.goesOn) result.send()
      round = result.goesOn ? await nextRound(round, result.ended.tried, ports) : undefined
    }
    answer.close()
  } catch (error) {
    answer.close()
    refuse(ended, error, ports)
  }
}

/** A further call of the same request: routed, paid for and recorded like the first, at the endpoint that answered. */
async function nextRound({ call, search }: Round, { candidate }: Tried, ports: PathPorts): Promise<Round | undefined> {
  if (search === undefined) return undefined
  await requireStillValid(call, ports)
  const request = call.read(search.nextBody())
  const next: Reserved = {
    ...call,
    candidates: [candidate, ...call.candidates.filter((other) => other !== candidate)],
    asked: summarize(request),
    round: call.round + 1,
    receivedAtMs: ports.clock.nowMs(),
    startedMs: ports.clock.monotonicMs(),
  }
  const hold = await reserveRound(next, toWeight(request), ports, () => call.response.destroyed)
  if (hold === undefined) return undefined
  const plainer = search.form === 'cited' ? createPlainer(call, request) : undefined
  const preparer = createPreparer(call.request, request, call.model, ports, { plainer })
  return { call: { ...next, hold }, search, preparer }
}
