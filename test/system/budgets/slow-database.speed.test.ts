import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addSpender } from '../../budgets/budget-world.ts'
import { type OutageWorld, startOutageWorld } from '../../budgets/outage-world.ts'
import { untilTrue } from '../../message-path/path-client.ts'
import { machineMs } from '../../support/machine-time.ts'

let world: OutageWorld
before(async () => {
  world = await startOutageWorld()
})
after(() => world.stop())

test('while the database hangs, calls of the known do not wait for it again and again', async () => {
  const { direct, proxy, price, serve } = world
  const { key } = await addSpender(direct.database, 1_000 * price)
  await untilTrue(async () => (await serve(key)) === 200)
  proxy.set('hang')
  const timed = async (): Promise<number> => {
    const startedMs = machineMs()
    assert.equal(await serve(key), 200)
    return machineMs() - startedMs
  }
  const calls: Promise<number>[] = []
  for (let call = 0; call < 160; call += 1) {
    calls.push(timed())
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const tookMs = await Promise.all(calls)
  proxy.set('refuse')
  proxy.set('pass')
  // Those of the second in which it is found out.
  const waited = tookMs.filter((ms) => ms > 300)
  assert.ok(waited.length <= 30, `${waited.length} of ${tookMs.length} calls waited`)
})
