import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startChaosProxy } from '../../support/chaos-proxy.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { addKey, login, startGateway, type TestGateway } from '../../support/gateway.ts'

let shared: TestDatabase
let one: TestGateway
let two: TestGateway

before(async () => {
  shared = await createTestDatabase()
  one = await startGateway({ database: shared })
  two = await startGateway({ database: shared, simulator: one.simulator })
})
after(async () => {
  await one.stop()
  await one.simulator.close()
  await shared.drop()
})

// biome-ignore lint/suspicious/noExplicitAny: bodies whose fields the tests themselves name
type Body = any

async function toStatus(gateway: Pick<TestGateway, 'url'>, token: string): Promise<Body> {
  const response = await fetch(`${gateway.url}/admin/status`, { headers: { authorization: `Bearer ${token}` } })
  assert.equal(response.status, 200)
  return await response.json()
}

async function until(gateway: Pick<TestGateway, 'url'>, token: string, holds: (body: Body) => boolean): Promise<Body> {
  for (;;) {
    const body = await toStatus(gateway, token)
    if (holds(body)) return body
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function ask(gateway: Pick<TestGateway, 'url'>, key: string, model: string): Promise<Response> {
  return await fetch(`${gateway.url}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ model, max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] }),
  })
}

test('every instance counts the calls of all for an endpoint, also beside one of an earlier release', async () => {
  const token = await login(one.url)
  // As it was told before reports had endpoints in them.
  await shared.database.pool.query(
    `insert into instance_reports (instance_id, report, seen_at)
     select gen_random_uuid(), report - 'endpoints' || '{"version":"earlier"}', clock_timestamp() + interval '1 minute'
     from instance_reports limit 1`,
  )
  const { key } = await addKey(shared.database)
  for (const gateway of [one, two, two]) {
    while ((await ask(gateway, key, 'claude-sonnet-5')).status === 401)
      await new Promise((wait) => setTimeout(wait, 50))
  }
  for (const gateway of [one, two]) await until(gateway, token, ({ endpoints }) => endpoints[0].requests_1h === 3)
  await shared.database.pool.query(`delete from instance_reports where report ->> 'version' = 'earlier'`)
})

test('each instance shows all of them, agreed on what they keep in memory, and forgets one that ended in order', async () => {
  const token = await login(one.url)
  const body = await until(one, token, ({ instances }) => instances.length === 2)
  assert.deepEqual(
    body.instances.map((each: Body) => [each.is_self, each.status, each.version]),
    [
      [true, 'alive', 'test'],
      [false, 'alive', 'test'],
    ],
  )
  await until(one, token, ({ instances, database }) =>
    instances.every((each: Body) => each.cache_version === database.cache_version),
  )
  assert.equal(body.database.status, 'ok')
  assert.match(body.database.server_version, /^\d+/)
  assert.ok(body.loops.some((loop: Body) => loop.name === 'spend-flush' && loop.lag_seconds < 60))
  assert.deepEqual(
    body.endpoints.map((each: Body) => [each.region, each.is_default]),
    [['us-east-1', true]],
  )
  await two.stop()
  await until(one, token, ({ instances }) => instances.length === 1)
})

test('a call of a model without a price shows up in the status, with the ledger that wrote it', async () => {
  const token = await login(one.url)
  const admin = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  await fetch(`${one.url}/admin/model-mappings/claude-newest-9`, {
    method: 'PUT',
    headers: admin,
    body: JSON.stringify({ hosted_model_id: 'anthropic.claude-sonnet-5' }),
  })
  await shared.database.pool.query(`delete from model_prices where model_id = 'anthropic.claude-sonnet-5'`)
  await shared.database.pool.query(`update cache_versions set version = version + 1 where section = 'prices'`)
  const { key } = await addKey(shared.database)
  const before = await until(one, token, ({ unpriced_models: models }) =>
    models.some((each: Body) => each.model === 'claude-newest-9'),
  )
  assert.deepEqual(
    before.unpriced_models.find((each: Body) => each.model === 'claude-newest-9'),
    {
      model: 'claude-newest-9',
      hosted_model_id: 'anthropic.claude-sonnet-5',
      requests: 0,
      last_at: null,
      has_price: false,
    },
  )
  assert.equal((await ask(one, key, 'claude-newest-9')).status, 200)
  const after = await until(one, token, ({ unpriced_models: models }) => models[0]?.requests === 1)
  assert.equal(after.unpriced_models[0].model, 'claude-newest-9')
  assert.equal(after.unpriced_models[0].has_price, false)
  assert.ok(after.ledger.last_flush_at !== null)
  const set = await fetch(`${one.url}/admin/pricing/anthropic.claude-sonnet-5`, {
    method: 'PUT',
    headers: admin,
    body: JSON.stringify({
      input_usd_per_mtok: 3,
      output_usd_per_mtok: 15,
      cache_read_usd_per_mtok: 0.3,
      cache_write_5m_usd_per_mtok: 3.75,
    }),
  })
  assert.equal(set.status, 200)
  const priced = await until(one, token, ({ unpriced_models: models }) => models[0]?.has_price === true)
  assert.deepEqual([priced.unpriced_models[0].model, priced.unpriced_models[0].requests], ['claude-newest-9', 1])
})

test('without a database, and while it is away, the status still answers with what the instance knows', async () => {
  const alone = await startGateway({ database: 'none', simulator: one.simulator })
  const none = await toStatus(alone, await login(alone.url))
  assert.equal(none.database.status, 'none')
  assert.equal(none.instances.length, 1)
  await alone.stop()
  const database = await createTestDatabase()
  const proxy = await startChaosProxy(database.url)
  const far = await startGateway({ database: { ...database, url: proxy.url }, simulator: one.simulator })
  const token = await login(far.url)
  await until(far, token, (body) => body.database.status === 'ok')
  proxy.set('refuse')
  const away = await until(far, token, (body) => body.database.status === 'away')
  assert.deepEqual([away.database.error, away.instances.length], ['It does not answer.', 1])
  await until(far, token, ({ loops }) =>
    loops.some((loop: Body) => loop.last_error === 'The database does not answer.'),
  )
  proxy.set('pass')
  await until(far, token, (body) => body.database.status === 'ok')
  await far.stop()
  await proxy.close()
  await database.drop()
})
