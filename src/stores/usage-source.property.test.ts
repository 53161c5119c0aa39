import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { piecesOf } from './usage-source.ts'

const QUARTER_MS = 900_000

test('the pieces of a range cover each of its moments once, in whole days, whole hours and the rest', () => {
  const quarters = fc.integer({ min: 1_900_000, max: 1_904_000 })
  fc.assert(
    fc.property(quarters, fc.integer({ min: 0, max: 4_000 }), (first, length) => {
      const range = { startMs: first * QUARTER_MS, endMs: (first + length) * QUARTER_MS }
      const { days, hours, records } = piecesOf(range)
      const spans = [days, ...hours, ...records]
        .filter(({ startMs, endMs }) => endMs > startMs)
        .sort((a, b) => a.startMs - b.startMs)
      for (const [index, span] of spans.entries())
        assert.equal(span.startMs, index === 0 ? range.startMs : spans[index - 1]?.endMs)
      assert.equal(spans.at(-1)?.endMs ?? range.startMs, range.endMs)
      for (const edge of [days.startMs, days.endMs]) assert.equal(edge % 86_400_000, 0)
      for (const { startMs, endMs } of hours) assert.equal((startMs % 3_600_000) + (endMs % 3_600_000), 0)
      for (const { startMs, endMs } of records) assert.ok(endMs - startMs < 2 * 3_600_000)
    }),
  )
})
