/** Servers that speak raw bytes, and a caller that collects one answer: for what no well-behaved server does. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { HttpExchange } from '../../src/bedrock/http1/connection.ts'
import type { Origin } from '../../src/bedrock/http1/http1-client.ts'
import type { ProviderFailure } from '../../src/foundation/domain/provider-failure.ts'

export interface RawServer {
  readonly url: URL
  /** Sockets accepted so far. */
  readonly sockets: readonly Socket[]
  readonly close: () => Promise<void>
}

/** `serve` is called with every whole request (head and body as text) of a socket. */
export async function startRawServer(
  serve: (socket: Socket, request: string, requestOfSocket: number) => void,
  makeServer: (onSocket: (socket: Socket) => void) => Server = createServer,
): Promise<RawServer> {
  const sockets: Socket[] = []
  const server = makeServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    let text = ''
    let served = 0
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1')
      for (let length = requestLength(text); length > 0; length = requestLength(text)) {
        served += 1
        serve(socket, text.slice(0, length), served)
        text = text.slice(length)
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const scheme = makeServer === createServer ? 'http' : 'https'
  return {
    url: new URL(`${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`),
    sockets,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function requestLength(text: string): number {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return 0
  const bodyBytes = Number(/content-length: (\d+)/.exec(text)?.[1] ?? 0)
  const length = headEnd + 4 + bodyBytes
  return text.length >= length ? length : 0
}

export function toBody(body: string, headers = ''): string {
  return `HTTP/1.1 200 OK\r\n${headers}content-length: ${body.length}\r\n\r\n${body}`
}

export interface Collected {
  status: number
  body: string
  reads: number
  failure: ProviderFailure | undefined
}

export interface Sending {
  readonly exchange: HttpExchange
  readonly collected: Collected
  readonly done: Promise<Collected>
}

export function send(origin: Origin, body = '{}', firstByteTimeoutMs = 10_000): Sending {
  const collected: Collected = { status: 0, body: '', reads: 0, failure: undefined }
  const { promise, resolve } = Promise.withResolvers<Collected>()
  const head = `POST /x HTTP/1.1\r\nhost: test\r\ncontent-length: ${body.length}\r\n\r\n`
  const exchange = origin.send(
    { head, body: [Buffer.from(body)], firstByteTimeoutMs },
    {
      onHead(status) {
        collected.status = status
      },
      onData(bytes, start, end) {
        collected.body += bytes.toString('latin1', start, end)
      },
      onReadEnd() {
        collected.reads += 1
      },
      onEnd: () => resolve(collected),
      onFailure(failure) {
        collected.failure = failure
        resolve(collected)
      },
    },
  )
  return { exchange, collected, done: promise }
}

/** Waits for a condition and not for a time; the test runner's own limit ends what never comes. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}
