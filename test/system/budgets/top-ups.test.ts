import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  addSpender,
  addTeam,
  addUser,
  countBreakpoints,
  fixPrice,
  hello,
  priceOfCall,
  setBudget,
  spentOf,
  statusesOf,
} from '../../budgets/budget-world.ts'
import { gaugeOf, post, toErrorContent, untilTrue } from '../../message-path/path-client.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { addKey, login, startGateway, type TestGateway } from '../../support/gateway.ts'

let shared: TestDatabase
let one: TestGateway
let two: TestGateway
let price = 0
let priceScript = ''

before(async () => {
  shared = await createTestDatabase()
  one = await startGateway({ database: shared, env: { PUBLIC_URL: 'https://gateway.example.com' } })
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

async function asAdmin(method: string, path: string, body?: object): Promise<Response> {
  const response = await fetch(`${one.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${await login(one.url)}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  assert.ok(response.ok, `${method} ${path}: ${response.status}`)
  return response
}

async function topUp(userId: string, nanoUsd: number): Promise<string> {
  const body = { amount_usd: nanoUsd / 1e9, reason: 'a release' }
  const response = await asAdmin('POST', `/admin/users/${userId}/budget/top-ups`, body)
  return ((await response.json()) as { id: string }).id
}

/** Both know the key and its budget. */
async function known(key: string): Promise<void> {
  const body = { ...hello, model: 'claude-nonexistent' }
  for (const gateway of [one, two]) await untilTrue(async () => (await post(gateway, key, body)).status === 404)
}

const serve = async (gateway: TestGateway, key: string): Promise<number> => {
  const [status] = await statusesOf([post(gateway, key, hello)])
  return status ?? 0
}

test('a top-up lifts a block at once, on the other instance with its next look, and taking it back sets it again', async () => {
  const { key, userId } = await addSpender(shared.database, 2 * price, { period: 'daily' })
  await known(key)
  assert.deepEqual([await serve(one, key), await serve(two, key), await serve(one, key)], [200, 200, 429])
  await untilTrue(async () => (await serve(two, key)) === 429)
  const id = await topUp(userId, 2 * price)
  const lifted = await post(one, key, hello)
  await lifted.arrayBuffer()
  assert.equal(lifted.status, 200)
  assert.equal(lifted.headers.get('x-gateway-budget-percent'), '50')
  assert.equal(lifted.headers.get('x-gateway-budget-remaining-usd'), ((2 * price) / 1e9).toFixed(6))
  await untilTrue(async () => (await serve(two, key)) === 200)
  await untilTrue(async () => (await spentOf(shared.database, userId)) === 4 * price)
  const refused = await post(one, key, hello)
  const { error } = await toErrorContent(refused)
  assert.match(error.message, /is used up: 0\.0132 of 0\.0132 USD are spent/, 'the limit is the one with the top-up')
  await asAdmin('DELETE', `/admin/budgets/top-ups/${id}`)
  const shown = (await (await fetch(`${one.url}/me/budget`, { headers: { 'x-api-key': key } })).json()) as {
    budgets: { status: string; percent: number; spend_usd: number; limit_usd: number; top_up_usd: number }[]
  }
  assert.deepEqual(
    shown.budgets.map((budget) => [budget.status, budget.percent, budget.spend_usd, budget.top_up_usd]),
    [['blocked', 200, (4 * price) / 1e9, 0]],
  )
  assert.equal(await serve(one, key), 429)
})

test('a refusal ends with where to ask for more, for people and where the address is known', async () => {
  const { key } = await addSpender(shared.database, 1)
  const teamId = await addTeam(shared.database)
  await setBudget(shared.database, { scope: 'team', subjectId: teamId, limitNanoUsd: 1 })
  const nobody = await addKey(shared.database, { teamId })
  await known(nobody.key)
  for (const paid of [key, nobody.key]) assert.equal(await serve(one, paid), 200)
  const readText = async (gateway: TestGateway, paid: string): Promise<string> => {
    await untilTrue(async () => (await serve(gateway, paid)) === 429)
    return (await toErrorContent(await post(gateway, paid, hello))).error.message
  }
  const whom = /to go on before, ask an administrator of this gateway for a higher limit\./
  const told = await readText(one, key)
  assert.match(told, whom)
  assert.ok(told.endsWith('limit. You can do that here: https://gateway.example.com/portal#/'), told)
  for (const text of [await readText(two, key), await readText(one, nobody.key)]) {
    assert.match(text, whom)
    assert.ok(text.endsWith('for a higher limit.'), text)
  }
})

test('whoever waits at the border of a budget comes in when it is topped up', async () => {
  const { key, userId } = await addSpender(shared.database, 1.5 * price)
  await known(key)
  await one.control.removeScript(priceScript)
  const slow = await one.control.script({
    match: { operation: 'invoke' },
    behaviour: { delayMs: 4_000, answer: { usage: { input_tokens: 1_000, output_tokens: 100 } } },
  })
  const calls = async () => (await one.control.ledger({ operation: 'InvokeModel' })).length
  const before = await calls()
  const ended: string[] = []
  const running = post(one, key, hello).then(() => ended.push('running'))
  await untilTrue(async () => (await calls()) === before + 1)
  const waiting = post(one, key, hello).then((response) => ended.push(`waiting ${response.status}`))
  await untilTrue(async () => (await gaugeOf(one, 'gateway_in_flight')) === 2)
  await topUp(userId, 1e12)
  await Promise.all([running, waiting])
  assert.deepEqual(ended, ['waiting 200', 'running'])
  await one.control.removeScript(slow.id).catch(() => undefined)
  priceScript = await fixPrice(one)
})

test('50 concurrent calls on a limit of 4 with 6 on top, over two instances, are served 10 or 11 times', async () => {
  const { key, userId } = await addSpender(shared.database, 4 * price)
  await topUp(userId, 2 * price)
  await topUp(userId, 4 * price)
  await known(key)
  const isTold = async ({ url }: TestGateway): Promise<boolean> => {
    const answer = await fetch(`${url}/me/budget`, { headers: { 'x-api-key': key } })
    const { budgets } = (await answer.json()) as { budgets: { top_up_usd: number }[] }
    return budgets[0]?.top_up_usd === (6 * price) / 1e9
  }
  await untilTrue(() => isTold(two))
  const statuses = await statusesOf(
    Array.from({ length: 50 }, (_, index) => post(index % 2 === 0 ? one : two, key, hello)),
  )
  const served = countBreakpoints(statuses, 200)
  assert.ok(served === 10 || served === 11, `${served} served`)
  assert.equal(countBreakpoints(statuses, 429), 50 - served)
  await untilTrue(async () => (await spentOf(shared.database, userId)) === served * price)
})

test('the budget of a team and the limit for each member are topped up too', async () => {
  const teamId = await addTeam(shared.database)
  const limits = { limitNanoUsd: 2 * price, memberLimitNanoUsd: price }
  await setBudget(shared.database, { scope: 'team', subjectId: teamId, ...limits })
  const userId = await addUser(shared.database, teamId)
  const { key } = await addKey(shared.database, { userId })
  await known(key)
  const servedBy = async (): Promise<number> => {
    for (let served = 0; served < 9; served += 1) if ((await serve(one, key)) !== 200) return served
    return 9
  }
  assert.equal(await servedBy(), 1, 'the limit for each member')
  await topUp(userId, 5 * price)
  assert.equal(await servedBy(), 1, 'now the budget of the team')
  await asAdmin('POST', `/admin/teams/${teamId}/budget/top-ups`, { amount_usd: (3 * price) / 1e9 })
  assert.equal(await servedBy(), 3)
})
