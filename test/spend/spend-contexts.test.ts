import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import { forgetUnusedContexts } from '../../src/modules/spend/spend-contexts.store.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { dropOldRecords } from '../../src/modules/spend/spend-retention.loop.ts'
import { aSpendRecord } from '../database/samples.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

const KEPT_DAYS = 400

let own: TestDatabase
before(async () => {
  own = await createTestDatabase()
})
after(() => own.drop())

const withContext = (routing: string) => aSpendRecord({ routing, atMs: Date.now() })
const append = (...records: SpendRecord[]) => createSpendLog(own.database.kysely).appendBatch(records)
const forget = () => forgetUnusedContexts(own.database.kysely, KEPT_DAYS)
const describeRouting = async ({ requestId }: SpendRecord) =>
  (await createSpendLog(own.database.kysely).find(requestId)).map(({ routing }) => routing)

async function setUnused(days: number): Promise<void> {
  await own.database.pool.query('update spend_context_marks set last_used = current_date - $1::integer', [days])
}

async function contexts(): Promise<readonly string[]> {
  const { rows } = await own.database.pool.query('select routing from spend_contexts order by routing')
  return rows.map(({ routing }) => routing)
}

async function marks(): Promise<readonly number[]> {
  const { rows } = await own.database.pool.query('select current_date - last_used as days from spend_context_marks')
  return rows.map(({ days }) => Number(days))
}

test('a context goes with retention once no record can have it any more, and stays while one is in use', async () => {
  const settings = () => ({ spend_retention_days: 60, audit_retention_days: 365 })
  const retain = () => dropOldRecords({ database: () => own.database, settings, nowMs: Date.now, forgetOld: [] })
  await append(withContext('forgotten'), withContext('used again'))
  await setUnused(69)
  await retain()
  assert.deepEqual(await contexts(), ['forgotten', 'used again'], 'a record of the last day may be there')
  await setUnused(70)
  const again = withContext('used again')
  await append(again)
  await retain()
  assert.deepEqual(await contexts(), ['used again'])
  assert.deepEqual(await describeRouting(again), ['used again'])
  const back = withContext('forgotten')
  await append(back)
  assert.deepEqual(await describeRouting(back), ['forgotten'])
})

test('however short records are kept, a context stays for as long as releases may run side by side', async () => {
  await setUnused(44)
  assert.equal(await forgetUnusedContexts(own.database.kysely, 1), 0)
  await setUnused(45)
  assert.equal(await forgetUnusedContexts(own.database.kysely, 1), 2)
})

test('a context that the release before has stored is marked by the first retention, and goes as every other', async () => {
  await append(withContext('unmarked'))
  await own.database.pool.query('delete from spend_context_marks')
  assert.equal(await forget(), 0)
  assert.deepEqual(await marks(), [0])
  await setUnused(1_000)
  assert.equal(await forget(), 1)
  assert.deepEqual([await contexts(), await marks()], [[], []])
})

test('a context in use is marked once in a while, not with every batch', async () => {
  await append(withContext('daily'))
  await setUnused(7)
  await append(withContext('daily'))
  assert.deepEqual(await marks(), [7])
  await setUnused(8)
  await append(withContext('daily'))
  assert.deepEqual(await marks(), [0])
})

test('a record that is being stored keeps its context from being forgotten', async () => {
  await setUnused(1_000)
  const record = withContext('daily')
  await own.database.kysely.transaction().execute(async (tx) => {
    await createSpendLog(tx).appendBatch([record])
    assert.equal(await forget(), 0)
  })
  assert.equal(await forget(), 0)
  assert.deepEqual(await describeRouting(record), ['daily'])
})

test('a record that comes while its context is being forgotten stores it again', async () => {
  await setUnused(1_000)
  const record = withContext('daily')
  const storing = await own.database.kysely.transaction().execute(async (tx) => {
    assert.equal(await forgetUnusedContexts(tx, KEPT_DAYS), 1)
    const started = append(record)
    await untilBlocked()
    return { started }
  })
  await storing.started
  assert.deepEqual(await describeRouting(record), ['daily'])
})

async function untilBlocked(): Promise<void> {
  for (;;) {
    const { rows } = await own.database.pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (rows.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

test('several instances that store and forget the same contexts at once lose none, and none waits for ever', async () => {
  const names = Array.from({ length: 8 }, (_, index) => `shared ${index}`)
  const stored: SpendRecord[] = []
  for (let round = 0; round < 25; round++) {
    const records = names.map(withContext)
    stored.push(...records)
    await setUnused(1_000)
    await Promise.all([
      append(...records.slice(0, 5)),
      forget(),
      append(...records.slice(3).toReversed()),
      forget(),
      append(...records.slice(1, 7)),
    ])
  }
  const { rows } = await own.database.pool.query(
    `select count(*)::integer as whole from spend_log join spend_contexts on id = context_id where routing like 'shared %'`,
  )
  assert.equal(rows[0].whole, stored.length)
  assert.deepEqual(await describeRouting(stored.at(-1) as SpendRecord), [names.at(-1)])
})
