/** Brings the schema up to date. Any number of instances may call it at the same time on any state of the database. */
import { type Kysely, sql } from 'kysely'
import type { Database } from './database.ts'
import type { Schema } from './schema.ts'
import { hashText, readSchemaFiles, type SchemaFiles, type SqlFile } from './schema-files.ts'
import { SchemaTooNewError, SchemaTooOldError, toStoreError } from './store-errors.ts'

/** Any number that no other program on this server is likely to use; the same in every release. */
const MIGRATION_LOCK = 7_226_091_837

/** Names of the migrations that were run now. */
export async function migrateToLatest(database: Database, files?: SchemaFiles): Promise<readonly string[]> {
  const wanted = files ?? (await readSchemaFiles())
  const dedicated = database.openDedicated()
  try {
    // One transaction from the lock to the last statement: whatever ends it half-way leaves the schema as it was.
    return await dedicated.kysely.transaction().execute((tx) => migrateInside(tx, wanted))
  } catch (error) {
    throw toStoreError(error)
  } finally {
    await dedicated.close()
  }
}

async function migrateInside(tx: Kysely<Schema>, { migrations, functions }: SchemaFiles): Promise<readonly string[]> {
  // A server notices a killed client only when it writes to it. With this it looks once a second, so that the
  // lock of a killed instance does not outlive it by a long statement.
  await sql`set local client_connection_check_interval = '1s'`.execute(tx)
  await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(tx)
  const applied = await readApplied(tx)
  // A newer release has been here. Its functions stay too.
  if (refuseNewerSchema(applied ?? [], migrations).length > 0) return []
  if (applied === undefined) await createRecords(tx)
  await replaceFunctions(tx, functions)
  const pending = findPending(applied ?? [], migrations)
  for (const { name, text } of pending) {
    await sql.raw(text).execute(tx)
    await sql`insert into causeway_migrations (name) values (${name})`.execute(tx)
  }
  return pending.map(({ name }) => name)
}

/** What `migrateToLatest` would run, in order. */
export async function planMigrations(database: Database, files?: SchemaFiles): Promise<readonly string[]> {
  const { migrations } = files ?? (await readSchemaFiles())
  const applied = (await readApplied(database.kysely)) ?? []
  refuseNewerSchema(applied, migrations)
  return findPending(applied, migrations).map(({ name }) => name)
}

function findPending(applied: readonly string[], migrations: readonly SqlFile[]): readonly SqlFile[] {
  return migrations.filter(({ name }) => !applied.includes(name))
}

/** Returns the unknown ones that older releases may live with. */
function refuseNewerSchema(applied: readonly string[], migrations: readonly SqlFile[]): readonly string[] {
  const unknown = applied.filter((name) => !migrations.some((migration) => migration.name === name))
  if (unknown.some((name) => !name.endsWith('+compatible'))) throw new SchemaTooNewError(unknown)
  return unknown
}

/** Undefined in an empty database. */
async function readApplied(db: Kysely<Schema>): Promise<readonly string[] | undefined> {
  const { rows } = await sql<{ current: string | null; former: string | null; database: string }>`
    select to_regclass('causeway_migrations')::text as current, to_regclass('kysely_migration')::text as former,
      current_database()::text as database`.execute(db)
  const [found] = rows
  if (found?.current == null) {
    if (found?.former != null) await refuseFormerSchema(db, found.database)
    return undefined
  }
  const names = await sql<{ name: string }>`select name from causeway_migrations order by name`.execute(db)
  return names.rows.map((row) => row.name)
}

/** Development versions before the first release had other migrations. Another program may have such a table too. */
async function refuseFormerSchema(db: Kysely<Schema>, database: string): Promise<void> {
  const { rows } = await sql`select from kysely_migration where name = '0001-first-schema'`.execute(db)
  if (rows.length > 0) throw new SchemaTooOldError(database)
}

async function createRecords(tx: Kysely<Schema>): Promise<void> {
  await sql`
    create table causeway_migrations (
      name text primary key,
      applied_at timestamptz(3) not null default now()
    )`.execute(tx)
  await sql`create table causeway_functions (name text primary key, hash text not null)`.execute(tx)
}

/**
 * Before the migrations, whose triggers and views call functions. The bodies are not checked yet: they name tables that the
 * migrations create or change.
 */
async function replaceFunctions(tx: Kysely<Schema>, functions: readonly SqlFile[]): Promise<void> {
  const { rows } = await sql<{ name: string; hash: string }>`select name, hash from causeway_functions`.execute(tx)
  const known = new Map(rows.map(({ name, hash }) => [name, hash]))
  const changed = functions.filter(({ name, text }) => known.get(name) !== hashText(text))
  if (changed.length === 0) return
  await sql`set local check_function_bodies = off`.execute(tx)
  for (const { name, text } of changed) {
    await sql.raw(text).execute(tx)
    await sql`
      insert into causeway_functions (name, hash) values (${name}, ${hashText(text)})
      on conflict (name) do update set hash = excluded.hash`.execute(tx)
  }
  await sql`set local check_function_bodies to default`.execute(tx)
}
