/**
 * Finds where bytes stop being UTF-8, so that the sender can find the mistake.
 * A few lines around Node's own check, which says only whether bytes are UTF-8 and not where they stop being so.
 */
import { isUtf8 } from 'node:buffer'

const SHORT_BYTES = 64
const LONGEST_CHARACTER = 4

/** The first byte that belongs to no character; undefined when all of them do. */
export function findInvalidUtf8(bytes: Buffer): number | undefined {
  if (isUtf8(bytes)) return undefined
  let start = 0
  let end = bytes.length
  // Halving leaves the work to the native check, which is many times as fast as a loop.
  while (end - start > SHORT_BYTES) {
    const middle = characterStart(bytes, (start + end) >>> 1)
    if (isUtf8(bytes.subarray(start, middle))) start = middle
    else end = middle
  }
  for (let length = characterLength(bytes, start); length > 0; length = characterLength(bytes, start)) start += length
  return start
}

/** At or shortly before `at`. A longer run of continuation bytes is no character, so it may be cut anywhere. */
function characterStart(bytes: Buffer, at: number): number {
  for (let start = at; start > at - LONGEST_CHARACTER; start--) if (!isContinuation(bytes[start])) return start
  return at
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}

/** 0 when no character begins there. */
function characterLength(bytes: Buffer, start: number): number {
  for (let length = 1; length <= LONGEST_CHARACTER && start + length <= bytes.length; length++)
    if (isUtf8(bytes.subarray(start, start + length))) return length
  return 0
}
