/** The scrape of a running gateway: valid for the real tool, complete, guarded, and never in the hands of clients. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { hello, post, stream } from '../message-path/path-client.ts'
import { addKey, login, startGateway } from '../support/gateway.ts'
import { assertLabelsAreOurs } from './hostile-calls.ts'
import { findFamily, promtool, samplesOf, shownTable, totalOf } from './scraped.ts'

let key = ''
let limitedKey = ''
const gateway = await startGateway({
  prepare: async (database) => {
    key = (await addKey(database, { rateLimitRpm: 100_000 })).key
    limitedKey = (await addKey(database, { rateLimitRpm: 1 })).key
  },
})
after(gateway.stop)
const scrape = async (): Promise<string> => (await fetch(`${gateway.url}/metrics`)).text()

test('promtool finds nothing to say about the scrape, also after traffic of every kind', async () => {
  await (await post(gateway, key, hello)).arrayBuffer()
  await stream(gateway, key)
  await (await post(gateway, 'sk-proxy-wrong', hello)).arrayBuffer()
  await (await post(gateway, key, { ...hello, model: 'no-such-model' })).arrayBuffer()
  await fetch(`${gateway.url}/admin/users`, { headers: { authorization: `Bearer ${key}` } })
  const text = await scrape()
  assert.deepEqual(promtool(['check', 'metrics'], text), { ok: true, output: '' })
  assert.doesNotMatch(text, /_total_total/)
  assert.match(text, /\n$/)
})

test('everything shown is in the table with these labels, and everything in the table is shown', async () => {
  const text = await scrape()
  const samples = samplesOf(text)
  for (const { name, labels } of samples) {
    const family = findFamily(name)
    assert.ok(family, `${name} is not in the table`)
    assert.deepEqual(
      Object.keys(labels).filter((label) => !family.labels.includes(label)),
      [],
      name,
    )
  }
  assert.equal(
    new Set(samples.map((one) => JSON.stringify([one.name, one.labels]))).size,
    samples.length,
    'no series twice',
  )
  const announced = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, kind]) => `${name} ${kind}`)
  assert.deepEqual(announced.sort(), [...shownTable].map(([name, { kind }]) => `${name} ${kind}`).sort())
})

test('the doors count whom they refuse, by reason', async () => {
  const before = samplesOf(await scrape())
  await fetch(`${gateway.url}/v1/messages`, { method: 'POST' })
  await (await post(gateway, 'sk-proxy-unknown', hello)).arrayBuffer()
  await fetch(`${gateway.url}/admin/users`, { headers: { authorization: `Bearer ${key}` } })
  await fetch(`${gateway.url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: 'wrong' }),
  })
  const now = samplesOf(await scrape())
  const rise = (name: string, labels: Record<string, string>): number =>
    totalOf(now, name, labels) - totalOf(before, name, labels)
  for (const reason of ['missing_credential', 'invalid_virtual_key', 'admin_required', 'wrong_password'])
    assert.equal(rise('gateway_auth_failures_total', { reason }), 1, reason)
  assert.equal(rise('gateway_refusals_total', { code: 'invalid_virtual_key' }), 1)
  assert.equal(rise('gateway_requests_total', { model: 'none', status: '401' }), 2)
})

test('rate limits and budgets count their decisions', async () => {
  const before = samplesOf(await scrape())
  for (let call = 0; call < 3; call += 1) await (await post(gateway, limitedKey, hello)).arrayBuffer()
  const now = samplesOf(await scrape())
  const rise = (name: string, labels: Record<string, string>): number =>
    totalOf(now, name, labels) - totalOf(before, name, labels)
  assert.equal(rise('gateway_rate_limit_decisions_total', { limit: 'key', decision: 'taken' }), 1)
  assert.equal(rise('gateway_rate_limit_decisions_total', { limit: 'key', decision: 'limited' }), 2)
  assert.equal(rise('gateway_budget_decisions_total', { decision: 'none' }), 1)
  assert.equal(rise('gateway_requests_total', { outcome: 'limited' }), 2, 'recorded or not')
})

test('the state of the process, its loops, its pool and its snapshot is shown', async () => {
  const samples = samplesOf(await scrape())
  const loops = new Set(
    samples.filter(({ name }) => name === 'gateway_loop_age_seconds').map(({ labels }) => labels['loop']),
  )
  assert.ok(loops.has('snapshot-poll') && loops.has('spend-flush') && loops.has('event-delivery'))
  assert.ok(totalOf(samples, 'gateway_snapshot_age_seconds') < 15)
  assert.ok(totalOf(samples, 'gateway_snapshot_version', { section: 'keys' }) >= 1)
  assert.ok(totalOf(samples, 'gateway_database_connections_max') >= 1)
  assert.ok(totalOf(samples, 'gateway_database_connections') >= 1)
  assert.ok(totalOf(samples, 'gateway_memory_bytes', { kind: 'resident' }) > 10_000_000)
  assert.ok(totalOf(samples, 'gateway_cpu_seconds_total') > 0)
  assert.ok(Math.abs(totalOf(samples, 'gateway_start_time_seconds') - Date.now() / 1000) < 600)
  assert.ok(totalOf(samples, 'gateway_price_list_age_seconds') < 600)
})

test('what clients make up adds no series and never stands in a label', async () => {
  await assertLabelsAreOurs(gateway, key, 300)
})

test('with METRICS_TOKEN only its bearer may scrape', async () => {
  const guarded = await startGateway({ database: 'none', env: { METRICS_TOKEN: 'scraper-secret' } })
  try {
    const ask = (authorization?: string) =>
      fetch(`${guarded.url}/metrics`, authorization === undefined ? {} : { headers: { authorization } })
    const refused = await ask()
    assert.equal(refused.status, 401)
    assert.match(await refused.text(), /METRICS_TOKEN/)
    assert.equal((await ask('Bearer scraper-secre')).status, 401)
    assert.equal((await ask(`Bearer ${await login(guarded.url)}`)).status, 401)
    assert.equal((await ask('scraper-secret')).status, 401)
    assert.equal((await ask('Basic scraper-secret')).status, 401)
    // The name of a scheme has no case.
    assert.equal((await ask('bearer scraper-secret')).status, 200)
    const allowed = await ask('Bearer scraper-secret')
    assert.equal(allowed.status, 200)
    assert.deepEqual(promtool(['check', 'metrics'], await allowed.text()), { ok: true, output: '' })
  } finally {
    await guarded.stop()
  }
})
