import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { buildFrame, buildFrameAround, chunkFrame, encodeHeader } from '../../../test/bedrock/frames.ts'
import { EventStreamDecoder } from './event-stream.ts'

const pingFrame = Buffer.from(
  '0000008e0000004b8afa49820b3a6576656e742d747970650700056368756e6b0d3a636f6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e0d3a6d6573736167652d747970650700056576656e747b226279746573223a2265794a306558426c496a6f6963476c755a794a39222c2270223a226162636465666768696a6b6c227d16499f01',
  'hex',
)
const throttleFrame = Buffer.from(
  '0000008800000061de0175f40f3a657863657074696f6e2d747970650700137468726f74746c696e67457863657074696f6e0d3a636f6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e0d3a6d6573736167652d74797065070009657863657074696f6e7b226d657373616765223a22736c6f7720646f776e227d832ee072',
  'hex',
)

function decode(...reads: readonly Buffer[]) {
  const events: string[] = []
  const frames: Buffer[] = []
  const decoder = new EventStreamDecoder({
    onData(bytes, base64Start, base64End, frameStart, frameEnd) {
      events.push(Buffer.from(bytes.toString('latin1', base64Start, base64End), 'base64').toString())
      frames.push(Buffer.from(bytes.subarray(frameStart, frameEnd)))
    },
  })
  for (const read of reads) decoder.push(read, 0, read.length)
  return { events, frames, failure: decoder.end() }
}

test('hands over the event of a recorded chunk frame, and the frame as it came', () => {
  const { events, frames, failure } = decode(pingFrame)
  assert.equal(failure, undefined)
  assert.deepEqual(events, ['{"type":"ping"}'])
  assert.deepEqual(frames, [pingFrame])
})

test('a recorded exception frame is the failure it would have been as an answer', () => {
  const { events, failure } = decode(pingFrame, throttleFrame, pingFrame)
  assert.deepEqual(failure, {
    kind: 'answered',
    status: 429,
    name: 'ThrottlingException',
    message: 'slow down',
    retryAfterSeconds: null,
  })
  assert.equal(events.length, 1, 'nothing is decoded after the exception')
})

test('every exception of the stream has its status', () => {
  const expected = {
    throttlingException: 429,
    validationException: 400,
    internalServerException: 500,
    serviceUnavailableException: 503,
    modelTimeoutException: 408,
    modelStreamErrorException: 424,
    somethingNewException: 500,
  }
  for (const [type, status] of Object.entries(expected)) {
    const frame = buildFrame({ ':exception-type': type, ':message-type': 'exception' }, '{"message":"m"}')
    assert.equal(decode(frame).failure?.status, status, type)
  }
})

test('a model stream error tells the original status and words', () => {
  const payload = JSON.stringify({
    message: 'The model failed',
    originalStatusCode: 529,
    originalMessage: 'Overloaded',
  })
  const headers = { ':exception-type': 'modelStreamErrorException', ':message-type': 'exception' }
  assert.equal(decode(buildFrame(headers, payload)).failure?.message, 'The model failed (original: 529 Overloaded)')
})

test('an error frame without a payload is a failure named by its code', () => {
  const headers = { ':message-type': 'error', ':error-code': 'InternalFailure', ':error-message': 'went wrong' }
  const { failure } = decode(buildFrame(headers, ''))
  assert.equal(failure?.kind, 'answered')
  assert.equal(failure?.status, 500)
  assert.equal(failure?.name, 'InternalFailure')
  assert.equal(failure?.message, 'went wrong')
})

test('other header order, other key order, blanks and escapes change nothing', () => {
  const base64 = Buffer.from('{"type":"ping","x":"???>>>"}').toString('base64')
  assert.ok(base64.includes('/'), 'the event must need an escape')
  const payloads = [
    `{"bytes":"${base64}"}`,
    `{"p":"abc","bytes":"${base64}"}`,
    `{ "bytes" : "${base64}" , "p":"a" }`,
    `{"bytes":"${base64.replaceAll('/', '\\/')}","p":"a\\"b"}`,
    `{"bytes":"${base64}","p":"\\\\"}`,
  ]
  const headers = { ':message-type': 'event', 'x-other': 'y', ':event-type': 'chunk' }
  for (const payload of payloads) {
    const { events, frames, failure } = decode(buildFrame(headers, payload), pingFrame)
    assert.equal(failure, undefined, payload)
    assert.deepEqual(events, ['{"type":"ping","x":"???>>>"}', '{"type":"ping"}'])
    assert.deepEqual(frames, [buildFrame(headers, payload), pingFrame])
  }
})

/** What makes a frame a chunk. */
const chunkHeaders = Buffer.concat([encodeHeader(':event-type', 'chunk'), encodeHeader(':message-type', 'event')])
const pingPayload = `{"bytes":"${Buffer.from('{"type":"ping"}').toString('base64')}"}`

/** A header of any type: a name, the type, and its value as it lies in the frame. */
function typedHeader(type: number, value: readonly number[], name = 'x-new'): Buffer {
  return Buffer.from([name.length, ...Buffer.from(name), type, ...value])
}

