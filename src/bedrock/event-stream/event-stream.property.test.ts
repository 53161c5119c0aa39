import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { buildFrame, chunkFrame } from '../../../test/bedrock/frames.ts'
import type { ProviderFailure } from '../../foundation/domain/provider-failure.ts'
import { EventStreamDecoder } from './event-stream.ts'

interface Decoded {
  readonly events: readonly string[]
  readonly failure: ProviderFailure | undefined
  /** The failure was known before the body ended. */
  readonly failedEarly: boolean
}

/** Reads land at changing offsets of one reused buffer, as they do in the client. */
function decode(stream: Buffer, cuts: readonly number[]): Decoded {
  const events: string[] = []
  const memory = Buffer.alloc(stream.length + 64)
  const decoder = new EventStreamDecoder({
    onData(bytes, base64Start, base64End) {
      events.push(Buffer.from(bytes.toString('latin1', base64Start, base64End), 'base64').toString())
    },
  })
  const borders = [...cuts.map((cut) => cut % (stream.length + 1)), 0, stream.length].sort((a, b) => a - b)
  let failure: ProviderFailure | undefined
  for (let index = 1; index < borders.length && failure === undefined; index += 1) {
    const from = borders[index - 1] ?? 0
    const to = borders[index] ?? 0
    const offset = index % 64
    memory.fill(0xff)
    stream.copy(memory, offset, from, to)
    failure = decoder.push(memory, offset, offset + to - from)
  }
  const failedEarly = failure !== undefined
  return { events, failure: failure ?? decoder.end(), failedEarly }
}

const event = fc.oneof(
  fc
    .string({ maxLength: 300, size: 'max', unit: 'grapheme' })
    .map((text) => JSON.stringify({ type: 'content_block_delta', text })),
  fc.constantFrom('{"type":"ping"}', '{"type":"message_stop"}'),
)
const padding = fc.stringMatching(/^[a-zA-Z0-9]{0,40}$/)
const frames = fc.array(fc.tuple(event, padding), { minLength: 1, maxLength: 12, size: 'max' })

test('every chunking of a stream gives the same events and a normal end', () => {
  fc.assert(
    fc.property(frames, fc.array(fc.nat(10_000), { maxLength: 30, size: 'max' }), (list, cuts) => {
      const stream = Buffer.concat(list.map(([text, pad]) => chunkFrame(text, pad)))
      const { events, failure } = decode(stream, cuts)
      assert.equal(failure, undefined)
      assert.deepEqual(
        events,
        list.map(([text]) => text),
      )
    }),
    { numRuns: 500 },
  )
})

const sample = Buffer.concat([
  chunkFrame('{"type":"message_start","message":{"id":"m"}}'),
  chunkFrame('{"type":"content_block_delta","delta":{"text":"hello"}}', ''),
  chunkFrame('{"type":"message_stop"}'),
])

test('one byte at a time gives the same events', () => {
  const cuts = Array.from({ length: sample.length }, (_, index) => index)
  assert.equal(decode(sample, cuts).failure, undefined)
  assert.equal(decode(sample, cuts).events.length, 3)
})

test('a stream cut at any byte that is not a frame border is a fault at its end', () => {
  const borders = new Set<number>()
  for (let start = 0; start < sample.length; start += sample.readUInt32BE(start)) borders.add(start)
  for (let length = 1; length < sample.length; length += 1) {
    const { failure } = decode(sample.subarray(0, length), [])
    if (borders.has(length)) assert.equal(failure, undefined)
    else assert.deepEqual([failure?.kind, failure?.status], ['broken', 502], `cut at ${length}`)
  }
})

test('every flipped bit of a stream is a fault, whatever the chunking', () => {
  let mutants = 0
  for (let position = 0; position < sample.length; position += 1) {
    for (const bit of [0x01, 0x08, 0x20, 0x80]) {
      const mutant = Buffer.from(sample)
      mutant[position] = (mutant[position] ?? 0) ^ bit
      const { failure, events } = decode(mutant, [position % 97, position, position + 3])
      assert.equal(failure?.kind, 'broken', `byte ${position}, bit ${bit}`)
      assert.ok(events.length < 3)
      mutants += 1
    }
  }
  assert.ok(mutants > 1_500)
})

test('extra bytes after the last frame, removed bytes and swapped halves are faults', () => {
  fc.assert(
    fc.property(
      fc.nat(sample.length - 2),
      fc.uint8Array({ minLength: 1, maxLength: 40, size: 'max' }),
      fc.array(fc.nat(1_000)),
      (at, extra, cuts) => {
        const appended = Buffer.concat([sample, extra])
        assert.equal(decode(appended, cuts).failure?.kind, 'broken')
        const inserted = Buffer.concat([sample.subarray(0, at + 1), extra, sample.subarray(at + 1)])
        assert.equal(decode(inserted, cuts).failure?.kind, 'broken')
        const removed = Buffer.concat([sample.subarray(0, at), sample.subarray(at + 1)])
        assert.equal(decode(removed, cuts).failure?.kind, 'broken')
      },
    ),
    { numRuns: 700 },
  )
})

test('a lie about a length is a fault even when the prelude checksum agrees with it', () => {
  const frame = chunkFrame('{"type":"ping"}')
  fc.assert(
    fc.property(fc.nat(2 ** 32 - 1), fc.boolean(), fc.array(fc.nat(1_000)), (lie, isTotal, cuts) => {
      fc.pre(lie !== frame.readUInt32BE(isTotal ? 0 : 4))
      const mutant = Buffer.concat([frame, frame])
      mutant.writeUInt32BE(lie, isTotal ? 0 : 4)
      mutant.writeUInt32BE(crc32(mutant.subarray(0, 8)), 8)
      assert.equal(decode(mutant, cuts).failure?.kind, 'broken')
    }),
    { numRuns: 500 },
  )
})

test('arbitrary bytes never throw, never hang and never end normally', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 400, size: 'max' }),
      fc.array(fc.nat(1_000)),
      (bytes, cuts) => {
        assert.equal(decode(Buffer.from(bytes), cuts).failure?.kind, 'broken')
      },
    ),
    { numRuns: 1_000 },
  )
})

test('arbitrary header blocks in a sound frame never throw', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 120, size: 'max' }),
      fc.string({ maxLength: 60, size: 'max' }),
      (block, payload) => {
        const frame = Buffer.alloc(16 + block.length + Buffer.byteLength(payload))
        frame.writeUInt32BE(frame.length, 0)
        frame.writeUInt32BE(block.length, 4)
        frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8)
        frame.set(block, 12)
        frame.write(payload, 12 + block.length)
        frame.writeUInt32BE(crc32(frame.subarray(0, -4)), frame.length - 4)
        assert.equal(decode(frame, []).failure?.kind, 'broken')
      },
    ),
    { numRuns: 500 },
  )
})

test('an exception frame ends the stream at once, wherever reads cut it', () => {
  const exception = buildFrame(
    { ':exception-type': 'throttlingException', ':message-type': 'exception' },
    '{"message":"slow"}',
  )
  fc.assert(
    fc.property(fc.array(fc.nat(2_000), { maxLength: 10 }), (cuts) => {
      const { events, failure, failedEarly } = decode(Buffer.concat([sample, exception, sample]), cuts)
      assert.deepEqual([failure?.kind, failure?.status, failedEarly, events.length], ['answered', 429, true, 3])
    }),
    { numRuns: 200 },
  )
})
