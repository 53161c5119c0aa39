/** An upgrade as operators do it: processes of one release and of the next on one database. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Simulator, startSimulator } from '../../../simulator/simulator.ts'
import { type Database, openDatabase } from '../../../src/foundation/database/database.ts'
import { migrateToLatest } from '../../../src/foundation/database/migrate.ts'
import { readSchemaFiles, type SchemaFiles, type SqlFile } from '../../../src/foundation/database/schema-files.ts'
import { createRunner } from '../../cli/cli-runner.ts'
import { until } from '../../endpoints/admin-client.ts'
import { hello, post } from '../../message-path/path-client.ts'
import { createEmptyDatabase } from '../../support/database.ts'
import { ADMIN_PASSWORD, login, untilReady } from '../../support/gateway.ts'
import { type GatewayProcess, spawnGateway } from '../../support/gateway-process.ts'
import { fillDatabase, ids, revokedKey, workingKey } from './filled-database.ts'

const files = await readSchemaFiles()
const names = files.migrations.map(({ name }) => name)

function withMigrations(...more: readonly SqlFile[]): SchemaFiles {
  return { ...files, migrations: [...files.migrations, ...more] }
}

let simulator: Simulator
let empty: Awaited<ReturnType<typeof createEmptyDatabase>>
let database: Database
let folder = ''
const running = new Set<GatewayProcess>()

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-upgrade-'))
  simulator = await startSimulator({})
  empty = await createEmptyDatabase()
  database = await openDatabase({ kind: 'url', url: empty.url })
})

after(async () => {
  for (const gateway of running) gateway.kill('SIGKILL')
  await Promise.all([...running].map((gateway) => gateway.exited))
  await database?.close()
  await empty?.drop()
  await simulator?.close()
  rmSync(folder, { recursive: true, force: true })
})

function spawnInstance(name: string): GatewayProcess {
  const gateway = spawnGateway({
    DATABASE_URL: empty.url,
    AWS_ENDPOINT_URL: simulator.url,
    AWS_ACCESS_KEY_ID: simulator.accessKey,
    AWS_SECRET_ACCESS_KEY: simulator.secretKey,
    ADMIN_PASSWORD,
    SPEND_JOURNAL_DIR: join(folder, name),
    DATA_DIR: join(folder, name),
    DRAIN_TIMEOUT_SECONDS: '20',
  })
  running.add(gateway)
  return gateway
}

async function startInstance(name: string): Promise<{ readonly gateway: GatewayProcess; readonly url: string }> {
  const gateway = spawnInstance(name)
  const url = `http://127.0.0.1:${await gateway.listening()}`
  const hasEnded = gateway.exited.then(() => assert.fail(gateway.output()))
  await Promise.race([untilReady(url), hasEnded])
  return { gateway, url }
}

async function end({ gateway }: { readonly gateway: GatewayProcess }): Promise<void> {
  gateway.kill('SIGTERM')
  assert.equal(await gateway.exited, 0, gateway.output())
  running.delete(gateway)
}

async function countOk(): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(*)::int as count from spend_log
     where status = 200 and key_id = '${ids.key}' and user_id = '${ids.bob}' and at > now() - interval '1 hour'`,
  )
  return rows[0]?.count ?? 0
}

async function readApplied(): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ name: string }>('select name from causeway_migrations order by name')
  return rows.map(({ name }) => name)
}

async function planFrom(cli: ReturnType<typeof createRunner>): Promise<readonly string[]> {
  return (await cli.json(['migrate', '--plan'], { env: { DATABASE_URL: empty.url } })).migrations
}

test('the plan names the pending steps and changes nothing', async () => {
  const cli = createRunner({ DATABASE_URL: empty.url })
  try {
    const planned = await cli.json(['migrate', '--plan'])
    assert.deepEqual([planned.planned, planned.migrations], [true, names])
    const words = await cli.run(['migrate', '--plan'], { terminal: true })
    for (const name of names) assert.ok(words.out.includes(name), words.out)
    const { rows } = await database.pool.query(`select from pg_class where relnamespace = 'public'::regnamespace`)
    assert.equal(rows.length, 0)
  } finally {
    cli.close()
  }
})

test('two instances that start at once on an empty database create the schema once', async () => {
  const both = await Promise.all([startInstance('one'), startInstance('two')])
  const creators = both.filter(({ gateway }) => gateway.output().includes('schema was brought up to date'))
  assert.equal(creators.length, 1)
  assert.deepEqual(await readApplied(), names)
  await Promise.all(both.map(end))
})

test('two instances that start at once on a filled database both work with its users, keys, limits and figures', async () => {
  await database.pool.query('truncate cache_versions, endpoints, users, virtual_keys cascade')
  const records = await fillDatabase(database)
  const [one, two] = await Promise.all([startInstance('one'), startInstance('two')])
  for (const { url } of [one, two]) {
    assert.equal((await post({ url }, workingKey, hello)).status, 200, 'a stored key authenticates and is served')
    assert.equal((await post({ url }, revokedKey, hello)).status, 401, 'a key that was revoked stays so')
  }
  await until(async () => (await countOk()) === 2)
  const cli = createRunner({ CAUSEWAY_URL: one.url, CAUSEWAY_TOKEN: await login(one.url) })
  try {
    assert.deepEqual(await planFrom(cli), [])
    assert.equal((await cli.json(['teams', 'show', 'Mobile'])).id, ids.mobile)
    assert.equal((await cli.json(['keys', 'show', 'ci'])).rate_limit_rpm, 600)
    assert.equal(await cli.json(['settings', 'get', 'session_token_ttl_hours']), 9)
    const figures = await cli.json(['analytics', 'overview', '--from', '2026-10-25', '--to', '2026-11-07'])
    const counted = records.filter(
      ({ atMs, round, flags }) => atMs >= Date.UTC(2026, 9, 25) && round === 0 && !flags.includes('probe'),
    )
    assert.equal(figures.totals.requests, counted.length)
  } finally {
    cli.close()
  }
  await Promise.all([end(one), end(two)])
})

/** Only adds, as a change has to that lets the release before go on: a table, columns, a trigger on the busiest table. */
const nextRelease = {
  name: '9000-next-release+compatible',
  text: `
    alter table virtual_keys add column purpose text, add column colour text not null default 'none';
    alter table spend_log add column cluster text;
    create table seen_models (model text primary key);
    create function note_models() returns trigger language plpgsql as $$
      begin insert into seen_models select distinct model from stored on conflict do nothing; return null; end $$;
    create trigger spend_log_notes_models after insert on spend_log
      referencing new table as stored for each statement execute function note_models();
    -- Long enough for calls to be answered and records to be written while the locks are held.
    select pg_sleep(2);`,
}

