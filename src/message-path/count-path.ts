/** Counting tokens: who asks, which model, then the hosted service's own counter where the model has one, else an estimate. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Caller, callerLabel, findSubject } from '../foundation/domain/caller.ts'
import { describeProblem } from '../foundation/domain/describe-failure.ts'
import type { Endpoint } from '../foundation/domain/endpoint.ts'
import { Problem, problem } from '../foundation/domain/errors.ts'
import { keepAllowed } from '../foundation/domain/failure-reason.ts'
import type { Exchange } from '../foundation/domain/model-host.ts'
import type { RawContext } from '../foundation/http/route.ts'
import { sendText } from './answer/send-answer.ts'
import { authenticate } from './authenticate.ts'
import type { Candidate, ResolvedModel } from './call.ts'
import { attemptWhole } from './call-provider/attempt.ts'
import { callProvider } from './call-provider/call-provider.ts'
import { estimateInputTokens } from './count-tokens/estimate-tokens.ts'
import { addHostedId, type Dialect } from './dialect.ts'
import { logBody } from './log-body.ts'
import type { PathPorts } from './path-ports.ts'
import { createPreparer } from './prepare-request.ts'
import type { OverloadGate, Place } from './receive/overload-gate.ts'
import { contentProblem, type HoldBody, overloaded, receiveBody } from './receive/receive-body.ts'
import { resolveModel } from './resolve-model/resolve-model.ts'
import { findEndpointWith } from './route/route.ts'
import { reachableEndpoints } from './route/usable-endpoints.ts'
import { isAboutModel } from './translate/model-refusal.ts'
import type { MessagesRequest } from './translate/read-request.ts'
import { mayHaveSearchHistory } from './translate/request-watch.ts'
import { toCountTokensRequest } from './translate/to-hosted-request.ts'
import { rewriteRequest } from './web-search/rewrite-request.ts'
import { isSearchToolType } from './web-search/search-tool.ts'

export interface CountOperation {
  readonly dialect: Dialect
  readonly read: (body: Buffer) => MessagesRequest
  readonly toBody: (tokens: number) => object
}

export type CountPath = (
  request: IncomingMessage,
  response: ServerResponse,
  context: RawContext,
  operation: CountOperation,
) => void

/** Remembered like a beta: whether a model can be counted does not change from call to call. */
const COUNTING = 'operation:count-tokens'
/** The client asks for dozens at once and shows the result to a waiting person: an estimate now beats a count later. */
const COUNT_TIMEOUT_MS = 3_000

export function createCountPath(ports: PathPorts): CountPath {
  const resolvePorts = {
    ...ports,
    reachableEndpoints: (caller: Caller) => reachableEndpoints(ports.snapshot.current(), caller),
  }

  const count = async (
    request: IncomingMessage,
    response: ServerResponse,
    context: RawContext,
    operation: CountOperation,
    hold: HoldBody,
  ): Promise<number> => {
    const caller = await authenticate(request, ports)
    context.identify(callerLabel(caller))
    const refused = contentProblem(request)
    if (refused !== undefined) throw refused
    const body = await receiveBody(request, hold, () => ports.overload.awaitBody(findSubject(caller)))
    logBody(ports.log, context.requestId, 'request body', body)
    const asked = readAsked(body, operation)
    const model = await resolveModel(caller, asked.model, resolvePorts)
    const endpoint = findEndpointWith({ caller, model }, ports)
    const question = endpoint && { endpoint, model, asked, request, response }
    const counted = question && (await askHostedService(question, ports))
    return counted ?? ports.calibration.calibratedEstimate(model.hostedModelId, estimateInputTokens(asked.bytes))
  }

  return (request, response, context, operation) => {
    const send = (status: number, headers: Readonly<Record<string, string>>, body: string): void => {
      logBody(ports.log, context.requestId, 'response body', body)
      sendText(response, status, addHostedId({ ...headers }, operation.dialect.form, context.requestId), body)
    }
    const refuse = (error: unknown): void => {
      const failure = error instanceof Problem ? error : problem('internal', {}, { cause: error })
      if (failure.code === 'internal') ports.log.error({ id: context.requestId, err: error }, 'request failed')
      context.explain(keepAllowed(describeProblem(failure), ports.snapshot.current().settings))
      const reply = operation.dialect.refusal(failure, context.requestId)
      if (!request.complete) request.resume()
      send(reply.status, reply.headers, reply.body)
    }
    const place = takePlace(request, response, ports.overload)
    if (place === undefined) {
      refuse(overloaded())
      return
    }
    count(request, response, context, operation, place.bodyHeld)
      .then((tokens) => send(200, {}, JSON.stringify(operation.toBody(tokens))), refuse)
      .finally(place.leave)
  }
}

