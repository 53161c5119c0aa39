/** What is in which file: closes days, plans files, and notes what was written. Any number of instances may do it at once. */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../foundation/database/schema.ts'
import type { ListedFile } from './manifest.ts'
import type { FilePart } from './spend-rows.store.ts'

/** Also in `note_warehouse_late`: whoever stores records takes it shared, whoever closes a day takes it alone. */
const CLOSING_LOCK = 7_226_091_845

export interface PlannedFile extends FilePart {
  readonly name: string
  readonly isWritten: boolean
}

export interface WrittenFile {
  readonly records: number
  readonly bytes: number
  readonly costNanoUsd: bigint
}

export type NameFile = (day: string, part: number) => string

export function createWarehouseFiles(db: Kysely<Schema>) {
  return {
    /** The oldest file that was planned and is not finished, by whomever. */
    findUnfinished: async (): Promise<PlannedFile | undefined> => {
      const { rows } = await sql<PlannedFile>`
        select day::text, part, name, written_at is not null as "isWritten" from warehouse_files
        where listed_at is null order by day, part limit 1`.execute(db)
      return rows[0]
    },

    /** One more file of a day, with all of its late records that wait now. False when none waits. */
    planLate: (nameFile: NameFile): Promise<boolean> => db.transaction().execute((tx) => planLate(tx, nameFile)),

    /** The first day that is not complete: an hour after midnight, records of its last minutes are stored. */
    readOpenDay: async (): Promise<string> => {
      const { rows } = await sql<{ day: string }>`
        select ((now() - interval '1 hour') at time zone 'UTC')::date::text as day`.execute(db)
      return rows[0]?.day ?? ''
    },

    /** The first file of the oldest day before the open one that has records and no file. False when there is none. */
    planDay: async (nameFile: NameFile, openDay: string): Promise<boolean> => {
      const { rows } = await sql<{ day: string }>`
        select day::text from generate_series(
          date_trunc('day', (select min(at) from spend_log) at time zone 'UTC'),
          ${openDay}::date - 1, interval '1 day') as series (start),
          lateral (select start::date as day) as days
        where not exists (select from warehouse_days where warehouse_days.day = days.day)
          and exists (select from spend_log where at >= days.day::timestamp at time zone 'UTC'
            and at < (days.day + 1)::timestamp at time zone 'UTC')
        order by start limit 1`.execute(db)
      const day = rows[0]?.day
      if (day === undefined) return false
      await db.transaction().execute((tx) => closeDay(tx, day, nameFile(day, 1)))
      return true
    },

    /** False when somebody else has the right to write by now: what they write counts. */
    noteWritten: async (file: FilePart, holder: string, written: WrittenFile): Promise<boolean> => {
      const { numAffectedRows = 0n } = await sql`
        update warehouse_files set written_at = now(), records = ${written.records}, bytes = ${written.bytes},
          cost_nano_usd = ${String(written.costNanoUsd)}::bigint
        where day = ${file.day}::date and part = ${file.part}::integer
          and exists (select from warehouse_state where holder = ${holder} and held_until > now())`.execute(db)
      return numAffectedRows > 0n
    },

    /** What the manifest of a day lists. */
    listWritten: async (day: string): Promise<readonly ListedFile[]> => {
      const { rows } = await sql<Omit<ListedFile, 'writtenAtMs'> & { readonly at: Date }>`
        select part, name, records, cost_nano_usd as "costNanoUsd", written_at as at from warehouse_files
        where day = ${day}::date and written_at is not null order by part`.execute(db)
      return rows.map(({ at, ...file }) => ({ ...file, writtenAtMs: at.getTime() }))
    },

    /** The manifest with these files is in its place. */
    noteListed: async (day: string, part: number): Promise<void> => {
      await sql`update warehouse_files set listed_at = now()
        where day = ${day}::date and part = ${part}::integer and written_at is not null`.execute(db)
    },

    /** Of days whose records are gone: nobody reads their files again. */
    forgetLate: async (): Promise<void> => {
      await sql`delete from warehouse_late where part is not null
        and day < (select (min(at) at time zone 'UTC')::date - 1 from spend_log)`.execute(db)
    },
  }
}

async function planLate(tx: Kysely<Schema>, nameFile: NameFile): Promise<boolean> {
  // Two instances would give the same records to two files.
  await sql`lock table warehouse_files in share row exclusive mode`.execute(tx)
  const { rows } = await sql<{ day: string; part: number }>`
    select day::text, (select coalesce(max(part), 0) + 1 from warehouse_files as known where known.day = late.day) as part
    from warehouse_late as late where part is null order by day limit 1`.execute(tx)
  const [found] = rows
  if (found === undefined) return false
  await sql`update warehouse_late set part = ${found.part}::integer
    where day = ${found.day}::date and part is null`.execute(tx)
  await planFile(tx, found.day, found.part, nameFile(found.day, found.part))
  return true
}

/** Whoever is storing records has ended when the lock is there, and whoever begins afterwards sees that the day is closed. */
async function closeDay(tx: Kysely<Schema>, day: string, name: string): Promise<void> {
  await sql`set local lock_timeout = '5s'`.execute(tx)
  await sql`select pg_advisory_xact_lock(${CLOSING_LOCK})`.execute(tx)
  const closed = await sql`insert into warehouse_days (day) values (${day}::date) on conflict do nothing`.execute(tx)
  if ((closed.numAffectedRows ?? 0n) > 0n) await planFile(tx, day, 1, name)
}

async function planFile(tx: Kysely<Schema>, day: string, part: number, name: string): Promise<void> {
  await sql`insert into warehouse_files (day, part, name)
    values (${day}::date, ${part}::integer, ${name})`.execute(tx)
}
