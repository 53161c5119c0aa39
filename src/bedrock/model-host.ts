/** The hosted model service: invoke, stream and count tokens on an endpoint. Satisfies the message path's port. */
import type { Endpoint } from '../foundation/domain/endpoint.ts'
import {
  type AnswerHandler,
  type AnswerHead,
  type Exchange,
  type HostedCall,
  type ModelHost,
  onAbort,
} from '../foundation/domain/model-host.ts'
import type { ProviderFailure } from '../foundation/domain/provider-failure.ts'
import { defined } from '../foundation/platform/defined.ts'
import { EventStreamDecoder } from './event-stream/event-stream.ts'
import { broken } from './failures.ts'
import type { ServiceCaller, ServiceRequest } from './service-caller.ts'
import { encodeUriLabel } from './sigv4.ts'
import { SuccessFilter } from './success-filter.ts'

export interface BedrockHost extends ModelHost {
  readonly close: () => void
}

type Operation = 'invoke' | 'invoke-with-response-stream' | 'count-tokens'

export function createModelHost(service: ServiceCaller): BedrockHost {
  /** Knows the endpoint alone: an answer that streams for minutes must not hold on to its request. */
  const createRefusalNote =
    (endpoint: Endpoint): OnRefusal =>
    (failure) =>
      service.noteRefusal(endpoint, failure)

  function answerWhole(call: HostedCall, operation: Operation, handler: AnswerHandler): Exchange {
    const answer = new WholeAnswer(handler, createRefusalNote(call.endpoint))
    const filter = new SuccessFilter(answer)
    filter.call = service.send(requestFor(call, operation, 'accept: application/json\r\n'), filter)
    return (answer.call = filter.call)
  }
  return {
    invoke: (call, handler) => answerWhole(call, 'invoke', handler),
    countTokens: (call, handler) => answerWhole(call, 'count-tokens', handler),
    stream(call, handler) {
      const answer = new StreamedAnswer(handler, createRefusalNote(call.endpoint))
      const filter = new SuccessFilter(answer)
      filter.call = service.send(requestFor(call, 'invoke-with-response-stream', streamAccept), filter)
      return (answer.call = stoppingDecoder(filter.call, answer))
    },
    close: () => service.close(),
  }
}

/** The streaming operation takes the model's content type from another header. */
const streamAccept = 'accept: application/vnd.amazon.eventstream\r\nx-amzn-bedrock-accept: application/json\r\n'

function requestFor(call: HostedCall, operation: Operation, plainLines: string): ServiceRequest {
  return {
    service: 'bedrock-runtime',
    endpoint: call.endpoint,
    method: 'POST',
    path: `/model/${encodeUriLabel(call.modelId)}/${operation}`,
    contentType: 'application/json',
    plainLines,
    body: call.body,
    firstByteTimeoutMs: call.firstByteTimeoutMs,
    ...defined({ headers: call.headers }),
  }
}

type OnRefusal = (failure: ProviderFailure) => void

/** The longest answers of models have a few megabytes. All of it is held, so one without an end would take the process. */
const maxWholeAnswerBytes = 32 * 1024 * 1024

class WholeAnswer implements AnswerHandler {
  readonly #handler: AnswerHandler
  readonly #onRefusal: OnRefusal
  #bytes = 0
  call: Exchange | undefined

  constructor(handler: AnswerHandler, onRefusal: OnRefusal) {
    this.#handler = handler
    this.#onRefusal = onRefusal
  }

  onHead(status: number, headers: AnswerHead): void {
    this.#handler.onHead(status, headers)
  }

  onData(bytes: Buffer, start: number, end: number): void {
    this.#bytes += end - start
    if (this.#bytes <= maxWholeAnswerBytes) {
      this.#handler.onData(bytes, start, end, start, end)
      return
    }
    this.call?.abort()
    this.#handler.onFailure(broken('the answer is too large'))
  }

  onReadEnd(): void {
    this.#handler.onReadEnd()
  }

  onEnd(): void {
    this.#handler.onEnd()
  }

  onFailure(failure: ProviderFailure): void {
    this.#onRefusal(failure)
    this.#handler.onFailure(failure)
  }
}

/** One read may hold many events: after an abort the rest of them must not be handed over either. */
function stoppingDecoder(call: Exchange, answer: StreamedAnswer): Exchange {
  return onAbort(call, () => {
    answer.stop()
    return call.abort()
  })
}

class StreamedAnswer implements AnswerHandler {
  readonly #handler: AnswerHandler
  readonly #onRefusal: OnRefusal
  readonly #decoder: EventStreamDecoder
  call: Exchange | undefined

  constructor(handler: AnswerHandler, onRefusal: OnRefusal) {
    this.#handler = handler
    this.#onRefusal = onRefusal
    this.#decoder = new EventStreamDecoder(handler)
  }

  stop(): void {
    this.#decoder.stop()
  }

  onHead(status: number, headers: AnswerHead): void {
    this.#handler.onHead(status, headers)
  }

  onData(bytes: Buffer, start: number, end: number): void {
    const failure = this.#decoder.push(bytes, start, end)
    if (failure === undefined) return
    this.call?.abort()
    // Events that came whole before the fault were real.
    this.#handler.onReadEnd()
    this.#handler.onFailure(failure)
  }

  onReadEnd(): void {
    this.#handler.onReadEnd()
  }

  onEnd(): void {
    const failure = this.#decoder.end()
    if (failure === undefined) this.#handler.onEnd()
    else this.#handler.onFailure(failure)
  }

  onFailure(failure: ProviderFailure): void {
    this.#onRefusal(failure)
    this.#handler.onFailure(failure)
  }
}
