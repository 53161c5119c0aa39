import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Database, openDatabase } from '../../src/foundation/database/database.ts'
import { migrateToLatest, planMigrations } from '../../src/foundation/database/migrate.ts'
import {
  hashText,
  readSchemaFiles,
  type SchemaFiles,
  type SqlFile,
} from '../../src/foundation/database/schema-files.ts'
import { SchemaTooNewError, SchemaTooOldError } from '../../src/foundation/database/store-errors.ts'
import { createEmptyDatabase } from '../support/database.ts'
import checksums from './migration-checksums.json' with { type: 'json' }

const files = await readSchemaFiles()
const all = files.migrations.map(({ name }) => name)

function withMigration(...more: readonly SqlFile[]): SchemaFiles {
  return { ...files, migrations: [...files.migrations, ...more] }
}

function startInstance(url: string, ...args: string[]): ChildProcess {
  return fork(join(import.meta.dirname, 'programs/migrate.ts'), [url, ...args])
}

async function withEmptyDatabase(work: (url: string, database: Database) => Promise<void>): Promise<void> {
  const { url, drop } = await createEmptyDatabase()
  const database = await openDatabase({ kind: 'url', url })
  try {
    await work(url, database)
  } finally {
    await database.close()
    await drop()
  }
}

/** Whether a migration of this database has come to its endless statement. */
async function isSleeping(database: Database): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`.execute(database.kysely)
  return rows.length > 0
}

async function tables(database: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname::text as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`.execute(database.kysely)
  return rows.map((row) => row.name)
}

test('four processes that start at once on an empty database all come up, and one of them migrates', async () => {
  await withEmptyDatabase(async (url, database) => {
    const children = Array.from({ length: 4 }, () => startInstance(url))
    const answers = await Promise.all(
      children.map(async (child) => {
        const [[message], [code]] = await Promise.all([once(child, 'message'), once(child, 'exit')])
        return { applied: (message as { applied: string[] }).applied, code }
      }),
    )
    assert.deepEqual(
      answers.map((answer) => answer.code),
      [0, 0, 0, 0],
    )
    assert.deepEqual(answers.map((answer) => answer.applied.length).sort(), [0, 0, 0, all.length])
    assert.deepEqual(await planMigrations(database), [])
  })
})

test('twenty connections that migrate at once agree', async () => {
  await withEmptyDatabase(async (_url, database) => {
    const applied = await Promise.all(Array.from({ length: 20 }, () => migrateToLatest(database)))
    assert.equal(applied.flat().length, all.length)
  })
})

test('a process killed in the middle leaves nothing behind, and the next start completes', async () => {
  await withEmptyDatabase(async (url, database) => {
    const child = startInstance(url, 'slowly')
    while (!(await isSleeping(database))) await delay(10)
    child.kill('SIGKILL')
    await once(child, 'exit')
    assert.deepEqual(await migrateToLatest(database), all)
    assert.ok(!(await tables(database)).includes('half_done'))
  })
})

test('a migration that fails leaves the schema as it was and says why', async () => {
  await withEmptyDatabase(async (_url, database) => {
    const broken = { name: '9999-broken', text: 'create table half_done (id integer); select no_such_function()' }
    await assert.rejects(migrateToLatest(database, withMigration(broken)), /no_such_function/)
    assert.deepEqual(await tables(database), [])
    assert.deepEqual(await planMigrations(database), all)
  })
})

test('the plan lists what would run, and running it twice changes nothing', async () => {
  await withEmptyDatabase(async (_url, database) => {
    assert.deepEqual(await planMigrations(database), all)
    assert.deepEqual(await migrateToLatest(database), all)
    const before = await tables(database)
    assert.deepEqual(await migrateToLatest(database), [])
    assert.deepEqual(await tables(database), before)
  })
})

