/** Writes event-stream frames for the stub. Its own encoder: one shared with the gateway would hide the gateway's mistakes. */
import { crc32 } from 'node:zlib'

export function eventFrame(eventType: string, payload: string): Buffer {
  const headers = Buffer.concat([
    stringHeader(':event-type', eventType),
    stringHeader(':content-type', 'application/json'),
    stringHeader(':message-type', 'event'),
  ])
  const body = Buffer.from(payload)
  const total = 12 + headers.length + body.length + 4
  const frame = Buffer.alloc(total)
  frame.writeUInt32BE(total, 0)
  frame.writeUInt32BE(headers.length, 4)
  frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8)
  headers.copy(frame, 12)
  body.copy(frame, 12 + headers.length)
  frame.writeUInt32BE(crc32(frame.subarray(0, total - 4)), total - 4)
  return frame
}

function stringHeader(name: string, value: string): Buffer {
  const header = Buffer.alloc(1 + name.length + 1 + 2 + value.length)
  let position = header.writeUInt8(name.length, 0)
  position += header.write(name, position, 'latin1')
  position = header.writeUInt8(7, position)
  position = header.writeUInt16BE(value.length, position)
  header.write(value, position, 'latin1')
  return header
}
