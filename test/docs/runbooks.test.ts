/** The SQL of the runbooks, run during the fault that it is for. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import pg from 'pg'
import { until } from '../notifications/news.ts'
import { createTestDatabase } from '../support/database.ts'

const statements = readdirSync('docs/runbooks').flatMap((page) =>
  [...readFileSync(`docs/runbooks/${page}`, 'utf8').matchAll(/`(select [^`]+)`/g)].map(([, sql = '']) => sql),
)

async function connected(url: string, name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: name })
  // The one whose session is ended hears of it here.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

test('who holds a lock that the gateway waits for is found and ended with what the pages print', async () => {
  assert.equal(statements.length, 5)
  const { url, drop } = await createTestDatabase()
  const gateway = await connected(url, 'causeway')
  const another = await connected(url, 'reports')
  const onCall = await connected(url, 'psql')
  try {
    await another.query('begin; lock table spend_log in access exclusive mode')
    const waiting = gateway.query('select count(*) from spend_log')
    const blocking = statements.find((sql) => sql.includes('pg_blocking_pids')) ?? ''
    const ending = statements.find((sql) => sql.includes('pg_terminate_backend')) ?? ''
    await until('the gateway waits', async () => (await onCall.query(blocking)).rows.length > 0)
    const [holder, ...others] = (await onCall.query(blocking)).rows
    assert.deepEqual([holder.application_name, others], ['reports', []])
    for (const sql of statements.filter((one) => one !== ending)) await onCall.query(sql)
    await onCall.query(ending.replace('(pid)', `(${holder.pid})`))
    assert.deepEqual((await waiting).rows, [{ count: '0' }])
  } finally {
    await Promise.all([gateway, another, onCall].map((client) => client.end().catch(() => undefined)))
    await drop()
  }
})