test('a schema of a newer release is refused in one line that names what is unknown', async () => {
  await withEmptyDatabase(async (_url, database) => {
    await migrateToLatest(database)
    await sql`insert into causeway_migrations (name) values ('9000-from-the-future')`.execute(database.kysely)
    const refused = (error: unknown): boolean =>
      error instanceof SchemaTooNewError && /9000-from-the-future/.test(error.message) && !error.message.includes('\n')
    await assert.rejects(migrateToLatest(database), refused)
    await assert.rejects(planMigrations(database), refused)
  })
})

test('a newer schema that promises to be compatible is accepted, so that a release can be rolled back', async () => {
  await withEmptyDatabase(async (_url, database) => {
    const newer = { name: '9000-more-columns+compatible', text: 'create table more (id integer)' }
    const functions = [...files.functions, functionFile('select 2')]
    await migrateToLatest(database, { migrations: [...files.migrations, newer], functions })
    assert.deepEqual(await migrateToLatest(database, { ...files, functions: [functionFile('select 1')] }), [])
    assert.deepEqual(await planMigrations(database), [])
    assert.equal(await callOne(database), 2, 'the functions of the newer release stay')
  })
})

test('a database of a development version is refused in one line that says what to do, and stays as it is', async () => {
  await withEmptyDatabase(async (_url, database) => {
    await sql`create table kysely_migration (name text primary key, timestamp text)`.execute(database.kysely)
    assert.deepEqual(await planMigrations(database), all, 'another program may have such a table')
    await sql`insert into kysely_migration values ('0001-first-schema', '')`.execute(database.kysely)
    const refused = (error: unknown): boolean =>
      error instanceof SchemaTooOldError &&
      /Create an empty database/.test(error.message) &&
      !error.message.includes('\n')
    await assert.rejects(migrateToLatest(database), refused)
    await assert.rejects(planMigrations(database), refused)
    assert.deepEqual(await tables(database), ['kysely_migration'])
  })
})

function functionFile(body: string): SqlFile {
  return { name: 'one', text: `create or replace function one() returns integer language sql as $$ ${body} $$;` }
}

async function callOne(database: Database): Promise<number | undefined> {
  const { rows } = await sql<{ one: number }>`select one()`.execute(database.kysely)
  return rows[0]?.one
}

test('a function is created again when its text changes, and only then', async () => {
  await withEmptyDatabase(async (_url, database) => {
    const migrateWith = (text: string) =>
      migrateToLatest(database, { ...files, functions: [...files.functions, functionFile(text)] })
    await migrateWith('select 1')
    assert.equal(await callOne(database), 1)
    await sql.raw(functionFile('select 9').text).execute(database.kysely)
    assert.deepEqual(await migrateWith('select 1'), [])
    assert.equal(await callOne(database), 9, 'the same text is left alone')
    assert.deepEqual(await migrateWith('select 2'), [])
    assert.equal(await callOne(database), 2)
    const other = { name: 'one', text: 'create or replace function one() returns text language sql as $$ select 3 $$' }
    const refused = migrateToLatest(database, { ...files, functions: [...files.functions, other] })
    await assert.rejects(refused, /cannot change return type/)
    assert.equal(await callOne(database), 2, 'a refused text leaves the function as it was')
  })
})

test('each function file holds the function of its name, and its body fits the tables', async () => {
  await withEmptyDatabase(async (_url, database) => {
    await migrateToLatest(database)
    const { rows } = await sql<{ name: string }>`
      select proname::text as name from pg_proc where pronamespace = 'public'::regnamespace order by 1`.execute(
      database.kysely,
    )
    assert.deepEqual(
      rows.map(({ name }) => name),
      files.functions.map(({ name }) => name),
    )
    // Now with the check of bodies that migrations leave out.
    for (const { text } of files.functions) await sql.raw(text).execute(database.kysely)
  })
})

test('migrations never change: what was added once stays as it is', () => {
  const actual = Object.fromEntries(files.migrations.map(({ name, text }) => [name, hashText(text)]))
  assert.deepEqual(actual, checksums, 'Add a new migration instead of a change, and its checksum to the list.')
})
