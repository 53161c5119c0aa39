import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findInvalidUtf8 } from './invalid-utf8.ts'

/** The slow way: the longest beginning that is text, as the decoder of the platform sees it. */
function findSlowly(bytes: Buffer): number | undefined {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const isText = (part: Buffer): boolean => {
    try {
      decoder.decode(part)
      return true
    } catch {
      return false
    }
  }
  if (isText(bytes)) return undefined
  let length = bytes.length
  while (!isText(bytes.subarray(0, length))) length -= 1
  return length
}

const text = fc.string({ unit: 'binary', maxLength: 200, size: 'max' }).map((value) => Buffer.from(value))
const noise = fc.uint8Array({ maxLength: 12 }).map((value) => Buffer.from(value))
const continuations = fc.integer({ min: 1, max: 9 }).map((length) => Buffer.alloc(length, 0x80))

test('the first byte that is no text is found wherever it is', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(text, noise, continuations), { maxLength: 8 }), (parts) => {
      const bytes = Buffer.concat(parts)
      assert.equal(findInvalidUtf8(bytes), findSlowly(bytes))
    }),
    { numRuns: 500 },
  )
})

test('halves of surrogate pairs, overlong forms and cut characters are no text', () => {
  for (const bad of [
    [0xed, 0xa0, 0x80],
    [0xc0, 0xaf],
    [0xf5, 0x80, 0x80, 0x80],
    [0xe2, 0x82],
  ])
    assert.equal(findInvalidUtf8(Buffer.concat([Buffer.from('é'.repeat(100)), Buffer.from(bad)])), 200)
})
