import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { type Simulator, startSimulator } from '../../../simulator/simulator.ts'
import { hello, post, untilTrue } from '../../message-path/path-client.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { ADMIN_PASSWORD, addKey, login, untilReady } from '../../support/gateway.ts'
import { type GatewayProcess, spawnGateway } from '../../support/gateway-process.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** Within 5 seconds everywhere, and half a second for the measuring. */
const PROPAGATION_MS = 5_500

interface SetGateway extends GatewayProcess {
  readonly url: string
  /** How far its wall clock is ahead of the database's. */
  readonly setClock: (aheadMs: number) => Promise<void>
}

let folder: string
let own: TestDatabase
let simulator: Simulator
const gateways: GatewayProcess[] = []

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'causeway-clocks-'))
  own = await createTestDatabase()
  simulator = await startSimulator()
})

after(async () => {
  for (const gateway of gateways) gateway.kill('SIGTERM')
  await Promise.all(gateways.map(({ exited }) => exited))
  await own.drop()
  await simulator.close()
  await rm(folder, { recursive: true })
})

async function started(name: string): Promise<SetGateway> {
  const clockFile = path.join(folder, name)
  const setClock = async (aheadMs: number): Promise<void> => {
    await writeFile(clockFile, String(aheadMs))
    await untilTrue(async () => (await readFile(`${clockFile}.set`, 'utf8')) === String(aheadMs))
  }
  await writeFile(clockFile, '0')
  await writeFile(`${clockFile}.set`, '0')
  const gateway = spawnGateway(
    {
      DATABASE_URL: own.url,
      CLOCK_FILE: clockFile,
      DATA_DIR: folder,
      SPEND_JOURNAL_DIR: path.join(folder, 'journal'),
      ADMIN_PASSWORD,
      AWS_ENDPOINT_URL: simulator.url,
      AWS_ACCESS_KEY_ID: simulator.accessKey,
      AWS_SECRET_ACCESS_KEY: simulator.secretKey,
    },
    { program: ['--import', './test/support/set-clock.ts', 'src/main.ts'] },
  )
  gateways.push(gateway)
  const url = `http://127.0.0.1:${await gateway.listening()}`
  await untilReady(url)
  return { ...gateway, url, setClock }
}

const toStatus = async (gateway: { readonly url: string }, key: string): Promise<number> => {
  const response = await post(gateway, key, hello)
  await response.text()
  return response.status
}

