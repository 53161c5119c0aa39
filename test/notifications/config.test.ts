import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { type ControlClient, controlClient } from '../../simulator/control-client.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { shownAddress } from '../../src/foundation/domain/shown-address.ts'
import { parseEgressAllow } from '../../src/foundation/platform/egress-guard.ts'
import { createOutgoingHttp, type OutgoingHttp } from '../../src/foundation/platform/outgoing-http.ts'
import { createSecretBox } from '../../src/foundation/platform/secret-box.ts'
import { createSender, type Sender } from '../../src/modules/notifications/send-event.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'
import { isOwnStatus } from '../support/api-coverage.ts'

const config = '/admin/notifications/config'
const fallback = { type: 'topic', address: 'arn:aws:sns:us-east-1:111111111111:fallback' } as const
const box = createSecretBox(randomBytes(32))

let simulator: Simulator
let control: ControlClient
let outgoing: OutgoingHttp
let sender: Sender
let app: ApiApp

before(async () => {
  simulator = await startSimulator()
  control = controlClient(simulator.controlUrl)
  process.env['AWS_ACCESS_KEY_ID'] = simulator.accessKey
  process.env['AWS_SECRET_ACCESS_KEY'] = simulator.secretKey
  process.env['AWS_ENDPOINT_URL'] = simulator.url
  process.env['AWS_EC2_METADATA_DISABLED'] = 'true'
  outgoing = createOutgoingHttp({ allow: parseEgressAllow('127.0.0.1, localhost') })
  sender = createSender({ http: outgoing, openSecret: box.open })
  app = await startApiApp({
    ports: { encryptSecret: box.seal, notifications: { fallback, send: sender.send } },
  })
})
after(async () => {
  sender.close()
  await Promise.all([app.stop(), outgoing.close(), simulator.close()])
})
beforeEach(async () => {
  await asAdmin('DELETE', config)
  await asAdmin('DELETE', '/admin/notifications/draft')
  await control.reset()
})

const asAdmin = (method: string, path: string, body?: unknown) => app.call(method, path, { as: app.admin, body })
const hook = (path = '/hook') => `${simulator.webhookUrl}${path}`
const save = (body: object) => asAdmin('PUT', config, body)
const saveHook = (values: object = {}) => save({ destination_type: 'webhook', destination: hook(), ...values })
const tryDraft = () => asAdmin('POST', '/admin/notifications/test')
const activate = () => asAdmin('POST', '/admin/notifications/activate')
const read = async () => (await asAdmin('GET', config)).body

test('at first there is nothing but the fallback of the environment', async () => {
  const { active, draft, env_fallback } = await read()
  assert.deepEqual([active, draft], [null, null])
  assert.deepEqual(env_fallback, { destination_type: 'topic', destination: fallback.address })
})

test('a destination goes from draft over a successful test to active, and the draft is gone', async () => {
  const saved = await saveHook()
  assert.equal(saved.status, 200)
  assert.deepEqual(saved.body.categories, { budget: true, rate_limit: false, keys: false, digest: false })
  assert.deepEqual([saved.body.has_secret, saved.body.tested_at, saved.body.updated_by], [false, null, 'root'])
  assert.equal((await activate()).status, 409)
  const tried = await tryDraft()
  assert.deepEqual(
    [tried.status, tried.body.success, tried.body.response_status, tried.body.error],
    [200, true, 200, null],
  )
  assert.ok(tried.body.duration_ms >= 0)
  assert.notEqual((await read()).draft.tested_at, null)
  const activated = await activate()
  assert.deepEqual([activated.status, activated.body.destination], [200, hook()])
  const { active, draft } = await read()
  assert.deepEqual([active.destination, draft], [hook(), null])
  assert.equal((await activate()).status, 409, 'there is no draft any more')
})

test('a test sends the payload of the specification, field by field, and appears in the history', async () => {
  await saveHook()
  await tryDraft()
  const [received] = await control.webhooks()
  assert.ok(received !== undefined)
  const payload = JSON.parse(received.body)
  assert.deepEqual(Object.keys(payload), [
    'source',
    'version',
    'category',
    'event_type',
    'severity',
    'user_identity',
    'team_id',
    'team_name',
    'detail',
    'timestamp',
  ])
  assert.deepEqual(Object.keys(payload.detail), [
    'threshold_percent',
    'spend_usd',
    'limit_usd',
    'percent',
    'period',
    'period_start',
  ])
  assert.deepEqual(
    [payload.source, payload.version, payload.category, payload.event_type, payload.severity],
    ['gateway', '1', 'budget', 'budget_warning', 'warning'],
  )
  assert.equal(received.headers['content-type'], 'application/json')
  assert.equal(received.headers['x-gateway-signature'], undefined)
  const [newest] = (await read()).history
  assert.equal(newest.event_id, received.headers['x-gateway-event-id'])
  assert.deepEqual(
    [newest.event_type, newest.destination_type, newest.destination, newest.status, newest.attempt],
    ['budget_warning', 'webhook', shownAddress(hook()), 'delivered', 1],
  )
  assert.deepEqual([newest.response_status, newest.error], [200, null])
})

