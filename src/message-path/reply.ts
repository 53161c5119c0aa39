/** Tells a client that its request came to nothing: as an answer of its own, or as the end of a stream that had begun. */
import type { Problem } from '../foundation/domain/errors.ts'
import type { ProviderFailure } from '../foundation/domain/provider-failure.ts'
import type { Logger } from '../foundation/platform/logger.ts'
import { sendText } from './answer/send-answer.ts'
import { addBudgetHeaders } from './budget-headers.ts'
import type { Arrived, Ended, RateState } from './call.ts'
import { addHostedId, type Reply } from './dialect.ts'
import { logBody } from './log-body.ts'
import { gatewayFault } from './path-failures.ts'
import type { BudgetView } from './ports.ts'

/** Headers of every answer: which call it was, and where its limits stand as far as it came. */
export function listAnswerHeaders({ stage, call }: Ended): Record<string, string> {
  const headers = addHostedId({ 'request-id': call.requestId }, call.dialect.form, call.requestId)
  switch (stage) {
    case 'arrived':
    case 'authenticated':
    case 'received':
      return headers
    case 'admitted':
    case 'routed':
      return addRateHeaders(headers, call.rate)
    case 'reserved':
    case 'failed':
    case 'served':
      return addRateHeaders(addBudget(headers, call.budget), call.rate)
  }
}

function addBudget(headers: Record<string, string>, budget: BudgetView | null): Record<string, string> {
  return budget === null ? headers : addBudgetHeaders(headers, budget)
}

function addRateHeaders(headers: Record<string, string>, rate: RateState | null): Record<string, string> {
  if (rate === null) return headers
  headers['x-ratelimit-limit'] = String(rate.limitRpm)
  headers['x-ratelimit-remaining'] = String(rate.remaining)
  headers['x-ratelimit-reset'] = String(rate.resetSeconds)
  return headers
}

export function sendReply(ended: Ended, reply: Reply, log: Logger): void {
  const { request, response, requestId } = ended.call
  logBody(log, requestId, 'response body', reply.body)
  // What is left of a body is read and thrown away, so that the client sees the answer instead of a reset.
  if (!request.complete) request.resume()
  sendText(response, reply.status, { ...listAnswerHeaders(ended), ...reply.headers }, reply.body)
}

/** No status can be sent any more: without an end of its own the stream would be pinged for ever. */
export function endBroken(call: Arrived, { status, type, message }: Problem, log: Logger): void {
  if (call.response.writableEnded) return
  // Inside a stream only the type is left to say it; of a failure it follows from the status.
  endFailed(call, { ...gatewayFault, status: type === 'billing_error' ? 402 : status, message }, log)
}

export function endFailed({ dialect, response, requestId }: Arrived, failure: ProviderFailure, log: Logger): void {
  const lastBytes = dialect.failureInStream(failure, requestId)
  logBody(log, requestId, 'response body', lastBytes)
  response.end(lastBytes)
}
