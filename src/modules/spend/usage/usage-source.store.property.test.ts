import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { splitPieces } from './usage-source.store.ts'

const QUARTER_MS = 900_000

const DAY_MS = 86_400_000
const FIRST_BLOCK_MS = Date.UTC(2000, 0, 1)
const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** Any set of the blocks that lie around the ranges below. */
const closedBlocks = fc
  .uniqueArray(fc.integer({ min: 0, max: 20 }))
  .map((places) => new Set(places.map((place) => toDay(FIRST_BLOCK_MS + (1104 + place) * 8 * DAY_MS))))

test('the pieces of a range cover each of its moments once, in closed blocks, whole days, whole hours and the rest', () => {
  const quarters = fc.integer({ min: 1_900_000, max: 1_904_000 })
  fc.assert(
    fc.property(quarters, fc.integer({ min: 0, max: 12_000 }), closedBlocks, (first, length, closed) => {
      const range = { startMs: first * QUARTER_MS, endMs: (first + length) * QUARTER_MS }
      const { blocks, days, hours, records } = splitPieces(range, { closedBlocks: closed, untilMs: range.endMs + 1 })
      const ofBlocks = blocks.map((day) => ({ startMs: Date.parse(day), endMs: Date.parse(day) + 8 * DAY_MS }))
      const spans = [...ofBlocks, ...days, ...hours, ...records]
        .filter(({ startMs, endMs }) => endMs > startMs)
        .sort((a, b) => a.startMs - b.startMs)
      for (const [index, span] of spans.entries())
        assert.equal(span.startMs, index === 0 ? range.startMs : spans[index - 1]?.endMs)
      assert.equal(spans.at(-1)?.endMs ?? range.startMs, range.endMs)
      for (const block of blocks) assert.ok(closed.has(block))
      for (const { startMs, endMs } of ofBlocks)
        for (const day of days) assert.ok(day.endMs <= startMs || day.startMs >= endMs)
      for (const { startMs, endMs } of days) assert.equal((startMs % DAY_MS) + (endMs % DAY_MS), 0)
      for (const { startMs, endMs } of hours) assert.equal((startMs % 3_600_000) + (endMs % 3_600_000), 0)
      for (const { startMs, endMs } of records) assert.ok(endMs - startMs < 2 * 3_600_000)
    }),
  )
})

test('a closed block that lies in the range is read as one', () => {
  const startMs = FIRST_BLOCK_MS + 1110 * 8 * DAY_MS
  const closed = new Set([toDay(startMs)])
  const range = { startMs: startMs - DAY_MS, endMs: startMs + 9 * DAY_MS }
  assert.deepEqual(splitPieces(range, { closedBlocks: closed, untilMs: Infinity }), {
    blocks: [toDay(startMs)],
    days: [
      { startMs: startMs - DAY_MS, endMs: startMs },
      { startMs: startMs + 8 * DAY_MS, endMs: startMs + 9 * DAY_MS },
    ],
    hours: [],
    records: [],
  })
})

test('a range that reaches the last record is read as if it ended with its day, and any other one as it is', () => {
  const quarters = fc.integer({ min: 1_900_000, max: 1_904_000 })
  fc.assert(
    fc.property(quarters, fc.integer({ min: 1, max: 500 }), closedBlocks, (first, length, closed) => {
      const range = { startMs: first * QUARTER_MS, endMs: (first + length) * QUARTER_MS }
      const toMidnight = { ...range, endMs: Math.ceil(range.endMs / DAY_MS) * DAY_MS }
      const known = { closedBlocks: closed, untilMs: Infinity }
      for (const untilMs of [range.endMs, range.startMs, 0])
        assert.deepEqual(splitPieces(range, { ...known, untilMs }), splitPieces(toMidnight, known))
    }),
  )
})
