import { crc32 } from 'node:zlib'

// The gateway has its own decoder; this encoder shares nothing with it, so that a mistake in one cannot hide in the other.

const STRING_HEADER = 7

export type FrameHeaders = Readonly<Record<string, string>>

function encodeHeader(name: string, value: string): Buffer {
  const nameBytes = Buffer.from(name, 'utf8')
  const valueBytes = Buffer.from(value, 'utf8')
  const header = Buffer.alloc(1 + nameBytes.length + 1 + 2 + valueBytes.length)
  let at = header.writeUInt8(nameBytes.length, 0)
  at += nameBytes.copy(header, at)
  at = header.writeUInt8(STRING_HEADER, at)
  at = header.writeUInt16BE(valueBytes.length, at)
  valueBytes.copy(header, at)
  return header
}

function encodeFrame(headers: FrameHeaders, payload: Buffer): Buffer {
  return encodeEncodedHeaders(Buffer.concat(Object.entries(headers).map(([k, v]) => encodeHeader(k, v))), payload)
}

function encodeEncodedHeaders(headerBytes: Buffer, payload: Buffer): Buffer {
  const total = 12 + headerBytes.length + payload.length + 4
  const frame = Buffer.allocUnsafe(total)
  frame.writeUInt32BE(total, 0)
  frame.writeUInt32BE(headerBytes.length, 4)
  frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8)
  headerBytes.copy(frame, 12)
  payload.copy(frame, 12 + headerBytes.length)
  frame.writeUInt32BE(crc32(frame.subarray(0, total - 4)), total - 4)
  return frame
}

// Every chunk carries the same three headers: encoded once, because a stream has hundreds of chunks.
const chunkHeaders = Buffer.concat([
  encodeHeader(':event-type', 'chunk'),
  encodeHeader(':content-type', 'application/json'),
  encodeHeader(':message-type', 'event'),
])

const PADDING_ALPHABET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

/** The service pads each chunk to a varying length so that token lengths cannot be read off the wire. */
export function paddingFor(sequence: number): string {
  return PADDING_ALPHABET.slice(0, 1 + ((sequence * 7 + 11) % PADDING_ALPHABET.length))
}

export function encodeChunk(event: string, padding: string): Buffer {
  const bytes = Buffer.from(event, 'utf8').toString('base64')
  return encodeEncodedHeaders(chunkHeaders, Buffer.from(`{"bytes":"${bytes}","p":"${padding}"}`, 'latin1'))
}

export function encodeException(type: string, body: Readonly<Record<string, unknown>>): Buffer {
  return encodeFrame(
    { ':exception-type': type, ':content-type': 'application/json', ':message-type': 'exception' },
    Buffer.from(JSON.stringify(body), 'utf8'),
  )
}

export function encodeErrorFrame(code: string, message: string): Buffer {
  return encodeFrame({ ':message-type': 'error', ':error-code': code, ':error-message': message }, Buffer.alloc(0))
}
