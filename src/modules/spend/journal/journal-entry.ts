/** How entries lie in a journal file: mark, length, checksum, JSON. A reader finds every whole entry and nothing else. */
import { crc32 } from 'node:zlib'
import type { OpenCall } from '../../../foundation/domain/open-call.ts'
import type { SpendRecord } from '../../../foundation/domain/spend-record.ts'

export type JournalEntry =
  | {
      readonly kind: 'record'
      readonly record: SpendRecord
      /** Memory had no room for the record: only the file has it. */
      readonly spilled?: true
    }
  | { readonly kind: 'open'; readonly call: OpenCall }
  /** The hosted service refused the call: nothing was served. */
  | { readonly kind: 'closed'; readonly requestId: string; readonly round: number }

const ENTRY_HEAD_BYTES = 12
/** Not text, so it cannot stand inside the JSON of another entry. */
const MARK = 0xf5_ca_05_e1
/** A torn length must not make the reader ask for gigabytes. */
const MAX_ENTRY_BYTES = 64 * 1024 * 1024

/** All entries of a group in one buffer: one write, whatever their number. */
export function encodeEntries(texts: readonly string[]): Buffer {
  let size = 0
  for (const text of texts) size += ENTRY_HEAD_BYTES + Buffer.byteLength(text)
  const bytes = Buffer.allocUnsafe(size)
  let offset = 0
  for (const text of texts) {
    const start = offset + ENTRY_HEAD_BYTES
    const end = start + bytes.write(text, start)
    bytes.writeUInt32BE(MARK, offset)
    bytes.writeUInt32BE(end - start, offset + 4)
    bytes.writeUInt32BE(crc32(bytes.subarray(start, end)), offset + 8)
    offset = end
  }
  return bytes
}

export interface DecodedEntries {
  readonly entries: readonly JournalEntry[]
  /** Bytes that belong to no whole entry: a torn tail, or the remains of a write that failed half-way. */
  readonly damagedBytes: number
}

/** After damage the search goes on at the next mark: what was written behind a torn entry is as good as any other. */
export function decodeEntries(file: Buffer): DecodedEntries {
  const bytes = withoutBlankEnd(file)
  const entries: JournalEntry[] = []
  let damagedBytes = 0
  let offset = 0
  while (offset < bytes.length) {
    const end = endOfEntry(bytes, offset)
    const entry = end === undefined ? undefined : parseEntry(bytes, offset, end)
    if (end !== undefined && entry !== undefined) {
      entries.push(entry)
      offset = end
      continue
    }
    const next = nextMark(bytes, offset + 1)
    damagedBytes += next - offset
    offset = next
  }
  return { entries, damagedBytes }
}

/** Files are made of zeros and then written over. Fewer than a head has may belong to an entry that was torn. */
function withoutBlankEnd(file: Buffer): Buffer {
  const zeros = Buffer.alloc(4_096)
  let end = file.length
  // A new file is four megabytes of them: whole blocks first.
  while (end >= zeros.length && file.subarray(end - zeros.length, end).equals(zeros)) end -= zeros.length
  while (end > 0 && file[end - 1] === 0) end -= 1
  return file.length - end < ENTRY_HEAD_BYTES ? file : file.subarray(0, end)
}

function endOfEntry(bytes: Buffer, offset: number): number | undefined {
  const start = offset + ENTRY_HEAD_BYTES
  if (start > bytes.length || bytes.readUInt32BE(offset) !== MARK) return undefined
  const length = bytes.readUInt32BE(offset + 4)
  const end = start + length
  if (length > MAX_ENTRY_BYTES || end > bytes.length) return undefined
  return crc32(bytes.subarray(start, end)) === bytes.readUInt32BE(offset + 8) ? end : undefined
}

function parseEntry(bytes: Buffer, offset: number, end: number): JournalEntry | undefined {
  try {
    return JSON.parse(bytes.toString('utf8', offset + ENTRY_HEAD_BYTES, end)) as JournalEntry
  } catch {
    // The checksum holds and the text does not: written by a program that is not this one.
    return undefined
  }
}

const markBytes = Buffer.from(MARK.toString(16).padStart(8, '0'), 'hex')

function nextMark(bytes: Buffer, from: number): number {
  const found = bytes.indexOf(markBytes, from)
  return found === -1 ? bytes.length : found
}
