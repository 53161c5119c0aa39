import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { encodeChunk, encodeErrorFrame, encodeException, paddingFor } from './event-stream.ts'

const CHUNK_VECTOR =
  '0000008e0000004b8afa49820b3a6576656e742d747970650700056368756e6b0d3a636f6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e0d3a6d6573736167652d747970650700056576656e747b226279746573223a2265794a306558426c496a6f6963476c755a794a39222c2270223a226162636465666768696a6b6c227d16499f01'
const EXCEPTION_VECTOR =
  '0000008800000061de0175f40f3a657863657074696f6e2d747970650700137468726f74746c696e67457863657074696f6e0d3a636f6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e0d3a6d6573736167652d74797065070009657863657074696f6e7b226d657373616765223a22736c6f7720646f776e227d832ee072'

test('a chunk frame is byte for byte the published vector', () => {
  assert.equal(encodeChunk('{"type":"ping"}', 'abcdefghijkl').toString('hex'), CHUNK_VECTOR)
})

test('an exception frame is byte for byte the published vector', () => {
  assert.equal(encodeException('throttlingException', { message: 'slow down' }).toString('hex'), EXCEPTION_VECTOR)
})

test('an error frame has an empty payload and both checksums right', () => {
  const frame = encodeErrorFrame('InternalFailure', 'broken')
  assert.equal(frame.readUInt32BE(0), frame.length)
  assert.equal(frame.readUInt32BE(4), frame.length - 16)
  assert.equal(frame.readUInt32BE(8), crc32(frame.subarray(0, 8)))
  assert.equal(frame.readUInt32BE(frame.length - 4), crc32(frame.subarray(0, -4)))
  assert.match(frame.toString('latin1'), /:error-code.{3}InternalFailure.*:error-message.{3}broken/s)
})

test('padding varies from chunk to chunk', () => {
  assert.equal(new Set([0, 1, 2, 3, 4].map((n) => paddingFor(n).length)).size, 5)
})
