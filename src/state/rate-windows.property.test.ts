import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createRateWindows, RATE_WINDOW_MS } from './rate-windows.ts'

const steps = fc.array(
  fc.record({
    afterMs: fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 70_000 })),
    giveBack: fc.boolean(),
  }),
  { minLength: 1, maxLength: 300 },
)

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
          if (step.giveBack) windows.giveBack('key', decision.takenAtMs)
          else admitted = [...admitted, clock.nowMs]
        } else {
          assert.equal(before.length, limit)
          const freeAtMs = (before[0] ?? 0) + RATE_WINDOW_MS
          assert.equal(decision.retryAfterSeconds, Math.max(1, Math.ceil((freeAtMs - clock.nowMs) / 1_000)))
          assert.ok(decision.retryAfterSeconds <= 60)
        }
      }
    }),
    { numRuns: 200 },
  )
})
