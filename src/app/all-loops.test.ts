import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogging } from '../foundation/platform/logger.ts'
import { startLoops } from '../foundation/platform/loops.ts'
import { allLoops, type LoopWork } from './all-loops.ts'

const nothing = async (): Promise<void> => {}
/** Whatever work a loop asks for does nothing. */
const idle = new Proxy({} as LoopWork, { get: (_, name) => (name === 'refreshPrices' ? undefined : nothing) })

test('what runs every hour runs within ten minutes of the start, so that short-lived instances do it too', () => {
  const rare = allLoops(idle).filter(({ intervalMs }) => intervalMs >= 3_600_000)
  assert.ok(rare.length >= 5)
  for (const { name, intervalMs, firstMs = intervalMs, jitter = 0 } of rare)
    assert.ok(firstMs * (1 + jitter) <= 600_000, name)
})

test('changes reach every instance within five seconds: the poll for them runs often enough, also after a failure', () => {
  const poll = allLoops(idle).find(({ name }) => name === 'snapshot-poll')
  assert.ok(poll?.retryMs !== undefined)
  assert.ok(poll.intervalMs + poll.retryMs < 5_000)
})

test('a loop that fails again and again is told of once, and again when it works', async () => {
  const lines: string[] = []
  const { log } = createLogging({ level: 'info', format: 'json', write: (line) => void lines.push(line) })
  const worked = Promise.withResolvers<void>()
  let runs = 0
  const run = async (): Promise<void> => {
    runs += 1
    if (runs <= 20) throw new Error('no database')
    if (runs === 22) worked.resolve()
  }
  const running = startLoops([{ name: 'flaky', intervalMs: 1, run }], log)
  await worked.promise
  await running.stop()
  assert.equal(running.status()[0]?.errors, 20)
  const told = lines.map((line) => JSON.parse(line) as { level: string; loop: string; failures: number; msg: string })
  assert.deepEqual(
    told.map(({ level, loop, failures, msg }) => [level, loop, failures, msg]),
    [
      ['warn', 'flaky', 1, 'a loop failed and will try again'],
      ['info', 'flaky', 20, 'a loop works again'],
    ],
  )
})
