import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decideNextAttempt } from './back-off.ts'

const DAY_MS = 86_400_000
const unit = fc.double({ min: 0, max: 1, noNaN: true })

test('every pause is between 5 seconds and an hour, and ends with the day', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000 }),
      fc.double({ min: 0, max: 2 * DAY_MS, noNaN: true }),
      unit,
      (n, age, random) => {
        const pauseMs = decideNextAttempt(n, age, random)
        if (age >= DAY_MS) return assert.equal(pauseMs, null)
        assert.ok(pauseMs !== null && pauseMs >= 5_000 && pauseMs <= 3_600_000, String(pauseMs))
        assert.ok(age + pauseMs <= DAY_MS + 5_000)
      },
    ),
  )
})

test('pauses double, differ by chance, and a day of failures takes between 20 and 50 attempts', () => {
  assert.deepEqual(
    [1, 2, 3, 4].map((attempt) => decideNextAttempt(attempt, 0, 0.5)),
    [5_000, 10_000, 20_000, 40_000],
  )
  assert.notEqual(decideNextAttempt(5, 0, 0.1), decideNextAttempt(5, 0, 0.9))
  fc.assert(
    fc.property(fc.array(unit, { minLength: 1, maxLength: 50, size: 'max' }), (randoms) => {
      let attempts = 0
      let ageMs = 0
      for (let next: number | null = 0; next !== null; attempts += 1) {
        ageMs += next
        next = decideNextAttempt(attempts + 1, ageMs, randoms[attempts % randoms.length] ?? 0)
      }
      assert.ok(attempts >= 20 && attempts <= 50, String(attempts))
      assert.ok(ageMs >= DAY_MS && ageMs <= DAY_MS + 5_000, String(ageMs))
    }),
  )
})
