/** One request and its answer on a connection. */
import { performance } from 'node:perf_hooks'
import type { AnswerHandler, Exchange } from '../../foundation/domain/model-host.ts'

export interface HttpRequest {
  /** Request line and headers with the empty line after them, latin1. */
  readonly head: string
  readonly body: readonly Buffer[]
  readonly firstByteTimeoutMs: number
}

/** What an exchange needs from the connection that carries it. */
export interface Carrier {
  readonly pause: () => void
  readonly resume: () => void
  readonly abandon: () => void
}

export class HttpExchange implements Exchange {
  /** Until the answer begins: then nobody sends it again, and its body may be large. */
  request: HttpRequest | undefined
  readonly handler: AnswerHandler
  readonly startedMs: number
  /** Monotonic; by then the whole response head must be here. */
  readonly headDeadlineMs: number
  carrier: Carrier | undefined
  isPaused = false
  /** Some of it may have reached the service, which charges for what it read. */
  isWritten = false
  hasHead = false
  wasRetried = false
  /** Longest silence allowed inside the body. */
  silenceLimitMs: number
  /** Monotonic; by then the answer must have ended. Answers of models have no such limit. */
  endDeadlineMs = Number.POSITIVE_INFINITY

  constructor(request: HttpRequest, handler: AnswerHandler, nowMs: number, silenceLimitMs: number) {
    this.request = request
    this.handler = handler
    this.startedMs = nowMs
    this.headDeadlineMs = nowMs + request.firstByteTimeoutMs
    this.silenceLimitMs = silenceLimitMs
  }

  /** At most the rest of the current read still arrives. */
  pause(): void {
    this.isPaused = true
    this.carrier?.pause()
  }

  resume(): void {
    this.isPaused = false
    this.carrier?.resume()
  }

  limitRest(silenceMs: number, wholeMs: number): void {
    this.silenceLimitMs = silenceMs
    this.endDeadlineMs = performance.now() + wholeMs
  }

  /** The handler is not called again. Tells whether any of the request was sent. */
  abort(): 'sent' | 'unsent' {
    this.carrier?.abandon()
    return this.isWritten ? 'sent' : 'unsent'
  }
}
