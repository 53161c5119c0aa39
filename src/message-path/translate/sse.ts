/** Gathers server-sent events in one buffer until the caller writes them out. */
import { noteYoungBuffer } from '../../foundation/platform/young-buffers.ts'
import { breaksToSpaces, decodeOneLine } from './base64.ts'

const SLAB_BYTES = 32 * 1024
/** Below this the rest of a slab is not worth coming back to. */
const WORTHWHILE_BYTES = 2 * 1024
const TAIL_BYTES = 2

interface Slab {
  readonly bytes: Buffer
  used: number
}

/**
 * The unused rest of the last slab, for whoever gathers next. Streams gather for the length of one read, so nearly
 * all share one slab and an idle stream holds no memory. Handed-out bytes are never written again.
 */
let spare: Slab | undefined

export class SseBuffer {
  #slab: Slab | undefined
  #start = 0

  /** Appends `head`, the decoded base64 and the empty line. Returns the length of the data, -1 when undecodable. */
  appendBase64(head: Buffer, source: Buffer, start: number, end: number): number {
    const most = head.length + (((end - start) * 3) >> 2) + 3 + TAIL_BYTES
    const { slab, at } = this.#reserve(most)
    const { bytes } = slab
    for (let i = 0; i < head.length; i++) bytes[at + i] = head[i] as number
    const length = decodeOneLine(source, start, end, bytes, at + head.length)
    if (length < 0) return -1
    const tail = at + head.length + length
    bytes[tail] = 0x0a
    bytes[tail + 1] = 0x0a
    slab.used = tail + TAIL_BYTES
    return length
  }

  /** The same for data that is at hand in pieces. */
  append(head: Buffer, pieces: readonly Buffer[]): void {
    const most = pieces.reduce((sum, piece) => sum + piece.length, head.length + TAIL_BYTES)
    const { slab, at } = this.#reserve(most)
    let end = at + head.copy(slab.bytes, at)
    const dataStart = end
    for (const piece of pieces) end += piece.copy(slab.bytes, end)
    breaksToSpaces(slab.bytes, dataStart, end)
    slab.bytes[end] = 0x0a
    slab.bytes[end + 1] = 0x0a
    slab.used = end + TAIL_BYTES
  }

  /** What was gathered since the last time; the caller owns it. */
  take(): Buffer | undefined {
    const slab = this.#slab
    if (slab === undefined) return undefined
    this.#slab = undefined
    if (slab.bytes.length - slab.used >= WORTHWHILE_BYTES) spare = slab
    return slab.used === this.#start ? undefined : slab.bytes.subarray(this.#start, slab.used)
  }

  #reserve(byteCount: number): { slab: Slab; at: number } {
    let slab = this.#slab
    if (slab === undefined) {
      slab = spare ?? newSlab(byteCount)
      spare = undefined
      this.#start = slab.used
    }
    if (slab.bytes.length - slab.used < byteCount) {
      const gathered = slab.bytes.subarray(this.#start, slab.used)
      slab = newSlab(2 * gathered.length + byteCount)
      slab.used = gathered.copy(slab.bytes)
      this.#start = 0
    }
    this.#slab = slab
    return { slab, at: slab.used }
  }
}

function newSlab(byteCount: number): Slab {
  const slabBytes = Math.max(SLAB_BYTES, byteCount)
  noteYoungBuffer(slabBytes)
  return { bytes: Buffer.allocUnsafeSlow(slabBytes), used: 0 }
}

/** Only plain characters: a type with a line break in it must not be able to write lines of its own. */
export function eventHead(type: string): Buffer {
  const name = type.replace(/[^\w.-]/g, '').slice(0, 64) || 'unknown'
  return Buffer.from(`event: ${name}\ndata: `)
}
