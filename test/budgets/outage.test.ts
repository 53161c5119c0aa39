import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { errorOf, post, untilTrue } from '../path/path-client.ts'
import { type ChaosProxy, startChaosProxy } from '../support/chaos-proxy.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startGateway, type TestGateway } from '../support/gateway.ts'
import { addSpender, fixPrice, hello, priceOfCall, spentOf } from './budget-world.ts'

let direct: TestDatabase
let proxy: ChaosProxy
let gateway: TestGateway
let price = 0

before(async () => {
  direct = await createTestDatabase()
  proxy = await startChaosProxy(direct.url)
  gateway = await startGateway({ database: { ...direct, url: proxy.url } })
  await fixPrice(gateway)
  price = await priceOfCall({ ...gateway, database: direct.database })
})

after(async () => {
  proxy.set('pass')
  await gateway.stop()
  await gateway.simulator.close()
  await proxy.close()
  await direct.drop()
})

const serve = async (key: string): Promise<number> => {
  const response = await post(gateway, key, hello)
  await response.arrayBuffer()
  return response.status
}

for (const mode of ['refuse', 'hang'] as const)
  test(`while the database will ${mode}: blocked stay blocked, the known are served within their limit, the unknown get 503`, async () => {
    const [blocked, known, stranger] = await Promise.all([
      addSpender(direct.database, price),
      addSpender(direct.database, 4 * price),
      addSpender(direct.database, 100 * price),
    ])
    await untilTrue(async () => (await serve(blocked.key)) === 200)
    await untilTrue(async () => (await serve(blocked.key)) === 429)
    assert.equal(await serve(known.key), 200)
    await untilTrue(async () => (await spentOf(direct.database, known.userId)) === price)
    proxy.set(mode)
    const startedMs = performance.now()
    assert.equal(await serve(blocked.key), 429)
    const refused = await post(gateway, stranger.key, hello)
    assert.equal(refused.status, 503)
    assert.equal((await errorOf(refused)).error.code, 'database_unavailable')
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
    const served: number[] = []
    for (let call = 0; call < 6; call += 1) served.push(await serve(known.key))
    assert.deepEqual(served, [200, 200, 200, 429, 429, 429])
    const tookMs = performance.now() - startedMs
    assert.ok(tookMs < 10_000, `${tookMs} ms`)
    proxy.set('refuse')
    proxy.set('pass')
    await untilTrue(async () => (await serve(stranger.key)) === 200)
    await untilTrue(async () => (await spentOf(direct.database, known.userId)) === 4 * price)
    assert.equal(await serve(known.key), 429)
  })
