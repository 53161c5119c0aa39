import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { type ControlClient, controlClient } from '../../../simulator/control-client.ts'
import { type Simulator, startSimulator } from '../../../simulator/simulator.ts'
import type { BudgetEvent } from '../../../src/foundation/domain/budget-event.ts'
import { newId } from '../../../src/foundation/platform/ids.ts'
import { createNews, crossingOf, type GatewayAdmin, signIn, until } from '../../notifications/news.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { ADMIN_PASSWORD, addKey, startGateway, type TestGateway, untilReady } from '../../support/gateway.ts'
import { spawnGateway } from '../../support/gateway-process.ts'

const topic = 'arn:aws:sns:eu-west-1:111111111111:fallback'

let simulator: Simulator
let control: ControlClient
let database: TestDatabase
let gateways: readonly TestGateway[]
let admin: GatewayAdmin

before(async () => {
  simulator = await startSimulator({ settings: { tokenMode: 'fingerprint' } })
  control = controlClient(simulator.controlUrl)
  database = await createTestDatabase()
  const start = () => startGateway({ simulator, database, env: { BUDGET_NOTIFICATION_URL: topic } })
  gateways = [await start(), await start()]
  admin = await signIn(gateways[0]?.url ?? '')
})
after(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop()))
  await database.drop()
  await simulator.close()
})
afterEach(async () => {
  await database.database.pool.query('truncate notification_outbox, notification_intervals, notification_deliveries')
  await control.reset()
})

const hook = () => `${simulator.webhookUrl}/hook`
const idsAt = async (isAccepted: (status: number) => boolean = (status) => status === 200) =>
  (await control.webhooks())
    .filter(({ status }) => isAccepted(status))
    .map(({ headers }) => String(headers['x-gateway-event-id']))
const pending = async (): Promise<number> =>
  (await database.database.pool.query(`select count(*) from notification_outbox where state = 'pending'`)).rows[0].count

async function tellAll(crossings: readonly BudgetEvent[]): Promise<void> {
  // As two instances that both see every crossing, several times.
  const instances = [createNews(database.database), createNews(database.database)]
  for (const crossing of [...crossings, ...crossings]) for (const news of instances) news.notify(crossing)
  await Promise.all(instances.map((news) => news.flush()))
}

async function countedDeliveries(): Promise<number> {
  const pages = await Promise.all(gateways.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()))
  const counts = pages.map((page) =>
    /^gateway_notification_attempts_total\{[^}]*status="delivered"[^}]*\} (\d+)/m.exec(page),
  )
  return counts.reduce((sum, match) => sum + Number(match?.[1] ?? 0), 0)
}

test('while no destination is active, events go to the fallback of the environment, with the default categories', async () => {
  await tellAll([crossingOf({ scope: 'team', type: 'blocked', threshold: 100 })])
  await until('the fallback', async () => (await control.published()).length === 1)
  const [published] = await control.published()
  const { message, topicArn, subject } = (published?.message ?? {}) as Record<string, string>
  assert.deepEqual([topicArn, published?.region], [topic, 'eu-west-1'])
  const payload = JSON.parse(message ?? '')
  assert.deepEqual([payload.event_type, payload.severity], ['team_budget_blocked', 'critical'])
  assert.match(subject ?? '', /^\[critical\] team_budget_blocked/)
  await until('the history', async () => (await admin.read()).history.length === 1)
  const [entry] = (await admin.read()).history
  assert.deepEqual([entry?.destination, entry?.status], [topic, 'delivered'])
})

test('30 thresholds crossed over two gateways are delivered as 30 distinct events', async () => {
  await admin.activate({ destination_type: 'webhook', destination: hook(), secret: 's' })
  await control.clearWebhooks()
  await tellAll(Array.from({ length: 30 }, () => crossingOf({ subjectId: newId() })))
  await until('30 deliveries', async () => (await pending()) === 0)
  const ids = await idsAt()
  assert.deepEqual([ids.length, new Set(ids).size], [30, 30])
  assert.deepEqual(await control.published(), [], 'the active destination wins over the fallback')
  assert.ok((await countedDeliveries()) >= 30)
  await until('the history', async () => {
    const { history } = await admin.read()
    return ids.every((id) => history.some(({ event_id, status }) => event_id === id && status === 'delivered'))
  })
})