/** Counts hold bodies like messages do. A client that leaves gives its place back, whatever its count still waits for. */
function takePlace(
  request: IncomingMessage,
  response: ServerResponse,
  overload: OverloadGate,
): Pick<Place, 'bodyHeld' | 'leave'> | undefined {
  const place = overload.enter(request)
  if (place === undefined) return undefined
  let isTaken = true
  const leave = (): void => {
    if (isTaken) place.leave()
    isTaken = false
  }
  response.once('close', leave)
  return { bodyHeld: place.bodyHeld, leave }
}

/** Web search is counted as the model will see it, whether or not it is switched on: that is not worth a look. */
function readAsked(body: Buffer, { dialect, read }: CountOperation): MessagesRequest {
  const sent = read(body)
  if (dialect.form !== 'messages' || !(sent.toolTypes.some(isSearchToolType) || mayHaveSearchHistory(sent))) return sent
  // Plain, because every model takes it, and a refusal would cost the count.
  return read(rewriteRequest(sent, 'replace', 'plain').bytes)
}

interface Question {
  readonly endpoint: Endpoint
  readonly model: ResolvedModel
  readonly asked: MessagesRequest
  readonly request: IncomingMessage
  /** To whom the number goes: nobody else wants it. */
  readonly response: ServerResponse
}

/** Undefined when the hosted service cannot or will not count. */
async function askHostedService(question: Question, ports: PathPorts): Promise<number | undefined> {
  const { endpoint, model, asked, request, response } = question
  const modelId = model.hostedModelId
  const verdict = () => ports.capabilities.verdict(endpoint.id, modelId, COUNTING)
  if (response.destroyed || verdict() === 'unsupported') return undefined
  // Under the bare id, which no message is sent to: a counter knows other fields than its model.
  const counter: Candidate = { endpoint, modelId, via: 'named-by-caller' }
  const preparer = createPreparer(request, asked, model, ports, { write: toCountTokensRequest })
  const limit = startLimit(response)
  const { result, request: sent } = await callProvider(
    [counter],
    {
      ...preparer,
      attempt: (_counter, { body }) =>
        attemptWhole(
          ports.host.countTokens,
          { endpoint, modelId, body, firstByteTimeoutMs: COUNT_TIMEOUT_MS },
          limit.began,
        ),
      isAbandoned: limit.isOver,
    },
    { clock: ports.clock, conditions: unwatched },
  ).finally(limit.end)
  if (result.kind === 'answered') {
    const tokens = countIn(result.answer.body)
    if (tokens === undefined) return undefined
    ports.capabilities.learn(endpoint.id, modelId, COUNTING, 'supported')
    preparer.learnAccepted(counter, sent.plan.betas)
    return tokens
  }
  const { status } = result.failure
  // A model that was counted before is not what it is about.
  if (verdict() !== 'supported' && isAboutModel(result.failure))
    ports.capabilities.learn(endpoint.id, modelId, COUNTING, 'unsupported')
  // failure-modes: count not available
  ports.log.debug(
    { endpoint: endpoint.id, model: modelId, status },
    'tokens are estimated: the hosted service does not count',
  )
  return undefined
}

/** What becomes of a count says nothing about the messages of its endpoint. */
const unwatched = { recordFailure: () => {}, recordFailover: () => {} }

interface Limit {
  readonly began: (exchange: Exchange) => void
  readonly isOver: () => boolean
  readonly end: () => void
}

/** One for all tries: a counter that stalls after its head would else be waited for as long as a long answer. */
function startLimit(response: ServerResponse): Limit {
  let running: Exchange | undefined
  let over = false
  const abort = (): void => {
    over = true
    running?.abort()
  }
  const timer = setTimeout(abort, COUNT_TIMEOUT_MS)
  response.once('close', abort)
  return {
    began: (exchange) => {
      running = exchange
    },
    isOver: () => over,
    end: () => {
      clearTimeout(timer)
      response.off('close', abort)
    },
  }
}

function countIn(body: Buffer): number | undefined {
  try {
    const { inputTokens } = JSON.parse(body.toString('utf8')) as { inputTokens?: unknown }
    return typeof inputTokens === 'number' && Number.isInteger(inputTokens) && inputTokens >= 0
      ? inputTokens
      : undefined
  } catch {
    // failure-modes: count not available
    return undefined
  }
}
