/** The hosted service's own form, for clients in its mode: answers and frames pass as they came, errors as exceptions. */
import { publicWords } from '../foundation/domain/provider-words.ts'
import { eventStreamFrame } from '../foundation/platform/event-stream-frame.ts'
import type { Dialect, StreamTranslator } from './dialect.ts'
import { factsOfWhole, messagesDialect } from './messages-dialect.ts'
import { exceptionName, problemToBedrockError, toBedrockError } from './translate/to-bedrock-error.ts'
import { toMessagesError } from './translate/to-messages-error.ts'
import { readHostedResponse } from './translate/to-messages-response.ts'

const chunkHeaders = { ':event-type': 'chunk', ':content-type': 'application/json', ':message-type': 'event' }

/** Unknown to no client: it is an event of the message stream like any other. */
const pingFrame = eventStreamFrame(
  chunkHeaders,
  JSON.stringify({ bytes: Buffer.from('{"type":"ping"}').toString('base64'), p: 'ab' }),
)

export const bedrockDialect: Dialect = {
  form: 'bedrock',
  streamHeaders: {
    'content-type': 'application/vnd.amazon.eventstream',
    'x-amzn-bedrock-content-type': 'application/json',
  },
  pingBytes: pingFrame,
  translateStream,
  translateWhole: (body, _requestedModel, headers) => {
    const read = readHostedResponse(body, headers)
    return read && { body: [body], bytes: body.length, facts: factsOfWhole(read), headers: readFigures(headers) }
  },
  refusal: (refused) => {
    const { status, headers, body } = problemToBedrockError(refused)
    return { status, headers, body, errorType: refused.type, message: refused.message }
  },
  failure: (failed) => {
    const { status, headers, body } = toBedrockError(failed)
    return { status, headers, body, errorType: toMessagesError(failed).type, message: publicWords(failed) }
  },
  failureInStream: (failed) => {
    const { status, message } = toMessagesError(failed)
    const type = streamExceptions.has(exceptionName(status))
      ? lowerFirst(exceptionName(status))
      : 'modelStreamErrorException'
    const headers = { ':exception-type': type, ':content-type': 'application/json', ':message-type': 'exception' }
    return eventStreamFrame(headers, JSON.stringify({ message }))
  },
}

/** The only exceptions that a stream of the hosted service can carry; SDKs do not know others there. */
const streamExceptions = new Set([
  'InternalServerException',
  'ModelStreamErrorException',
  'ValidationException',
  'ThrottlingException',
  'ModelTimeoutException',
  'ServiceUnavailableException',
])

function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1)
}

const figureHeaders = [
  'x-amzn-bedrock-input-token-count',
  'x-amzn-bedrock-output-token-count',
  'x-amzn-bedrock-cache-read-input-token-count',
  'x-amzn-bedrock-cache-write-input-token-count',
  'x-amzn-bedrock-invocation-latency',
] as const

/** What tools that watch calls read from a whole answer. Nothing but numbers passes. */
function readFigures(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const figures: Record<string, string> = {}
  for (const name of figureHeaders) {
    const value = headers[name]
    if (value !== undefined && /^\d{1,15}$/.test(value)) figures[name] = value
  }
  return figures
}

/** The facts are read as for a Messages client; what goes out are the frames themselves. */
function translateStream(requestedModel: string): StreamTranslator {
  const reader = messagesDialect.translateStream(requestedModel)
  let frames: Buffer[] = []
  return {
    add: (bytes, base64Start, base64End, frameStart, frameEnd) => {
      const failure = reader.add(bytes, base64Start, base64End, frameStart, frameEnd)
      reader.take()
      if (failure === undefined) frames.push(Buffer.from(bytes.subarray(frameStart, frameEnd)))
      return failure
    },
    take: () => {
      const taken = frames.length === 1 && frames[0] !== undefined ? frames[0] : Buffer.concat(frames)
      frames = []
      return taken
    },
    isComplete: reader.isComplete,
    facts: reader.facts,
  }
}
