/** What a gateway says and does while Postgres refuses it: closed, starting, read-only, or without the privileges. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts'
import { login, startGateway } from '../support/gateway.ts'
import { type GatewayProcess, spawnGateway } from '../support/gateway-process.ts'
import { startStandby } from './standby.ts'

let own: TestDatabase
let admin: pg.Client

before(async () => {
  own = await createTestDatabase()
  const server = new URL(own.url)
  server.pathname = '/postgres'
  admin = new pg.Client({ connectionString: server.href })
  await admin.connect()
})

after(async () => {
  await admin.end()
  await own.drop()
})

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1)
}

/** As before a restore: nobody may connect, and whoever is connected is sent away. */
async function closeDatabase(name: string): Promise<void> {
  await admin.query(`alter database ${name} allow_connections false`)
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
}

function startOn(url: string): GatewayProcess {
  return spawnGateway({ DATABASE_URL: url, PRICING_REFRESH_ENABLED: 'false' })
}

async function untilLogged(gateway: GatewayProcess, text: string): Promise<void> {
  while (!gateway.output().includes(text)) {
    const ended = await Promise.race([gateway.exited, new Promise((resolve) => setTimeout(resolve, 20, 'running'))])
    assert.equal(ended, 'running', gateway.output())
  }
}

/** Waits until it is ready, ends it, and gives back what it logged. */
async function endWhenReady(gateway: GatewayProcess): Promise<string> {
  await untilLogged(gateway, '"msg":"ready"')
  gateway.kill('SIGTERM')
  await gateway.exited
  return gateway.output()
}

test('while a database accepts no connections writes are 503 with retry-after, and succeed when it is open again', async () => {
  const database = await createTestDatabase()
  const gateway = await startGateway({ database })
  try {
    const token = await login(gateway.url)
    const addTeam = (name: string): Promise<Response> =>
      fetch(`${gateway.url}/admin/teams`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name }),
      })
    assert.equal((await addTeam('before')).status, 201)
    await closeDatabase(nameOf(database.url))
    const refused = await addTeam('meanwhile')
    assert.equal(refused.status, 503)
    assert.equal(refused.headers.get('retry-after'), '5')
    const { error } = (await refused.json()) as { error: { code: string } }
    assert.equal(error.code, 'database_unavailable')
    await admin.query(`alter database ${nameOf(database.url)} allow_connections true`)
    while ((await addTeam('after')).status !== 201) await new Promise((resolve) => setTimeout(resolve, 50))
  } finally {
    await gateway.stop()
    await gateway.simulator.close()
    await database.drop()
  }
})

test('a gateway that starts during a restore waits for its end and says so without a stack trace', async () => {
  const name = nameOf(own.url)
  await closeDatabase(name)
  const gateway = startOn(own.url)
  try {
    await untilLogged(gateway, 'it is starting up or being restored; trying again')
    await admin.query(`alter database ${name} allow_connections true`)
    assert.doesNotMatch(await endWhenReady(gateway), /\\n +at /)
  } finally {
    await admin.query(`alter database ${name} allow_connections true`)
    gateway.kill('SIGKILL')
  }
})

test('a gateway waits for a server that is starting up', async () => {
  const standby = await startStandby({ hot_standby: 'off' })
  const gateway = startOn(standby.url)
  try {
    await untilLogged(gateway, 'it is starting up or being restored; trying again')
    await standby.promote()
    assert.doesNotMatch(await endWhenReady(gateway), /\\n +at /)
  } finally {
    gateway.kill('SIGKILL')
    await standby.stop()
  }
})

test('a standby server is named as such, and the gateway starts when it is promoted', async () => {
  const standby = await startStandby({ hot_standby: 'on' })
  const gateway = startOn(standby.url)
  try {
    await untilLogged(gateway, 'this Postgres server is a standby (it is in recovery) and accepts no writes')
    assert.match(gateway.output(), /Set DATABASE_URL or DATABASE_HOST to the primary server/)
    await standby.promote()
    assert.doesNotMatch(await endWhenReady(gateway), /\\n +at /)
  } finally {
    gateway.kill('SIGKILL')
    await standby.stop()
  }
})

