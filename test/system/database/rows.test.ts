/** What becomes of a filled database when a newer release starts on it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../../src/foundation/database/database.ts'
import { migrateToLatest, planMigrations } from '../../../src/foundation/database/migrate.ts'
import type { SpendRecord } from '../../../src/foundation/domain/spend-record.ts'
import { createSpendLog } from '../../../src/modules/spend/spend-log.store.ts'
import { catchUpUsage, closeUsageBlocks } from '../../../src/modules/spend/usage/usage-rollup.store.ts'
import { createTestDatabase } from '../../support/database.ts'
import {
  appendAsBefore,
  createOldDatabase,
  makeOldRecords,
  migrationNames,
  readColumns,
  readRows,
} from './old-schema.ts'

/** Sums of the spend log: made anew for every record there is when a migration adds them. */
const rollUps = [
  'closed_blocks',
  'first_calls',
  'latency_blocks',
  'latency_days',
  'latency_marks',
  'org_blocks',
  'org_days',
  'org_hours',
  'path_tool_blocks',
  'path_tool_days',
  'person_blocks',
  'person_days',
  'person_latency_days',
  'person_numbers',
  'person_tool_blocks',
  'spend_days',
  'spend_facets',
  'spend_hours',
  'spend_quarters',
  'spend_sessions',
  'team_hours',
  'team_latency_blocks',
  'team_latency_days',
  'team_quarters',
  'team_tool_blocks',
  'team_tool_days',
  'tool_blocks',
  'tool_days',
  'usage_blocks',
  'usage_days',
]
/** What is not counted yet; empty once it is. */
const QUEUE = 'spend_batches'
/** Empty as long as nothing is refused or dropped. */
const SET_ASIDE = ['uncounted_records', 'unclosed_periods', 'dropped_days']
const LONG_AFTER_MS = Date.UTC(2027, 0, 1)

async function readRollUps(database: Database): Promise<ReadonlyMap<string, readonly string[]>> {
  await catchUpUsage(database.kysely)
  await closeUsageBlocks(database.kysely, LONG_AFTER_MS)
  const columns = await readColumns(database)
  const shown = (table: string): readonly string[] => (columns.get(table) ?? []).filter((column) => column !== 'number')
  return await readRows(database, new Map(rollUps.map((table) => [table, shown(table)])))
}

/** The roll-ups of a database of today into which the same records came one batch after the other. */
async function computeFreshly(records: readonly SpendRecord[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const fresh = await createTestDatabase()
  try {
    for (let start = 0; start < records.length; start += 37)
      await createSpendLog(fresh.database.kysely).appendBatch(records.slice(start, start + 37))
    return await readRollUps(fresh.database)
  } finally {
    await fresh.drop()
  }
}

test('from every earlier schema: no row is lost or changed, and every sum is what a new computation gives', async () => {
  const records = makeOldRecords(250)
  const fresh = await computeFreshly(records)
  for (const table of rollUps) assert.ok((fresh.get(table)?.length ?? 0) > 0, `${table} is filled by the records`)
  for (const last of migrationNames.slice(0, -1)) {
    const old = await createOldDatabase(last, records)
    try {
      const columns = new Map(
        [...(await readColumns(old.database))].filter(([table]) => ![...rollUps, QUEUE, ...SET_ASIDE].includes(table)),
      )
      const before = await readRows(old.database, columns)
      for (const [table, rows] of before) assert.ok(rows.length > 0, `${last}: there is something in ${table}`)
      const missing = migrationNames.slice(migrationNames.indexOf(last) + 1)
      assert.deepEqual(await planMigrations(old.database), missing)
      assert.deepEqual(await migrateToLatest(old.database), missing)
      assert.deepEqual(await readRows(old.database, columns), before, last)
      assert.deepEqual(await readRollUps(old.database), fresh, last)
    } finally {
      await old.drop()
    }
  }
})

test('records that instances of the earlier release write before, during and after the change are all counted, once', async () => {
  const records = makeOldRecords(900, 2)
  const first = records.slice(0, 200)
  const rest = records.slice(200)
  const old = await createOldDatabase('0006-scim+compatible', first)
  try {
    let written = 0
    const write = async (batch: readonly SpendRecord[]): Promise<void> => {
      assert.equal(await appendAsBefore(old.database, batch), batch.length)
      written += batch.length
    }
    let changing: Promise<readonly string[]> | undefined
    for (let start = 0; start < rest.length; start += 20) {
      // Not awaited: writers go on while the change waits for its locks and runs.
      if (start === 200) changing = migrateToLatest(old.database)
      await Promise.all([write(rest.slice(start, start + 10)), write(rest.slice(start + 10, start + 20))])
    }
    assert.equal((await changing)?.length, migrationNames.length - 6)
    assert.equal(written, rest.length)
    assert.deepEqual(await readRollUps(old.database), await computeFreshly(records))
  } finally {
    await old.drop()
  }
})

test('a counting of the earlier release that waits for the change to end fails instead of leaving out new sums', async () => {
  const records = makeOldRecords(40)
  const old = await createOldDatabase('0018-lists-by-name+compatible', records)
  const holder = await old.database.pool.connect()
  try {
    await holder.query('select pg_advisory_lock(7226091839)')
    const waiting = async (count: number): Promise<void> => {
      for (;;) {
        const { rows } = await holder.query(
          `select count(*) as waiting from pg_locks where locktype = 'advisory' and not granted and objid = 2931124543`,
        )
        if (rows[0]?.waiting === count) return
        await delay(20)
      }
    }
    const changing = migrateToLatest(old.database)
    await waiting(1)
    const counting = assert.rejects(old.database.pool.query('select roll_up_usage(10)'), { code: '42883' })
    await waiting(2)
    await holder.query('select pg_advisory_unlock(7226091839)')
    await Promise.all([changing, counting])
    assert.deepEqual(await readRollUps(old.database), await computeFreshly(records))
  } finally {
    holder.release()
    await old.drop()
  }
})
