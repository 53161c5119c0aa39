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

test('a first run may come at once, and when it fails the next one comes as after any failure', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let runs = 0
  const task = every({
    name: 'daily',
    intervalMs: 24 * HOUR_MS,
    firstMs: 0,
    retryMs: HOUR_MS,
    run: async () => {
      runs += 1
      if (runs === 1) throw new Error('not yet')
    },
    onError: () => {},
  })
  const pass = async (ms: number): Promise<number> => {
    t.mock.timers.tick(ms)
    await new Promise((resolve) => setImmediate(resolve))
    return runs
  }
  assert.deepEqual([await pass(1), await pass(HOUR_MS), await pass(23 * HOUR_MS), await pass(HOUR_MS)], [1, 2, 2, 3])
  await task.stop()
})
