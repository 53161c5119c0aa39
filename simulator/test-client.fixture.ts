import { createHash, createHmac } from 'node:crypto'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { crc32 } from 'node:zlib'
import { SignatureV4 } from '@smithy/signature-v4'
import type { Simulator } from './simulator.ts'

// Signs with the vendor's own library, so that the simulator's verifier is judged by somebody else's arithmetic.

export type SignedRequest = {
  readonly path: string
  readonly method?: string
  readonly body?: string | Buffer
  readonly region?: string
  readonly service?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly accessKey?: string
  readonly secretKey?: string
  readonly sessionToken?: string
  readonly signedAt?: Date
}

export type RawReply = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** How the connection ended before the body was complete, if it did. */
  readonly broken: string | undefined
}

class Sha256 {
  readonly #hash
  constructor(key?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = key === undefined ? createHash('sha256') : createHmac('sha256', toBuffer(key))
  }
  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(toBuffer(data))
  }
  async digest(): Promise<Uint8Array> {
    return new Uint8Array(this.#hash.digest())
  }
  reset(): void {}
}

function toBuffer(data: string | ArrayBuffer | ArrayBufferView): Buffer {
  if (typeof data === 'string') return Buffer.from(data, 'utf8')
  return ArrayBuffer.isView(data) ? Buffer.from(data.buffer, data.byteOffset, data.byteLength) : Buffer.from(data)
}

export async function signedHeaders(
  host: string,
  port: number,
  request: SignedRequest,
): Promise<Record<string, string>> {
  const signer = new SignatureV4({
    service: request.service ?? 'bedrock',
    region: request.region ?? 'us-east-1',
    credentials: {
      accessKeyId: request.accessKey ?? '',
      secretAccessKey: request.secretKey ?? '',
      ...(request.sessionToken === undefined ? {} : { sessionToken: request.sessionToken }),
    },
    sha256: Sha256,
  })
  const signed = await signer.sign(
    {
      method: request.method ?? 'POST',
      protocol: 'http:',
      hostname: host,
      path: request.path,
      query: { ...request.query },
      headers: {
        host: port === 443 ? host : `${host}:${port}`,
        'content-type': 'application/json',
        ...request.headers,
      },
      body: request.body ?? '',
    },
    request.signedAt ? { signingDate: request.signedAt } : {},
  )
  return signed.headers
}

export async function sendSigned(simulator: Simulator, request: SignedRequest): Promise<RawReply> {
  const { hostname, port } = new URL(simulator.url)
  const filled = { accessKey: simulator.accessKey, secretKey: simulator.secretKey, ...request }
  const headers = await signedHeaders(hostname, Number(port), filled)
  return sendRaw(simulator.url, filled, headers)
}

export function sendRaw(
  url: string,
  request: SignedRequest,
  headers: Readonly<Record<string, string>>,
): Promise<RawReply> {
  const { hostname, port } = new URL(url)
  const query = new URLSearchParams(request.query).toString().replaceAll('+', '%20')
  return new Promise((resolve, reject) => {
    const sent = httpRequest({
      hostname,
      port,
      method: request.method ?? 'POST',
      path: query === '' ? request.path : `${request.path}?${query}`,
      headers,
    })
    sent.on('error', reject)
    sent.on('response', (reply) => {
      const chunks: Buffer[] = []
      const finish = (broken: string | undefined): void =>
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: Buffer.concat(chunks), broken })
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.on('end', () => finish(undefined))
      reply.on('error', (error: NodeJS.ErrnoException) => finish(error.code ?? error.message))
    })
    sent.end(request.body)
  })
}

export type ReadFrame = { readonly headers: Readonly<Record<string, string>>; readonly payload: Buffer }

/** Reads whole frames and refuses bad checksums; the rest is what did not make a frame. */
export function readFrames(body: Buffer): { readonly frames: readonly ReadFrame[]; readonly rest: Buffer } {
  const frames: ReadFrame[] = []
  let at = 0
  while (body.length - at >= 16 && body.readUInt32BE(at) <= body.length - at && body.readUInt32BE(at) >= 16) {
    const frame = body.subarray(at, at + body.readUInt32BE(at))
    if (frame.readUInt32BE(8) !== crc32(frame.subarray(0, 8))) throw new Error('prelude checksum')
    if (frame.readUInt32BE(frame.length - 4) !== crc32(frame.subarray(0, -4))) throw new Error('message checksum')
    const headersEnd = 12 + frame.readUInt32BE(4)
    const headers: Record<string, string> = {}
    for (let h = 12; h < headersEnd; ) {
      const name = frame.toString('utf8', h + 1, h + 1 + frame.readUInt8(h))
      const valueAt = h + 1 + name.length + 3
      const length = frame.readUInt16BE(valueAt - 2)
      headers[name] = frame.toString('utf8', valueAt, valueAt + length)
      h = valueAt + length
    }
    frames.push({ headers, payload: frame.subarray(headersEnd, -4) })
    at += frame.length
  }
  return { frames, rest: body.subarray(at) }
}

export function toEvent(frame: ReadFrame): Record<string, unknown> & { type: string } {
  const { bytes } = JSON.parse(frame.payload.toString('utf8'))
  return JSON.parse(Buffer.from(bytes, 'base64').toString('utf8'))
}

export function minimalBody(overrides: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    anthropic_version: 'bedrock-2023-05-31',
    max_tokens: 1000,
    messages: [{ role: 'user', content: 'Hello' }],
    ...overrides,
  })
}
