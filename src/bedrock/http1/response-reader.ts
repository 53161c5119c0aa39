/**
 * Reads HTTP/1.1 responses from raw bytes, however they are cut, and hands the body on as spans of the given bytes.
 * It belongs to our own HTTP/1.1 client; `http1-client.ts` says what that saves.
 */
import { bodyUntilClose, chunkedBody, parseResponseHead, type ResponseHeaders } from './response-head.ts'

export interface ResponseSink {
  readonly onHead: (status: number, headers: ResponseHeaders) => void
  readonly onBody: (bytes: Buffer, start: number, end: number) => void
  /** `isReusable`: the connection is at a clean border and the server keeps it open. */
  readonly onComplete: (isReusable: boolean) => void
  readonly onMalformed: (reason: string) => void
}

const maxHeadBytes = 65_536
const maxChunkLineBytes = 4_096
const maxChunkSizeDigits = 12

type State = 'head' | 'fixed' | 'until-close' | 'chunk-line' | 'chunk-data' | 'chunk-end' | 'trailer' | 'over'

const carriageReturn = 13
const endOfHead = Buffer.from('\r\n\r\n')
const lineFeed = 10

export class ResponseReader {
  readonly #sink: ResponseSink
  #state: State = 'over'
  #remainingBytes = 0
  #keepsAlive = false
  /** Bytes of a head, chunk line or trailer that is not complete yet. */
  #partial: Buffer | undefined
  #usedHeadBytes = 0
  #usedTrailerBytes = 0

  constructor(sink: ResponseSink) {
    this.#sink = sink
  }

  /** Makes ready for the next response on this connection. */
  begin(): void {
    this.#state = 'head'
    this.#partial = undefined
    this.#usedHeadBytes = 0
    this.#usedTrailerBytes = 0
  }

  /** The exchange was given up from outside: later bytes mean nothing. */
  stop(): void {
    this.#state = 'over'
    this.#partial = undefined
  }

  push(bytes: Buffer, start: number, end: number): void {
    let position = start
    while (position < end) {
      switch (this.#state) {
        case 'head':
          position = this.#readHead(bytes, position, end)
          break
        case 'fixed':
        case 'chunk-data':
          position = this.#readCounted(bytes, position, end)
          break
        case 'until-close':
          this.#sink.onBody(bytes, position, end)
          return
        case 'chunk-line':
          position = this.#readChunkLine(bytes, position, end)
          break
        case 'chunk-end':
          position = this.#readChunkEnd(bytes, position, end)
          break
        case 'trailer':
          position = this.#readTrailer(bytes, position, end)
          break
        case 'over':
          return
      }
    }
  }

  /** The server closed its side. True when that is where the body ends. */
  endsHere(): boolean {
    return this.#state === 'until-close'
  }

