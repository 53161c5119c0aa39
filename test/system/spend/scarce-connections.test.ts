import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { startSimulator } from '../../../simulator/simulator.ts'
import { startEmbeddedPostgres } from '../../../src/foundation/database/embedded/embedded-postgres.ts'
import { makeFolder } from '../../spend/ledger-parts.ts'
import { steadyLoad } from '../../spend/steady-load.ts'
import { untilReady } from '../../support/gateway.ts'
import { onSimulator, spawnGateway } from '../../support/gateway-process.ts'

const CONNECTIONS = 5
const SECONDS = 6
const CALLS_A_SECOND = 300

test('a server with five connections is enough for 300 calls a second and for whoever looks at the portal; every record is stored', async (context) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'causeway-scarce-'))
  let refusals = 0
  const server = await startEmbeddedPostgres({
    directory,
    settings: { max_connections: String(CONNECTIONS), superuser_reserved_connections: '0' },
    onLog: (line) => {
      if (line.includes('too many clients')) refusals += 1
    },
  })
  const simulator = await startSimulator({ settings: { answers: 'fixed' } })
  const folder = await makeFolder()
  const gateway = spawnGateway({
    DATABASE_URL: server.url,
    SPEND_JOURNAL_DIR: folder.path,
    ...onSimulator(simulator),
  })
  try {
    const port = await gateway.listening()
    const url = `http://127.0.0.1:${port}`
    await untilReady(url, 60_000)
    const { token } = await ask<{ token: string }>(`${url}/auth/login`, '', { username: 'admin', password: 'x' })
    const { key } = await ask<{ key: string }>(`${url}/admin/keys`, token, { name: 'steady' })
    const looks: Promise<number>[] = []
    const look = async (address: string): Promise<number> => {
      const answer = await fetch(`${url}${address}`, { headers: { authorization: `Bearer ${token}` } })
      await answer.arrayBuffer()
      return answer.status
    }
    const { calls, failed } = await steadyLoad(port, key, SECONDS, CALLS_A_SECOND, () => {
      for (let person = 0; person < 10; person += 1)
        looks.push(look('/admin/keys'), look('/admin/analytics/org/spend?days=7'))
    })
    const statuses = await Promise.all(looks)
    context.diagnostic(JSON.stringify({ calls, failed, looks: looks.length, refusals }))
    assert.equal(failed, 0)
    assert.ok(calls > SECONDS * CALLS_A_SECOND * 0.9, String(calls))
    assert.ok(statuses.length >= 80 && statuses.every((status) => status === 200), statuses.join(' '))
    assert.ok(refusals <= 20, `${refusals} refusals`)
    while ((await countRows(url, token)) < calls) await new Promise((resolve) => setTimeout(resolve, 200))
    gateway.kill('SIGTERM')
    await gateway.exited
    const client = new pg.Client(server.url)
    await client.connect()
    const { rows } = await client.query('select count(*)::int as records from spend_log where key_id is not null')
    await client.end()
    assert.deepEqual(rows, [{ records: calls }])
  } finally {
    gateway.kill('SIGTERM')
    await gateway.exited
    await server.stop()
    await simulator.close()
    await folder.remove()
    rmSync(directory, { recursive: true, force: true })
  }
})

async function ask<T>(url: string, token: string, body: object): Promise<T> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  assert.ok(answer.ok, await answer.clone().text())
  return (await answer.json()) as T
}

async function countRows(url: string, token: string): Promise<number> {
  const answer = await fetch(`${url}/admin/analytics/org/overview?days=1`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return ((await answer.json()) as { totals: { requests: number } }).totals.requests
}
