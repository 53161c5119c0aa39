/** A model service that answers with exactly the bytes it is given, for what no service and no simulator would send. */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface RawHost {
  readonly url: string
  /** Decides every answer from now on. */
  answer: (path: string, response: ServerResponse) => void
  /** The bodies received, newest last. */
  readonly bodies: Buffer[]
  readonly close: () => Promise<void>
}

export async function startRawHost(): Promise<RawHost> {
  const bodies: Buffer[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => void chunks.push(chunk))
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks))
      if (bodies.length > 100) bodies.shift()
      host.answer(request.url ?? '', response)
    })
    request.on('error', () => undefined)
    response.on('error', () => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host: RawHost = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: (_path, response) => void response.writeHead(500).end(),
    bodies,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return host
}

export function answerWhole(response: ServerResponse, body: string | Buffer): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
}

export const streamHead = {
  'content-type': 'application/vnd.amazon.eventstream',
  'x-amzn-bedrock-content-type': 'application/json',
} as const