test('headers of every type that there is are passed over, wherever they stand', () => {
  const zeros = (count: number): number[] => Array.from({ length: count }, () => 0)
  const values: readonly (readonly number[])[] = [
    [],
    [],
    [1],
    zeros(2),
    zeros(4),
    zeros(8),
    [0, 3, 7, 8, 9],
    [0, 2, 0x61, 0x62],
    zeros(8),
    zeros(16),
  ]
  for (const [type, value] of values.entries()) {
    const header = typedHeader(type, value)
    for (const block of [Buffer.concat([header, chunkHeaders]), Buffer.concat([chunkHeaders, header])]) {
      const { events, failure } = decode(buildFrameAround(block, pingPayload), pingFrame)
      assert.deepEqual([events.length, failure], [2, undefined], `type ${type}`)
    }
  }
  // A text of no length is one too.
  const empty = Buffer.concat([chunkHeaders, typedHeader(7, [0, 0])])
  assert.equal(decode(buildFrameAround(empty, pingPayload)).events.length, 1)
})

test('a header block that does not add up is a fault, however sound the checksums are', () => {
  const blocks: Readonly<Record<string, Buffer>> = {
    'a name without a letter': Buffer.from([0, 7, 0, 1, 0x61]),
    'a name that ends the block': Buffer.from([3, 0x61, 0x62, 0x63]),
    'a name beyond the block': Buffer.from([200, 0x61, 0x62, 0x63]),
    'a type that there is not': typedHeader(10, [0, 1, 0]),
    'a number beyond the block': typedHeader(4, [0, 0, 0]),
    'an identifier beyond the block': typedHeader(9, [1, 2, 3]),
    'a text without a length': typedHeader(7, []),
    'a text with half a length': typedHeader(7, [0]),
    'a text beyond the block': typedHeader(7, [0, 2, 0x61]),
    'bytes beyond the block': typedHeader(6, [0xff, 0xff, 0x61]),
  }
  for (const [what, block] of Object.entries(blocks)) {
    // Enough behind it that whoever reads on finds something.
    const frame = buildFrameAround(Buffer.concat([chunkHeaders, block]), pingPayload + ' '.repeat(300))
    const { events, failure } = decode(frame, pingFrame)
    assert.deepEqual([events, failure?.kind], [[], 'broken'], what)
  }
})

test('frames whose headers only look like the last chunk are read again', () => {
  const almost = buildFrame(
    { ':event-type': 'chunk', ':content-type': 'application/json', ':message-type': 'other' },
    '{}',
  )
  assert.equal(decode(pingFrame, almost).failure?.kind, 'broken')
  const skipped = buildFrame(
    { ':event-type': 'chnuk', ':content-type': 'application/json', ':message-type': 'event' },
    '{}',
  )
  assert.deepEqual(decode(pingFrame, skipped, pingFrame).events.length, 2)
})

test('a chunk frame without an event is a fault, not silence', () => {
  const headers = { ':event-type': 'chunk', ':message-type': 'event' }
  for (const payload of ['', '{}', '[]', 'null', '{"bytes":5}', '{"bytes":"abc', '{"bytes":"abc"x}', '<html>']) {
    assert.equal(decode(buildFrame(headers, payload)).failure?.kind, 'broken', payload)
  }
})

test('impossible lengths are faults in the same push, even with a sound checksum', () => {
  for (const frameBytes of [0, 1, 15, 2 ** 24 + 1, 2 ** 31, 2 ** 32 - 1]) {
    const frame = Buffer.from(pingFrame)
    frame.writeUInt32BE(frameBytes, 0)
    frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8)
    const decoder = new EventStreamDecoder({ onData: () => assert.fail('no event may come') })
    assert.equal(decoder.push(frame, 0, frame.length)?.kind, 'broken', String(frameBytes))
  }
  for (const headerBytes of [127, 128, 2 ** 31, 2 ** 32 - 1]) {
    const frame = Buffer.from(pingFrame)
    frame.writeUInt32BE(headerBytes, 4)
    frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8)
    assert.equal(decode(frame).failure?.kind, 'broken', String(headerBytes))
  }
})

test('a frame that claims more than comes does not cost the claimed memory', () => {
  const prelude = Buffer.alloc(12)
  prelude.writeUInt32BE(16 * 1024 * 1024, 0)
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8)
  const before = process.memoryUsage().arrayBuffers
  const decoders = Array.from({ length: 50 }, () => new EventStreamDecoder({ onData: () => undefined }))
  for (const decoder of decoders) decoder.push(prelude, 0, prelude.length)
  assert.ok(process.memoryUsage().arrayBuffers - before < 16 * 1024 * 1024)
  for (const decoder of decoders) assert.equal(decoder.end()?.kind, 'broken')
})

test('a stream part of the largest size arrives whole through small reads', () => {
  const text = 'x'.repeat(1_000_000)
  const frame = chunkFrame(text)
  const reads: Buffer[] = []
  for (let start = 0; start < frame.length; start += 65_536) reads.push(frame.subarray(start, start + 65_536))
  const { events, failure } = decode(...reads)
  assert.equal(failure, undefined)
  assert.deepEqual(events, [text])
})

test('after stop no event of the same read is handed over', () => {
  let count = 0
  const decoder = new EventStreamDecoder({
    onData() {
      count += 1
      if (count === 2) decoder.stop()
    },
  })
  const read = Buffer.concat([pingFrame, pingFrame, pingFrame, throttleFrame])
  assert.equal(decoder.push(read, 0, read.length), undefined)
  assert.equal(count, 2)
})
