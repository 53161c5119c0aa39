import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { type Database, openDatabase } from '../../src/foundation/database/database.ts'
import { migrateToLatest, planMigrations } from '../../src/foundation/database/migrate.ts'
import { allMigrations } from '../../src/foundation/database/migrations/all-migrations.ts'
import { SchemaTooNewError } from '../../src/foundation/database/store-errors.ts'
import { createEmptyDatabase } from '../support/database.ts'

const all = Object.keys(allMigrations)

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
    await once(child, 'message')
    child.kill('SIGKILL')
    await once(child, 'exit')
    assert.deepEqual(await migrateToLatest(database), all)
    assert.ok(!(await tables(database)).includes('half_done'))
  })
})

test('a migration that fails leaves the schema as it was and says why', async () => {
  await withEmptyDatabase(async (_url, database) => {
    const broken = {
      up: async (tx: Parameters<(typeof allMigrations)[string]['up']>[0]) => {
        await sql`create table half_done (id integer)`.execute(tx)
        await sql`select no_such_function()`.execute(tx)
      },
    }
    await assert.rejects(migrateToLatest(database, { ...allMigrations, '9999-broken': broken }), /no_such_function/)
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
    await sql`insert into kysely_migration (name, timestamp) values ('9000-from-the-future', now()::text)`.execute(
      database.kysely,
    )
    const refused = (error: unknown): boolean =>
      error instanceof SchemaTooNewError && /9000-from-the-future/.test(error.message) && !error.message.includes('\n')
    await assert.rejects(migrateToLatest(database), refused)
    await assert.rejects(planMigrations(database), refused)
  })
})

test('a newer schema that promises to be compatible is accepted, so that a release can be rolled back', async () => {
  await withEmptyDatabase(async (_url, database) => {
    await migrateToLatest(database, { ...allMigrations, '9000-more-columns+compatible': { up: async () => undefined } })
    assert.deepEqual(await migrateToLatest(database), [])
    assert.deepEqual(await planMigrations(database), [])
  })
})

test('the audit trail of before loses the paths of webhooks and search engines, and still refuses every other change', async () => {
  await withEmptyDatabase(async (_url, database) => {
    const names = all.slice(0, all.indexOf('0025-shown-addresses+compatible'))
    await migrateToLatest(database, Object.fromEntries(names.map((name) => [name, allMigrations[name]!])))
    const provider = (api_url: string | null) => ({ mode: 'global', provider: { api_url } })
    const recorded: readonly (readonly [action: string, before: object | null, after: object | null])[] = [
      ['notification.draft', null, { destination: 'https://hooks.example.com/T0/B0/secret', has_secret: false }],
      ['notification.activate', { destination: 'https://a.example.com?t=secret' }, { destination: 'arn:aws:sns:x' }],
      ['notification.discard', { destination: 'https://a.example.com/' }, null],
      ['websearch_mode.update', provider(null), provider('https://s.example.com/find?key=secret')],
      ['search_provider.delete', { api_url: 'https://s.example.com/secret' }, null],
      ['idp.create', null, { issuer_url: 'https://idp.example.com/tenant' }],
    ]
    for (const [hour, [action, before, after]] of recorded.entries())
      await sql`insert into audit_log (id, at, actor, action, before, after)
        values (gen_random_uuid(), ${new Date(Date.now() + hour * 3_600_000)}, 'ada', ${action}, ${before}, ${after})`.execute(
        database.kysely,
      )
    await migrateToLatest(database)
    const { rows } = await sql`select action, before, after from audit_log order by at`.execute(database.kysely)
    assert.deepEqual(
      rows.map((row) => Object.values(row as object)),
      [
        ['notification.draft', null, { destination: 'https://hooks.example.com/…', has_secret: false }],
        ['notification.activate', { destination: 'https://a.example.com/…' }, { destination: 'arn:aws:sns:x' }],
        ['notification.discard', { destination: 'https://a.example.com/' }, null],
        ['websearch_mode.update', provider(null), provider('https://s.example.com/…')],
        ['search_provider.delete', { api_url: 'https://s.example.com/…' }, null],
        ['idp.create', null, { issuer_url: 'https://idp.example.com/tenant' }],
      ],
    )
    await assert.rejects(sql`update audit_log set actor = 'eve'`.execute(database.kysely), /append-only/)
    await assert.rejects(sql`delete from audit_log`.execute(database.kysely), /append-only/)
  })
})
