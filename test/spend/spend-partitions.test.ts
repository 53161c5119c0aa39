import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { createSpendPartitions } from '../../src/modules/spend/spend-partitions.store.ts'
import { aSpendRecord } from '../database/samples.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let own: TestDatabase | undefined
beforeEach(async () => {
  await own?.drop()
  own = await createTestDatabase()
})
after(() => own?.drop())

function kysely() {
  assert.ok(own)
  return own.database.kysely
}

function onDay(day: string): SpendRecord {
  return aSpendRecord({ atMs: Date.parse(`${day}T13:00:00Z`) })
}

async function rowsIn(table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from ${sql.table(table)}`.execute(kysely())
  return rows[0]?.count ?? 0
}

test('days are made ahead once, whoever asks at the same time', async () => {
  const made = await Promise.all(
    Array.from({ length: 6 }, () => createSpendPartitions(kysely()).ensure('2026-02-27', 4)),
  )
  const expected = ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']
  assert.deepEqual(made.flat().sort(), expected)
  assert.deepEqual(await createSpendPartitions(kysely()).list(), expected)
})

test('a record of a day without a partition is stored, and moves when the partition is made', async () => {
  const record = onDay('2026-04-01')
  await createSpendLog(kysely()).appendBatch([record, onDay('2026-04-02')])
  assert.equal(await rowsIn('spend_log_default'), 2)
  await createSpendPartitions(kysely()).ensure('2026-04-01', 1)
  assert.equal(await rowsIn('spend_log_default'), 1)
  assert.equal(await rowsIn('spend_log_20260401'), 1)
  assert.deepEqual(await createSpendLog(kysely()).find(record.requestId), [record])
  assert.equal((await createSpendLog(kysely()).appendBatch([record])).duplicates, 1)
})

test('records of both sides of midnight go to their own days', async () => {
  await createSpendPartitions(kysely()).ensure('2026-05-01', 2)
  await createSpendLog(kysely()).appendBatch([
    aSpendRecord({ atMs: Date.parse('2026-05-01T23:59:59.999Z') }),
    aSpendRecord({ atMs: Date.parse('2026-05-02T00:00:00.000Z') }),
  ])
  assert.deepEqual([await rowsIn('spend_log_20260501'), await rowsIn('spend_log_20260502')], [1, 1])
})

test('partitions are made while records of the same day are being written', async () => {
  const writing = Array.from({ length: 20 }, () =>
    createSpendLog(kysely()).appendBatch(Array.from({ length: 20 }, () => onDay('2026-06-01'))),
  )
  await Promise.all([createSpendPartitions(kysely()).ensure('2026-06-01', 1), ...writing])
  assert.equal(await rowsIn('spend_log'), 400)
  assert.equal(await rowsIn('spend_log_default'), 0)
})

test('old days are dropped, also from the default partition, and newer ones stay', async () => {
  const partitions = createSpendPartitions(kysely())
  await partitions.ensure('2026-01-01', 3)
  await createSpendLog(kysely()).appendBatch(['2025-12-31', '2026-01-01', '2026-01-03', '2026-01-09'].map(onDay))
  assert.deepEqual(await partitions.dropBefore('2026-01-03'), ['2026-01-01', '2026-01-02'])
  assert.deepEqual(await partitions.list(), ['2026-01-03'])
  assert.equal(await rowsIn('spend_log'), 2)
})

test('every day has the indexes of the log', async () => {
  await createSpendPartitions(kysely()).ensure('2026-07-01', 1)
  const { rows } = await sql<{ table: string; count: number }>`
    select tablename::text as table, count(*) from pg_indexes
    where tablename in ('spend_log_20260701', 'spend_log_default') group by 1 order by 1`.execute(kysely())
  assert.equal(rows.length, 2)
  assert.equal(rows[0]?.count, rows[1]?.count)
})
