import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { change } from '../../src/foundation/database/change.ts'
import type { Database } from '../../src/foundation/database/database.ts'
import { budgetPresets } from '../../src/foundation/domain/budget.ts'
import { createUserStore } from '../../src/modules/people/users.store.ts'
import { gaugeOf, post, stream, toErrorContent, until, untilTrue } from '../message-path/path-client.ts'
import { addKey, login, startGateway, type TestGateway } from '../support/gateway.ts'
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
} from './budget-world.ts'

let gateway: TestGateway
let database: Database
let price = 0
let priceScript = ''

before(async () => {
  gateway = await startGateway()
  assert.ok(gateway.database !== undefined)
  database = gateway.database
  priceScript = await fixPrice(gateway)
  price = await priceOfCall(gateway)
})
after(() => gateway.stop())

async function asAdmin(method: string, path: string, body?: object): Promise<Response> {
  const token = await login(gateway.url)
  return await fetch(`${gateway.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

/** Everything stored so far is known to the gateway; its own writes tell it at once. */
const reload = async (): Promise<void> => {
  const response = await asAdmin('PUT', '/admin/settings/spend_retention_days', { value: 400 })
  assert.ok(response.ok)
}

const serve = async (key: string): Promise<number> => {
  const response = await post(gateway, key, hello)
  await response.arrayBuffer()
  return response.status
}

/** Calls until the first refusal. */
async function servedBy(key: string, most = 20): Promise<number> {
  for (let served = 0; served < most; served += 1) if ((await serve(key)) !== 200) return served
  return most
}

test('one call after the other, a budget worth 3 serves 3 and then says who, how much, until when and whom to ask', async () => {
  const { key, userId } = await addSpender(database, 3 * price, { period: 'daily' })
  await reload()
  const percents: (string | null)[] = []
  const statuses: (string | null)[] = []
  for (let call = 0; call < 3; call += 1) {
    const response = call === 1 ? (await stream(gateway, key)).response : await post(gateway, key, hello)
    assert.equal(response.status, 200)
    percents.push(response.headers.get('x-gateway-budget-percent'))
    statuses.push(response.headers.get('x-gateway-budget-status'))
    assert.match(response.headers.get('x-gateway-budget-remaining-usd') ?? '', /^\d+\.\d{6}$/)
  }
  assert.deepEqual(percents, ['0', '33.33', '66.67'])
  assert.deepEqual(statuses, ['ok', 'ok', 'ok'])
  const refused = await post(gateway, key, hello)
  assert.equal(refused.status, 429)
  const header = (name: string) => refused.headers.get(name) ?? ''
  assert.equal(header('x-should-retry'), 'false')
  assert.equal(header('x-gateway-budget-status'), 'blocked')
  assert.equal(header('x-gateway-budget-percent'), '100')
  assert.equal(header('x-gateway-budget-remaining-usd'), '0.000000')
  const midnight = new Date()
  midnight.setUTCHours(24, 0, 0, 0)
  assert.equal(header('x-gateway-budget-resets'), midnight.toISOString())
  assert.ok(Math.abs(Number(header('retry-after')) - (midnight.getTime() - Date.now()) / 1_000) < 3)
  const { error } = await toErrorContent(refused)
  assert.equal(error.type, 'billing_error')
  assert.match(error.message, /^The daily budget of person-\d+@example\.com is used up: 0\.\d+ of 0\.\d+ USD are spent/)
  assert.ok(error.message.includes(midnight.toISOString()))
  assert.match(error.message, /ask an administrator/)
  const shown = (await (await fetch(`${gateway.url}/me/budget`, { headers: { 'x-api-key': key } })).json()) as {
    budgets: { status: string; percent: number; spend_usd: number; remaining_usd: number }[]
  }
  assert.deepEqual(
    shown.budgets.map(({ status, percent, spend_usd, remaining_usd }) => [status, percent, spend_usd, remaining_usd]),
    [['blocked', 100, (3 * price) / 1e9, 0]],
  )
  const admin = (await (await asAdmin('GET', `/admin/users/${userId}/budget`)).json()) as { spend_usd: number }
  assert.equal(admin.spend_usd, (3 * price) / 1e9)
})

test('in the form of the hosted service the same budget holds', async () => {
  const { key } = await addSpender(database, price)
  await reload()
  assert.equal(await serve(key), 200)
  const hosted = { anthropic_version: 'bedrock-2023-05-31', max_tokens: 5, messages: hello.messages }
  const refused = await post(gateway, key, hosted, { path: '/model/us.anthropic.claude-sonnet-5/invoke' })
  assert.equal(refused.status, 429)
  assert.equal(refused.headers.get('x-should-retry'), 'false')
})

test('counting tokens is outside budgets', async () => {
  const { key } = await addSpender(database, 1)
  await reload()
  assert.equal(await serve(key), 200)
  assert.equal(await serve(key), 429)
  assert.equal((await post(gateway, key, hello, { path: '/v1/messages/count_tokens' })).status, 200)
})

test('a new budget counts what was spent before in its period', async () => {
  const userId = await addUser(database)
  const { key } = await addKey(database, { userId })
  await reload()
  for (let call = 0; call < 3; call += 1) assert.equal(await serve(key), 200)
  await untilTrue(async () => (await spentOf(database, userId)) === 3 * price)
  const response = await asAdmin('PUT', `/admin/users/${userId}/budget`, {
    limit_usd: (4 * price) / 1e9,
    period: 'weekly',
  })
  assert.equal(((await response.json()) as { spend_usd: number }).spend_usd, (3 * price) / 1e9)
  assert.equal(await servedBy(key), 1)
  await asAdmin('PUT', `/admin/users/${userId}/budget`, { limit_usd: (6 * price) / 1e9, period: 'weekly' })
  assert.equal(await servedBy(key), 2)
})

test('500 failing and abandoned calls leave the whole budget usable', async () => {
  const { key } = await addSpender(database, 10 * price)
  await reload()
  // The first script that fits is taken.
  await gateway.control.removeScript(priceScript)
  const failing = await gateway.control.script({
    match: { operation: 'invoke', bodyContains: 'fail please' },
    times: null,
    behaviour: { error: { status: 400, type: 'ValidationException', message: 'no' } },
  })
  const bad = { ...hello, messages: [{ role: 'user', content: 'fail please' }] }
  for (let batch = 0; batch < 10; batch += 1) {
    const calls = Array.from({ length: 50 }, (_, index) => {
      if (index % 5 === 0) return post(gateway, key, { ...bad, model: 'claude-none' })
      if (index % 5 !== 1) return post(gateway, key, bad)
      // Gone before the gateway could have asked anybody.
      const left = new AbortController()
      const call = post(gateway, key, bad, { signal: left.signal }).catch(() => new Response(null, { status: 499 }))
      left.abort()
      return call
    })
    const statuses = await statusesOf(calls)
    assert.equal(countBreakpoints(statuses, 200) + countBreakpoints(statuses, 429), 0)
  }
  await gateway.control.removeScript(failing.id)
  priceScript = await fixPrice(gateway)
  assert.equal(await servedBy(key), 10)
})

test('whoever leaves while waiting for the border of a budget is not called for, and what was left of it is there', async () => {
  const { key, userId } = await addSpender(database, 1.5 * price)
  await reload()
  await gateway.control.removeScript(priceScript)
  const slow = await gateway.control.script({
    match: { operation: 'invoke' },
    behaviour: { delayMs: 1_500, answer: { usage: { input_tokens: 1_000, output_tokens: 100 } } },
  })
  const before = (await gateway.control.ledger({ operation: 'InvokeModel' })).length
  const running = post(gateway, key, hello)
  await untilTrue(async () => (await gateway.control.ledger({ operation: 'InvokeModel' })).length === before + 1)
  const left = new AbortController()
  const waiting = post(gateway, key, hello, { signal: left.signal }).catch(() => undefined)
  await untilTrue(async () => (await gaugeOf(gateway, 'gateway_in_flight')) === 2)
  left.abort()
  await waiting
  assert.equal((await running).status, 200)
  await gateway.control.removeScript(slow.id).catch(() => undefined)
  priceScript = await fixPrice(gateway)
  assert.equal(await servedBy(key), 1, 'the rest of the budget is there for the next')
  await untilTrue(async () => (await spentOf(database, userId)) === 2 * price)
  assert.equal((await gateway.control.ledger({ operation: 'InvokeModel' })).length, before + 2)
  const recorded = database.kysely.selectFrom('spend_log').select('status').where('user_id', '=', userId)
  await untilTrue(async () => (await recorded.execute()).length === 4)
  const statuses = (await recorded.orderBy('status').execute()).map(({ status }) => status)
  assert.deepEqual(statuses, [200, 200, 429, 499], 'no budget has refused who left')
})

for (const [what, free] of [
  ['raises', (path: string) => asAdmin('PUT', path, { limit_usd: 100, period: 'monthly' })],
  ['removes', (path: string) => asAdmin('DELETE', path)],
] as const)
  test(`an administrator who ${what} a budget lets in who waits at its border`, async () => {
    const { key, userId } = await addSpender(database, 1.5 * price)
    await reload()
    await gateway.control.removeScript(priceScript)
    const slow = await gateway.control.script({
      match: { operation: 'invoke' },
      behaviour: { delayMs: 4_000, answer: { usage: { input_tokens: 1_000, output_tokens: 100 } } },
    })
    const before = (await gateway.control.ledger({ operation: 'InvokeModel' })).length
    const ended: string[] = []
    const running = post(gateway, key, hello).then(() => ended.push('running'))
    await untilTrue(async () => (await gateway.control.ledger({ operation: 'InvokeModel' })).length === before + 1)
    const waiting = post(gateway, key, hello).then((response) => {
      ended.push(`waiting ${response.status} ${response.headers.get('x-gateway-budget-status')}`)
    })
    await untilTrue(async () => (await gaugeOf(gateway, 'gateway_in_flight')) === 2)
    assert.ok((await free(`/admin/users/${userId}/budget`)).ok)
    await Promise.all([running, waiting])
    assert.deepEqual(ended, [`waiting 200 ${what === 'raises' ? 'ok' : null}`, 'running'])
    await gateway.control.removeScript(slow.id).catch(() => undefined)
    priceScript = await fixPrice(gateway)
  })

test('seven ways to switch identity hit one budget', async () => {
  const teamId = await addTeam(database, 'switchers')
  const userId = await addUser(database, teamId)
  await setBudget(database, { scope: 'team', subjectId: teamId, limitNanoUsd: 2 * price })
  await setBudget(database, { scope: 'user', subjectId: userId, limitNanoUsd: 100 * price })
  const first = await addKey(database, { userId })
  const second = await addKey(database, { userId })
  const teamKey = await addKey(database, { teamId })
  const otherTeam = await addTeam(database, 'others')
  const elsewhere = await addKey(database, { userId, teamId: otherTeam })
  await reload()
  assert.equal(await servedBy(first.key), 2)
  assert.equal(await serve(second.key), 429, 'a second key')
  const refused = await post(gateway, teamKey.key, hello)
  assert.equal(refused.status, 429, 'a key without a user')
  assert.match((await toErrorContent(refused)).error.message, /^The monthly budget of the team switchers is used up/)
  await asAdmin('PATCH', `/admin/teams/${teamId}`, { name: 'renamed' })
  assert.equal(await serve(first.key), 429, 'a renamed team')
  assert.equal(await serve(elsewhere.key), 200, 'another team pays for this key')
  // The person is over the own limit: then no team helps.
  await setBudget(database, { scope: 'user', subjectId: userId, limitNanoUsd: 3 * price })
  await reload()
  assert.equal(await serve(elsewhere.key), 429, 'a key of another team')
  await asAdmin('PUT', `/admin/users/${userId}/team`, { team_id: otherTeam })
  assert.equal(await serve(first.key), 429, 'a moved user')
  const made = (await (await asAdmin('POST', '/admin/keys', { name: 'fresh', user_id: userId })).json()) as {
    key: string
  }
  assert.equal(await serve(made.key), 429, 'a fresh key')
  await asAdmin('PUT', `/admin/users/${userId}/team`, { team_id: teamId })
  assert.equal(await serve(teamKey.key), 429, 'the old team has not got its money back')
})

test('a session of a person and a key of the same person share the budget', async () => {
  const admin = await createUserStore(database.kysely).findBySubject('admin')
  assert.ok(admin !== undefined)
  const { key } = await addKey(database, { userId: admin.id })
  await setBudget(database, { scope: 'user', subjectId: admin.id, limitNanoUsd: 2 * price })
  await reload()
  assert.equal(await serve(key), 200)
  assert.equal(await serve(await login(gateway.url)), 200)
  assert.equal(await serve(key), 429)
  assert.equal(await serve(await login(gateway.url)), 429)
  assert.equal((await asAdmin('DELETE', `/admin/users/${admin.id}/budget`)).status, 204)
  assert.equal(await serve(key), 200)
})

test('the member limit of a team and the default budget hold for people, and not for keys without one', async () => {
  const teamId = await addTeam(database)
  const limits = { limitNanoUsd: 100 * price, memberLimitNanoUsd: 2 * price }
  await setBudget(database, { scope: 'team', subjectId: teamId, ...limits })
  const member = await addKey(database, { userId: await addUser(database, teamId) })
  const nobody = await addKey(database, { teamId })
  const loner = await addKey(database, { userId: await addUser(database) })
  const value = { limit_usd: price / 1e9, period: 'daily', policy: 'standard' }
  assert.ok((await asAdmin('PUT', '/admin/settings/default_budget', { value })).ok)
  assert.equal(await servedBy(member.key), 2)
  assert.equal(await servedBy(loner.key), 1)
  assert.equal(await servedBy(nobody.key, 4), 4)
  await asAdmin('PUT', '/admin/settings/default_budget', { value: null })
  assert.equal(await servedBy(loner.key, 2), 2)
})

test('of budgets that nothing was spent of, the headers tell what is left of the smallest', async () => {
  const teamId = await addTeam(database)
  const { key } = await addKey(database, { userId: await addUser(database, teamId) })
  const budget = { limit_usd: 0.5, period: 'monthly', member_limit_usd: 2 }
  assert.equal((await asAdmin('PUT', `/admin/teams/${teamId}/budget`, budget)).status, 200)
  const first = await post(gateway, key, hello)
  assert.equal(first.status, 200)
  assert.equal(first.headers.get('x-gateway-budget-percent'), '0')
  assert.equal(first.headers.get('x-gateway-budget-remaining-usd'), '0.500000')
})

test('odd limits: nothing or nonsense is refused, the smallest blocks after one call, the largest never', async () => {
  const userId = await addUser(database)
  const { key } = await addKey(database, { userId })
  await reload()
  for (const limit of ['0', '-1', '0.0000000001', '1e308', 'NaN', '"5"', 'null', '[]']) {
    const token = await login(gateway.url)
    const response = await fetch(`${gateway.url}/admin/users/${userId}/budget`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: `{"limit_usd": ${limit}, "period": "daily"}`,
    })
    assert.equal(response.status, 400, limit)
  }
  assert.ok((await asAdmin('PUT', `/admin/users/${userId}/budget`, { limit_usd: 1e-9, period: 'daily' })).ok)
  assert.equal(await servedBy(key), 1)
  assert.ok((await asAdmin('PUT', `/admin/users/${userId}/budget`, { limit_usd: 9e6, period: 'daily' })).ok)
  assert.equal(await servedBy(key, 3), 3)
})

test('a rule at a fraction of a percent holds at exactly its amount, whatever is lost in binary', async () => {
  assert.equal(price, 3_300_000)
  // 35.2 % of it are three calls; multiplied as floating-point numbers it is a little more.
  const { key } = await addSpender(database, 28_125_000, { rules: [{ atPercent: 35.2, action: 'block' }] })
  await reload()
  assert.equal(await servedBy(key), 3)
})

test('soft warns and goes on to 150 %; shaped slows down to its pace with a time to come back', async () => {
  const soft = await addSpender(database, 4 * price, { rules: budgetPresets.soft })
  const rules = [
    { atPercent: 100, action: 'shape', rpm: 2 },
    { atPercent: 300, action: 'block' },
  ] as const
  const slow = await addSpender(database, 2 * price, { rules })
  await reload()
  const statuses: (string | null)[] = []
  for (let call = 0; call < 6; call += 1)
    statuses.push((await post(gateway, soft.key, hello)).headers.get('x-gateway-budget-status'))
  assert.deepEqual(statuses, ['ok', 'ok', 'ok', 'ok', 'warning', 'warning'])
  const stopped = await toErrorContent(await post(gateway, soft.key, hello))
  assert.match(stopped.error.message, / stops calls at 150 %: 0\.\d+ of 0\.\d+ USD are spent/)
  assert.equal(await servedBy(slow.key), 4, 'two at any pace, two more in this minute')
  const refused = await post(gateway, slow.key, hello)
  assert.equal(refused.headers.get('x-gateway-budget-status'), 'shaped')
  assert.equal(refused.headers.get('x-should-retry'), null)
  assert.ok(Number(refused.headers.get('retry-after')) >= 1 && Number(refused.headers.get('retry-after')) <= 60)
  assert.equal((await toErrorContent(refused)).error.type, 'rate_limit_error')
})

test('with a new price the old spend stays as it was, and new calls count at the new one', async () => {
  const { key, userId } = await addSpender(database, 10 * price)
  await reload()
  for (let call = 0; call < 4; call += 1) assert.equal(await serve(key), 200)
  const before = await until(async () => {
    const spent = await spentOf(database, userId)
    return spent === 4 * price ? spent : undefined
  })
  await database.kysely
    .insertInto('model_prices')
    .columns(['model_id', 'scope', 'source', 'input', 'output', 'cache_read', 'cache_write_5m', 'cache_write_1h'])
    .expression((eb) =>
      eb
        .selectFrom('model_prices')
        .select((one) => [
          'model_id',
          'scope',
          one.val('admin' as const).as('source'),
          one('input', '*', 3).as('input'),
          one('output', '*', 3).as('output'),
          'cache_read',
          'cache_write_5m',
          'cache_write_1h',
        ])
        .where('source', '=', 'seed')
        .where('model_id', '=', 'anthropic.claude-sonnet-5'),
    )
    .execute()
  await change(
    database,
    { sections: ['prices'], actor: { name: 'test', sourceAddress: null, requestId: null } },
    async () => {},
  )
  await reload()
  assert.equal(await servedBy(key), 2)
  await untilTrue(async () => (await spentOf(database, userId)) === before + 6 * price)
})
