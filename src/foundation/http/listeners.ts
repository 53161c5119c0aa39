/** Opens the ports. Limits here are for hostile and slow senders; answers may take as long as models do. */
import { constants } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import { type Problem, problem } from '../domain/errors.ts'
import { newRequestId } from '../platform/ids.ts'
import type { Logger } from '../platform/logger.ts'
import { errorJson } from './error-reply.ts'
import type { TlsFiles } from './tls.ts'

export interface ListenOptions {
  readonly host: string
  readonly port: number
  /** Null when no HTTPS listener is wanted. */
  readonly tls: { readonly port: number; readonly files: TlsFiles } | null
  readonly handler: http.RequestListener
  readonly log: Logger
  /** Other than the usual ones, for tests. */
  readonly limits?: Pick<http.ServerOptions, 'headersTimeout' | 'requestTimeout' | 'connectionsCheckingInterval'>
}

export interface Listeners {
  readonly port: number
  readonly tlsPort: number | null
  /**
   * Answers that begin from now on say that their connection ends with them. Whoever keeps connections sends the next call
   * elsewhere; without a word it would come here until all answers have to be cut off.
   */
  readonly letGo: () => void
  /** New connections are refused. On those that are there a call may be on its way. */
  readonly stopAccepting: () => void
  /** Running answers go on. */
  readonly closeIdle: () => void
  readonly closeAll: () => void
}

const serverOptions = {
  /** Above the 900 s idle limit of load balancers, so that they and not we close idle connections. */
  keepAliveTimeout: 915_000,
  /** With the interval of the check below, a head that trickles in ends within a minute. */
  headersTimeout: 50_000,
  /** For the whole request to arrive, body included; it does not limit the answer. */
  requestTimeout: 300_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 32_768,
  keepAliveTimeoutBuffer: 1_000,
  /** What may wait in the process for a slow reader before its answer is held back. */
  highWaterMark: 16_384,
  /** Checked with the rest of the request line, so that the answer has the common shape. */
  requireHostHeader: false,
} as const

const tlsLimits = {
  minVersion: 'TLSv1.2',
  ALPNProtocols: ['http/1.1'] as string[],
  handshakeTimeout: 30_000,
  // Each handshake costs us far more than whoever asks for it, and no client of ours needs a second one.
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
} as const

/** Closed at once, with something still to be read, a connection may lose the answer on its way. */
const LINGER_MS = 1_000

export async function listen(options: ListenOptions): Promise<Listeners> {
  const limits = { ...serverOptions, ...options.limits }
  const plain = http.createServer(limits, options.handler)
  const servers: http.Server[] = [plain]
  await opened(plain, options.port, options.host)
  let tlsPort: number | null = null
  if (options.tls !== null) {
    const secure = https.createServer({ ...limits, ...tlsLimits, ...options.tls.files }, options.handler)
    try {
      await opened(secure, options.tls.port, options.host)
      servers.push(secure)
      tlsPort = (secure.address() as AddressInfo).port
    } catch (error) {
      // failure-modes: HTTPS port not bound. Plain HTTP serves; ports below 1024 often need a privilege.
      options.log.warn({ err: error, port: options.tls.port }, 'no HTTPS listener: the port could not be opened')
    }
  }
  for (const server of servers) {
    server.maxRequestsPerSocket = 0
    server.on('clientError', answerBrokenRequest)
    // Node would answer an expectation that it does not know itself, without a body and an id; it may as well be ignored.
    server.on('checkExpectation', options.handler)
    // There is nobody to answer yet: what is written waits for a handshake that never ends, and the connection with it.
    server.on('tlsClientError', (_error, socket) => socket.destroy())
  }
  return {
    port: (plain.address() as AddressInfo).port,
    tlsPort,
    letGo: () => {
      for (const server of servers)
        for (const event of ['request', 'checkExpectation']) server.prependListener(event, closeBehind)
    },
    stopAccepting: () => {
      // That of `http` would also close connections which were just made and whose first call has not come yet.
      for (const server of servers) NetServer.prototype.close.call(server)
    },
    closeIdle: () => {
      for (const server of servers) server.closeIdleConnections()
    },
    closeAll: () => {
      for (const server of servers) server.closeAllConnections()
    },
  }
}

function closeBehind(_request: http.IncomingMessage, response: http.ServerResponse): void {
  response.shouldKeepAlive = false
}

function opened(server: http.Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, 4096, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** The parser gave up before a request existed, so the answer is written by hand. */
function answerBrokenRequest(error: Error & { code?: string }, socket: import('node:stream').Duplex): void {
  if (!socket.writable || (socket as Socket).destroyed || error.code === 'ECONNRESET' || hasAnswered(socket)) {
    socket.destroy()
    return
  }
  const failure = brokenRequestProblem(error.code)
  const requestId = newRequestId()
  const body = errorJson(failure, requestId)
  socket.end(
    `HTTP/1.1 ${failure.status} ${http.STATUS_CODES[failure.status] ?? 'Error'}\r\n` +
      `content-type: application/json; charset=utf-8\r\nrequest-id: ${requestId}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
  // Nobody else watches the connection any more: one who goes on sending would keep it, and the place of its call, for ever.
  const lingering = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(lingering))
}

/**
 * The request has its answer, begun or, where it was refused before its body had come, even ended: a second one would be
 * taken for that of another request. Node knows both by these names.
 */
function hasAnswered(socket: import('node:stream').Duplex): boolean {
  const { _httpMessage: answer, parser } = socket as {
    readonly _httpMessage?: http.ServerResponse | null
    readonly parser?: { readonly incoming?: http.IncomingMessage | null } | null
  }
  return answer?.headersSent ?? parser?.incoming?.complete === false
}

function brokenRequestProblem(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') return problem('headers_too_large')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return problem('request_timeout')
  return problem('invalid_request_line', { reason: 'it is not well-formed HTTP' })
}
