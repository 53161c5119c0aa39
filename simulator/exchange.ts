/**
 * Reads requests and writes answers. A few lines, which keep paths as they came: signatures are computed over this
 * form.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isGone } from './connection.ts'

/** One request with its body read, and the response still to be written. */
export type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly method: string
  /** As it came over the wire, still percent-encoded: signatures are computed over this form. */
  readonly rawPath: string
  readonly rawQuery: string
  readonly query: URLSearchParams
  readonly body: Buffer
}

const READ_LIMIT_BYTES = 128 * 1024 * 1024

export async function readExchange(request: IncomingMessage, response: ServerResponse): Promise<Exchange> {
  const target = request.url ?? '/'
  const cut = target.indexOf('?')
  const rawQuery = cut < 0 ? '' : target.slice(cut + 1)
  return {
    request,
    response,
    method: request.method ?? 'GET',
    rawPath: cut < 0 ? target : target.slice(0, cut),
    rawQuery,
    query: new URLSearchParams(rawQuery),
    body: await readBody(request),
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= READ_LIMIT_BYTES) chunks.push(chunk)
  }
  const first = chunks[0]
  return chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks)
}

export function readHeader(exchange: Exchange, name: string): string | undefined {
  const value = exchange.request.headers[name]
  return Array.isArray(value) ? value.join(',') : value
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  sendText(response, status, JSON.stringify(body), { 'content-type': 'application/json', ...headers })
}

export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>>,
): void {
  if (isGone(response)) return
  const bytes = Buffer.from(text, 'utf8')
  response.writeHead(status, { ...headers, 'content-length': String(bytes.length) })
  response.end(bytes)
}
