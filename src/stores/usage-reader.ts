/** All figures of one answer from one moment of the database, with every record that was stored before the question. */
import { type Kysely, sql } from 'kysely'
import type { Schema } from './schema.ts'
import { catchUpUsage } from './usage-rollup.ts'

export interface UsageReader {
  readonly db: Kysely<Schema>
  /** First days of the blocks whose sums may be read instead of those of their days. */
  readonly closedBlocks: ReadonlySet<string>
  /** Days whose histograms of people and teams are complete. */
  readonly timedDays: ReadonlySet<string>
}

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
      const { rows } = await sql<{ blocks: readonly string[]; days: readonly string[] }>`
        select array(select block::text from closed_blocks) as blocks,
          array(select day::text from latency_marks where is_complete) as days,
          set_config('work_mem', '32MB', true), set_config('jit', 'off', true)`.execute(tx)
      return work({ db: tx, closedBlocks: new Set(rows[0]?.blocks), timedDays: new Set(rows[0]?.days) })
    })
}
