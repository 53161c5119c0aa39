import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ResponseReader } from './response-reader.ts'

/** Everything the reader said, as one text: equal texts mean equal behaviour. */
function transcript(bytes: Buffer, cuts: readonly number[]): string {
  let said = ''
  let ends = 0
  const reader = new ResponseReader({
    onHead(status, headers) {
      said += `head ${status} ${JSON.stringify(headers)} `
    },
    onBody(span, start, end) {
      assert.ok(start >= 0 && start < end && end <= span.length)
      said += span.toString('hex', start, end)
    },
    onComplete() {
      ends += 1
      said += ' complete'
    },
    onMalformed() {
      ends += 1
      said += ' malformed'
    },
  })
  reader.begin()
  const borders = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  for (let index = 1; index < borders.length; index += 1) {
    const read = Buffer.from(bytes.subarray(borders[index - 1], borders[index]))
    reader.push(read, 0, read.length)
  }
  assert.ok(ends <= 1)
  return said
}

const chunk = fc.uint8Array({ minLength: 1, maxLength: 60, size: 'max' })
const chunkedResponse = fc.array(chunk, { maxLength: 8 }).map((chunks) => {
  const parts = chunks.flatMap((data) => [Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')])
  const head = Buffer.from('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
  return Buffer.concat([head, ...parts, Buffer.from('0\r\n\r\n')])
})

test('how a response is cut into reads does not change what is read', () => {
  fc.assert(
    fc.property(chunkedResponse, fc.array(fc.nat(2_000), { maxLength: 40, size: 'max' }), (response, cuts) => {
      const whole = transcript(response, [])
      assert.match(whole, / complete$/)
      assert.equal(transcript(response, cuts), whole)
    }),
    { numRuns: 500 },
  )
})

test('a changed byte never throws and is read the same however it is cut', () => {
  fc.assert(
    fc.property(chunkedResponse, fc.nat(2_000), fc.nat(255), fc.array(fc.nat(2_000)), (response, at, value, cuts) => {
      const mutant = Buffer.from(response)
      mutant[at % mutant.length] = value
      const whole = transcript(mutant, [])
      const pieces = transcript(mutant, cuts)
      // A malformed line may be noticed before or after the body in front of it, but the verdict is the same.
      assert.equal(/ (complete|malformed)$/.exec(pieces)?.[1], / (complete|malformed)$/.exec(whole)?.[1])
    }),
    { numRuns: 2_000 },
  )
})

test('arbitrary bytes never throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300, size: 'max' }), fc.array(fc.nat(300)), (bytes, cuts) => {
      assert.ok(!transcript(Buffer.from(bytes), cuts).includes('complete'))
    }),
    { numRuns: 1_000 },
  )
})
