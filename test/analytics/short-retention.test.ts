/** What charts still show when records were dropped and only their sums are left. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { createSpendPartitions } from '../../src/modules/spend/spend-partitions.store.ts'
import { dropOldRecords } from '../../src/modules/spend/spend-retention.loop.ts'
import { catchUpUsage, closeUsageBlocks } from '../../src/modules/spend/usage/usage-rollup.store.ts'
import { aSpendRecord } from '../database/samples.ts'
import { startApiApp } from '../support/api-app.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const DAYS = 12

test("a person's chart in a zone of half hours outlives the records, but for the hours that midnight cuts", async () => {
  const app = await startApiApp()
  const { kysely } = app.database
  const { id, ...person } = await app.addUser()
  const nowMs = Date.now()
  const firstMs = Math.floor(nowMs / DAY_MS) * DAY_MS - DAYS * DAY_MS
  await createSpendPartitions(kysely).ensure(new Date(firstMs - DAY_MS).toISOString().slice(0, 10), DAYS + 3)
  const calls = Array.from({ length: DAYS * 24 }, (_, hour) =>
    aSpendRecord({ userId: id, atMs: firstMs + hour * HOUR_MS + 60_000, costNanoUsd: 10_000_000 }),
  )
  await createSpendLog(kysely).appendBatch(calls)
  await catchUpUsage(kysely)
  await closeUsageBlocks(kysely, nowMs)
  const charted = async (tz: string): Promise<number> => {
    const { body } = await app.call('GET', `/me/usage?days=30&tz=${tz}`, { as: app.sessionOf({ id, ...person }) })
    const requests: readonly number[] = body.timeseries.map((bucket: { requests: number }) => bucket.requests)
    assert.equal(body.totals.requests, calls.length, tz)
    return requests.reduce((sum, count) => sum + count, 0)
  }
  assert.equal(await charted('Asia/Kolkata'), calls.length)
  const settings = () => ({ spend_retention_days: 3, audit_retention_days: 365 })
  const { droppedDays } = await dropOldRecords({
    database: () => app.database,
    settings,
    nowMs: () => nowMs,
    forgetOld: [],
  })
  assert.ok(droppedDays.length >= DAYS - 4)
  assert.equal(await charted('UTC'), calls.length)
  assert.ok((await charted('Asia/Kolkata')) >= calls.length - droppedDays.length)
  await app.stop()
})

test('the longest range is compared with a whole one before it', async () => {
  const app = await startApiApp()
  const { kysely } = app.database
  const nowMs = Date.now()
  const daysAgo = [0, 399, 400, 799]
  await createSpendLog(kysely).appendBatch(daysAgo.map((days) => aSpendRecord({ atMs: nowMs - days * DAY_MS })))
  const settings = () => ({ spend_retention_days: 400, audit_retention_days: 365 })
  await dropOldRecords({ database: () => app.database, settings, nowMs: () => nowMs, forgetOld: [] })
  const day = (days: number): string => new Date(nowMs - days * DAY_MS).toISOString().slice(0, 10)
  const path = `/admin/analytics/org/overview?from=${day(399)}&to=${day(0)}`
  const { totals, previous } = (await app.call('GET', path, { as: app.admin })).body
  assert.deepEqual([totals.requests, previous.requests], [2, 2])
  await app.stop()
})
