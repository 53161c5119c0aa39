import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitSeries, type Series, seriesColor, total } from '../../portal/src/charts/series.ts'
import { tickIndexes } from '../../portal/src/charts/ticks.ts'

const series = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `s${index}`, values: [index, 2 * index] }))

test('up to six series stay as they are, in their order', () => {
  assert.deepEqual(limitSeries(series(6)), series(6))
})

test('of more than six the largest keep their colour, and the rest is added up, so that no amount is lost', () => {
  const limited = limitSeries(series(9))
  assert.deepEqual(
    limited.map(({ name }) => name),
    ['s8', 's7', 's6', 's5', 's4', 's3', 'Other'],
  )
  assert.deepEqual(limited.at(-1)?.values, [3, 6])
  const sum = (list: readonly Series[]) => list.reduce((all, one) => all + total(one), 0)
  assert.equal(sum(limited), sum(series(9)))
  assert.equal(seriesColor(6), 'var(--series-other)')
})

test('labels stand the same number of points apart, the last one under the last point, at every length and width', () => {
  assert.deepEqual(tickIndexes(30, 1070), [2, 5, 8, 11, 14, 17, 20, 23, 26, 29])
  for (const width of [0, 120, 280, 1070])
    for (let length = 1; length <= 200; length += 1) {
      const ticks = tickIndexes(length, width)
      const where = `${length} points in ${width} pixels`
      assert.equal(ticks.at(-1), length - 1, where)
      assert.ok((ticks[0] ?? -1) >= 0, where)
      assert.ok(ticks.length <= Math.max(2, width / 84), where)
      assert.ok(new Set(ticks.slice(1).map((tick, place) => tick - (ticks[place] ?? 0))).size <= 1, where)
    }
  assert.deepEqual(tickIndexes(0, 500), [])
})
