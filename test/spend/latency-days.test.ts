import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import { newId } from '../../src/foundation/platform/ids.ts'
import { createUsageLatency } from '../../src/modules/analytics/usage-models.store.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { createSpendPartitions } from '../../src/modules/spend/spend-partitions.store.ts'
import { readUsage } from '../../src/modules/spend/usage/usage-reader.store.ts'
import { catchUpUsage, closeUsageBlocks } from '../../src/modules/spend/usage/usage-rollup.store.ts'
import type { UsageFilter } from '../../src/modules/spend/usage/usage-source.store.ts'
import { aSpendRecord } from '../database/samples.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let own: TestDatabase
before(async () => {
  own = await createTestDatabase()
})
after(() => own.drop())

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const store = (records: readonly SpendRecord[]) => createSpendLog(own.database.kysely).appendBatch(records)
const close = (nowMs: number) => closeUsageBlocks(own.database.kysely, nowMs)

/** How many calls a histogram of whole durations holds. */
async function countTimed(dayMs: number, filter: UsageFilter): Promise<number> {
  const rows = await readUsage(own.database.kysely, (reader) =>
    createUsageLatency(reader).histogram({ startMs: dayMs, endMs: dayMs + DAY_MS }, filter),
  )
  return rows.filter(({ kind }) => kind === 'duration').reduce((sum, { calls }) => sum + calls, 0)
}

async function completeDays(): Promise<readonly string[]> {
  const { rows } = await own.database.pool.query<{ day: string }>(
    'select day::text from latency_marks where is_complete order by 1',
  )
  return rows.map(({ day }) => day)
}

test('a day is put together an hour after it is over, and then answers without its records', async () => {
  const dayMs = Date.UTC(2026, 4, 5)
  const [userId, teamId] = [newId(), newId()]
  await store(Array.from({ length: 40 }, (_, index) => aSpendRecord({ atMs: dayMs + index * 1000, userId, teamId })))
  await catchUpUsage(own.database.kysely)
  await close(dayMs + DAY_MS + HOUR_MS - 1)
  assert.deepEqual(await completeDays(), [])
  await close(dayMs + DAY_MS + HOUR_MS)
  assert.deepEqual(await completeDays(), ['2026-05-05'])
  await own.database.pool.query('delete from spend_log where user_id = $1', [userId])
  assert.deepEqual(
    [
      await countTimed(dayMs, { userIds: [userId] }),
      await countTimed(dayMs, { teamIds: [teamId] }),
      await countTimed(dayMs, { teamIds: [teamId], userIds: [newId()] }),
    ],
    [40, 40, 0],
  )
  // What is put together anew from fewer records must not replace what the dropped ones had left.
  await store([aSpendRecord({ atMs: dayMs + HOUR_MS, userId, teamId })])
  await catchUpUsage(own.database.kysely)
  assert.deepEqual(await completeDays(), [])
  await close(dayMs + 2 * DAY_MS)
  assert.equal(await countTimed(dayMs, { userIds: [userId] }), 40)
})

test('a record that comes while its day is put together is in every later answer', async () => {
  const { kysely, pool } = own.database
  const dayMs = Date.UTC(2026, 5, 9)
  const userId = newId()
  const record = () => aSpendRecord({ atMs: dayMs + HOUR_MS, userId })
  await store([record()])
  await catchUpUsage(kysely)
  const client = await pool.connect()
  try {
    // As the loop does it, stopped after the records were read.
    await client.query(`insert into latency_marks values ('2026-06-09', false)`)
    await client.query('begin')
    await client.query(`select close_latency_day('2026-06-09')`)
    await store([record()])
    const counted = catchUpUsage(kysely)
    await client.query('commit')
    await counted
  } finally {
    client.release()
  }
  assert.ok(!(await completeDays()).includes('2026-06-09'))
  assert.equal(await countTimed(dayMs, { userIds: [userId] }), 2)
  await close(dayMs + 2 * DAY_MS)
  assert.ok((await completeDays()).includes('2026-06-09'))
  assert.equal(await countTimed(dayMs, { userIds: [userId] }), 2)
})

test('several instances that put the same days together leave each of them once', async () => {
  const dayMs = Date.UTC(2026, 6, 1)
  const userId = newId()
  await store(Array.from({ length: 90 }, (_, index) => aSpendRecord({ atMs: dayMs + index * HOUR_MS, userId })))
  await catchUpUsage(own.database.kysely)
  await Promise.all([close(dayMs + 9 * DAY_MS), close(dayMs + 9 * DAY_MS), close(dayMs + 9 * DAY_MS)])
  assert.deepEqual(
    [await countTimed(dayMs, { userIds: [userId] }), await countTimed(dayMs + 3 * DAY_MS, { userIds: [userId] })],
    [24, 18],
  )
})

test('a late record of a day whose records were dropped is in its histograms, once, also in those of its block', async () => {
  const { kysely } = own.database
  const dayMs = Date.UTC(2026, 0, 10)
  const [userId, teamId] = [newId(), newId()]
  const partitions = createSpendPartitions(kysely)
  const late = (durationMs: number) => aSpendRecord({ atMs: dayMs + 5 * HOUR_MS, userId, teamId, durationMs })
  await partitions.ensure('2026-01-10', 1)
  await store(Array.from({ length: 30 }, (_, index) => aSpendRecord({ atMs: dayMs + index * 1000, userId, teamId })))
  await catchUpUsage(kysely)
  await close(dayMs + 20 * DAY_MS)
  assert.deepEqual(await partitions.dropBefore('2026-01-11'), ['2026-01-10'])
  const blockMs = dayMs - 12 * DAY_MS
  const ofTeam = async (): Promise<number> => {
    const rows = await readUsage(kysely, (reader) =>
      createUsageLatency(reader).histogram({ startMs: blockMs, endMs: blockMs + 24 * DAY_MS }, { teamIds: [teamId] }),
    )
    return rows.filter(({ kind }) => kind === 'duration').reduce((sum, { calls }) => sum + calls, 0)
  }
  const counts = async () => [
    await countTimed(dayMs, { userIds: [userId] }),
    await countTimed(dayMs, { teamIds: [teamId] }),
    await ofTeam(),
  ]
  assert.deepEqual(await counts(), [30, 30, 30])
  await store([late(77), late(123_456)])
  assert.deepEqual(await counts(), [32, 32, 32])
  await close(dayMs + 20 * DAY_MS)
  assert.deepEqual(await counts(), [32, 32, 32])
  await store([late(77)])
  await close(dayMs + 20 * DAY_MS)
  assert.deepEqual(await counts(), [33, 33, 33])
  // The next retention takes the late ones too.
  await partitions.dropBefore('2026-01-11')
  assert.deepEqual(await counts(), [33, 33, 33])
})
