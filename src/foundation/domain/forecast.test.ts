import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forecast } from './forecast.ts'

const near = (actual: number | undefined, expected: number) =>
  assert.ok(Math.abs((actual ?? Number.NaN) - expected) < 1e-3, `${actual} is not ${expected}`)

test('the line and its band are those of the textbook', () => {
  // Slope 0.8 and 1.4 at 0; squared residuals 3.6 over 3 degrees of freedom; t is 1.6377.
  const [next] = forecast([1, 3, 2, 5, 4], 1)
  near(next?.value, 5.4)
  near(next?.high, 5.4 + 1.6377 * Math.sqrt(1.2) * Math.sqrt(1 + 1 / 5 + 9 / 10))
  near(next?.low, 5.4 - 1.6377 * Math.sqrt(1.2) * Math.sqrt(1 + 1 / 5 + 9 / 10))
})

test('points on a line give that line without a band', () => {
  const points = forecast([2, 4, 6, 8], 3)
  assert.deepEqual(
    points.map(({ x, value }) => [x, Math.round(value * 1e9) / 1e9]),
    [
      [4, 10],
      [5, 12],
      [6, 14],
    ],
  )
  for (const { value, low, high } of points) {
    near(low, value)
    near(high, value)
  }
})

test('a falling line stops at nothing', () => {
  for (const { value, low, high } of forecast([9, 6, 3], 7)) {
    assert.ok(value >= 0 && low >= 0 && high >= 0)
  }
})

test('two days are too few', () => {
  assert.deepEqual(forecast([], 7), [])
  assert.deepEqual(forecast([1, 2], 7), [])
  assert.equal(forecast([1, 2, 4], 7).length, 7)
})

test('eight of ten days of noise fall into the band', () => {
  let seed = 7
  const random = (): number => {
    seed = (seed * 16_807) % 2_147_483_647
    return seed / 2_147_483_647
  }
  const noise = (): number => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random())
  for (const days of [5, 30, 60]) {
    let inside = 0
    for (let round = 0; round < 2_000; round++) {
      const [point] = forecast(
        Array.from({ length: days }, (_, x) => 1_000 + x + 10 * noise()),
        1,
      )
      const actual = 1_000 + days + 10 * noise()
      if (point !== undefined && actual >= point.low && actual <= point.high) inside += 1
    }
    assert.ok(Math.abs(inside / 2_000 - 0.8) < 0.03, `${days} days: ${inside}`)
  }
})
