/** Migrates the database given as an argument, as a starting instance would. With `slowly` it never gets to the end. */
import { type Kysely, sql } from 'kysely'
import { openDatabase } from '../../../src/foundation/database/database.ts'
import { migrateToLatest } from '../../../src/foundation/database/migrate.ts'
import { allMigrations } from '../../../src/foundation/database/migrations/all-migrations.ts'

const [url = '', pace] = process.argv.slice(2)

const endless = {
  up: async (tx: Kysely<unknown>): Promise<void> => {
    await sql`create table half_done (id integer)`.execute(tx)
    process.send?.('in the middle')
    await sql`select pg_sleep(60)`.execute(tx)
  },
}

const database = await openDatabase({ kind: 'url', url })
const migrations = pace === 'slowly' ? { ...allMigrations, '9999-endless': endless } : allMigrations
const applied = await migrateToLatest(database, migrations)
process.send?.({ applied })
await database.close()
process.disconnect?.()
