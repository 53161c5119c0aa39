import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { percentile } from './latency-histogram.ts'

/** As the database does it. */
function bucketOf(ms: number): number {
  return ms <= 0 ? -1 : Math.ceil(Math.log(ms) / Math.log(1.02))
}

function histogram(values: readonly number[]) {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(bucketOf(value), (counts.get(bucketOf(value)) ?? 0) + 1)
  return [...counts].map(([bucket, calls]) => ({ bucket, calls }))
}

function exact(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

test('a percentile of whole milliseconds is right to 1 %, and exact below 50 ms', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 3_600_000 })), {
        minLength: 1,
        maxLength: 400,
        size: 'max',
      }),
      fc.constantFrom(0.5, 0.95, 0.99),
      (values, share) => {
        const value = exact(values, share)
        const shown = percentile(histogram(values), share) ?? Number.NaN
        if (value < 50) assert.equal(shown, value)
        else assert.ok(Math.abs(shown - value) <= value * 0.01 + 0.05, `${shown} for ${value}`)
      },
    ),
  )
})

test('without calls there is no percentile', () => {
  assert.equal(percentile([], 0.5), null)
})
