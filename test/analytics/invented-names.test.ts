/** Callers name models as they like; what they invent must neither fill every answer nor stay for ever. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import { noUsage } from '../../src/foundation/domain/usage.ts'
import { createEndpointStore } from '../../src/modules/endpoints/endpoints.store.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { dropOldRecords } from '../../src/modules/spend/spend-retention.loop.ts'
import { catchUpUsage, closeUsageBlocks } from '../../src/modules/spend/usage/usage-rollup.store.ts'
import { anEndpoint, aSpendRecord } from '../database/samples.ts'
import { startApiApp } from '../support/api-app.ts'

const DAY_MS = 86_400_000

function refused(model: string, atMs: number): SpendRecord {
  return aSpendRecord({
    model,
    atMs,
    endpointId: null,
    hostedModel: null,
    status: 404,
    errorType: 'not_found_error',
    usage: noUsage,
    costNanoUsd: 0,
    rates: null,
    attempts: [],
    tools: [],
  })
}

test('invented models are listed up to a number, the rest stands together, and sums stay whole', async () => {
  const app = await startApiApp()
  const { id: endpointId } = await createEndpointStore(app.database.kysely).insert(anEndpoint())
  const atMs = Date.now() - 60_000
  const real = ['claude-opus-5', 'zz-last-by-name'].map((model) => aSpendRecord({ model, atMs, endpointId }))
  const invented = Array.from({ length: 1_500 }, (_, index) => refused(`claude-invented-${index}`, atMs))
  await createSpendLog(app.database.kysely).appendBatch([...real, ...invented])

  const ask = async (path: string) =>
    (await app.call('GET', `/admin/analytics/org/${path}?days=7`, { as: app.admin })).body
  const [overview, spend, models] = [await ask('overview'), await ask('spend'), await ask('models')]
  for (const rows of [spend.by_model, models.mix] as { readonly requests: number }[][]) {
    assert.equal(rows.length, 1_001)
    assert.equal(
      rows.reduce((sum, { requests }) => sum + requests, 0),
      overview.totals.requests,
    )
  }
  assert.deepEqual(
    spend.by_model
      .slice(0, 2)
      .map((row: { name: string }) => row.name)
      .sort(),
    ['claude-opus-5', 'zz-last-by-name'],
  )
  assert.deepEqual(
    spend.by_model.find((row: { name: string }) => row.name === '(other)'),
    { name: '(other)', spend_usd: 0, requests: 502, tokens: 0, unpriced_requests: 0 },
  )
  assert.equal(overview.filters.models.length, 1_000)
  for (const { model } of real) assert.ok(overview.filters.models.includes(model), model)
  await app.stop()
})

test('a name that no sum has any more is forgotten with its last one, others stay', async () => {
  const app = await startApiApp()
  const { kysely } = app.database
  const nowMs = Date.now()
  const log = createSpendLog(kysely)
  await log.appendBatch([
    refused('claude-invented', nowMs - 900 * DAY_MS),
    aSpendRecord({ model: 'claude-old', atMs: nowMs - 900 * DAY_MS }),
    aSpendRecord({ model: 'claude-kept', atMs: nowMs - 900 * DAY_MS }),
    aSpendRecord({ model: 'claude-kept', atMs: nowMs - 20 * DAY_MS }),
  ])
  await catchUpUsage(kysely)
  await closeUsageBlocks(kysely, nowMs)
  const settings = () => ({ spend_retention_days: 400, audit_retention_days: 365 })
  await dropOldRecords({ database: () => app.database, settings, nowMs: () => nowMs, forgetOld: [] })
  const { rows } = await app.database.pool.query('select distinct model from spend_facets')
  assert.deepEqual(rows, [{ model: 'claude-kept' }])

  // A name that comes again is known again.
  await log.appendBatch([aSpendRecord({ model: 'claude-old', atMs: nowMs - DAY_MS })])
  const { filters } = (await app.call('GET', '/admin/analytics/org/overview', { as: app.admin })).body
  assert.deepEqual(filters.models, ['claude-kept', 'claude-old'])
  const { by_model } = (await app.call('GET', '/admin/analytics/org/spend', { as: app.admin })).body
  assert.deepEqual(by_model.map((row: { name: string; requests: number }) => [row.name, row.requests]).sort(), [
    ['claude-kept', 1],
    ['claude-old', 1],
  ])
  await app.stop()
})
