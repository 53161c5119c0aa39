import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  addSpender,
  countBreakpoints,
  fixPrice,
  hello,
  priceOfCall,
  spentOf,
  statusesOf,
} from '../../budgets/budget-world.ts'
import { post, untilTrue } from '../../message-path/path-client.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { startGateway, type TestGateway } from '../../support/gateway.ts'

let shared: TestDatabase
let one: TestGateway
let two: TestGateway
let price = 0
let priceScript = ''
const ROUNDS = 20

before(async () => {
  shared = await createTestDatabase()
  one = await startGateway({ database: shared })
  priceScript = await fixPrice(one)
  two = await startGateway({ database: shared, simulator: one.simulator })
  price = await priceOfCall(one)
})

after(async () => {
  await two.stop()
  await one.stop()
  await one.simulator.close()
  await shared.drop()
})

const turn = (index: number): TestGateway => (index % 2 === 0 ? one : two)

async function known(key: string): Promise<void> {
  const body = { ...hello, model: 'claude-nonexistent' }
  for (const gateway of [one, two]) await untilTrue(async () => (await post(gateway, key, body)).status === 404)
}

test(`50 concurrent calls of somebody new on a budget worth 10, over two instances: 10 or 11 served in each of ${ROUNDS} rounds`, async () => {
  const people = await Promise.all(Array.from({ length: ROUNDS }, () => addSpender(shared.database, 10 * price)))
  await known(people.at(-1)?.key ?? '')
  const rounds: number[] = []
  for (const { key, userId } of people) {
    const statuses = await statusesOf(Array.from({ length: 50 }, (_, index) => post(turn(index), key, hello)))
    const served = countBreakpoints(statuses, 200)
    rounds.push(served)
    assert.equal(countBreakpoints(statuses, 429), 50 - served)
    await untilTrue(async () => (await spentOf(shared.database, userId)) === served * price)
  }
  console.log(`served: ${rounds.join(' ')}`)
  assert.ok(
    rounds.every((served) => served === 10 || served === 11),
    rounds.join(' '),
  )
})

test('500 failing and aborted calls over two instances leave the whole budget usable, to the last call', async () => {
  const { key, userId } = await addSpender(shared.database, 10 * price)
  await known(key)
  // The first script that fits is taken.
  await one.control.removeScript(priceScript)
  const scripts = await Promise.all(
    [
      { text: 'refused', behaviour: { error: { status: 400, type: 'ValidationException', message: 'no' } } },
      { text: 'failing', behaviour: { error: { status: 500, type: 'InternalServerException', message: 'no' } } },
      { text: 'throttled', behaviour: { error: { status: 429, type: 'ThrottlingException', message: 'no' } } },
    ].map(({ text, behaviour }) =>
      one.control.script({ match: { operation: 'invoke', bodyContains: text }, times: null, behaviour }),
    ),
  )
  const say = (content: string) => ({ ...hello, messages: [{ role: 'user', content }] })
  const texts = ['refused', 'failing', 'throttled', 'refused'] as const
  for (let batch = 0; batch < 10; batch += 1) {
    const calls = Array.from({ length: 50 }, (_, index) => {
      const text = texts[index % 5]
      if (text !== undefined) return post(turn(index), key, say(text))
      // Gone at a random moment: before the gateway asked anybody, while it waits for its turn, or in the middle.
      const left = new AbortController()
      const call = post(turn(index), key, say('refused'), { signal: left.signal }).catch(
        () => new Response(null, { status: 499 }),
      )
      setTimeout(() => left.abort(), Math.random() * 20)
      return call
    })
    assert.equal(countBreakpoints(await statusesOf(calls), 200), 0)
  }
  for (const { id } of scripts) await one.control.removeScript(id)
  priceScript = await fixPrice(one)
  let served = 0
  for (let index = 0; ; index += 1) {
    const response = await post(turn(index), key, hello)
    await response.arrayBuffer()
    if (response.status === 429) {
      // Used up, and not held by a call that has ended long ago.
      assert.equal(response.headers.get('x-should-retry'), 'false')
      break
    }
    if (response.status === 200) served += 1
    assert.ok(index < 100)
  }
  // A call whose client left in the middle is billed and may have been estimated; everything else was there to be used.
  await untilTrue(async () => (await spentOf(shared.database, userId)) >= 10 * price)
  const spent = await spentOf(shared.database, userId)
  console.log(`served ${served}, spent ${spent / price} calls of 10`)
  assert.ok(spent < 11 * price)
  assert.ok(served >= 9, `${served} served`)
})
