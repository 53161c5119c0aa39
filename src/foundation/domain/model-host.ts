/** A call to Amazon Bedrock and its answer, in one form from the socket of the provider to the socket of the client. */
import type { AnswerProgress } from './build-spend-record.ts'
import type { Caller } from './caller.ts'
import type { Endpoint } from './endpoint.ts'
import type { ProviderFailure } from './provider-failure.ts'
import type { Attribution } from './spend-record.ts'

/** The hosted model service. */
export interface ModelHost {
  readonly invoke: AskHost
  readonly stream: AskHost
  readonly countTokens: AskHost
}

export type AskHost = (call: HostedCall, handler: AnswerHandler) => Exchange

export interface HostedCall {
  readonly endpoint: Endpoint
  /** Profile id, foundation id or ARN, as it goes into the path. */
  readonly modelId: string
  readonly body: readonly Buffer[]
  /** Extra headers for Bedrock, such as the guardrail; signed like the rest. */
  readonly headers?: Readonly<Record<string, string>>
  /** How long Bedrock may take to send its response head. */
  readonly firstByteTimeoutMs: number
  /** Who pays even if this process dies before the call is recorded; undefined for calls that cost nothing. */
  readonly charge?: Charge
}

/** Names the record that a call to Bedrock will leave. */
export interface Charge {
  readonly requestId: string
  readonly round: number
  readonly atMs: number
  /** Null for calls that the gateway makes for itself. */
  readonly caller: Caller | null
  /** What the client asked for; undefined for calls that the gateway makes for itself. */
  readonly asked?: AskedModel
  /** Kept until the call has its record, so it must not hold on to the request. Undefined for answers that come whole. */
  readonly readProgress?: () => AnswerProgress
}

export interface AskedModel {
  /** As the client sent it. */
  readonly model: string
  readonly hostedModelId: string
  readonly attribution: Attribution
}

/** Headers of an answer, their names in lower case. */
export type AnswerHead = Readonly<Record<string, string>>

/**
 * What an answer is told to, from the HTTP client up to the client's stream. Exactly one of `onEnd` and `onFailure` is
 * called, last, and nothing is called before the exchange has been returned. `bytes` is only valid during the call: every
 * connection reads into the same memory.
 */
export interface AnswerHandler {
  /** From the model host up only for 2xx: anything else ends in `onFailure`. */
  readonly onHead: (status: number, head: AnswerHead) => void
  /**
   * `bytes[start, end)` is a piece of a body, or one event of a stream: the base64 text of its JSON.
   * `bytes[frameStart, frameEnd)` is the frame of the event as it came, or the piece again.
   */
  readonly onData: (bytes: Buffer, start: number, end: number, frameStart: number, frameEnd: number) => void
  /** All data of one read has been handed over: the moment to write it out. */
  readonly onReadEnd: () => void
  readonly onEnd: () => void
  /** Also for exception frames, wrong checksums and cut streams: never a normal end. */
  readonly onFailure: (failure: ProviderFailure) => void
}

/** Takes the data of a stream; a failure when an event itself says that Bedrock failed. */
export type TakeEvent = (...event: Parameters<AnswerHandler['onData']>) => ProviderFailure | undefined

/** A call to Bedrock that runs. */
export interface Exchange {
  readonly pause: () => void
  readonly resume: () => void
  /** Ends the exchange without calling the handler again. What was not sent is not charged. */
  readonly abort: () => 'sent' | 'unsent'
  /** How long the rest of this answer may be silent, and take as a whole. */
  readonly limitRest: (silenceMs: number, wholeMs: number) => void
}

export interface DeferredExchange<T> {
  readonly exchange: Exchange
  /** Starts the call, unless it was aborted: then nothing was sent, and this is false. */
  readonly begin: (given: T) => boolean
}

/** An exchange that exists at once, though its call is sent later. */
export function deferExchange<T>(start: (given: T) => Exchange): DeferredExchange<T> {
  /** Released once it has begun: it holds the request. */
  let pending: typeof start | undefined = start
  let running: Exchange | undefined
  let isPaused = false
  return {
    begin: (given) => {
      if (pending === undefined) return false
      const begun = pending(given)
      running = begun
      pending = undefined
      if (isPaused) begun.pause()
      return true
    },
    exchange: {
      pause: () => {
        isPaused = true
        running?.pause()
      },
      resume: () => {
        isPaused = false
        running?.resume()
      },
      abort: () => {
        pending = undefined
        return running?.abort() ?? 'unsent'
      },
      limitRest: (silenceMs, wholeMs) => running?.limitRest(silenceMs, wholeMs),
    },
  }
}

/** The same exchange, with something to do when it is aborted. */
export function onAbort(exchange: Exchange, abort: (exchange: Exchange) => ReturnType<Exchange['abort']>): Exchange {
  return {
    pause: () => exchange.pause(),
    resume: () => exchange.resume(),
    abort: () => abort(exchange),
    limitRest: (silenceMs, wholeMs) => exchange.limitRest(silenceMs, wholeMs),
  }
}
