/** Databases as an earlier schema left them, and what is in a database, table by table. */
import { sql } from 'kysely'
import { type Database, openDatabase } from '../../../src/foundation/database/database.ts'
import { migrateToLatest } from '../../../src/foundation/database/migrate.ts'
import { allMigrations } from '../../../src/foundation/database/migrations/all-migrations.ts'
import type { SpendRecord } from '../../../src/foundation/domain/spend-record.ts'
import { createSpendPartitions } from '../../../src/modules/spend/spend-partitions.store.ts'
import { prepareSpend, spendColumns } from '../../../src/modules/spend/spend-row.store.ts'
import { createRandom, makeRecords } from '../../analytics/sample-world.ts'
import { createEmptyDatabase, type TestDatabase } from '../../support/database.ts'
import { oldIds, oldRows } from './old-data.ts'

export const migrationNames = Object.keys(allMigrations)

/** The migrations up to and with the one that is named. */
function migrationsUntil(last: string): typeof allMigrations {
  const count = migrationNames.indexOf(last) + 1
  if (count === 0) throw new Error(`no migration is called ${last}`)
  return Object.fromEntries(Object.entries(allMigrations).slice(0, count))
}

/** The same ones for the same seed, except for the ids of requests and sessions. */
export function makeOldRecords(count: number, seed = 1): readonly SpendRecord[] {
  const random = createRandom(seed)
  const people = [
    { id: oldIds.ada, teamId: oldIds.platform },
    { id: oldIds.bob, teamId: oldIds.mobile },
  ]
  return Array.from({ length: count }, () => makeRecords(random, people, oldIds.key, [oldIds.us, oldIds.eu])).flat()
}

/** A database of the release whose newest migration is named, filled by it. */
export async function createOldDatabase(last: string, records: readonly SpendRecord[]): Promise<TestDatabase> {
  const { url, drop } = await createEmptyDatabase()
  const database = await openDatabase({ kind: 'url', url })
  const migrations = migrationsUntil(last)
  await migrateToLatest(database, migrations)
  for (const name of Object.keys(migrations)) {
    const rows = oldRows[name]
    if (rows !== undefined) await database.pool.query(rows)
  }
  // Some days have a partition of their own, the others wait in the default one.
  await createSpendPartitions(database.kysely).ensure('2026-10-28', 3)
  await appendAsBefore(database, records)
  return {
    url,
    database,
    drop: async () => {
      await database.close()
      await drop()
    },
  }
}

/** Columns that migration 0034 added: earlier releases did not write them. */
const laterColumns: readonly string[] = ['reason_kind', 'reason']
const columnList = sql.raw(
  Object.keys(spendColumns)
    .filter((column) => !laterColumns.includes(column))
    .join(', '),
)
const contextList = sql.raw(
  `id, hosted_model, routing, betas_sent, betas_stripped, repairs,
   rate_input, rate_output, rate_cache_read, rate_cache_write_5m, rate_cache_write_1h`,
)

/** As releases did it that knew no mark of contexts (0022). Returns how many were new. */
export async function appendAsBefore({ kysely }: Database, records: readonly SpendRecord[]): Promise<number> {
  const prepared = records.map(prepareSpend)
  const contexts = [...new Map(prepared.map(({ context }) => [context.id, context])).values()]
  const ordered = contexts.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const rows = prepared.map(({ row }) => ({ ...row, extra: row.extra === null ? null : JSON.parse(String(row.extra)) }))
  const inserted = await sql`
    with contexts as (
      insert into spend_contexts (${contextList})
      select ${contextList} from json_populate_recordset(null::spend_contexts, ${JSON.stringify(ordered)}::json)
      on conflict (id) do nothing
    )
    insert into spend_log (${columnList})
    select ${columnList} from json_populate_recordset(null::spend_log, ${JSON.stringify(rows)}::json)
    on conflict (request_id, round, at) do nothing`.execute(kysely)
  return Number(inserted.numAffectedRows ?? 0n)
}

/** Numbers are given in the order in which people come; what they stand for is the same. */
const peopleByNumber = sql`array(select user_id from person_numbers where number / 1024 = one.part
  and get_bit(one.people, number % 1024) = 1 order by 1)`

/** The rows of each table as sorted text; with `columns`, only those. */
export async function readRows(
  database: Database,
  columns: ReadonlyMap<string, readonly string[]>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>()
  for (const [table, names] of columns) {
    const read = sql.join(
      names.map((name) => (name === 'people' ? sql`${peopleByNumber} as people` : sql`one.${sql.ref(name)}`)),
    )
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(read)::text as row from (select ${read} from ${sql.table(table)} as one) as read
      order by 1`.execute(database.kysely)
    found.set(
      table,
      rows.map(({ row }) => row),
    )
  }
  return found
}

/** The columns of every table that holds rows of its own, in their order. */
export async function readColumns(database: Database): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await sql<{ table: string; columns: string[] }>`
    select relname::text as table, array_agg(attname::text order by attnum) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and attnum > 0 and not attisdropped and relname not like 'kysely%'
    group by 1 order by 1`.execute(database.kysely)
  return new Map(rows.map(({ table, columns }) => [table, columns]))
}
