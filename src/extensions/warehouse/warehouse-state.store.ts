/** Which instance writes now, when the next run is due, and how the last one ended. All times are those of the database. */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../foundation/database/schema.ts'
import { retryAfterMinutes } from './warehouse-place.ts'

/** Renewed four times as often. After a kill -9, another instance goes on when it has run out. */
const HOLD_SECONDS = 120
export const RENEW_MS = 30_000

export interface WarehouseState {
  readonly nextRunAt: Date
  readonly caughtUpAt: Date | null
  readonly failures: number
  readonly failedAt: Date | null
  readonly failure: string | null
  readonly isRunning: boolean
  /** Complete days with records and without a finished file, at most those that were planned. */
  readonly unfinishedFiles: number
  readonly lateRecords: number
  readonly files: number
  readonly records: number
  readonly bytes: number
}

export interface LastFile {
  readonly day: string
  readonly part: number
  readonly name: string
  readonly records: number
  readonly bytes: number
  readonly costNanoUsd: number
  readonly writtenAt: Date
}

export function createWarehouseState(db: Kysely<Schema>) {
  return {
    /** False when nothing is due, or somebody is at it. */
    take: async (holder: string): Promise<boolean> => {
      const { numAffectedRows = 0n } = await sql`
        update warehouse_state set holder = ${holder}, held_until = now() + make_interval(secs => ${HOLD_SECONDS})
        where next_run_at <= now() and held_until < now()`.execute(db)
      return numAffectedRows > 0n
    },

    /** False when it had run out and somebody else has taken it. */
    renew: async (holder: string): Promise<boolean> => {
      const { numAffectedRows = 0n } = await sql`
        update warehouse_state set held_until = now() + make_interval(secs => ${HOLD_SECONDS})
        where holder = ${holder}`.execute(db)
      return numAffectedRows > 0n
    },

    /** At the next full hour the next time: the first one after midnight in which a day is complete is 01:00 UTC. */
    noteCaughtUp: async (holder: string): Promise<void> => {
      await sql`update warehouse_state set caught_up_at = now(), failures = 0, held_until = now(),
        next_run_at = date_trunc('hour', now()) + interval '1 hour' where holder = ${holder}`.execute(db)
    },

    noteFailed: async (holder: string, reason: string): Promise<void> => {
      const { rows } = await sql<{ failures: number }>`
        update warehouse_state set failures = failures + 1, failed_at = now(), failure = ${reason}, held_until = now()
        where holder = ${holder} returning failures`.execute(db)
      const minutes = retryAfterMinutes(rows[0]?.failures ?? 1)
      await sql`update warehouse_state set next_run_at = now() + make_interval(mins => ${minutes}::integer)
        where holder = ${holder}`.execute(db)
    },

    /** Another instance, or a later run, goes on at once. */
    giveBack: async (holder: string): Promise<void> => {
      await sql`update warehouse_state set held_until = now() where holder = ${holder}`.execute(db)
    },

    askForRun: async (): Promise<void> => {
      await sql`update warehouse_state set next_run_at = now()`.execute(db)
    },

    read: async (): Promise<WarehouseState> => {
      const { rows } = await sql<WarehouseState>`
        select next_run_at as "nextRunAt", caught_up_at as "caughtUpAt", failures, failed_at as "failedAt", failure,
          held_until > now() as "isRunning",
          (select count(*) from warehouse_files where listed_at is null) as "unfinishedFiles",
          (select count(*) from warehouse_late where part is null) as "lateRecords", sums.*
        from warehouse_state, (select count(*) as files, coalesce(sum(records), 0)::bigint as records,
          coalesce(sum(bytes), 0)::bigint as bytes from warehouse_files where records > 0) as sums`.execute(db)
      const [state] = rows
      if (state === undefined) throw new Error('warehouse_state has no row')
      return state
    },

    findLastFile: async (): Promise<LastFile | undefined> => {
      const { rows } = await sql<LastFile>`
        select day::text, part, name, records, bytes, cost_nano_usd as "costNanoUsd", written_at as "writtenAt"
        from warehouse_files where records > 0 and written_at is not null order by written_at desc, day desc, part desc limit 1`.execute(
        db,
      )
      return rows[0]
    },
  }
}
