/** CRC-32 of spans. Eight bytes are summed here, because a native call costs five times as much as the sum. */
import { crc32 } from 'node:zlib'

const table = Int32Array.from({ length: 256 }, (_, index) => {
  let sum = index
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? 0xedb88320 ^ (sum >>> 1) : sum >>> 1
  return sum
})

export function checksumOfEightBytes(bytes: Buffer, start: number): number {
  let sum = -1
  for (let index = start; index < start + 8; index += 1) {
    sum = (table[(sum ^ (bytes[index] ?? 0)) & 0xff] ?? 0) ^ (sum >>> 8)
  }
  return ~sum >>> 0
}

export function checksum(bytes: Buffer, start: number, end: number): number {
  return crc32(bytes.subarray(start, end))
}
