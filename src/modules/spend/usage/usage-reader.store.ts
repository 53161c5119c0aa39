/** All figures of one answer from one moment of the database, with every record that was stored before the question. */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../../foundation/database/schema.ts'
import { catchUpUsage } from './usage-rollup.store.ts'
import type { Counted } from './usage-source.store.ts'

export interface UsageReader {
  readonly db: Kysely<Schema>
  readonly counted: Counted
  /** Days whose histograms of people and teams are complete. */
  readonly timedDays: ReadonlySet<string>
}

const QUARTER_MS = 900_000

/**
 * Sums over hundreds of thousands of rows want more memory than a server gives to a statement by default, and compiling
 * them takes longer than they run. `work` must not ask for a second connection: many at once would wait for each other.
 */
export async function readUsage<T>(db: Kysely<Schema>, work: (reader: UsageReader) => Promise<T>): Promise<T> {
  await catchUpUsage(db)
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const { rows } = await sql<{ blocks: readonly string[]; days: readonly string[]; until: number | null }>`
        select array(select block::text from closed_blocks) as blocks,
          array(select day::text from latency_marks where is_complete) as days,
          (select (extract(epoch from max(quarter)) * 1000)::bigint from team_quarters) as until,
          set_config('work_mem', '32MB', true), set_config('jit', 'off', true)`.execute(tx)
      const [found] = rows
      const untilMs = found?.until == null ? 0 : found.until + QUARTER_MS
      return work({
        db: tx,
        counted: { closedBlocks: new Set(found?.blocks), untilMs },
        timedDays: new Set(found?.days),
      })
    })
}
