/**
 * Gathers server-sent events in one buffer until the caller writes them out.
 * A few lines; they put all events of one read into one buffer, so that each read needs only one write.
 */
import { breaksToSpaces, decodeOneLine } from './base64.ts'

const TAIL_BYTES = 2

export class SseBuffer {
  /** Undefined between reads, so that an idle stream holds no memory. */
  #bytes: Buffer | undefined
  #used = 0

  /** Appends `head`, the decoded base64 and the empty line. Returns the length of the data, -1 when undecodable. */
  appendBase64(head: Buffer, source: Buffer, start: number, end: number): number {
    const bytes = this.#reserve(head.length + (((end - start) * 3) >> 2) + 3 + TAIL_BYTES)
    const at = this.#used
    for (let i = 0; i < head.length; i++) bytes[at + i] = head[i] as number
    const length = decodeOneLine(source, start, end, bytes, at + head.length)
    if (length < 0) return -1
    const tail = at + head.length + length
    bytes[tail] = 0x0a
    bytes[tail + 1] = 0x0a
    this.#used = tail + TAIL_BYTES
    return length
  }

  /** The same for data that is at hand in pieces. */
  append(head: Buffer, pieces: readonly Buffer[]): void {
    const bytes = this.#reserve(pieces.reduce((sum, piece) => sum + piece.length, head.length + TAIL_BYTES))
    let end = this.#used + head.copy(bytes, this.#used)
    const dataStart = end
    for (const piece of pieces) end += piece.copy(bytes, end)
    breaksToSpaces(bytes, dataStart, end)
    bytes[end] = 0x0a
    bytes[end + 1] = 0x0a
    this.#used = end + TAIL_BYTES
  }

  /** What was gathered since the last time; the caller owns it. */
  take(): Buffer | undefined {
    const gathered = this.#used === 0 ? undefined : this.#bytes?.subarray(0, this.#used)
    this.#bytes = undefined
    this.#used = 0
    return gathered
  }

  /** Room for so many more bytes. A read with one event gets a small buffer, one with many a buffer that doubles. */
  #reserve(byteCount: number): Buffer {
    const gathered = this.#bytes
    if (gathered !== undefined && gathered.length - this.#used >= byteCount) return gathered
    const bytes = Buffer.allocUnsafe(2 * this.#used + byteCount)
    gathered?.copy(bytes, 0, 0, this.#used)
    this.#bytes = bytes
    return bytes
  }
}

/** Only plain characters: a type with a line break in it must not be able to write lines of its own. */
export function eventHead(type: string): Buffer {
  const name = type.replace(/[^\w.-]/g, '').slice(0, 64) || 'unknown'
  return Buffer.from(`event: ${name}\ndata: `)
}
