import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { post, untilTrue } from '../path/path-client.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { addKey, startGateway, type TestGateway } from '../support/gateway.ts'
import { addSpender, countOf, fixPrice, hello, priceOfCall, spentOf, statusesOf } from './budget-world.ts'

let shared: TestDatabase
let one: TestGateway
let two: TestGateway
let price = 0
const ROUNDS = 10

before(async () => {
  shared = await createTestDatabase()
  one = await startGateway({ database: shared })
  await fixPrice(one)
  two = await startGateway({ database: shared, simulator: one.simulator })
  price = await priceOfCall(one)
})

after(async () => {
  await two.stop()
  await one.stop()
  await one.simulator.close()
  await shared.drop()
})

const spenders = (limit: number) =>
  Promise.all(Array.from({ length: ROUNDS }, () => addSpender(shared.database, limit)))

async function known(key: string): Promise<void> {
  const body = { ...hello, model: 'claude-nonexistent' }
  for (const gateway of [one, two]) await untilTrue(async () => (await post(gateway, key, body)).status === 404)
}

for (const instances of [1, 2]) {
  test(`50 concurrent calls on a budget worth 10 over ${instances} instance(s) are served 10 or 11 times, every round`, async () => {
    const people = await spenders(10 * price)
    await known(people.at(-1)?.key ?? '')
    for (const { key, userId } of people) {
      const calls = Array.from({ length: 50 }, (_, index) => post(index % instances === 0 ? one : two, key, hello))
      const statuses = await statusesOf(calls)
      const served = countOf(statuses, 200)
      assert.ok(served === 10 || served === 11, `${served} served`)
      assert.equal(countOf(statuses, 429), 50 - served)
      await untilTrue(async () => (await spentOf(shared.database, userId)) === served * price)
    }
  })
}

test('calls that cost far more than their size tells are held to the budget too, from the first round on', async () => {
  await one.control.clearScripts()
  const { key, userId } = await addSpender(shared.database, 0.5 * 1e9)
  await fixPrice(one, { input_tokens: 20_000, output_tokens: 1_000 })
  const probe = await priceOfCall(one)
  const worth = Math.ceil((0.5 * 1e9) / probe)
  await known(key)
  const statuses = await statusesOf(
    Array.from({ length: 50 }, (_, index) => post(index % 2 === 0 ? one : two, key, hello)),
  )
  const served = countOf(statuses, 200)
  assert.ok(served >= worth && served <= worth + 1, `${served} of ${worth}`)
  await untilTrue(async () => (await spentOf(shared.database, userId)) === served * probe)
})

test('60 requests a minute on two gateways are 60 to 66 over both', async () => {
  const { key } = await addKey(shared.database, { rateLimitRpm: 60 })
  await known(key)
  const statuses = await statusesOf(
    Array.from({ length: 150 }, (_, index) => post(index % 2 === 0 ? one : two, key, hello)),
  )
  const served = countOf(statuses, 200)
  assert.ok(served >= 60 && served <= 66, `${served} served`)
  assert.equal(countOf(statuses, 429), 150 - served)
})
