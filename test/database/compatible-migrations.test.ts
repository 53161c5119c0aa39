/** What the names of migrations promise to the release before. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { openDatabase } from '../../src/foundation/database/database.ts'
import { migrateToLatest } from '../../src/foundation/database/migrate.ts'
import type { Schema } from '../../src/foundation/database/schema.ts'
import { readSchemaFiles } from '../../src/foundation/database/schema-files.ts'
import { createEmptyDatabase } from '../support/database.ts'

interface Column {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
}

/** Every column, and whether a writer that does not know it would be refused. */
async function readShape(db: Kysely<Schema>): Promise<ReadonlyMap<string, Column>> {
  const { rows } = await sql<Column>`
    select relname || '.' || attname as name, format_type(atttypid, atttypmod) as type,
      attnotnull and not atthasdef and attidentity = '' as "isRequired"
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped
    order by 1`.execute(db)
  return new Map(rows.map((column) => [column.name, column]))
}

/** What a release that knows `before` would stumble over. */
function breaksOf(before: ReadonlyMap<string, Column>, after: ReadonlyMap<string, Column>): readonly string[] {
  const tables = new Set([...before.keys()].map(tableOf))
  const gone = [...before.values()].filter(({ name, type }) => after.get(name)?.type !== type)
  const demanded = [...after.values()].filter(
    ({ name, isRequired }) => isRequired && tables.has(tableOf(name)) && before.get(name)?.isRequired !== true,
  )
  return [...gone.map(({ name }) => `${name} is gone or changed`), ...demanded.map(({ name }) => `${name} is demanded`)]
}

const tableOf = (column: string): string => column.split('.')[0] ?? ''

test('a migration that is named compatible takes nothing away from the release before, and demands nothing new of it', async () => {
  const files = await readSchemaFiles()
  const { url, drop } = await createEmptyDatabase()
  const database = await openDatabase({ kind: 'url', url })
  try {
    for (const [index, { name }] of files.migrations.entries()) {
      const before = await readShape(database.kysely)
      await migrateToLatest(database, { ...files, migrations: files.migrations.slice(0, index + 1) })
      const breaks = breaksOf(before, await readShape(database.kysely))
      if (index > 0 && name.endsWith('+compatible')) assert.deepEqual(breaks, [], name)
    }
    const before = await readShape(database.kysely)
    const harmful = `
      alter table teams drop column routing_strategy, add column owner text not null;
      alter table users alter column email set not null;
      create table owners (id uuid not null);`
    await migrateToLatest(database, {
      ...files,
      migrations: [...files.migrations, { name: '9000-harmful', text: harmful }],
    })
    assert.deepEqual(breaksOf(before, await readShape(database.kysely)), [
      'teams.routing_strategy is gone or changed',
      'teams.owner is demanded',
      'users.email is demanded',
    ])
  } finally {
    await database.close()
    await drop()
  }
})