test('a read-only default is named with the statement that removes it', async () => {
  const name = nameOf(own.url)
  await admin.query(`alter database ${name} set default_transaction_read_only = on`)
  const gateway = startOn(own.url)
  try {
    await untilLogged(gateway, 'the database is read-only; trying again')
    assert.ok(gateway.output().includes(`ALTER DATABASE \\"${name}\\" RESET default_transaction_read_only;`))
    await admin.query(`alter database ${name} reset default_transaction_read_only`)
    await endWhenReady(gateway)
  } finally {
    await admin.query(`alter database ${name} reset default_transaction_read_only`)
    gateway.kill('SIGKILL')
  }
})

/** A role that may sign in and nothing else, and the address by which it reaches a database. */
async function addRole(url: string): Promise<{ readonly role: string; readonly url: string }> {
  const role = `reader_${randomBytes(6).toString('hex')}`
  await admin.query(`create role ${role} login password 'x'`)
  const address = new URL(url)
  address.username = role
  address.password = 'x'
  return { role, url: address.href }
}

async function runStatement(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

/** The one line of a start that failed. */
async function readFailure(gateway: GatewayProcess): Promise<string> {
  assert.equal(await gateway.exited, 1, gateway.output())
  const line = gateway
    .output()
    .split('\n')
    .find((text) => text.includes('"level":"fatal"'))
  assert.ok(line !== undefined, gateway.output())
  assert.doesNotMatch(line, /\\n +at /)
  return (JSON.parse(line) as { msg: string }).msg
}

test('a database of a development version is refused with what to do', async () => {
  const former = await createEmptyDatabase()
  try {
    await runStatement(
      former.url,
      `create table kysely_migration (name text); insert into kysely_migration values ('0001-first-schema')`,
    )
    const failure = await readFailure(startOn(former.url))
    assert.match(failure, new RegExp(`The database "${nameOf(former.url)}" was created by a development version\\.`))
    assert.match(failure, /Create an empty database and set DATABASE_URL or DATABASE_NAME to it\./)
  } finally {
    await former.drop()
  }
})

test('a role that cannot create tables in an empty database is told which privilege it lacks, and starts with it', async () => {
  const empty = await createEmptyDatabase()
  const reader = await addRole(empty.url)
  const grant = `GRANT CREATE ON SCHEMA "public" TO "${reader.role}";`
  try {
    const failure = await readFailure(startOn(reader.url))
    assert.match(
      failure,
      new RegExp(`The database role "${reader.role}" cannot write to database "${nameOf(empty.url)}"`),
    )
    assert.match(failure, /It lacks CREATE on schema "public"\./)
    assert.ok(failure.includes(grant), failure)
    await runStatement(empty.url, grant)
    await endWhenReady(startOn(reader.url))
  } finally {
    await empty.drop()
    await admin.query(`drop role ${reader.role}`)
  }
})

test('a role that can only read the tables is told whose rights it lacks, and starts with them', async () => {
  const reader = await addRole(own.url)
  const owner = `owner_${randomBytes(6).toString('hex')}`
  const database = await createEmptyDatabase()
  const address = new URL(reader.url)
  address.pathname = `/${nameOf(database.url)}`
  await admin.query(`create role ${owner} login password 'x'`)
  await runStatement(database.url, `grant create, usage on schema public to ${owner}`)
  const ownerAddress = new URL(address)
  ownerAddress.username = owner
  try {
    await endWhenReady(startOn(ownerAddress.href))
    await runStatement(database.url, `grant select on all tables in schema public to ${reader.role}`)
    const failure = await readFailure(startOn(address.href))
    assert.match(failure, /INSERT, UPDATE, DELETE on the tables of the gateway/)
    assert.doesNotMatch(failure, /SELECT/)
    const grants: readonly string[] = failure.match(/GRANT [^;]+;/g) ?? []
    assert.ok(grants.includes(`GRANT "${owner}" TO "${reader.role}";`), failure)
    for (const grant of grants) await runStatement(database.url, grant)
    await endWhenReady(startOn(address.href))
  } finally {
    await database.drop()
    await admin.query(`drop role ${reader.role}`)
    await admin.query(`drop role ${owner}`)
  }
})

test('a role that cannot connect is told how that is granted', async () => {
  const empty = await createEmptyDatabase()
  const reader = await addRole(empty.url)
  try {
    await admin.query(`revoke connect on database ${nameOf(empty.url)} from public`)
    const failure = await readFailure(startOn(reader.url))
    assert.ok(failure.includes(`GRANT CONNECT ON DATABASE "${nameOf(empty.url)}" TO "${reader.role}";`), failure)
  } finally {
    await empty.drop()
    await admin.query(`drop role ${reader.role}`)
  }
})
