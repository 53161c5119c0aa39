import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '../../src/foundation/platform/ids.ts'
import type { DatabaseStatus } from '../../src/modules/operations/status-ports.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { catchUpUsage } from '../../src/modules/spend/usage/usage-rollup.store.ts'
import { aSpendRecord } from '../database/samples.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'
import { isOwnStatus } from '../support/api-coverage.ts'

let app: ApiApp
let database: DatabaseStatus = { kind: 'none' }

before(async () => {
  const bare = await startApiApp()
  await bare.stop()
  const loop = {
    name: 'price-refresh',
    intervalMs: 86_400_000,
    lastStartAtMs: Date.parse('2026-11-15T10:00:00Z'),
    lastSuccessAtMs: null,
    lastErrorAtMs: Date.parse('2026-11-15T10:00:01Z'),
    lastError: 'eu-west-3: the price list answered with status 404',
    isRunning: false,
    ageMs: 0,
    errors: 1,
    lagMs: 0,
  }
  const status = { ...bare.ports.status, loops: () => [loop], askDatabase: async () => database }
  app = await startApiApp({ ports: { status } })
})
after(() => app.stop())

const read = async () => (await app.call('GET', '/admin/status', { as: app.admin })).body

test('what charts left out is counted again when an administrator asks for it, which the audit trail shows', async () => {
  const ask = (body?: object) =>
    app.call('POST', '/admin/usage/recount', { as: app.admin, ...(body === undefined ? {} : { body }) })
  const { status, body } = await ask({})
  assert.deepEqual([status, body], [200, { tried_records: 0, uncounted_records: 0, unclosed_periods: 0 }])
  assert.equal((await ask()).status, 200, 'nothing in a body is needed')
  assert.equal((await ask({ now: true })).status, 400)
  const { body: trail } = await app.call('GET', '/admin/audit?action=usage.recount', { as: app.admin })
  assert.equal(trail.data.length, 2)
})

test('days that are still refused after they were tried again are in the answer', async () => {
  const { kysely, pool } = app.database
  const atMs = Date.UTC(2026, 4, 9, 12)
  const nobody = { userId: null, teamId: null, keyId: null, endpointId: null, attempts: [] }
  await createSpendLog(kysely).appendBatch(
    [0, 1].map((day) => aSpendRecord({ ...nobody, atMs: atMs + day * 86_400_000 })),
  )
  await catchUpUsage(kysely)
  // As many calls as a column can hold on each of two days of a block: what is refused is their sum.
  const setRequests = (requests: number) => pool.query('update org_days set requests = $1', [requests])
  const recount = async () =>
    (await app.call('POST', '/admin/usage/recount', { as: app.admin, body: {} })).body.unclosed_periods
  await setRequests(2_147_483_647)
  assert.equal(await recount(), 1)
  assert.equal(await recount(), 1)
  await setRequests(1)
  assert.equal(await recount(), 0)
})

test('an instance without a database shows itself, and that there is none', async () => {
  const body = await read()
  assert.deepEqual(
    body.instances.map((one: { is_self: boolean; status: string }) => [one.is_self, one.status]),
    [[true, 'alive']],
  )
  assert.equal(body.database.status, 'none')
  assert.equal(body.loops[0].last_error, 'eu-west-3: the price list answered with status 404')
})

