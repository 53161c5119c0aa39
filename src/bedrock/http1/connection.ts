/** One socket to one origin. It carries one exchange at a time and goes back to its pool at a clean border. */
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { AnswerHandler, Exchange } from '../../foundation/domain/model-host.ts'
import type { ProviderFailure } from '../../foundation/domain/provider-failure.ts'
import { broken, cutInBody, silentBeforeAnswer, silentInBody, unreachable } from '../failures.ts'
import type { ResponseHeaders } from './response-head.ts'
import { ResponseReader, type ResponseSink } from './response-reader.ts'

/** The pool's side of a connection. */
export interface ConnectionOwner {
  readonly onIdle: (connection: Connection) => void
  readonly onGone: (connection: Connection) => void
  /** The server had closed an idle connection before it saw the request. */
  readonly onStale: (exchange: HttpExchange) => void
}

type OpenSocket = (onBytes: (bytes: Buffer, length: number) => void, onReady: () => void) => Socket

/** Up to here one copy into a single buffer is cheaper than a gathering write. */
const joinedWriteBytes = 16_384

export class Connection implements ResponseSink, Carrier {
  readonly #owner: ConnectionOwner
  readonly #socket: Socket
  readonly #reader = new ResponseReader(this)
  readonly #connectDeadlineMs: number
  #exchange: HttpExchange | undefined
  #isReady = false
  #isGone = false
  #isReused = false
  #hasBytes = false
  #error: Error | undefined
  /** Coarse monotonic time of the last read, or of becoming idle. */
  lastActiveMs: number

