/** The roll-ups follow the log by seconds: a loop counts what is new, and whoever shows them counts the rest first. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../../../foundation/database/schema.ts'
import { DatabaseUnavailableError, isRefusedData } from '../../../foundation/database/store-errors.ts'

/** Of `roll_up_usage`: whoever holds it knows that nothing is being counted. */
export const ROLL_UP_LOCK = 7_226_091_839

/** At most 100,000 records in one transaction: some seconds of work. */
const BATCHES_AT_ONCE = 200

/**
 * So many this process tries next: fewer after a transaction that took too long, or everything that waits after an outage
 * would be begun anew for ever by a server that does not count it within its time limit. Lost on restart, which is safe.
 */
let batchesAtOnce = BATCHES_AT_ONCE

/** Others wait meanwhile, and a third of the time limit of a statement leaves room for a worse moment. */
const SLOW_MS = 10_000

/** Calls of the last minutes of a day are stored by then. */
const DAY_GRACE_MS = 3_600_000

/**
 * Puts histograms of days that are over together, and days that no record is expected for any more in blocks; each in a
 * transaction of its own. What is refused is set aside: charts read its parts instead.
 */
export async function closeUsageBlocks(db: Kysely<Schema>, nowMs: number): Promise<void> {
  const today = new Date(nowMs - DAY_GRACE_MS).toISOString().slice(0, 10)
  const { rows: days } = await sql<{ day: string }>`
    select day::text from open_latency_days(${today}::date) as day`.execute(db)
  for (const { day } of days) {
    // On its own, before the records are read: those that come meanwhile must find it.
    await sql`insert into latency_marks values (${day}::date, false) on conflict (day) do nothing`.execute(db)
    await closeOrSetAside(db, 'day', day, sql`select close_latency_day(${day}::date)`)
  }
  const { rows } = await sql<{ block: string }>`
    select block::text from open_usage_blocks(${today}::date) as block`.execute(db)
  for (const { block } of rows) await closeOrSetAside(db, 'block', block, sql`select close_usage_block(${block}::date)`)
}

async function closeOrSetAside(
  db: Kysely<Schema>,
  kind: 'day' | 'block',
  firstDay: string,
  close: RawBuilder<unknown>,
): Promise<void> {
  try {
    await close.execute(db)
  } catch (error) {
    // failure-modes: unclosed period
    if (!isRefusedData(error)) throw error
    const { code, message } = toRefusal(error)
    await sql`insert into unclosed_periods (kind, first_day, code, reason)
      values (${kind}, ${firstDay}::date, ${code}, ${message.slice(0, 300)}) on conflict do nothing`.execute(db)
  }
}

function toRefusal(error: unknown): { readonly code: string; readonly message: string } {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  return { code: String(code ?? ''), message: String(message ?? '') }
}

/**
 * After this, the roll-ups have every record that was stored before the call and that they can take. Next to nothing when
 * they have it already. Batches that are refused are counted by fewer at a time, down to single records.
 */
export async function catchUpUsage(db: Kysely<Schema>): Promise<void> {
  for (let size = batchesAtOnce; ; ) {
    const startedMs = performance.now()
    const counted = await (size > 1 ? rollUp(db, size) : rollUpApart(db)).catch((error: unknown) => {
      if (isTimeout(error)) batchesAtOnce = Math.ceil(size / 2)
      throw error
    })
    const wasSlow = performance.now() - startedMs > SLOW_MS
    batchesAtOnce = wasSlow ? Math.ceil(size / 2) : Math.min(BATCHES_AT_ONCE, batchesAtOnce * 2)
    if (counted === 'all') return
    if (counted === 'halved') size = 1
    else size = counted === 'refused' ? Math.ceil(size / 2) : Math.min(batchesAtOnce, size * 2)
  }
}

/** Of the server, or of ours where the server keeps none. */
function isTimeout(error: unknown): boolean {
  return error instanceof DatabaseUnavailableError && (error.code === '57014' || error.code === 'ETIMEDOUT')
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

export interface SetAside {
  /** In no roll-up, because the database refuses them there. */
  readonly records: number
  /** Days and blocks that cannot be put together; their parts are read, which takes longer. */
  readonly periods: number
}

export async function countSetAside(db: Kysely<Schema>): Promise<SetAside> {
  const { rows } = await sql<SetAside>`select (select count(*) from uncounted_records) as records,
    (select count(*) from unclosed_periods) as periods`.execute(db)
  return rows[0] ?? { records: 0, periods: 0 }
}

/** Takes back what was set aside; the next counting tries it again. Returns how many records that were. */
export async function takeBackSetAside(db: Kysely<Schema>): Promise<number> {
  const { rows } = await sql<{ records: number }>`select count_set_aside_again() as records`.execute(db)
  return rows[0]?.records ?? 0
}
