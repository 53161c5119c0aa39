/** Day partitions of the spend log: made ahead of time, dropped whole when their retention has passed. */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../foundation/database/schema.ts'
import { ROLL_UP_LOCK } from './usage/usage-rollup.store.ts'

const PARTITION_LOCK = 7_226_091_838
const DAY_MS = 86_400_000
const PARTITION_NAME = /^spend_log_(\d{4})(\d{2})(\d{2})$/

export function createSpendPartitions(db: Kysely<Schema>) {
  return {
    /**
     * Makes sure that `days` days from `fromDay` (YYYY-MM-DD, UTC) have their partition. Any number of instances may
     * call it at once. Rows that waited in the default partition move into theirs. Returns the days that were made.
     */
    ensure: async (fromDay: string, days: number): Promise<readonly string[]> => {
      const existing = new Set(await listDays(db))
      const made: string[] = []
      for (let index = 0; index < days; index++) {
        const day = toDay(Date.parse(`${fromDay}T00:00:00Z`) + index * DAY_MS)
        if (!existing.has(day) && (await makePartition(db, day))) made.push(day)
      }
      return made
    },

    /** Returns the days that were dropped. */
    dropBefore: async (day: string): Promise<readonly string[]> => {
      const dropped: string[] = []
      for (const old of await listDays(db)) {
        if (old >= day) continue
        await underLock(db, (tx) => dropPartition(tx, old))
        dropped.push(old)
      }
      await sql`delete from spend_log_default where at < ${findStart(day)}::timestamptz`.execute(db)
      return dropped
    },

    /** Days that have a partition, oldest first. */
    list: () => listDays(db),
  }
}

function toDay(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}

function findStart(day: string): string {
  return `${day}T00:00:00Z`
}

function toPartition(day: string) {
  return sql.table(`spend_log_${day.replaceAll('-', '')}`)
}

async function listDays(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname::text as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'spend_log'::regclass order by relname`.execute(db)
  return rows.flatMap(({ name }) => {
    const parts = PARTITION_NAME.exec(name)
    return parts === null ? [] : [parts.slice(1).join('-')]
  })
}

/** Never queues behind a long reader for long: everybody who writes spend would have to wait behind us. */
async function underLock<R>(db: Kysely<Schema>, work: (tx: Kysely<Schema>) => Promise<R>): Promise<R> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${PARTITION_LOCK})`.execute(tx)
    await sql`set local lock_timeout = '3s'`.execute(tx)
    return work(tx)
  })
}

/** No record of the day is being counted meanwhile: one that is counted later must find that the others are gone. */
async function dropPartition(tx: Kysely<Schema>, day: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${ROLL_UP_LOCK})`.execute(tx)
  await sql`insert into dropped_days select day from latency_marks where day = ${day}::date and is_complete
    on conflict do nothing`.execute(tx)
  await sql`drop table if exists ${toPartition(day)}`.execute(tx)
}

async function makePartition(db: Kysely<Schema>, day: string): Promise<boolean> {
  return underLock(db, async (tx) => {
    if ((await listDays(tx)).includes(day)) return false
    const partition = toPartition(day)
    const from = sql.lit(findStart(day))
    const to = sql.lit(findStart(toDay(Date.parse(findStart(day)) + DAY_MS)))
    // Attached instead of created as a partition: that would lock out all readers and writers of the whole log.
    // No row of this day may arrive in the default partition between the move and the attachment.
    await sql`lock table spend_log_default in access exclusive mode`.execute(tx)
    await sql`create table ${partition} (like spend_log including defaults including constraints)`.execute(tx)
    await sql`
      with moved as (
        delete from spend_log_default where at >= ${from}::timestamptz and at < ${to}::timestamptz returning *
      )
      insert into ${partition} select * from moved`.execute(tx)
    await sql`alter table spend_log attach partition ${partition} for values from (${from}) to (${to})`.execute(tx)
    return true
  })
}
