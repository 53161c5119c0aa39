import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addSpender, hello, spentOf } from '../../budgets/budget-world.ts'
import { type OutageWorld, startOutageWorld } from '../../budgets/outage-world.ts'
import { post, untilTrue } from '../../message-path/path-client.ts'
import { startGateway } from '../../support/gateway.ts'

let world: OutageWorld
before(async () => {
  world = await startOutageWorld()
})
after(() => world.stop())

test('while the database hangs, calls of the known are served', async () => {
  const { direct, proxy, price, serve } = world
  const { key } = await addSpender(direct.database, 1_000 * price)
  await untilTrue(async () => (await serve(key)) === 200)
  proxy.set('hang')
  for (let call = 0; call < 40; call += 1) assert.equal(await serve(key), 200)
  proxy.set('refuse')
  proxy.set('pass')
})

test('a database that takes longer than a second for each answer lets in callers whose spend nobody knew, when they come again', async () => {
  const { direct, proxy, gateway, price, serve } = world
  const strangers = await Promise.all([addSpender(direct.database, price), addSpender(direct.database, 100 * price)])
  await untilTrue(async () => (await serve(strangers[0].key)) === 200)
  await untilTrue(async () => (await spentOf(direct.database, strangers[0].userId)) === price)
  const second = await startGateway({ database: { ...direct, url: proxy.url }, simulator: gateway.simulator })
  const toStatus = async ({ key }: { readonly key: string }): Promise<number> => {
    const response = await post(second, key, hello)
    await response.arrayBuffer()
    if (response.status === 503) assert.ok(Number(response.headers.get('retry-after')) > 0)
    return response.status
  }
  try {
    proxy.delayAnswers(1_200)
    for (const [index, known] of [429, 200].entries()) {
      const seen = new Set<number>()
      await untilTrue(async () => {
        seen.add(await toStatus(strangers[index] ?? { key: '' }))
        return seen.has(known)
      })
      assert.ok([...seen].every((status) => status === 503 || status === known))
    }
  } finally {
    proxy.delayAnswers(0)
    await second.stop()
  }
})
