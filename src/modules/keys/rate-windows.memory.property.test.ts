import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createRateWindows, RATE_WINDOW_MS } from './rate-windows.memory.ts'

/** Mostly bursts: calls that come seconds apart never fill a window of dozens. */
const afterMs = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: 0, max: 50 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 70_000 }) },
)
/** Which of the calls so far is given back, if any; the last ones are those that are still running. */
const giveBack = fc.option(fc.nat(10), { freq: 4 })
const steps = fc.array(fc.record({ afterMs, giveBack }), { minLength: 1, maxLength: 300, size: 'max' })

test('no sliding minute ever holds more admitted calls than the limit, and retry-after is right to the second', () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 40 }), (plan, limit) => {
      const clock = { nowMs: 0, monotonicMs: () => clock.nowMs }
      const windows = createRateWindows(clock)
      let admitted: number[] = []
      const within = (atMs: number): number[] => admitted.filter((t) => t <= atMs && atMs - t < RATE_WINDOW_MS)
      for (const step of plan) {
        clock.nowMs += step.afterMs
        const before = within(clock.nowMs)
        const decision = windows.take('key', limit)
        if (decision.kind === 'taken') {
          assert.ok(before.length < limit)
          assert.equal(decision.remaining, limit - before.length - 1)
          admitted = [...admitted, clock.nowMs]
        } else {
          assert.equal(before.length, limit)
          const freeAtMs = (before[0] ?? 0) + RATE_WINDOW_MS
          assert.equal(decision.retryAfterSeconds, Math.max(1, Math.ceil((freeAtMs - clock.nowMs) / 1_000)))
          assert.ok(decision.retryAfterSeconds <= 60)
        }
        const back = step.giveBack === null ? undefined : admitted.at(-1 - step.giveBack)
        if (back !== undefined) {
          windows.giveBack('key', back)
          admitted = admitted.toSpliced(admitted.lastIndexOf(back), 1)
        }
      }
      clock.nowMs += 59_000
      const agesMs = within(clock.nowMs).map((t) => clock.nowMs - t)
      assert.deepEqual(windows.agesMs(), [{ subject: 'key', limitRpm: limit, agesMs }])
    }),
    { numRuns: 200 },
  )
})