test('the status decides whatever comes behind it: too much, cut off or in no known encoding', async () => {
  await saveHook()
  const tooMuch = 'x'.repeat(1024 * 1024 + 1)
  const odd = [
    { body: tooMuch },
    { body: 'x', headers: { 'content-encoding': 'zstd' } },
    { headers: { 'content-encoding': 'gzip' }, body: 'x' },
  ]
  for (const status of [200, 202, 500])
    for (const script of odd) {
      await control.scriptWebhook({ ...script, status, times: 1 })
      const { body } = await tryDraft()
      assert.deepEqual([body.success, body.response_status], [status < 300, status])
      assert.equal(body.error, status < 300 ? null : 'the receiver answered 500')
      assert.equal((await read()).history[0].status, status < 300 ? 'delivered' : 'failed')
    }
})

test('a saved draft leaves active delivery alone, and a change of it has to be tested again', async () => {
  await saveHook()
  await tryDraft()
  await activate()
  await saveHook({ destination: hook('/other') })
  assert.equal((await read()).active.destination, hook())
  await tryDraft()
  await saveHook({ destination: hook('/third') })
  assert.equal((await activate()).status, 409)
  await tryDraft()
  await saveHook({ destination: hook('/third'), categories: { rate_limit: true } })
  const { status, body } = await activate()
  assert.equal(status, 200, 'categories are nothing that a test tries')
  assert.deepEqual(body.categories, { budget: true, rate_limit: true, keys: false, digest: false })
})

