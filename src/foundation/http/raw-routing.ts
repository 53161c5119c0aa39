/** The short way for raw routes: a call of one by its exact path meets the checks of every route and then its handler. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import { findHint } from '../domain/failure-hints.ts'
import type { FailureReason } from '../domain/failure-reason.ts'
import { newRequestId } from '../platform/ids.ts'
import type { Logger } from '../platform/logger.ts'
import { errorJson, toProblem } from './error-reply.ts'
import { acceptAbsoluteTarget, requestLineProblem } from './request-line.ts'
import type { RawRoute, Route } from './route.ts'
import type { SourceAddress } from './source-address.ts'

export interface RoutingParts {
  readonly routes: readonly Route[]
  readonly log: Logger
  readonly sourceAddress: SourceAddress
}

/** Anything unusual, such as a parameter, another spelling of the path or a bad request line, is left to `others`. */
export function createRouting(parts: RoutingParts, others: RequestListener): RequestListener {
  const direct = new Map<string, RawRoute>()
  for (const route of parts.routes) if (route.kind === 'raw' && !route.path.includes('{')) direct.set(route.path, route)
  return (request, response) => {
    acceptAbsoluteTarget(request)
    const route = direct.get(readPath(request.url ?? ''))
    if (route === undefined || route.method !== request.method || requestLineProblem(request) !== undefined)
      others(request, response)
    else answer(route, request, response, parts)
  }
}

function readPath(url: string): string {
  const query = url.indexOf('?')
  return query < 0 ? url : url.slice(0, query)
}

const noParams: Readonly<Record<string, string>> = {}

function answer(route: RawRoute, request: IncomingMessage, response: ServerResponse, parts: RoutingParts): void {
  const { log } = parts
  const requestId = newRequestId()
  const startedMs = performance.now()
  let caller = 'none'
  let reason: FailureReason | undefined
  if (!route.ownsHead) response.setHeader('request-id', requestId)
  // Comes once, after the last byte and also when the client leaves before it.
  response.on('close', () =>
    logRequest(log, {
      id: requestId,
      method: route.method,
      route: route.path,
      status: response.statusCode,
      elapsedMs: performance.now() - startedMs,
      caller,
      reason,
    }),
  )
  const identify = (label: string): void => {
    caller = label
  }
  const explain = (found: FailureReason): void => {
    reason = found
  }
  try {
    const sourceAddress = parts.sourceAddress(request)
    route.handle(request, response, { requestId, params: noParams, sourceAddress, identify, explain })
  } catch (error) {
    // Thrown out of the listener it would end the process, and with it every other answer.
    log.error({ id: requestId, err: error }, 'request failed')
    if (response.headersSent) response.destroy()
    else
      response
        .writeHead(500, { 'content-type': 'application/json', 'request-id': requestId })
        .end(errorJson(toProblem(error), requestId))
  }
}

export interface AnsweredRequest {
  readonly id: string
  readonly method: string
  /** The route's pattern, never the path as sent: it may hold ids, codes or another person's text. */
  readonly route: string
  readonly status: number
  readonly elapsedMs: number
  readonly caller: string
  /** Only message routes give one. */
  readonly reason: FailureReason | undefined
}

export function logRequest(log: Logger, answered: AnsweredRequest): void {
  const { id, method, route, status, elapsedMs, caller, reason } = answered
  const fields = { id, method, route, status, ms: Math.round(elapsedMs * 10) / 10, caller }
  log.info(reason === undefined ? fields : { ...fields, ...reasonFields(reason) }, 'request')
}

function reasonFields(reason: FailureReason): Readonly<Record<string, string>> {
  const { kind, code, message } = reason
  const words = message === null ? {} : { reason_message: message }
  return { reason: kind, reason_code: code, ...words, hint: findHint(reason, 'admin').text }
}
