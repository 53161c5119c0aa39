/**
 * Writes one frame of the AWS event-stream form: two lengths, two checksums, string headers and a payload.
 * A few lines; a dependency would be larger.
 */
import { crc32 } from 'node:zlib'

const PRELUDE_BYTES = 12
const CHECKSUM_BYTES = 4
const STRING_HEADER = 7

export function eventStreamFrame(headers: Readonly<Record<string, string>>, payload: string): Buffer {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => header(name, value)))
  const body = Buffer.from(payload)
  const frame = Buffer.alloc(PRELUDE_BYTES + head.length + body.length + CHECKSUM_BYTES)
  frame.writeUInt32BE(frame.length, 0)
  frame.writeUInt32BE(head.length, 4)
  frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8)
  head.copy(frame, PRELUDE_BYTES)
  body.copy(frame, PRELUDE_BYTES + head.length)
  frame.writeUInt32BE(crc32(frame.subarray(0, frame.length - CHECKSUM_BYTES)), frame.length - CHECKSUM_BYTES)
  return frame
}

function header(name: string, value: string): Buffer {
  const text = Buffer.from(value)
  const bytes = Buffer.alloc(1 + name.length + 3 + text.length)
  bytes.writeUInt8(name.length, 0)
  bytes.write(name, 1, 'latin1')
  bytes.writeUInt8(STRING_HEADER, 1 + name.length)
  bytes.writeUInt16BE(text.length, 2 + name.length)
  text.copy(bytes, 4 + name.length)
  return bytes
}
