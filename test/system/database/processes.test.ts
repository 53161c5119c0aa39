/** An upgrade as operators do it: processes of one release and of the next on one database. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { type Simulator, startSimulator } from '../../../simulator/simulator.ts'
import { migrateToLatest } from '../../../src/foundation/database/migrate.ts'
import { allMigrations } from '../../../src/foundation/database/migrations/all-migrations.ts'
import { createRunner } from '../../cli/cli-runner.ts'
import { until } from '../../endpoints/admin-client.ts'
import { hello, post } from '../../message-path/path-client.ts'
import { ADMIN_PASSWORD, login, untilReady } from '../../support/gateway.ts'
import { type GatewayProcess, spawnGateway } from '../../support/gateway-process.ts'
import { oldIds, oldKey, oldRevokedKey } from './old-data.ts'
import { createOldDatabase, makeOldRecords, migrationNames } from './old-schema.ts'

/** The release before the charts had sums of their own. */
const LAST_OF_OLD_RELEASE = '0009-instance-reports+compatible'
const pending = migrationNames.slice(migrationNames.indexOf(LAST_OF_OLD_RELEASE) + 1)
const records = makeOldRecords(300)

let simulator: Simulator
let database: Awaited<ReturnType<typeof createOldDatabase>>
let folder = ''
const running = new Set<GatewayProcess>()

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-upgrade-'))
  simulator = await startSimulator({})
  database = await createOldDatabase(LAST_OF_OLD_RELEASE, records)
})

after(async () => {
  for (const gateway of running) gateway.kill('SIGKILL')
  await Promise.all([...running].map((gateway) => gateway.exited))
  await database?.drop()
  await simulator?.close()
  rmSync(folder, { recursive: true, force: true })
})

function spawnInstance(name: string): GatewayProcess {
  const gateway = spawnGateway({
    DATABASE_URL: database.url,
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
  const { rows } = await database.database.pool.query<{ count: number }>(
    `select count(*)::int as count from spend_log
     where status = 200 and key_id = '${oldIds.key}' and user_id = '${oldIds.bob}' and at > now() - interval '1 hour'`,
  )
  return rows[0]?.count ?? 0
}

async function appliedCount(): Promise<number> {
  const { rows } = await database.database.pool.query<{ count: number }>(
    'select count(*)::int as count from kysely_migration',
  )
  return rows[0]?.count ?? 0
}

test('the plan names the pending steps and changes nothing', async () => {
  const cli = createRunner({ DATABASE_URL: database.url })
  try {
    const planned = await cli.json(['migrate', '--plan'])
    assert.deepEqual([planned.planned, planned.migrations, planned.compatible], [true, pending, true])
    const words = await cli.run(['migrate', '--plan'], { terminal: true })
    for (const name of pending) assert.ok(words.out.includes(name), words.out)
    assert.equal(await appliedCount(), migrationNames.length - pending.length)
  } finally {
    cli.close()
  }
})

test('two instances of a new release that start at once upgrade once; people, keys, limits and figures of before are in force', async () => {
  const [one, two] = await Promise.all([startInstance('one'), startInstance('two')])
  const upgraders = [one, two].filter(({ gateway }) => gateway.output().includes('schema was brought up to date'))
  assert.equal(upgraders.length, 1)
  assert.equal(await appliedCount(), migrationNames.length)
  for (const { url } of [one, two]) {
    assert.equal((await post({ url }, oldKey, hello)).status, 200, 'a key of before authenticates and is served')
    assert.equal((await post({ url }, oldRevokedKey, hello)).status, 401, 'a key that was revoked stays so')
  }
  await until(async () => (await countOk()) === 2)
  const cli = createRunner({ CAUSEWAY_URL: one.url, CAUSEWAY_TOKEN: await login(one.url) })
  try {
    assert.deepEqual((await cli.json(['migrate', '--plan'], { env: { DATABASE_URL: database.url } })).migrations, [])
    assert.equal((await cli.json(['teams', 'show', 'Mobile'])).id, oldIds.mobile)
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
  up: async (tx: Kysely<unknown>): Promise<void> => {
    await sql`alter table virtual_keys add column purpose text, add column colour text not null default 'none'`.execute(
      tx,
    )
    await sql`alter table spend_log add column cluster text`.execute(tx)
    await sql`create table seen_models (model text primary key)`.execute(tx)
    await sql`create function note_models() returns trigger language plpgsql as $$
      begin insert into seen_models select distinct model from stored on conflict do nothing; return null; end $$`.execute(
      tx,
    )
    await sql`create trigger spend_log_notes_models after insert on spend_log
      referencing new table as stored for each statement execute function note_models()`.execute(tx)
    // Long enough for calls to be answered and records to be written while the locks are held.
    await sql`select pg_sleep(2)`.execute(tx)
  },
}

test('while the next release changes the schema an instance answers every call and stores every record; it can also be started again', async () => {
  const old = await startInstance('old')
  const stored = await countOk()
  const upgrade = migrateToLatest(database.database, { ...allMigrations, '9000-next-release+compatible': nextRelease })
  let isOver = false
  const over = upgrade.finally(() => {
    isOver = true
  })
  let calls = 0
  for (let afterwards = 0; afterwards < 20; calls++) {
    if (isOver) afterwards += 1
    const answer = await post({ url: old.url }, oldKey, hello)
    assert.equal(answer.status, 200)
    await answer.arrayBuffer()
  }
  assert.deepEqual(await over, ['9000-next-release+compatible'])
  assert.ok(calls > 20, `${calls - 20} calls were answered during the change`)
  await until(async () => (await countOk()) === stored + calls)
  const { rows } = await database.database.pool.query('select model from seen_models')
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
  assert.equal((await post({ url: again.url }, oldKey, hello)).status, 200)
  await end(again)
})

test('after a change that is not compatible the release before refuses to start, in words, and leaves the schema alone', async () => {
  const contract = {
    up: async (tx: Kysely<unknown>) => void (await sql`alter table virtual_keys drop column colour`.execute(tx)),
  }
  await migrateToLatest(database.database, {
    ...allMigrations,
    '9000-next-release+compatible': nextRelease,
    '9001-contract': contract,
  })
  const before = await appliedCount()
  const refused = spawnInstance('refused')
  assert.notEqual(await refused.exited, 0)
  running.delete(refused)
  assert.match(refused.output(), /migrated by a newer release \(unknown: .*9001-contract\)\. Start that release/)
  assert.equal(await appliedCount(), before)
})
