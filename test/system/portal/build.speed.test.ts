/** Every start of the gateway from its sources looks whether the portal is built. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildPortal } from '../../../tools/portal/build.ts'

test('what is built already is not built again, and finding that out takes less than 100 ms', async () => {
  await buildPortal()
  const timesMs: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const startedMs = performance.now()
    assert.deepEqual(await buildPortal(), { kind: 'current' })
    timesMs.push(performance.now() - startedMs)
  }
  assert.ok(Math.min(...timesMs) < 100, timesMs.join(', '))
})
