/**
 * Reads the head of an HTTP/1.1 response: status, headers, and how the body ends.
 * It belongs to our own HTTP/1.1 client; `http1-client.ts` says what that saves.
 */
export type ResponseHeaders = Readonly<Record<string, string>>

export const chunkedBody = -1
export const bodyUntilClose = -2

export interface ResponseHead {
  readonly status: number
  readonly headers: ResponseHeaders
  /** Length of the body, or `chunkedBody` or `bodyUntilClose`. */
  readonly bodyBytes: number
  readonly keepsAlive: boolean
}

const token = /^[!#$%&'*+.^_`|~0-9a-z-]+$/
const decimal = /^\d{1,15}$/
const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |$)/

/** `text` is everything before the empty line, as latin1. Undefined when it is not an HTTP/1.x head. */
export function parseResponseHead(text: string): ResponseHead | undefined {
  const firstEnd = lineEndAfter(text, 0)
  if (firstEnd < 0 || text.includes('\0')) return undefined
  const start = statusLine.exec(text.slice(0, firstEnd))
  if (start === null) return undefined
  const headers: Record<string, string> = {}
  let lineStart = firstEnd + 2
  while (lineStart < text.length) {
    const lineEnd = lineEndAfter(text, lineStart)
    if (lineEnd < 0) return undefined
    const field = findField(text, lineStart, lineEnd)
    if (field === undefined) return undefined
    const value = text.slice(field.valueStart, lineEnd).trim()
    if (value.includes('\r')) return undefined
    const earlier = headers[field.name]
    headers[field.name] = typeof earlier === 'string' ? `${earlier}, ${value}` : value
    lineStart = lineEnd + 2
  }
  return frame(Number(start[2]), start[1] === '1', headers)
}

interface Field {
  readonly name: string
  readonly valueStart: number
}

function findField(text: string, lineStart: number, lineEnd: number): Field | undefined {
  const colon = text.indexOf(':', lineStart)
  if (colon < 0 || colon > lineEnd) return undefined
  const name = text.slice(lineStart, colon).toLowerCase()
  // A folded line starts with a space, so it fails here too.
  return token.test(name) ? { name, valueStart: colon + 1 } : undefined
}

/** -1 for a line that ends in a bare line feed. */
function lineEndAfter(text: string, start: number): number {
  const lineFeed = text.indexOf('\n', start)
  if (lineFeed < 0) return text.length
  return text.charCodeAt(lineFeed - 1) === 13 ? lineFeed - 1 : -1
}

function frame(status: number, isHttp11: boolean, headers: ResponseHeaders): ResponseHead | undefined {
  const connection = headers['connection']?.toLowerCase() ?? ''
  const keepsAlive = isHttp11 ? !connection.includes('close') : connection.includes('keep-alive')
  if (status < 200 || status === 204 || status === 304) return { status, headers, bodyBytes: 0, keepsAlive }
  const coding = headers['transfer-encoding']
  const length = headers['content-length']
  if (coding !== undefined) {
    if (coding.toLowerCase() !== 'chunked') return undefined
    // Both framings in one head is how responses are smuggled: the socket is not used again.
    return { status, headers, bodyBytes: chunkedBody, keepsAlive: keepsAlive && length === undefined }
  }
  if (length === undefined) return { status, headers, bodyBytes: bodyUntilClose, keepsAlive: false }
  return decimal.test(length) ? { status, headers, bodyBytes: Number(length), keepsAlive } : undefined
}
