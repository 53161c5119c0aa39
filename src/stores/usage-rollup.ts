/** The roll-ups follow the log by seconds: a loop counts what is new, and whoever shows them counts the rest first. */
import { type Kysely, sql } from 'kysely'
import type { Schema } from './schema.ts'
import { isRefusedData } from './store-errors.ts'

/** At most 100,000 records in one transaction: about two seconds of work. */
const BATCHES_AT_ONCE = 200

/** Calls of the last minutes of a day are stored by then. */
const DAY_GRACE_MS = 3_600_000

/**
 * Puts histograms of days that are over together, and days that no record is expected for any more in blocks; each in a
 * transaction of its own.
 */
export async function closeUsageBlocks(db: Kysely<Schema>, nowMs: number): Promise<void> {
  const today = new Date(nowMs - DAY_GRACE_MS).toISOString().slice(0, 10)
  const { rows: days } = await sql<{ day: string }>`
    select day::text from open_latency_days(${today}::date) as day`.execute(db)
  for (const { day } of days) {
    // On its own, before the records are read: those that come meanwhile must find it.
    await sql`insert into latency_marks values (${day}::date, false) on conflict (day) do nothing`.execute(db)
    await sql`select close_latency_day(${day}::date)`.execute(db)
  }
  const { rows } = await sql<{ block: string }>`
    select block::text from open_usage_blocks(${today}::date) as block`.execute(db)
  for (const { block } of rows) await sql`select close_usage_block(${block}::date)`.execute(db)
}

/**
 * After this, the roll-ups have every record that was stored before the call and that they can take. Next to nothing when
 * they have it already. Batches that are refused are counted by fewer at a time, down to single records.
 */
export async function catchUpUsage(db: Kysely<Schema>): Promise<void> {
  for (let size = BATCHES_AT_ONCE; ; ) {
    const counted = size > 1 ? await rollUp(db, size) : await rollUpApart(db)
    if (counted === 'all') return
    if (counted === 'halved') size = 1
    else size = counted === 'refused' ? Math.ceil(size / 2) : Math.min(BATCHES_AT_ONCE, size * 2)
  }
}

type Counted = 'all' | 'some' | 'refused' | 'halved'

async function rollUp(db: Kysely<Schema>, most: number): Promise<Counted> {
  try {
    const { rows } = await sql<{ batches: number }>`select roll_up_usage(${most}) as batches`.execute(db)
    return rows[0]?.batches === most ? 'some' : 'all'
  } catch (error) {
    // failure-modes: uncounted record
    if (isRefusedData(error)) return 'refused'
    throw error
  }
}

async function rollUpApart(db: Kysely<Schema>): Promise<Counted> {
  const { rows } = await sql<{ result: string }>`select roll_up_usage_apart() as result`.execute(db)
  const result = rows[0]?.result
  if (result === 'nothing') return 'all'
  return result === 'halved' ? 'halved' : 'some'
}

/** Records that are in no roll-up because the database refuses them there. */
export async function countUncounted(db: Kysely<Schema>): Promise<number> {
  const { rows } = await sql<{ records: number }>`select count(*) as records from uncounted_records`.execute(db)
  return rows[0]?.records ?? 0
}