test('a receiver that is down loses nothing, news do not wait for what failed, and repetitions carry the same id', async () => {
  await control.scriptWebhook({ times: 5, status: 503 })
  await tellAll(Array.from({ length: 5 }, () => crossingOf({ subjectId: newId() })))
  await until('five failures', async () => (await idsAt((status) => status === 503)).length === 5)
  // Far in the future, as after a long outage: only the return of the receiver brings them back in time.
  await until('five pauses', async () => {
    const { rowCount } = await database.database.pool.query(
      `update notification_outbox set next_attempt_at = now() + interval '1 hour'
       where state = 'pending' and claimed_until is null and was_outage`,
    )
    return rowCount === 5
  })
  await tellAll([crossingOf({ subjectId: newId() })])
  await until('the news', async () => (await idsAt()).length >= 1)
  await until('everything', async () => (await pending()) === 0)
  const failed = await idsAt((status) => status === 503)
  const delivered = await idsAt()
  assert.equal(new Set(delivered).size, 6)
  for (const id of failed) assert.ok(delivered.includes(id))
  await until('the history', async () => {
    const { history } = await admin.read()
    const has = (id: string, wanted: string, number: number) =>
      history.some(({ event_id, status, attempt }) => event_id === id && status === wanted && attempt === number)
    return failed.every((id) => has(id, 'failed', 1) && has(id, 'delivered', 2))
  })
})

test('a category that is switched off is dropped, and switched on again delivers what comes then', async () => {
  await admin.call('PUT', '/admin/notifications/categories', { categories: { budget: false } })
  await tellAll([crossingOf({ subjectId: newId() })])
  await until('the drop', async () => (await pending()) === 0)
  await admin.call('PUT', '/admin/notifications/categories', { categories: { budget: true, rate_limit: true } })
  await tellAll([crossingOf({ subjectId: newId() })])
  await until('the delivery', async () => (await idsAt()).length === 1)
  const { rows } = await database.database.pool.query('select state from notification_outbox order by created_at')
  assert.deepEqual(
    rows.map(({ state }) => state),
    ['dropped', 'delivered'],
  )
})

test('a key that both gateways refuse again and again makes one event that names it', async () => {
  const { key, id } = await addKey(database.database, { rateLimitRpm: 1 })
  const ask = (gateway: TestGateway) =>
    fetch(`${gateway.url}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: 'claude-sonnet-5', max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] }),
    })
  for (const gateway of gateways)
    await until('a refusal', async () => {
      const response = await ask(gateway)
      await response.arrayBuffer()
      return response.status === 429
    })
  for (const gateway of [...gateways, ...gateways]) await (await ask(gateway)).arrayBuffer()
  await until('the event', async () => (await idsAt()).length > 0 && (await pending()) === 0)
  const received = await control.webhooks()
  assert.equal(received.length, 1)
  const payload = JSON.parse(received[0]?.body ?? '')
  assert.deepEqual(
    [payload.event_type, payload.category, payload.severity, payload.user_identity],
    ['rate_limit_hit', 'rate_limit', 'warning', null],
  )
  const { key_prefix: prefix, ...detail } = payload.detail
  assert.ok(key.startsWith(prefix))
  assert.deepEqual(detail, { limit_rpm: 1, window_seconds: 60, key_id: id, rejected_in_window: 1 })
})

test('kill -9 in the middle of a delivery loses nothing', async () => {
  const journal = await mkdtemp(join(tmpdir(), 'causeway-notifications-'))
  const environment = {
    DATABASE_URL: database.url,
    ADMIN_PASSWORD,
    AWS_ENDPOINT_URL: simulator.url,
    EGRESS_ALLOW: '127.0.0.1',
    SPEND_JOURNAL_DIR: journal,
  }
  await Promise.all(gateways.map((gateway) => gateway.stop()))
  gateways = []
  const first = spawnGateway(environment)
  await untilReady(`http://127.0.0.1:${await first.listening()}`)
  await control.scriptWebhook({ times: null, hangMs: 60_000 })
  await tellAll(Array.from({ length: 10 }, () => crossingOf({ subjectId: newId() })))
  await until('ten requests that hang', async () => (await idsAt(() => true)).length >= 10)
  first.kill('SIGKILL')
  await first.exited
  const begun = new Set(await idsAt(() => true))
  await control.reset()

  const second = spawnGateway(environment)
  try {
    await untilReady(`http://127.0.0.1:${await second.listening()}`)
    await until('all deliveries', async () => (await pending()) === 0)
    assert.deepEqual(new Set(await idsAt()), begun)
    assert.equal(begun.size, 10)
  } finally {
    second.kill('SIGKILL')
    await second.exited
    await rm(journal, { recursive: true, force: true })
  }
})
