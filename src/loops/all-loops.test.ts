import assert from 'node:assert/strict'
import { test } from 'node:test'
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
