import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isoTime } from './iso-time.ts'

test('every time is written as toISOString writes it, in whatever order times come', () => {
  const aroundOneSecond = fc.integer({ min: -3_000, max: 3_000 }).map((offset) => 1_700_000_000_000 + offset)
  const times = fc.oneof(
    aroundOneSecond,
    fc.integer({ min: -8.64e15, max: 8.64e15 }),
    fc.constantFrom(0, -1, 0.5, -0.5),
  )
  fc.assert(
    fc.property(fc.array(times), (list) => {
      for (const timeMs of list) assert.equal(isoTime(timeMs), new Date(Math.floor(timeMs)).toISOString())
    }),
    { numRuns: 1_000 },
  )
})

test('what is no time throws as toISOString does, and the next time is right', () => {
  assert.throws(() => isoTime(Number.NaN), RangeError)
  assert.throws(() => isoTime(9e15), RangeError)
  assert.equal(isoTime(1_500), '1970-01-01T00:00:01.500Z')
})