  #readHead(bytes: Buffer, start: number, end: number): number {
    const kept = this.#partial
    if (kept === undefined) {
      const border = bytes.indexOf(endOfHead, start)
      if (border >= 0 && border + 4 <= end) {
        if (border - start > maxHeadBytes) return this.#reject('the response head is too large', end)
        return this.#acceptHead(bytes.toString('latin1', start, border), border + 4, end)
      }
      return this.#keep(bytes, start, end, maxHeadBytes, 'the response head is too large')
    }
    const searchFrom = Math.max(0, kept.length - 3)
    const joined = Buffer.concat([kept, bytes.subarray(start, end)])
    const border = joined.indexOf(endOfHead, searchFrom)
    if (border < 0) return this.#keep(joined, 0, joined.length, maxHeadBytes, 'the response head is too large', end)
    if (border > maxHeadBytes) return this.#reject('the response head is too large', end)
    this.#partial = undefined
    return this.#acceptHead(joined.toString('latin1', 0, border), start + border + 4 - kept.length, end)
  }

  #acceptHead(text: string, next: number, end: number): number {
    const head = parseResponseHead(text)
    if (head === undefined) return this.#reject('the response head is not readable', end)
    if (head.status < 200) {
      // 100 and 103 announce nothing we use; 101 would turn the socket into something else.
      this.#usedHeadBytes += text.length + 4
      if (head.status === 101) return this.#reject('the hosted service switched protocols', end)
      return this.#usedHeadBytes > maxHeadBytes ? this.#reject('too many interim responses', end) : next
    }
    this.#keepsAlive = head.keepsAlive
    this.#remainingBytes = Math.max(0, head.bodyBytes)
    this.#state =
      head.bodyBytes === chunkedBody ? 'chunk-line' : head.bodyBytes === bodyUntilClose ? 'until-close' : 'fixed'
    this.#sink.onHead(head.status, head.headers)
    if (this.#state === 'fixed' && this.#remainingBytes === 0) return this.#complete(next, end)
    return next
  }

  #readCounted(bytes: Buffer, start: number, end: number): number {
    const spanEnd = Math.min(end, start + this.#remainingBytes)
    this.#remainingBytes -= spanEnd - start
    const isLast = this.#remainingBytes === 0
    if (isLast && this.#state === 'chunk-data') this.#state = 'chunk-end'
    this.#sink.onBody(bytes, start, spanEnd)
    return isLast && this.#state === 'fixed' ? this.#complete(spanEnd, end) : spanEnd
  }

  #readChunkLine(bytes: Buffer, start: number, end: number): number {
    const lineEnd = bytes.indexOf(lineFeed, start)
    if (lineEnd < 0 || lineEnd >= end) {
      return this.#keep(bytes, start, end, maxChunkLineBytes, 'a chunk line is too long')
    }
    const lineBytes = lineEnd - start + (this.#partial?.length ?? 0)
    if (lineBytes > maxChunkLineBytes) return this.#reject('a chunk line is too long', end)
    const size =
      this.#partial === undefined
        ? parseChunkSize(bytes, start, lineEnd)
        : parseChunkSize(Buffer.concat([this.#partial, bytes.subarray(start, lineEnd)]), 0, lineBytes)
    this.#partial = undefined
    if (size < 0) return this.#reject('a chunk line is not readable', end)
    this.#remainingBytes = size
    this.#state = size === 0 ? 'trailer' : 'chunk-data'
    return lineEnd + 1
  }

  #readChunkEnd(bytes: Buffer, start: number, end: number): number {
    let position = start
    if (this.#partial === undefined) {
      if (bytes[position] !== carriageReturn) return this.#reject('a chunk does not end where it says', end)
      position += 1
      if (position === end) return this.#keep(bytes, start, end, 1, '')
    }
    this.#partial = undefined
    if (bytes[position] !== lineFeed) return this.#reject('a chunk does not end where it says', end)
    this.#state = 'chunk-line'
    return position + 1
  }

  /** Trailers carry nothing we use; they end with an empty line. */
  #readTrailer(bytes: Buffer, start: number, end: number): number {
    const found = bytes.indexOf(lineFeed, start)
    const lineEnd = found < 0 || found >= end ? end : found
    this.#usedTrailerBytes += lineEnd - start
    if (this.#usedTrailerBytes > maxHeadBytes) return this.#reject('the trailers are too large', end)
    if (lineEnd === end) return this.#keep(bytes, start, end, maxHeadBytes, 'a trailer is too long')
    const line = this.#partial ? Buffer.concat([this.#partial, bytes.subarray(start, lineEnd)]) : undefined
    const lineBytes = line ? line.length : lineEnd - start
    const last = line ? line[line.length - 1] : bytes[lineEnd - 1]
    this.#partial = undefined
    if (lineBytes === 0 || last !== carriageReturn) return this.#reject('a trailer is not readable', end)
    return lineBytes === 1 ? this.#complete(lineEnd + 1, end) : lineEnd + 1
  }

  #keep(bytes: Buffer, start: number, end: number, limitBytes: number, reason: string, next = end): number {
    const added = bytes.subarray(start, end)
    const isWhole = this.#state === 'head'
    const kept = this.#partial !== undefined && !isWhole ? Buffer.concat([this.#partial, added]) : Buffer.from(added)
    if (kept.length > limitBytes) return this.#reject(reason, next)
    this.#partial = kept
    return next
  }

  /** The sink may begin the next exchange inside the call, so nothing here may be touched after it. */
  #complete(next: number, end: number): number {
    this.#state = 'over'
    this.#sink.onComplete(this.#keepsAlive && next === end)
    return end
  }

  #reject(reason: string, next: number): number {
    this.stop()
    this.#sink.onMalformed(reason)
    return next
  }
}

/** Size in `bytes[start, lineEnd)`, where `lineEnd` is the line feed; -1 when it is none. Extensions are skipped. */
function parseChunkSize(bytes: Buffer, start: number, lineEnd: number): number {
  if (bytes[lineEnd - 1] !== carriageReturn) return -1
  let size = 0
  let position = start
  for (; position < lineEnd - 1; position += 1) {
    const digit = hexDigit(bytes[position] ?? 0)
    if (digit < 0) break
    size = size * 16 + digit
  }
  const digits = position - start
  if (digits === 0 || digits > maxChunkSizeDigits) return -1
  const after = bytes[position]
  // Only an extension (`;`), blanks before one, or the end of the line may follow the digits.
  return after === carriageReturn || after === 0x3b || after === 0x20 || after === 0x09 ? size : -1
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}
