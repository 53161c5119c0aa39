import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addSpender, hello, spentOf } from '../../budgets/budget-world.ts'
import { type OutageWorld, startOutageWorld } from '../../budgets/outage-world.ts'
import { post, toErrorContent, untilTrue } from '../../message-path/path-client.ts'

let world: OutageWorld
before(async () => {
  world = await startOutageWorld()
})
after(() => world.stop())

for (const mode of ['refuse', 'hang'] as const)
  test(`while the database will ${mode}: blocked stay blocked, the known are served within their limit, the unknown get 503`, async () => {
    const { direct, proxy, gateway, price, serve } = world
    const [blocked, known, stranger] = await Promise.all([
      addSpender(direct.database, price),
      addSpender(direct.database, 4 * price),
      addSpender(direct.database, 100 * price),
    ])
    await untilTrue(async () => (await serve(blocked.key)) === 200)
    await untilTrue(async () => (await serve(blocked.key)) === 429)
    await untilTrue(async () => (await serve(known.key)) === 200)
    // The gateway knows the key of the third, but has not served it yet.
    await untilTrue(
      async () => (await fetch(`${gateway.url}/v1/models`, { headers: { 'x-api-key': stranger.key } })).status === 200,
    )
    await untilTrue(async () => (await spentOf(direct.database, known.userId)) === price)
    proxy.set(mode)
    assert.equal(await serve(blocked.key), 429)
    const refused = await post(gateway, stranger.key, hello)
    assert.equal(refused.status, 503)
    assert.equal((await toErrorContent(refused)).error.code, 'database_unavailable')
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
    const served: number[] = []
    for (let call = 0; call < 6; call += 1) served.push(await serve(known.key))
    assert.deepEqual(served, [200, 200, 200, 429, 429, 429])
    proxy.set('refuse')
    proxy.set('pass')
    await untilTrue(async () => (await serve(stranger.key)) === 200)
    await untilTrue(async () => (await spentOf(direct.database, known.userId)) === 4 * price)
    assert.equal(await serve(known.key), 429)
  })
