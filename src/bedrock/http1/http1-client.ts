/**
 * Keep-alive connections per origin. A call never waits for another: no free socket means a new socket.
 * Our own, because with undici or `node:http` the whole gateway needs 20–35 % more CPU in a realistic mix of streams.
 */
import { connect as connectTcp, isIP, type LookupFunction, type OnReadOpts, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { type ConnectionOptions, connect as connectTls, createSecureContext, type SecureContext } from 'node:tls'
import type { AnswerHandler } from '../../foundation/domain/model-host.ts'
import { defined } from '../../foundation/platform/defined.ts'
import { unreachable } from '../failures.ts'
import { Connection, type ConnectionOwner, HttpExchange, type HttpRequest } from './connection.ts'
import { createHostLookup } from './host-addresses.ts'

export interface Http1ClientOptions {
  readonly connectTimeoutMs?: number
  /** Longest silence inside a body. */
  readonly silenceLimitMs?: number
  readonly idleSocketMs?: number
  readonly maxIdleSockets?: number
  /** Certificates to trust instead of Node's own list. */
  readonly ca?: string
  /** In place of the system's resolver. */
  readonly lookup?: LookupFunction
}

export interface Origin {
  readonly send: (request: HttpRequest, handler: AnswerHandler) => HttpExchange
  readonly counts: () => { readonly active: number; readonly idle: number }
}

export interface Http1Client {
  /** `url` is scheme, host and port; anything after them is ignored. */
  readonly origin: (url: URL) => Origin
  /** Ends idle sockets and fails running exchanges. */
  readonly close: () => void
}

const sweepIntervalMs = 100
const closedReason = 'the gateway is shutting down'

/** Its size is also what a slow reader holds: the events of one read wait for it before the next is asked for. */
const READ_BYTES = 32_768

interface Limits {
  readonly connectTimeoutMs: number
  readonly silenceLimitMs: number
  readonly idleSocketMs: number
  readonly maxIdleSockets: number
}

export function createHttp1Client(options: Http1ClientOptions = {}): Http1Client {
  const limits: Limits = {
    connectTimeoutMs: options.connectTimeoutMs ?? 5_000,
    silenceLimitMs: options.silenceLimitMs ?? 900_000,
    idleSocketMs: options.idleSocketMs ?? 60_000,
    maxIdleSockets: options.maxIdleSockets ?? 256,
  }
  const pools = new Map<string, Pool>()
  const lookup = options.lookup ?? createHostLookup()
  // Node reads every socket into this memory: handlers copy what they keep, and nothing is allocated per read.
  const readMemory = Buffer.allocUnsafeSlow(READ_BYTES)
  let secureContext: SecureContext | undefined
  // One sweep for all limits: a timer per exchange would cost more than the rest of its bookkeeping.
  const sweep = setInterval(() => {
    const nowMs = performance.now()
    for (const pool of pools.values()) pool.sweep(nowMs)
  }, sweepIntervalMs)
  sweep.unref()
  return {
    origin(url) {
      const known = pools.get(url.origin)
      if (known !== undefined) return known
      const isTls = url.protocol === 'https:'
      // Building a context reads all trusted certificates: once per client, not per socket.
      if (isTls) secureContext ??= createSecureContext(options.ca === undefined ? {} : { ca: options.ca })
      const dial = { url, lookup, readMemory }
      const pool = new Pool(isTls ? tlsOpener(dial, secureContext) : tcpOpener(dial), limits)
      pools.set(url.origin, pool)
      return pool
    },
    close() {
      clearInterval(sweep)
      for (const pool of pools.values()) pool.close()
    },
  }
}

type OpenSocket = ConstructorParameters<typeof Connection>[1]

class Pool implements Origin, ConnectionOwner {
  readonly #open: OpenSocket
  readonly #limits: Limits
  /** Last in, first out: the freshest socket is the least likely to be closed by the server. */
  readonly #idle: Connection[] = []
  readonly #all = new Set<Connection>()
  #isClosed = false

  constructor(open: OpenSocket, limits: Limits) {
    this.#open = open
    this.#limits = limits
  }

  send(request: HttpRequest, handler: AnswerHandler): HttpExchange {
    const nowMs = performance.now()
    const exchange = new HttpExchange(request, handler, nowMs, this.#limits.silenceLimitMs)
    if (this.#isClosed) {
      setImmediate(() => handler.onFailure(unreachable(closedReason)))
      return exchange
    }
    let connection = this.#idle.pop()
    while (connection !== undefined && !connection.isUsable) connection = this.#idle.pop()
    if (connection === undefined) connection = this.#connect(nowMs)
    connection.start(exchange, nowMs)
    return exchange
  }

  counts(): { active: number; idle: number } {
    return { active: this.#all.size - this.#idle.length, idle: this.#idle.length }
  }

  onIdle(connection: Connection): void {
    if (this.#idle.length < this.#limits.maxIdleSockets) this.#idle.push(connection)
    else connection.destroy()
  }

  onGone(connection: Connection): void {
    this.#all.delete(connection)
    const position = this.#idle.indexOf(connection)
    if (position >= 0) this.#idle.splice(position, 1)
  }

  onStale(exchange: HttpExchange): void {
    exchange.wasRetried = true
    const nowMs = performance.now()
    this.#connect(nowMs).start(exchange, nowMs)
  }

  sweep(nowMs: number): void {
    for (const connection of this.#all) connection.checkLimits(nowMs)
    const oldestMs = nowMs - this.#limits.idleSocketMs
    while (this.#idle[0] !== undefined && this.#idle[0].lastActiveMs < oldestMs) this.#idle[0].destroy()
  }

  close(): void {
    this.#isClosed = true
    for (const connection of this.#all) connection.shutDown(closedReason)
  }

  #connect(nowMs: number): Connection {
    const connection = new Connection(this, this.#open, nowMs, this.#limits.connectTimeoutMs)
    this.#all.add(connection)
    return connection
  }
}

interface Dial {
  readonly url: URL
  readonly lookup: LookupFunction
  readonly readMemory: Buffer
}

function tcpOpener({ url, lookup, readMemory }: Dial): OpenSocket {
  const host = bareHost(url)
  const port = Number(url.port || 80)
  return (onBytes, onReady) => {
    const onread = readingInto(readMemory, onBytes)
    return connectTcp({ host, port, lookup, onread }, onReady)
  }
}

function tlsOpener({ url, lookup, readMemory }: Dial, secureContext: SecureContext | undefined): OpenSocket {
  const host = bareHost(url)
  const port = Number(url.port || 443)
  let session: Buffer | undefined
  return (onBytes, onReady) => {
    const options: ConnectionOptions & { onread: object } = {
      host,
      port,
      lookup,
      servername: isIP(host) === 0 ? host : '',
      ALPNProtocols: ['http/1.1'],
      // Said aloud so that no environment variable can switch verification off for model traffic.
      rejectUnauthorized: true,
      onread: readingInto(readMemory, onBytes),
      ...defined({ secureContext, session }),
    }
    const socket: Socket = connectTls(options, onReady)
    socket.on('session', (next: Buffer) => {
      session = next
    })
    socket.on('error', () => {
      session = undefined
    })
    return socket
  }
}

function readingInto(buffer: Buffer, onBytes: (bytes: Buffer, length: number) => void): OnReadOpts {
  const callback = (length: number): boolean => {
    onBytes(buffer, length)
    return true
  }
  return { buffer, callback }
}

/** Sockets take IPv6 addresses without the brackets a URL needs. */
function bareHost(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
}
