/** Ids the gateway makes. Time-ordered, so that indexes over them grow at one end. */
import { randomFillSync, randomUUIDv7 } from 'node:crypto'

export function newId(): string {
  return randomUUIDv7()
}

/** When `newId` made it, in milliseconds. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

const RANDOM_BYTES_PER_ID = 10
const randomness = Buffer.alloc(RANDOM_BYTES_PER_ID * 400)
let usedBytes = randomness.length
const hexDigits = Buffer.from('0123456789abcdef')
const text = Buffer.from(`req_${'0'.repeat(32)}`)
const TIME_FIRST = 4
const RANDOM_FIRST = 16

/**
 * A UUID of version 7 without its hyphens. Written in one go because every call gets one: a text joined from pieces is
 * copied again when it is first looked up.
 */
export function newRequestId(): string {
  if (usedBytes === randomness.length) {
    randomFillSync(randomness)
    usedBytes = 0
  }
  let timeMs = Date.now()
  for (let at = RANDOM_FIRST - 1; at >= TIME_FIRST; at -= 1) {
    text[at] = hexDigits[timeMs % 16] as number
    timeMs = Math.floor(timeMs / 16)
  }
  for (let index = 0; index < RANDOM_BYTES_PER_ID; index += 1) {
    const byte = marked(index, randomness[usedBytes++] as number)
    text[RANDOM_FIRST + index * 2] = hexDigits[byte >> 4] as number
    text[RANDOM_FIRST + index * 2 + 1] = hexDigits[byte & 15] as number
  }
  return text.toString('latin1')
}

/** RFC 9562: the version stands before the first random bits, the variant before those of the ninth byte. */
function marked(index: number, byte: number): number {
  if (index === 0) return 0x70 | (byte & 0x0f)
  return index === 2 ? 0x80 | (byte & 0x3f) : byte
}
