/** Builds event-stream frames for tests, from the documented layout and without the decoder's code. */
import { crc32 } from 'node:zlib'

export function buildFrame(headers: Readonly<Record<string, string>>, payload: string): Buffer {
  return buildFrameAround(
    Buffer.concat(Object.entries(headers).map(([name, value]) => encodeHeader(name, value))),
    payload,
  )
}

/** With a header block as it is given, which need not be sound; lengths and checksums are. */
export function buildFrameAround(headerBlock: Buffer, payload: string): Buffer {
  const content = Buffer.from(payload)
  const frame = Buffer.alloc(16 + headerBlock.length + content.length)
  frame.writeUInt32BE(frame.length, 0)
  frame.writeUInt32BE(headerBlock.length, 4)
  frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8)
  headerBlock.copy(frame, 12)
  content.copy(frame, 12 + headerBlock.length)
  frame.writeUInt32BE(crc32(frame.subarray(0, -4)), frame.length - 4)
  return frame
}

/** A chunk frame around one event's JSON, with padding as the service adds it. */
export function chunkFrame(event: string, padding = 'abcdef'): Buffer {
  const headers = { ':event-type': 'chunk', ':content-type': 'application/json', ':message-type': 'event' }
  return buildFrame(headers, JSON.stringify({ bytes: Buffer.from(event).toString('base64'), p: padding }))
}

export function encodeHeader(name: string, value: string): Buffer {
  const header = Buffer.alloc(4 + name.length + Buffer.byteLength(value))
  header.writeUInt8(name.length, 0)
  header.write(name, 1)
  header.writeUInt8(7, 1 + name.length)
  header.writeUInt16BE(Buffer.byteLength(value), 2 + name.length)
  header.write(value, 4 + name.length)
  return header
}
