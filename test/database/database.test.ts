import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { getHeapSpaceStatistics } from 'node:v8'
import { sql } from 'kysely'
import { generate } from 'selfsigned'
import { type Database, openDatabase } from '../../src/foundation/database/database.ts'
import { DatabaseSetupError, DatabaseUnavailableError } from '../../src/foundation/database/store-errors.ts'
import { readVersions } from '../../src/foundation/snapshot/snapshot-reader.store.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startFakePostgres } from './fake-postgres.ts'

let own: TestDatabase
before(async () => {
  own = await createTestDatabase()
})
after(() => own.drop())

function isUnavailable(error: unknown): boolean {
  return error instanceof DatabaseUnavailableError
}

/** A wire between us and the server that can be frozen, as by a firewall that drops packets. */
async function startWire(): Promise<{ url: string; freeze: () => void; thaw: () => void; stop: () => Promise<void> }> {
  const target = new URL(own.url)
  const sockets = new Set<Socket>()
  let frozen = false
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
      from.on('data', (data) => {
        if (!frozen) to.write(data)
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(own.url)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    freeze: () => {
      frozen = true
    },
    thaw: () => {
      frozen = false
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

async function terminateOthers(database: Database): Promise<void> {
  const dedicated = database.openDedicated()
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(dedicated.kysely)
  await dedicated.close()
}

test('connections to a server that was demoted are thrown away, and the next write reaches the one that took its place', async () => {
  const name = new URL(own.url).pathname.slice(1)
  const promoted = await openDatabase({ kind: 'url', url: own.url })
  await sql`create table written (n integer)`.execute(promoted.kysely)
  await sql.raw(`alter database "${name}" set default_transaction_read_only = on`).execute(promoted.kysely)
  const database = await openDatabase({ kind: 'url', url: own.url })
  try {
    const write = () => sql`insert into written values (1)`.execute(database.kysely)
    await assert.rejects(write(), (error) => error instanceof DatabaseUnavailableError && error.code === '25006')
    await sql.raw(`alter database "${name}" reset default_transaction_read_only`).execute(promoted.kysely)
    await write()
  } finally {
    await sql.raw(`alter database "${name}" reset default_transaction_read_only`).execute(promoted.kysely)
    await database.close()
    await promoted.close()
  }
})

test('idle connections that the server ends are reported, the process stays up and the next query works', async () => {
  const errors: Error[] = []
  const database = await openDatabase({ kind: 'url', url: own.url, onError: (error) => errors.push(error) })
  await Promise.all(Array.from({ length: 5 }, () => sql`select pg_sleep(0.05)`.execute(database.kysely)))
  assert.equal(database.pool.idleCount, 5)
  await terminateOthers(database)
  while (database.pool.idleCount > 0) await new Promise((resolve) => setImmediate(resolve))
  assert.ok(errors.length > 0)
  await database.ping()
  await database.close()
})

test('a connection lost inside a transaction fails that transaction only', async () => {
  const database = await openDatabase({ kind: 'url', url: own.url })
  const inTransaction = database.kysely.transaction().execute(async (tx) => {
    await sql`select 1`.execute(tx)
    await terminateOthers(database)
    await sql`select 1`.execute(tx)
  })
  await assert.rejects(inTransaction, isUnavailable)
  await database.ping()
  assert.equal(database.pool.totalCount, 1)
  await database.close()
})

test('a server that takes queries and never answers is given up after one second, and found again later', async () => {
  const wire = await startWire()
  const database = await openDatabase({ kind: 'url', url: wire.url, connectTimeoutMs: 500 })
  await database.ping()
  wire.freeze()
  const startedMs = performance.now()
  await assert.rejects(readVersions(database), isUnavailable)
  const waitedMs = performance.now() - startedMs
  assert.ok(waitedMs > 900, `${waitedMs} ms`)
  // The broken connection was thrown away: the next try fails at connecting, within its own limit.
  await assert.rejects(database.ping(), isUnavailable)
  wire.thaw()
  await database.ping()
  await database.close()
  await wire.stop()
})

test('a hung statement inside a transaction does not hold up its own rollback', async () => {
  const wire = await startWire()
  const database = await openDatabase({ kind: 'url', url: wire.url, connectTimeoutMs: 500 })
  const hung = database.hot.transaction().execute(async (tx) => {
    wire.freeze()
    await sql`select 1`.execute(tx)
  })
  await assert.rejects(hung, isUnavailable)
  await database.close()
  await wire.stop()
})

test('a statement over the limit is ended by the server and leaves the connection usable', async () => {
  const database = await openDatabase({ kind: 'url', url: own.url, statementTimeoutMs: 200 })
  await assert.rejects(sql`select pg_sleep(5)`.execute(database.kysely), isUnavailable)
  assert.equal(database.pool.totalCount, 1)
  await database.ping()
  await database.close()
})

test('a full pool makes callers wait a bounded time', async () => {
  const database = await openDatabase({ kind: 'url', url: own.url, maxConnections: 1, connectTimeoutMs: 200 })
  const busy = sql`select pg_sleep(0.6)`.execute(database.kysely)
  await assert.rejects(database.ping(), isUnavailable)
  await busy
  await database.ping()
  await database.close()
})

test('a server that is not there is unavailable, not a crash', async () => {
  const url = 'postgres://nobody:nothing@127.0.0.1:1/none'
  await assert.rejects(openDatabase({ kind: 'url', url }), isUnavailable)
})

test('counts, sums and prices are numbers, and times keep their milliseconds', async () => {
  const { rows } = await sql<Record<string, unknown>>`
    select 9007199254740991::bigint as big, 0.1375::numeric as rate, count(*) as count,
      '2026-01-02T03:04:05.678Z'::timestamptz(3) as at`.execute(own.database.kysely)
  assert.deepEqual(rows, [
    { big: Number.MAX_SAFE_INTEGER, rate: 0.1375, count: 1, at: new Date('2026-01-02T03:04:05.678Z') },
  ])
})

test('TLS that is required and not offered is a mistake in the set-up', async () => {
  const url = new URL(own.url)
  url.searchParams.set('sslmode', 'require')
  await assert.rejects(openDatabase({ kind: 'url', url: url.href }), DatabaseSetupError)
  url.searchParams.set('sslmode', 'prefer')
  const database = await openDatabase({ kind: 'url', url: url.href })
  await database.ping()
  assert.equal(database.transport, 'plain')
  await database.close()
})

test('a server older than 14 is refused by name', async () => {
  const old = await startFakePostgres({ versionNumber: 130_022, versionText: '13.22 (Debian)' })
  await assert.rejects(
    openDatabase({ kind: 'url', url: `postgres://u:p@127.0.0.1:${old.port}/n` }),
    (error) => error instanceof DatabaseSetupError && /Postgres 13\.22 is too old: version 14/.test(error.message),
  )
  await old.stop()
})

test('a connection pooler that takes no limits at connect is used without them', async () => {
  const pooler = await startFakePostgres({
    versionNumber: 160_004,
    versionText: '16.4',
    refusesParameter: 'statement_timeout',
  })
  const database = await openDatabase({ kind: 'url', url: `postgres://u:p@127.0.0.1:${pooler.port}/n` })
  await database.ping()
  await database.close()
  await pooler.stop()
})

test('RDS IAM sends a signed token over TLS for every connection, and none to a server without TLS', async () => {
  process.env['AWS_ACCESS_KEY_ID'] = 'AKIAEXAMPLE'
  process.env['AWS_SECRET_ACCESS_KEY'] = 'example'
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'db' }])
  const versions = { versionNumber: 160_004, versionText: '16.4', asksPassword: true }
  const secure = await startFakePostgres({ ...versions, tls: { key, cert } })
  const plain = await startFakePostgres(versions)
  const parts = { kind: 'parts', host: '127.0.0.1', name: 'n', user: 'proxy', rdsIamAuth: true } as const

  const database = await openDatabase({ ...parts, port: secure.port, region: 'eu-west-1' })
  await database.ping()
  assert.equal(database.serverVersion, '16.4')
  assert.equal(secure.passwords.length, 2)
  for (const { password, overTls } of secure.passwords) {
    assert.ok(overTls)
    const token = new URL(`https://${password}`)
    assert.equal(token.searchParams.get('Action'), 'connect')
    assert.equal(token.searchParams.get('DBUser'), 'proxy')
    assert.match(token.searchParams.get('X-Amz-Credential') ?? '', /\/eu-west-1\/rds-db\/aws4_request$/)
    assert.match(token.searchParams.get('X-Amz-Signature') ?? '', /^[0-9a-f]{64}$/)
  }
  await database.close()

  await assert.rejects(openDatabase({ ...parts, port: plain.port, region: 'eu-west-1' }), DatabaseSetupError)
  assert.equal(plain.passwords.length, 0)

  const asked = secure.passwords.length
  const verified = { ...parts, port: secure.port, region: 'eu-west-1', sslMode: 'verify-ca' } as const
  await assert.rejects(openDatabase(verified))
  assert.equal(secure.passwords.length, asked, 'a server that nobody vouches for gets no token')
  const folder = mkdtempSync(path.join(tmpdir(), 'causeway-authority-'))
  const sslRootCert = path.join(folder, 'authority.pem')
  writeFileSync(sslRootCert, cert)
  const trusted = await openDatabase({ ...verified, sslRootCert })
  await trusted.close()
  assert.ok(secure.passwords.length > asked)
  await assert.rejects(openDatabase({ ...verified, sslMode: 'verify-full', sslRootCert }))
  rmSync(folder, { recursive: true })
  await secure.stop()
  await plain.stop()
})

test('answers that were read are collected while they are young, however many follow each other', async () => {
  const MIB = 1024 * 1024
  const grownOld = (): number =>
    getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? Number.NaN
  const database = await openDatabase({ kind: 'url', url: own.url })
  try {
    const before = grownOld()
    let highest = before
    for (let round = 0; round < 1_000; round += 1) {
      await sql`select repeat('0123456789', 5000) as text`.execute(database.kysely)
      highest = Math.max(highest, grownOld())
    }
    // 50 MB were read; when each answer holds on to the next, all of it grows old.
    assert.ok(highest - before < 8 * MIB, `${Math.round((highest - before) / MIB)} MiB`)
  } finally {
    await database.close()
  }
})