test('while the next release changes the schema an instance answers every call and stores every record; it can also be started again', async () => {
  const old = await startInstance('old')
  const stored = await countOk()
  const upgrade = migrateToLatest(database, withMigrations(nextRelease))
  let isOver = false
  const over = upgrade.finally(() => {
    isOver = true
  })
  let calls = 0
  for (let afterwards = 0; afterwards < 20; calls++) {
    if (isOver) afterwards += 1
    const answer = await post({ url: old.url }, workingKey, hello)
    assert.equal(answer.status, 200)
    await answer.arrayBuffer()
  }
  assert.deepEqual(await over, ['9000-next-release+compatible'])
  assert.ok(calls > 20, `${calls - 20} calls were answered during the change`)
  await until(async () => (await countOk()) === stored + calls)
  const { rows } = await database.pool.query('select model from seen_models')
  assert.equal(rows.length, 1, 'the new part sees what the old release writes')

  const cli = createRunner({ CAUSEWAY_URL: old.url, CAUSEWAY_TOKEN: await login(old.url) })
  try {
    const made = await cli.json(['keys', 'create', 'made by the old release'])
    await until(async () => (await post({ url: old.url }, made.key, hello)).status === 200)
  } finally {
    cli.close()
  }
  await end(old)
  const again = await startInstance('rolled back')
  assert.equal((await post({ url: again.url }, workingKey, hello)).status, 200)
  await end(again)
})

test('after a change that is not compatible the release before refuses to start, in words, and leaves the schema alone', async () => {
  const contract = { name: '9001-contract', text: 'alter table virtual_keys drop column colour' }
  await migrateToLatest(database, withMigrations(nextRelease, contract))
  const before = await readApplied()
  const refused = spawnInstance('refused')
  assert.notEqual(await refused.exited, 0)
  running.delete(refused)
  assert.match(refused.output(), /migrated by a newer release \(unknown: .*9001-contract\)\. Start that release/)
  assert.deepEqual(await readApplied(), before)
})
