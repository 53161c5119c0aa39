/** Tells a client that its call came to nothing: as an answer of its own, or as the end of a stream that had begun. */
import type { Problem } from '../foundation/domain/errors.ts'
import type { ProviderFailure } from '../foundation/domain/provider-failure.ts'
import type { Logger } from '../foundation/platform/logger.ts'
import { sendText } from './answer/send-answer.ts'
import type { Reply } from './dialect.ts'
import { logBody } from './log-body.ts'
import { answerHeaders, gatewayFault, type Passage } from './passage.ts'

export function sendReply({ request, response, reached }: Passage, reply: Reply, log: Logger): void {
  logBody(log, reached.requestId, 'response body', reply.body)
  // What is left of a body is read and thrown away, so that the client sees the answer instead of a reset.
  if (!request.complete) request.resume()
  sendText(response, reply.status, { ...answerHeaders(reached), ...reply.headers }, reply.body)
}

/** No status can be sent any more: without an end of its own the stream would be pinged for ever. */
export function endBroken(passage: Passage, { status, type, message }: Problem, log: Logger): void {
  if (passage.response.writableEnded) return
  // Inside a stream only the type is left to say it; of a failure it follows from the status.
  endFailed(passage, { ...gatewayFault, status: type === 'billing_error' ? 402 : status, message }, log)
}

export function endFailed({ dialect, response, reached }: Passage, failure: ProviderFailure, log: Logger): void {
  const lastBytes = dialect.failureInStream(failure, reached.requestId)
  logBody(log, reached.requestId, 'response body', lastBytes)
  response.end(lastBytes)
}
