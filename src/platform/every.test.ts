import assert from 'node:assert/strict'
import { test } from 'node:test'
import { every } from './every.ts'

const HOUR_MS = 3_600_000

test('a task runs after its interval, also one of months', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let runs = 0
  const task = every({
    name: 'seldom',
    intervalMs: 60 * 24 * HOUR_MS,
    run: async () => {
      runs += 1
    },
    onError: (_, error) => assert.fail(String(error)),
  })
  const pass = async (days: number): Promise<void> => {
    for (let hour = 0; hour < days * 24; hour += 1) {
      t.mock.timers.tick(HOUR_MS)
      // The next wait begins when the run has ended.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  await pass(59)
  assert.equal(runs, 0)
  await pass(2)
  assert.equal(runs, 1)
  await pass(58)
  assert.equal(runs, 1)
  await pass(3)
  assert.equal(runs, 2)
  await task.stop()
})
