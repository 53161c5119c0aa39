import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Simulator, startSimulator } from '../../../simulator/simulator.ts'
import { until } from '../../endpoints/admin-client.ts'
import { hello, post } from '../../message-path/path-client.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { freePort } from '../../support/free-port.ts'
import { ADMIN_PASSWORD, addKey, login, untilReady } from '../../support/gateway.ts'
import { type GatewayProcess, spawnGateway } from '../../support/gateway-process.ts'

const CALLS = 300

let simulator: Simulator
let database: TestDatabase
let folder = ''
const running: GatewayProcess[] = []

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-scale-'))
  simulator = await startSimulator({ settings: { tokenMode: 'fingerprint' } })
  database = await createTestDatabase()
})

after(async () => {
  for (const gateway of running) gateway.kill('SIGTERM')
  await Promise.all(running.map((gateway) => gateway.exited))
  await database.drop()
  await simulator.close()
  rmSync(folder, { recursive: true })
})

async function startInstance(name: string, more: Readonly<Record<string, string>> = {}): Promise<number> {
  const gateway = spawnGateway({
    DATABASE_URL: database.url,
    AWS_ENDPOINT_URL: simulator.url,
    AWS_ACCESS_KEY_ID: simulator.accessKey,
    AWS_SECRET_ACCESS_KEY: simulator.secretKey,
    ADMIN_PASSWORD,
    SPEND_JOURNAL_DIR: join(folder, name),
    DATA_DIR: join(folder, name),
    DRAIN_TIMEOUT_SECONDS: '20',
    ...more,
  })
  running.push(gateway)
  const port = await gateway.listening()
  await untilReady(`http://127.0.0.1:${port}`)
  return port
}

async function startBalancer(ports: readonly number[]): Promise<{ readonly url: string; readonly stop: () => void }> {
  const port = await freePort()
  const file = join(folder, 'haproxy.cfg')
  const servers = ports.map((one, index) => `  server gateway${index} 127.0.0.1:${one} check inter 500`).join('\n')
  writeFileSync(
    file,
    `defaults
  mode http
  timeout connect 5s
  timeout client 900s
  timeout server 900s
listen gateways
  bind 127.0.0.1:${port}
  balance roundrobin
  option httpchk GET /ready
${servers}
`,
  )
  const child: ChildProcess = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  await untilReady(url)
  return { url, stop: () => void child.kill('SIGTERM') }
}

async function recordCount(): Promise<number> {
  const { rows } = await database.database.pool.query<{ count: number }>(
    'select count(*)::int as count from spend_log where status = 200',
  )
  return rows[0]?.count ?? 0
}

async function callAll(url: string, key: string, count: number): Promise<readonly number[]> {
  const statuses: number[] = []
  const lane = async (): Promise<void> => {
    while (statuses.length < count) {
      const place = statuses.push(0) - 1
      const response = await post({ url }, key, hello)
      await response.arrayBuffer()
      statuses[place] = response.status
    }
  }
  await Promise.all(Array.from({ length: 10 }, lane))
  return statuses
}

test('two instances behind a load balancer are one gateway: every call served and recorded once, changes known to both, one may go without a lost call', async () => {
  const [one, two] = await Promise.all([startInstance('one'), startInstance('two')])
  const balancer = await startBalancer([one, two])
  try {
    const { key, id } = await addKey(database.database, { name: 'shared' })
    await until(async () => {
      const answers = await Promise.all([one, two].map((port) => post({ url: `http://127.0.0.1:${port}` }, key, hello)))
      return answers.every(({ status }) => status === 200)
    })
    const before = await until(async () => ((await recordCount()) === 0 ? undefined : await settledCount()))
    const statuses = await callAll(balancer.url, key, CALLS)
    assert.deepEqual(new Set(statuses), new Set([200]))
    await until(async () => (await recordCount()) >= before + CALLS)
    assert.equal(await settledCount(), before + CALLS)

    // One goes: readiness is off at once, the balancer notices, nobody is refused.
    const leaving = running[0]
    const during = callAll(balancer.url, key, CALLS)
    leaving?.kill('SIGTERM')
    const answered = (await during).filter((status) => status !== 200)
    assert.deepEqual(answered, [])
    assert.equal(await leaving?.exited, 0)
    await until(async () => (await recordCount()) >= before + 2 * CALLS)

    const token = await login(balancer.url)
    const revoked = await fetch(`${balancer.url}/admin/keys/${id}/revoke`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    assert.equal(revoked.status, 200)
    await until(async () => (await post({ url: balancer.url }, key, hello)).status === 401)
  } finally {
    balancer.stop()
  }
})

/** Records come a moment after their answers. */
async function settledCount(): Promise<number> {
  let last = -1
  return await until(async () => {
    const now = await recordCount()
    const isSame = now === last
    last = now
    if (!isSame) await new Promise((resolve) => setTimeout(resolve, 700))
    return isSame ? now : undefined
  })
}

test('two workers of one process share its port: every call served and recorded once', async () => {
  const port = await startInstance('workers', { WORKERS: '2' })
  const url = `http://127.0.0.1:${port}`
  // Both: the one that listens first says that the port is ready.
  await until(async () => running.at(-1)?.output().split('"msg":"ready"').length === 3, 60_000)
  const { key } = await addKey(database.database, { name: 'workers' })
  await until(async () => (await callAll(url, key, 10)).every((status) => status === 200))
  const before = await settledCount()
  assert.deepEqual(new Set(await callAll(url, key, CALLS)), new Set([200]))
  await until(async () => (await recordCount()) >= before + CALLS)
  assert.equal(await settledCount(), before + CALLS)
})
