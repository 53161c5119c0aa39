/** Migrates the database given as an argument, as a starting instance would. With `slowly` it never gets to the end. */
import { openDatabase } from '../../../src/foundation/database/database.ts'
import { migrateToLatest } from '../../../src/foundation/database/migrate.ts'
import { readSchemaFiles } from '../../../src/foundation/database/schema-files.ts'

const [url = '', pace] = process.argv.slice(2)

const endless = { name: '9999-endless', text: 'create table half_done (id integer); select pg_sleep(60)' }

const database = await openDatabase({ kind: 'url', url })
const files = await readSchemaFiles()
const wanted = pace === 'slowly' ? { ...files, migrations: [...files.migrations, endless] } : files
const applied = await migrateToLatest(database, wanted)
process.send?.({ applied })
await database.close()
process.disconnect?.()
