/** Brings the schema up to date. Any number of instances may call it at the same time on any state of the database. */
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Database } from './database.ts'
import { allMigrations } from './migrations/all-migrations.ts'
import type { Schema } from './schema.ts'
import { SchemaTooNewError, toStoreError } from './store-errors.ts'

/** Any number that no other program on this server is likely to use; the same in every release. */
const MIGRATION_LOCK = 7_226_091_837

type Migrations = Readonly<Record<string, Migration>>

/** Names of the migrations that were run now. */
export async function migrateToLatest(
  database: Database,
  migrations: Migrations = allMigrations,
): Promise<readonly string[]> {
  const dedicated = database.openDedicated()
  try {
    // One transaction from the lock to the last statement: whatever ends it half-way leaves the schema as it was.
    return await dedicated.kysely.transaction().execute((tx) => migrateInside(tx, migrations))
  } catch (error) {
    throw toStoreError(error)
  } finally {
    await dedicated.close()
  }
}

async function migrateInside(tx: Kysely<Schema>, migrations: Migrations): Promise<readonly string[]> {
  // A server notices a killed client only when it writes to it. With this it looks once a second, so that the
  // lock of a killed instance does not outlive it by a long statement.
  await sql`set local client_connection_check_interval = '1s'`.execute(tx)
  await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(tx)
  const applied = await appliedMigrations(tx)
  const unknown = refuseNewerSchema(applied, migrations)
  if (unknown.length > 0) return []
  const failures: unknown[] = []
  const watched = watchFailures(migrations, (failure) => failures.push(failure))
  const migrator = new Migrator({ db: tx, provider: { getMigrations: async () => watched } })
  const { error, results } = await migrator.migrateToLatest()
  if (error !== undefined) throw failures[0] ?? error
  return (results ?? []).map((result) => result.migrationName)
}

/** The migrator reports that the transaction is aborted; why it is, only the migration itself has seen. */
function watchFailures(migrations: Migrations, onFailure: (failure: unknown) => void): Record<string, Migration> {
  const watch = (migration: Migration): Migration => ({
    up: async (tx) => {
      try {
        await migration.up(tx)
      } catch (error) {
        onFailure(error)
        throw error
      }
    },
  })
  return Object.fromEntries(Object.entries(migrations).map(([name, migration]) => [name, watch(migration)]))
}

/** What `migrateToLatest` would run, in order. */
export async function planMigrations(
  database: Database,
  migrations: Migrations = allMigrations,
): Promise<readonly string[]> {
  const applied = await appliedMigrations(database.kysely)
  refuseNewerSchema(applied, migrations)
  return Object.keys(migrations).filter((name) => !applied.includes(name))
}

/** Returns the unknown ones that older releases may live with. */
function refuseNewerSchema(applied: readonly string[], migrations: Migrations): readonly string[] {
  const unknown = applied.filter((name) => !Object.hasOwn(migrations, name))
  if (unknown.some((name) => !name.endsWith('+compatible'))) throw new SchemaTooNewError(unknown)
  return unknown
}

async function appliedMigrations(db: Kysely<Schema>): Promise<readonly string[]> {
  const table = await sql<{ found: string | null }>`select to_regclass('kysely_migration')::text as found`.execute(db)
  if (table.rows[0]?.found == null) return []
  const names = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return names.rows.map((row) => row.name)
}
