import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addTo, bucketCounts, createHistogramFamily } from './histogram.ts'

const boundaries = [0.5, 1, 2, 4, 8]

test('every value is counted once, in the first bucket that ends at or above it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.double({ min: 0, max: 20, noNaN: true }), fc.constantFrom(...boundaries))),
      (values) => {
        const histogram = createHistogramFamily(boundaries).series({})
        for (const value of values) addTo(histogram, value)
        const expected = [...boundaries, Number.POSITIVE_INFINITY].map(
          (end, index) => values.filter((value) => value <= end && value > (boundaries[index - 1] ?? -1)).length,
        )
        const { buckets, count, sum } = bucketCounts(histogram)
        assert.deepEqual(buckets.counts, expected)
        assert.equal(count, values.length)
        assert.ok(Math.abs(sum - values.reduce((total, value) => total + value, 0)) < 1e-6)
      },
    ),
  )
})
