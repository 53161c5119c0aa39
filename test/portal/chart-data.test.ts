import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitSeries, seriesColor } from '../../portal/src/charts/series.ts'

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
  const sum = (list: readonly { values: readonly number[] }[]) =>
    list.flatMap(({ values }) => values).reduce((a, b) => a + b, 0)
  assert.equal(sum(limited), sum(series(9)))
  assert.equal(seriesColor(6), 'var(--series-other)')
})
