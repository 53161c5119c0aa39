/** The Messages form: JSON answers, server-sent events, the vendor's error shape. */
import { errorBody, errorHeaders, type Problem } from '../foundation/domain/errors.ts'
import type { ProviderFailure } from '../foundation/domain/provider-failure.ts'
import type { AnswerFacts, Dialect, StreamTranslator } from './dialect.ts'
import { summarizeUsage } from './translate/stream-facts.ts'
import { errorEvent, toMessagesError, upstreamCode } from './translate/to-messages-error.ts'
import { type AnswerReading, toMessagesResponse } from './translate/to-messages-response.ts'
import { type MessagesStream, pingEvent, startMessagesStream } from './translate/to-messages-stream.ts'

const nothing = Buffer.alloc(0)

export const messagesDialect: Dialect = {
  form: 'messages',
  streamHeaders: {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    // Proxies that buffer by default would turn the stream into one late answer.
    'x-accel-buffering': 'no',
  },
  pingBytes: pingEvent,
  translateStream,
  translateWhole: (body, requestedModel, headers) => {
    const answer = toMessagesResponse(body, requestedModel, headers)
    return answer && { body: answer.body, bytes: answer.bytes, facts: factsOfWhole(answer) }
  },
  refusal: (refused, requestId) => ({
    status: refused.status,
    headers: errorHeaders(refused),
    body: JSON.stringify(errorBody(refused, requestId, toDetails(refused))),
    errorType: refused.type,
    message: refused.message,
  }),
  failure: (failed, requestId) => {
    const { status, headers, type, message } = toMessagesError(failed)
    const body = { type: 'error', error: { type, message, code: upstreamCode(failed) }, request_id: requestId }
    return { status, headers, body: JSON.stringify(body), errorType: type, message }
  },
  failureInStream: errorEvent,
}

/** Where the vendor's libraries look for what they can do without: they then send the conversation whole. */
function toDetails({ code, details }: Problem): object {
  return code === 'thread_unsupported_request' ? { error_code: code } : details
}

function translateStream(requestedModel: string): StreamTranslator {
  let failure: ProviderFailure | undefined
  let isUntouched = false
  const start = (): MessagesStream =>
    startMessagesStream({
      requestedModel,
      onFailure: (found, isFirstEvent) => {
        failure = found
        isUntouched = isFirstEvent
      },
    })
  let stream = start()
  return {
    add: (bytes, base64Start, base64End) => {
      stream.onEvent(bytes, base64Start, base64End)
      const found = failure
      if (found !== undefined && isUntouched) {
        // Another endpoint may answer now, and its events must not meet the failure of this one.
        failure = undefined
        stream = start()
      }
      return found
    },
    take: () => stream.take() ?? nothing,
    isComplete: () => stream.facts.stopped,
    facts: () => {
      const { usage, webSearches, reported, clamped } = summarizeUsage(stream.facts)
      const { stopReason, guardrailIntervened, toolsCalled, outputCharacters } = stream.facts
      return {
        usage,
        webSearches,
        usageReported: reported,
        usageClamped: clamped,
        stopReason,
        guardrailIntervened,
        toolsCalled,
        outputCharacters,
      }
    },
  }
}

export function factsOfWhole(answer: AnswerReading): AnswerFacts {
  const { usage, webSearches, reported, clamped } = answer.usage
  return {
    usage,
    webSearches,
    usageReported: reported,
    usageClamped: clamped,
    stopReason: answer.stopReason,
    guardrailIntervened: answer.guardrailIntervened,
    toolsCalled: answer.toolsCalled,
    outputCharacters: answer.outputCharacters,
  }
}
