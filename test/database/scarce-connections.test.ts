import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { type Database, openDatabase } from '../../src/foundation/database/database.ts'
import { DatabaseUnavailableError } from '../../src/foundation/database/store-errors.ts'
import { type ChaosProxy, startChaosProxy } from '../support/chaos-proxy.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

/** Somebody whom the server gives two connections. */
const role = `scarce_${process.pid}`
const GIVEN = 2

let own: TestDatabase
let proxy: ChaosProxy
before(async () => {
  own = await createTestDatabase()
  await own.database.pool.query(`create role ${role} login password 'x' connection limit ${GIVEN}`)
  const url = new URL(own.url)
  url.username = role
  url.password = 'x'
  proxy = await startChaosProxy(url.href)
})
after(async () => {
  await proxy.close()
  await own.drop()
  const { database, drop } = await createTestDatabase()
  await database.pool.query(`drop role ${role}`)
  await drop()
})

const sleep = (database: Database, seconds: number) =>
  sql<{ slept: boolean }>`select pg_sleep(${seconds}) is not null as slept`.execute(database.kysely)

/** Until the server has let go of what it was told to close. */
async function untilFree(): Promise<void> {
  for (;;) {
    const { rows } = await own.database.pool.query('select 1 from pg_stat_activity where usename = $1', [role])
    if (rows.length === 0) return
  }
}

test('more questions than the server gives connections: all are answered, and it is not asked for more again and again', async () => {
  const database = await openDatabase({ kind: 'url', url: proxy.url })
  await untilFree()
  const before = proxy.asked()
  const answers = await Promise.all(Array.from({ length: 60 }, () => sleep(database, 0.02)))
  assert.equal(answers.filter(({ rows }) => rows[0]?.slept === true).length, 60)
  assert.equal(database.pool.totalCount, GIVEN)
  // Each of the ten that the pool may have was asked for once.
  assert.ok(proxy.asked() - before <= 10, String(proxy.asked() - before))
  await Promise.all(Array.from({ length: 20 }, () => sleep(database, 0.001)))
  assert.ok(proxy.asked() - before <= 10, String(proxy.asked() - before))
  await database.close()
})

test('while others have them all whoever asks waits, for a while; one that is given back serves everybody', async () => {
  const database = await openDatabase({ kind: 'url', url: proxy.url, connectTimeoutMs: 1_500 })
  await untilFree()
  const others = Array.from({ length: GIVEN }, () => new pg.Client(proxy.url))
  for (const other of others) await other.connect()
  const before = proxy.asked()
  const startedMs = performance.now()
  const refused = await Promise.allSettled(Array.from({ length: 30 }, () => sleep(database, 0)))
  assert.ok(refused.every((one) => one.status === 'rejected' && one.reason instanceof DatabaseUnavailableError))
  const seconds = Math.ceil((performance.now() - startedMs) / 1_000)
  // The first ten at once, then four a second on behalf of all.
  assert.ok(proxy.asked() - before <= 10 + 4 * seconds, String(proxy.asked() - before))

  const waiting = Array.from({ length: 30 }, () => sleep(database, 0))
  await others[0]?.end()
  assert.equal((await Promise.all(waiting)).length, 30)
  await others[1]?.end()
  await database.close()
})