test('a key that an instance revokes whose clock is ahead is refused everywhere, also when that clock is set back', async () => {
  const [ahead, right] = await Promise.all([started('ahead'), started('right')])
  await ahead.setClock(4 * MINUTE_MS)
  const { key, id } = await addKey(own.database)
  await untilTrue(async () => (await toStatus(ahead, key)) === 200 && (await toStatus(right, key)) === 200)
  const token = await login(ahead.url)
  const revoked = await fetch(`${ahead.url}/admin/keys/${id}/revoke`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  assert.deepEqual([revoked.status, ((await revoked.json()) as { status: string }).status], [200, 'revoked'])
  assert.equal(await toStatus(ahead, key), 401)
  await untilTrue(async () => (await toStatus(right, key)) === 401, PROPAGATION_MS)
  for (const aheadMs of [-2 * HOUR_MS, 2 * HOUR_MS, 0]) {
    await ahead.setClock(aheadMs)
    assert.equal(await toStatus(ahead, key), 401, `${aheadMs} ms ahead`)
  }
})

test('a clock that jumps leaves rate windows, budgets and loops as they are, and wrong signatures are named and heal', async () => {
  const gateway = await started('jumping')
  const { key } = await addKey(own.database, { name: 'limited', rateLimitRpm: 5 })
  const { key: free } = await addKey(own.database, { name: 'free' })
  await untilTrue(async () => (await toStatus(gateway, free)) === 200)
  await untilTrue(async () => (await toStatus(gateway, key)) !== 401)
  while ((await toStatus(gateway, key)) === 200);
  for (const aheadMs of [HOUR_MS, -2 * HOUR_MS, 40 * 24 * HOUR_MS]) {
    await gateway.setClock(aheadMs)
    assert.equal(await toStatus(gateway, key), 429, `the rate window with a clock ${aheadMs} ms ahead`)
    const response = await post(gateway, free, hello)
    const text = await response.text()
    assert.match(text, /[Ss]ignature/, `${response.status} ${text}`)
    assert.equal((await fetch(`${gateway.url}/health`)).status, 200)
  }
  await gateway.setClock(0)
  await untilTrue(async () => (await toStatus(gateway, free)) === 200)
  assert.doesNotMatch(gateway.output(), /nobody (noticed|handled)/)
})

test('a session ends when the clock says so, no sooner, and is there again when the clock is set right', async () => {
  const gateway = await started('sessions')
  const signedIn = await fetch(`${gateway.url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD }),
  })
  const { token, expires_at } = (await signedIn.json()) as { token: string; expires_at: string }
  const headers = { authorization: `Bearer ${token}` }
  const statusNow = async () => (await fetch(`${gateway.url}/auth/me`, { headers })).status
  const leftMs = Date.parse(expires_at) - Date.now()
  for (const [aheadMs, status] of [
    [HOUR_MS, 200],
    [leftMs - MINUTE_MS, 200],
    [leftMs + MINUTE_MS, 401],
    [40 * 24 * HOUR_MS, 401],
    [0, 200],
    [-MINUTE_MS / 2, 200],
    [0, 200],
  ] as const) {
    await gateway.setClock(aheadMs)
    assert.equal(await statusNow(), status, `${aheadMs} ms ahead`)
  }
})

test('budgets follow the day of the clock, and what was spent in a day is not forgotten while it shows another', async () => {
  const gateway = await started('budgets')
  const token = await login(gateway.url)
  const send = async (method: string, route: string, body: object) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const response = await fetch(gateway.url + route, { method, headers, body: JSON.stringify(body) })
    assert.ok(response.ok, `${method} ${route}: ${response.status}`)
    return (await response.json()) as Readonly<Record<string, string>>
  }
  const user = await send('POST', '/admin/users', { subject: 'spender@example.com', role: 'member' })
  const { key = '' } = await send('POST', '/admin/keys', { name: 'own', user_id: user['id'] })
  await send('PUT', `/admin/users/${user['id']}/budget`, { limit_usd: 0.000001, period: 'daily', policy: 'standard' })
  assert.equal(await toStatus(gateway, key), 200)
  const errorNow = async (): Promise<string> => {
    const response = await post(gateway, key, hello)
    const { error } = (await response.json()) as { error?: { type: string } }
    return error?.type ?? 'none'
  }
  await untilTrue(async () => (await errorNow()) === 'billing_error')
  // Known by the database, and not only by the day in memory that the clock is about to leave.
  const headers = { authorization: `Bearer ${token}` }
  const storedUsd = async (): Promise<number> => {
    const response = await fetch(`${gateway.url}/admin/users/${user['id']}/budget`, { headers })
    return ((await response.json()) as { spend_usd: number }).spend_usd
  }
  await untilTrue(async () => (await storedUsd()) > 0)
  const day = 24 * HOUR_MS
  const restOfDay = day - (Date.now() % day)
  // On another day the budget lets the call go on to the hosted service, which refuses its signature: it costs nothing.
  for (const [aheadMs, isBlocked] of [
    [restOfDay - MINUTE_MS, true],
    [restOfDay + MINUTE_MS, false],
    [0, true],
    [-day, false],
    [40 * day, false],
    [0, true],
  ] as const) {
    await gateway.setClock(aheadMs)
    // Within two minutes of the end of a day the first of these would be another day by the time it is asked.
    if (isBlocked && aheadMs > 0 && restOfDay < 2 * MINUTE_MS) continue
    assert.equal((await errorNow()) === 'billing_error', isBlocked, `${aheadMs} ms ahead`)
  }
  assert.doesNotMatch(gateway.output(), /nobody (noticed|handled)/)
})
