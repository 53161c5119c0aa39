import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { post, untilTrue } from '../message-path/path-client.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { addKey, startGateway, type TestGateway } from '../support/gateway.ts'
import {
  addSpender,
  countBreakpoints,
  fixPrice,
  hello,
  priceOfCall,
  setBudget,
  spentOf,
  statusesOf,
} from './budget-world.ts'
import { asEvent } from './gate-world.ts'

let shared: TestDatabase
let one: TestGateway
let two: TestGateway
let price = 0
/** Twenty are in `test/system/budgets`. */
const ROUNDS = 2

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
      const served = countBreakpoints(statuses, 200)
      assert.ok(served === 10 || served === 11, `${served} served`)
      assert.equal(countBreakpoints(statuses, 429), 50 - served)
      await untilTrue(async () => (await spentOf(shared.database, userId)) === served * price)
    }
  })
}

test('an instance that reserved more than was left counts what the others hold before it lets in further calls, every round', async () => {
  const people = await spenders(1e12)
  await known(people.at(-1)?.key ?? '')
  // One instance knows what calls of these people cost and reserves little; for the other they are strangers.
  for (const { key, userId } of people) {
    assert.deepEqual(await statusesOf([post(one, key, hello)]), [200])
    await untilTrue(async () => (await spentOf(shared.database, userId)) === price)
    await setBudget(shared.database, { scope: 'user', subjectId: userId, limitNanoUsd: 11 * price, period: 'daily' })
  }
  for (const { key } of people)
    for (const gateway of [one, two]) await untilTrue(async () => (await periodOf(gateway, key)) === 'daily')
  for (const { key } of people) {
    const statuses: number[] = []
    for (let call = 0; call < 20; call += 1)
      statuses.push(...(await statusesOf([post(call < 6 ? one : two, key, hello)])))
    const served = countBreakpoints(statuses, 200)
    assert.ok(served === 10 || served === 11, statuses.join(' '))
  }
})

async function periodOf(gateway: TestGateway, key: string): Promise<string | undefined> {
  const response = await fetch(`${gateway.url}/me/budget`, { headers: { authorization: `Bearer ${key}` } })
  const { budgets } = (await response.json()) as { budgets: readonly { readonly period: string }[] }
  return budgets[0]?.period
}

test('strangers with dear calls overrun a budget that is nearly empty by one call, whatever others have spent before', async () => {
  await one.control.clearScripts()
  await fixPrice(one, { input_tokens: 20_000, output_tokens: 1_000 })
  const dear = (20_000 * 2.2 + 1_000 * 11) * 1_000
  const almostEmpty = await Promise.all([price, dear, 2.5 * dear].map((limit) => addSpender(shared.database, limit)))
  const spent = await addSpender(shared.database, 1e12)
  await createSpendLog(shared.database.kysely).appendBatch([asEvent(spent.userId, 1e12 - price, Date.now())])
  const people = [...almostEmpty, spent].map((person, index) => ({ ...person, most: [1, 2, 3, 1][index] ?? 0 }))
  await known(spent.key)
  for (const { key, userId, most } of people) {
    const before = await spentOf(shared.database, userId)
    const statuses = await statusesOf(
      Array.from({ length: 12 }, (_, index) => post(index % 2 === 0 ? one : two, key, hello)),
    )
    const served = countBreakpoints(statuses, 200)
    assert.ok(served >= 1 && served <= most, `${served} served, at most ${most}`)
    assert.equal(countBreakpoints(statuses, 429), 12 - served)
    await untilTrue(async () => (await spentOf(shared.database, userId)) === before + served * dear)
  }
})

test('60 requests a minute on two gateways are 60 to 66 over both', async () => {
  const { key } = await addKey(shared.database, { rateLimitRpm: 60 })
  await known(key)
  const statuses = await statusesOf(
    Array.from({ length: 150 }, (_, index) => post(index % 2 === 0 ? one : two, key, hello)),
  )
  const served = countBreakpoints(statuses, 200)
  assert.ok(served >= 60 && served <= 66, `${served} served`)
  assert.equal(countBreakpoints(statuses, 429), 150 - served)
})