  constructor(owner: ConnectionOwner, open: OpenSocket, nowMs: number, connectTimeoutMs: number) {
    this.#owner = owner
    this.lastActiveMs = nowMs
    this.#connectDeadlineMs = nowMs + connectTimeoutMs
    const socket = open(
      (bytes, length) => this.#onBytes(bytes, length),
      () => this.#onReady(),
    )
    socket.setNoDelay(true)
    // Network address translators forget silent connections after minutes; a model may think for longer.
    socket.setKeepAlive(true, 60_000)
    socket.on('error', (error: Error) => {
      this.#error = error
    })
    socket.on('end', () => this.#onServerEnd())
    socket.on('close', () => this.#onGone(undefined))
    this.#socket = socket
  }

  get isUsable(): boolean {
    return !this.#isGone && this.#socket.writable && !this.#socket.destroyed
  }

  get isIdle(): boolean {
    return this.#exchange === undefined
  }

  start(exchange: HttpExchange, nowMs: number): void {
    this.#exchange = exchange
    exchange.carrier = this
    this.lastActiveMs = nowMs
    this.#hasBytes = false
    this.#reader.begin()
    if (this.#isReady) this.#write(exchange)
  }

  pause(): void {
    if (this.#isReady) this.#socket.pause()
  }

  resume(): void {
    if (this.#isReady) this.#socket.resume()
  }

  abandon(): void {
    this.#release()
    this.destroy()
  }

  destroy(): void {
    this.#reader.stop()
    this.#socket.destroy()
    if (!this.#isGone) {
      this.#isGone = true
      this.#owner.onGone(this)
    }
  }

  /** Ends the exchange whose time is up. A paused exchange waits for its own reader, not for the server. */
  checkLimits(nowMs: number): void {
    const exchange = this.#exchange
    if (exchange === undefined) return
    if (!this.#isReady && nowMs >= this.#connectDeadlineMs) {
      this.fail(silentBeforeAnswer('no connection to the hosted service within the time limit'))
    } else if (!exchange.hasHead) {
      if (nowMs >= exchange.headDeadlineMs) this.fail(silentBeforeAnswer('no answer within the first-byte limit'))
    } else if (exchange.isPaused) {
      this.lastActiveMs = nowMs
    } else if (nowMs - this.lastActiveMs >= exchange.silenceLimitMs) {
      this.fail(silentInBody('the hosted service fell silent inside its answer'))
    } else if (nowMs >= exchange.endDeadlineMs) {
      this.fail(silentInBody('the hosted service did not end its answer within the time limit'))
    }
  }

  fail(failure: ProviderFailure): void {
    const exchange = this.#release()
    this.destroy()
    exchange?.handler.onFailure(failure)
  }

  shutDown(reason: string): void {
    this.fail(this.#exchange?.hasHead === true ? cutInBody(reason) : unreachable(reason))
  }

  onHead(status: number, headers: ResponseHeaders): void {
    const exchange = this.#exchange
    if (exchange === undefined) return
    exchange.hasHead = true
    exchange.request = undefined
    exchange.handler.onHead(status, headers)
  }

  onBody(bytes: Buffer, start: number, end: number): void {
    this.#exchange?.handler.onData(bytes, start, end, start, end)
  }

  /** Back to the pool before the handler hears of it, so that a call made from `onEnd` finds this socket free. */
  onComplete(isReusable: boolean): void {
    const exchange = this.#exchange
    if (exchange === undefined) return
    // The spans of this read belong together: the handler writes them out before it hears of the end.
    exchange.handler.onReadEnd()
    if (this.#exchange !== exchange) return
    this.#release()
    // A request the server answered without reading to its end would leave its rest in front of the next one.
    if (isReusable && this.#socket.writableLength === 0) {
      if (exchange.isPaused) this.#socket.resume()
      this.#isReused = true
      this.#owner.onIdle(this)
    } else {
      this.destroy()
    }
    exchange.handler.onEnd()
  }

  onMalformed(reason: string): void {
    this.fail(broken(reason))
  }

  #release(): HttpExchange | undefined {
    const exchange = this.#exchange
    this.#exchange = undefined
    if (exchange !== undefined) exchange.carrier = undefined
    return exchange
  }

  #onReady(): void {
    this.#isReady = true
    const exchange = this.#exchange
    if (exchange === undefined) return
    if (exchange.isPaused) this.#socket.pause()
    this.#write(exchange)
  }

  #write(exchange: HttpExchange): void {
    const { request } = exchange
    if (request === undefined) return
    exchange.isWritten = true
    const { head, body } = request
    let bodyBytes = 0
    for (const piece of body) bodyBytes += piece.length
    if (bodyBytes <= joinedWriteBytes) {
      const joined = Buffer.allocUnsafe(head.length + bodyBytes)
      let position = joined.write(head, 0, 'latin1')
      for (const piece of body) position += piece.copy(joined, position)
      this.#socket.write(joined)
      return
    }
    this.#socket.cork()
    this.#socket.write(head, 'latin1')
    for (const piece of body) this.#socket.write(piece)
    this.#socket.uncork()
  }

  #onBytes(bytes: Buffer, length: number): void {
    const exchange = this.#exchange
    // Nobody asked: an idle socket that speaks is out of step and must not carry a request.
    if (exchange === undefined) {
      this.destroy()
      return
    }
    this.#hasBytes = true
    this.lastActiveMs = performance.now()
    try {
      this.#reader.push(bytes, 0, length)
      if (this.#exchange === exchange) exchange.handler.onReadEnd()
    } catch (error) {
      // Thrown by the handler: it costs this exchange, not the process and every other stream in it.
      if (this.#exchange === exchange) this.fail(broken(`the answer could not be handled: ${readMessage(error)}`))
      else throw error
    }
  }

  #onServerEnd(): void {
    const exchange = this.#exchange
    if (exchange !== undefined && this.#reader.endsHere()) {
      this.#release()
      this.destroy()
      exchange.handler.onEnd()
      return
    }
    this.#onGone('the hosted service closed the connection')
  }

  #onGone(reason: string | undefined): void {
    const exchange = this.#release()
    this.destroy()
    if (exchange === undefined) return
    const message = reason ?? (this.#error === undefined ? 'the connection was closed' : readMessage(this.#error))
    if (exchange.hasHead) exchange.handler.onFailure(cutInBody(`the answer was cut: ${message}`))
    else if (this.#isReused && !this.#hasBytes && mayBeStale(exchange)) this.#owner.onStale(exchange)
    else exchange.handler.onFailure(unreachable(message))
  }
}

/** A server that has closed the connection says so at once; one that took the request and died later may have billed it. */
const staleWithinMs = 1_000

function mayBeStale(exchange: HttpExchange): boolean {
  return !exchange.wasRetried && performance.now() - exchange.startedMs < staleWithinMs
}

/** A host with several addresses fails with an error without words of its own; its code says what happened. */
function readMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || ('code' in error ? String(error.code) : error.name)
}

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