test('a draft that changes while its test runs is not the one that was tested', async () => {
  await saveHook()
  await control.scriptWebhook({ delayMs: 300 })
  const running = tryDraft()
  while ((await control.webhooks()).length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  await saveHook({ destination: hook('/changed') })
  assert.equal((await running).body.success, true)
  assert.equal((await activate()).status, 409)
})

test('a failed test is an answer, allows nothing, and repeats at most a little of what the receiver said', async () => {
  await saveHook()
  await control.scriptWebhook({ status: 500, body: `no\n${'z'.repeat(5_000)}` })
  const { status, body } = await tryDraft()
  assert.deepEqual([status, body.success, body.response_status], [200, false, 500])
  assert.ok(body.error.length <= 200, body.error)
  assert.doesNotMatch(body.error, /\n/)
  assert.equal((await activate()).status, 409)
  const [newest] = (await read()).history
  assert.deepEqual([newest.status, newest.response_status, newest.error], ['failed', 500, body.error])
})

test('redirects are not followed, and a reset is a failure', async () => {
  await saveHook()
  for (const [script, error] of [
    [{ redirect: hook('/elsewhere') }, /redirect/],
    [{ status: 307, redirect: hook('/elsewhere') }, /redirect/],
    [{ reset: true }, /cannot be reached/],
  ] as const) {
    await control.scriptWebhook(script)
    const { body } = await tryDraft()
    assert.equal(body.success, false)
    assert.match(body.error, error)
  }
  assert.deepEqual(
    (await control.webhooks()).filter(({ path }) => path !== '/hook'),
    [],
  )
})

test('a secret signs the raw body, is never shown, and stays with its host', async () => {
  const secret = ' canary-secret-Ω '
  assert.equal((await saveHook({ secret })).body.has_secret, true)
  await tryDraft()
  const [received] = await control.webhooks()
  const expected = createHmac('sha256', secret)
    .update(received?.body ?? '')
    .digest('hex')
  assert.equal(received?.headers['x-gateway-signature'], `sha256=${expected}`)

  const elsewhere = hook().replace('127.0.0.1', 'localhost')
  const moved = await saveHook({ destination: elsewhere })
  assert.equal(moved.status, 400)
  assert.equal(moved.body.error.details[0].path, 'secret')
  assert.equal((await read()).draft.destination, hook(), 'nothing has changed')

  assert.equal((await saveHook({ destination: hook('/same-host') })).body.has_secret, true)
  assert.equal((await saveHook({ destination: elsewhere, secret: null })).body.has_secret, false)
  await tryDraft()
  assert.equal((await control.webhooks()).at(-1)?.headers['x-gateway-signature'], undefined)

  const seen = [JSON.stringify(await read()), app.logged()]
  for (const table of ['notification_configs', 'audit_log', 'notification_deliveries'])
    seen.push(JSON.stringify((await app.database.pool.query(`select * from ${table}`)).rows))
  assert.doesNotMatch(seen.join('\n'), /canary-secret/)
})

test('a sealed secret that is moved to another host inside the database opens nowhere', async () => {
  await saveHook({ secret: 'canary-secret' })
  const elsewhere = hook().replace('127.0.0.1', 'localhost')
  await app.database.pool.query('update notification_configs set destination = $1', [elsewhere])
  const { body } = await tryDraft()
  assert.equal(body.success, false)
  assert.deepEqual(await control.webhooks(), [])
})

test('a new draft for the same host keeps the secret of the active destination, one for another host does not', async () => {
  await saveHook({ secret: 'kept' })
  await tryDraft()
  await activate()
  assert.equal((await saveHook()).body.has_secret, true)
  await asAdmin('DELETE', '/admin/notifications/draft')
  const elsewhere = hook().replace('127.0.0.1', 'localhost')
  assert.equal((await saveHook({ destination: elsewhere })).status, 400)
  const topic = await save({ destination_type: 'topic', destination: fallback.address })
  assert.deepEqual([topic.status, topic.body.has_secret], [200, false])
})

test('categories change on the active destination only, and what is left out stays', async () => {
  const categories = (body: object) => asAdmin('PUT', '/admin/notifications/categories', { categories: body })
  const changed = async (body: object) => (await categories(body)).body.categories
  assert.equal((await categories({ budget: false })).status, 409)
  await saveHook()
  assert.equal((await categories({ budget: false })).status, 409)
  await tryDraft()
  await activate()
  const usual = { budget: true, rate_limit: false, keys: false, digest: false }
  assert.deepEqual(await changed({ rate_limit: true }), { ...usual, rate_limit: true })
  assert.deepEqual(await changed({ budget: false }), { ...usual, budget: false, rate_limit: true })
  assert.deepEqual(await changed({ keys: true }), { ...usual, budget: false, rate_limit: true, keys: true })
  const all = { budget: false, rate_limit: true, keys: true, digest: true }
  assert.deepEqual(await changed({ digest: true }), all)
  assert.deepEqual(await changed({}), all)
  assert.equal((await categories({ other: true })).status, 400)
})

test('deactivating and discarding are 204, also when nothing is there', async () => {
  await saveHook()
  await tryDraft()
  await activate()
  await saveHook({ destination: hook('/draft') })
  for (const path of ['/admin/notifications/draft', config])
    for (const _again of [1, 2]) assert.equal((await asAdmin('DELETE', path)).status, 204)
  const { active, draft } = await read()
  assert.deepEqual([active, draft], [null, null])
  assert.equal((await tryDraft()).status, 409)
})

test('of two activations at once one wins and the other finds no draft', async () => {
  await saveHook()
  await tryDraft()
  const statuses = (await Promise.all([activate(), activate(), activate()])).map(({ status }) => status)
  assert.deepEqual(statuses.sort(), [200, 409, 409])
})

test('a topic gets the payload with the ids to filter by, a FIFO topic its group, an unknown topic is a failure', async () => {
  const topic = (name: string) => `arn:aws:sns:eu-west-1:111111111111:${name}`
  await save({ destination_type: 'topic', destination: topic('news.fifo') })
  assert.equal((await tryDraft()).body.success, true)
  const [published] = await control.published()
  const message = published?.message as Record<string, unknown>
  assert.deepEqual(
    [published?.region, message['topicArn'], message['groupId']],
    ['eu-west-1', topic('news.fifo'), 'gateway-notifications'],
  )
  const payload = JSON.parse(String(message['message']))
  assert.deepEqual([payload.source, payload.event_type], ['gateway', 'budget_warning'])
  assert.match(String(message['subject']), /^[\x20-\x7e]{1,100}$/)
  const [newest] = (await read()).history
  assert.equal((message['attributes'] as Record<string, string>)['event_id'], newest.event_id)
  await save({ destination_type: 'topic', destination: topic('missing') })
  const { body } = await tryDraft()
  assert.deepEqual([body.success, body.response_status], [false, 404])
})

test('an event bus gets the envelope without what it says twice, and a refused entry is a failure', async () => {
  const destination = 'arn:aws:events:ap-northeast-1:111111111111:event-bus/news'
  await save({ destination_type: 'event_bus', destination })
  await control.script({ match: { operation: 'PutEvents' }, behaviour: { failedEntries: 1 } })
  const refused = await tryDraft()
  assert.deepEqual([refused.body.success, refused.body.response_status], [false, 200])
  assert.match(refused.body.error, /InternalFailure/)
  assert.equal((await activate()).status, 409)
  assert.equal((await tryDraft()).body.success, true)
  const published = (await control.published()).filter(({ accepted }) => accepted)
  assert.equal(published.length, 1)
  const entry = published[0]?.message as Record<string, string>
  assert.deepEqual(
    [published[0]?.region, entry['EventBusName'], entry['Source'], entry['DetailType'], typeof entry['Time']],
    ['ap-northeast-1', destination, 'gateway.notifications', 'budget_warning', 'number'],
  )
  assert.match(String(entry['Resources']), /^urn:uuid:[0-9a-f-]{36}$/)
  assert.deepEqual(Object.keys(JSON.parse(entry['Detail'] ?? '')), [
    'version',
    'category',
    'severity',
    'user_identity',
    'team_id',
    'team_name',
    'detail',
  ])
})

test('addresses that are not what their type says are refused', async () => {
  for (const [destination_type, destination] of [
    ['webhook', 'arn:aws:sns:us-east-1:111111111111:news'],
    ['topic', hook()],
    ['topic', 'arn:aws:events:us-east-1:111111111111:event-bus/news'],
    ['topic', 'arn:aws:sns:us-east-1.evil.example/:111111111111:news'],
    ['topic', 'arn:aws:sns:us-east-1@evil-1:111111111111:news'],
    ['topic', 'arn:aws:sns:us-east-1:1:news'],
    ['event_bus', 'arn:aws:sns:us-east-1:111111111111:news'],
    ['event_bus', 'arn:aws:events:us-east-1:111111111111:rule/news'],
  ] as const) {
    const { status, body } = await save({ destination_type, destination })
    assert.deepEqual([status, body.error.details[0].path], [400, 'destination'], destination)
  }
  const secret = await save({ destination_type: 'topic', destination: fallback.address, secret: 'x' })
  assert.deepEqual([secret.status, secret.body.error.details[0].path], [400, 'secret'])
  for (const destination of [
    'arn:aws-us-gov:sns:us-gov-west-1:111111111111:a',
    'arn:aws-cn:sns:cn-north-1:111111111111:a',
  ])
    assert.equal((await save({ destination_type: 'topic', destination })).status, 200, destination)
})

test('the path of a webhook may be a secret: it is in no record of what was done, and nobody can save what is shown', async () => {
  const secret = '/services/T0/B0/path-secret?token=query-secret'
  await saveHook({ destination: hook(secret) })
  await asAdmin('POST', '/admin/notifications/test', {})
  await asAdmin('POST', '/admin/notifications/activate', {})
  await asAdmin('PUT', '/admin/notifications/categories', { categories: { rate_limit: true } })
  await saveHook({ destination: hook(secret) })
  await saveHook({ destination: hook(secret) })
  await asAdmin('DELETE', '/admin/notifications/draft')
  await asAdmin('DELETE', '/admin/notifications/config')
  const { rows } = await app.database.pool.query(
    'select before::text, after::text from audit_log union all select destination, error from notification_deliveries',
  )
  assert.doesNotMatch(JSON.stringify(rows), /path-secret|query-secret/)
  assert.match(JSON.stringify(rows), new RegExp(shownAddress(hook(secret))))
  // As an earlier release has recorded it.
  await app.database.pool.query('update notification_deliveries set destination = $1', [hook(secret)])
  assert.doesNotMatch(JSON.stringify((await read()).history), /path-secret|query-secret/)
  assert.equal((await saveHook({ destination: shownAddress(hook(secret)) })).status, 400)
})

test('no bad body changes anything', async () => {
  for (const [method, path] of [
    ['POST', '/admin/notifications/test'],
    ['POST', '/admin/notifications/activate'],
  ] as const)
    assert.equal((await asAdmin(method, path, { nope: 1 })).status, 400)
})

test('every declared answer was seen', async () => {
  // Extensions may add something to read.
  for (const { method, path, tag } of app.routes)
    if (method === 'GET' && tag === 'Notifications') assert.equal((await asAdmin(method, path)).status, 200, path)
  app.assertCovered('Notifications', isOwnStatus)
})