test('other instances are shown with their ledgers, one that fell silent as such, and the ledger as a whole', async () => {
  const own = app.ports.status.ownReport()
  const other = (id: string, silentSeconds: number, lagSeconds: number) => ({
    ...own,
    instanceId: `0190a000-0000-7000-8000-0000000000${id}`,
    seenAt: '2026-11-15T10:00:00.000Z',
    silentSeconds,
    ledger: { ...own.ledger, waiting: 5, lagSeconds, quarantined: 1, lastFlushAt: `2026-11-15T10:00:0${id[1]}.000Z` },
  })
  database = {
    kind: 'ok',
    serverVersion: '18.4',
    latencyMs: 1.23456,
    connections: { open: 3, idle: 2, waiting: 0 },
    cacheVersion: 7,
    instances: [other('c1', 2, 0.5), other('c2', 60, 70), { ...other('c3', 0, 0), instanceId: own.instanceId }],
    unpriced: ['claude-newest-9', 'us.anthropic.claude-sonnet-5'].map((model) => ({
      model,
      requests: 4,
      lastAt: '2026-11-15T10:00:00.000Z',
    })),
    setAside: { records: 2, periods: 1 },
  }
  await app.call('PUT', '/admin/pricing/anthropic.claude-sonnet-5', {
    as: app.admin,
    body: {
      input_usd_per_mtok: 3,
      output_usd_per_mtok: 15,
      cache_read_usd_per_mtok: 0.3,
      cache_write_5m_usd_per_mtok: 3.75,
    },
  })
  const body = await read()
  assert.deepEqual([body.uncounted_records, body.unclosed_periods], [2, 1])
  assert.deepEqual(
    body.instances.map((one: { is_self: boolean; status: string; ledger: { waiting: number } }) => [
      one.is_self,
      one.status,
      one.ledger.waiting,
    ]),
    [
      [true, 'alive', 0],
      [false, 'alive', 5],
      [false, 'silent', 5],
    ],
  )
  assert.deepEqual(
    [body.ledger.waiting, body.ledger.lag_seconds, body.ledger.quarantined, body.ledger.last_flush_at],
    [10, 70, 2, '2026-11-15T10:00:01.000Z'],
  )
  assert.deepEqual(
    [body.database.latency_ms, body.database.cache_version, body.database.connections.open],
    [1.235, 7, 3],
  )
  const called = { requests: 4, last_at: '2026-11-15T10:00:00.000Z' }
  assert.deepEqual(body.unpriced_models, [
    { model: 'claude-newest-9', hosted_model_id: null, ...called, has_price: false },
    {
      model: 'us.anthropic.claude-sonnet-5',
      hosted_model_id: 'anthropic.claude-sonnet-5',
      ...called,
      has_price: true,
    },
  ])
})

test('an hour of the endpoints is told minute by minute, with those that are gone, and a wrong moment is refused', async () => {
  const endpointId = newId()
  const insert = (at: string, status: number, firstTokenMs: number | null) =>
    app.database.pool.query(
      `insert into spend_log (at, cost_nano_usd, context_id, input_tokens, output_tokens, cache_read_tokens,
        cache_write_5m_tokens, cache_write_1h_tokens, duration_ms, first_token_ms, round, status, flags, web_searches,
        streaming, request_id, endpoint_id, model)
        values ($1, 0, 0, 1, 1, 0, 0, 0, 900, $2, 0, $3, 0, 0, true, $4, $5, 'm')`,
      [at, firstTokenMs, status, newId(), endpointId],
    )
  await insert('2026-11-10T09:20:05Z', 200, 100)
  await insert('2026-11-10T09:20:40Z', 200, 900)
  await insert('2026-11-10T09:20:59.999Z', 529, null)
  await insert('2026-11-10T09:21:00Z', 429, null)
  await insert('2026-11-10T08:14:59Z', 200, 1)
  await insert('2026-11-10T09:15:00Z', 200, 1)
  const ask = (query: string) => app.call('GET', `/admin/health/history${query}`, { as: app.admin })
  const { body } = await ask('?at=2026-11-10T09:10:00Z')
  assert.deepEqual([body.from, body.to], ['2026-11-10T08:25:00.000Z', '2026-11-10T09:25:00.000Z'])
  const gone = body.endpoints.find((one: { id: string }) => one.id === endpointId)
  assert.deepEqual(gone.minutes, [
    { at: '2026-11-10T09:15:00.000Z', requests: 1, errors: 0, throttled: 0, first_token_p95_ms: 1 },
    { at: '2026-11-10T09:20:00.000Z', requests: 3, errors: 1, throttled: 0, first_token_p95_ms: 900 },
    { at: '2026-11-10T09:21:00.000Z', requests: 1, errors: 0, throttled: 1, first_token_p95_ms: null },
  ])
  const now = (await ask('')).body
  assert.equal(Date.parse(now.to) - Date.parse(now.from), 3_600_000)
  assert.equal(
    now.endpoints.some((one: { id: string }) => one.id === endpointId),
    false,
  )
  for (const wrong of ['?at=yesterday', '?at=1794738600', '?when=now']) assert.equal((await ask(wrong)).status, 400)
})

test('every declared answer of the status was exercised', () => {
  app.assertCovered('Status', isOwnStatus)
})
