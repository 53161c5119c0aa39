/** Several workers on one port, as one gateway to whoever starts and stops it. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, beforeEach, type TestContext, test } from 'node:test'
import pg from 'pg'
import { type ControlClient, controlClient } from '../../../simulator/control-client.ts'
import { type Simulator, startSimulator } from '../../../simulator/simulator.ts'
import { descendantsOf } from '../../demo/processes.ts'
import { hello, parseEvents, post, untilProbed, untilTrue } from '../../message-path/path-client.ts'
import { startChaosProxy } from '../../support/chaos-proxy.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { freePort } from '../../support/free-port.ts'
import { addKey } from '../../support/gateway.ts'
import { type GatewayProcess, spawnGateway } from '../../support/gateway-process.ts'

const WORKERS = 2

let simulator: Simulator
let control: ControlClient
let database: TestDatabase
let key = ''
let folder = ''

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'causeway-workers-'))
  simulator = await startSimulator({ settings: { tokenMode: 'fingerprint' } })
  control = controlClient(simulator.controlUrl)
  database = await createTestDatabase()
  key = (await addKey(database.database)).key
})

beforeEach(() => control.reset())

after(async () => {
  await database.drop()
  await simulator.close()
  await rm(folder, { recursive: true })
})

function spawnWorkers(t: TestContext, environment: Readonly<Record<string, string>> = {}): GatewayProcess {
  const gateway = spawnGateway(
    {
      WORKERS: String(WORKERS),
      DATABASE_URL: database.url,
      AWS_ENDPOINT_URL: simulator.url,
      AWS_ACCESS_KEY_ID: simulator.accessKey,
      AWS_SECRET_ACCESS_KEY: simulator.secretKey,
      DATA_DIR: folder,
      SPEND_JOURNAL_DIR: path.join(folder, 'journal'),
      ...environment,
    },
    { ownGroup: true },
  )
  t.after(() => {
    if (gateway.child.exitCode === null && gateway.child.signalCode === null) gateway.killGroup('SIGKILL')
  })
  return gateway
}

const countBreakpoints = ({ output }: GatewayProcess, message: string): number =>
  output().split(`"msg":"${message}"`).length - 1

async function startWorkers(t: TestContext, environment: Readonly<Record<string, string>>) {
  const gateway = spawnWorkers(t, environment)
  const url = `http://127.0.0.1:${await gateway.listening()}`
  await untilTrue(() => countBreakpoints(gateway, 'ready') === WORKERS)
  await untilProbed(database.database)
  return { ...gateway, url }
}

for (const [whom, signal] of [
  ['the whole group', 'SIGINT'],
  ['the first process', 'SIGTERM'],
] as const)
  test(`${signal} to ${whom} lets every worker finish its streams`, async (t) => {
    const gateway = await startWorkers(t, { DRAIN_TIMEOUT_SECONDS: '4' })
    const pace = { eventsPerSecond: 10, firstEventDelayMs: 0 }
    await control.script({ match: { operation: 'invoke' }, times: null, behaviour: { pace } })
    const streams = await Promise.all(Array.from({ length: 6 }, () => post(gateway, key, { ...hello, stream: true })))
    if (whom === 'the whole group') gateway.killGroup(signal)
    else gateway.kill(signal)
    for (const response of streams) assert.match(await response.text(), /event: message_stop\n/)
    assert.equal(await gateway.exited, 0)
    assert.equal(countBreakpoints(gateway, 'stopped'), WORKERS)
  })

for (const whom of ['the whole group', 'the first process'] as const)
  test(`a second signal to ${whom} ends the waiting of every worker`, async (t) => {
    const gateway = await startWorkers(t, { DRAIN_TIMEOUT_SECONDS: '3600' })
    const silence = { afterEvents: 3, ms: 3_600_000 }
    await control.script({ match: { operation: 'invoke' }, times: null, behaviour: { silence } })
    const streams = await Promise.all(Array.from({ length: 6 }, () => post(gateway, key, { ...hello, stream: true })))
    const send = whom === 'the whole group' ? gateway.killGroup : gateway.kill
    send('SIGINT')
    await untilTrue(() => countBreakpoints(gateway, 'stopping') === WORKERS)
    send('SIGINT')
    for (const response of streams) assert.equal(parseEvents(await response.text()).at(-1)?.event, 'error')
    assert.equal(await gateway.exited, 0)
  })

test('a start that only a person can mend ends with the code of the worker', async (t) => {
  const missing = new URL(database.url)
  missing.pathname = '/no_such_database'
  const holder = createServer().listen(0, '127.0.0.1')
  t.after(() => holder.close())
  await once(holder, 'listening')
  const wrong: readonly Readonly<Record<string, string>>[] = [
    { DATABASE_URL: missing.href },
    { PROXY_PORT: String((holder.address() as AddressInfo).port) },
  ]
  for (const environment of wrong) {
    const gateway = spawnWorkers(t, environment)
    assert.equal(await gateway.exited, 1)
    assert.match(gateway.output(), /no_such_database|EADDRINUSE/)
    assert.doesNotMatch(gateway.output(), /another takes its place/)
  }
})

test('a worker that dies after the start is replaced', async (t) => {
  const gateway = await startWorkers(t, {})
  for (const { pid } of await descendantsOf(gateway.child.pid ?? 0)) process.kill(pid, 'SIGKILL')
  await untilTrue(() => countBreakpoints(gateway, 'ready') === 2 * WORKERS)
  assert.equal(countBreakpoints(gateway, 'a worker ended; another takes its place'), WORKERS)
  gateway.kill('SIGTERM')
  assert.equal(await gateway.exited, 0)
})

test('a connection that a worker was given and died before it took is closed, not kept by nobody', async (t) => {
  const gateway = await startWorkers(t, {})
  const [first] = await descendantsOf(gateway.child.pid ?? 0)
  const pid = first?.pid ?? 0
  // It is given connections and takes none, as for a moment every worker that dies.
  process.kill(pid, 'SIGSTOP')
  const asked = Array.from({ length: 6 }, () => askForHealth(Number(new URL(gateway.url).port)))
  t.after(() => {
    for (const { socket } of asked) socket.destroy()
  })
  await untilTrue(() => asked.filter(({ answer }) => answer().startsWith('HTTP/1.1 200')).length === 5)
  process.kill(pid, 'SIGKILL')
  await untilTrue(() => asked.every(({ socket }) => socket.closed))
  gateway.kill('SIGTERM')
  assert.equal(await gateway.exited, 0)
})

function askForHealth(port: number): { readonly socket: Socket; readonly answer: () => string } {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text
  })
  socket.on('error', () => {})
  socket.write('GET /health HTTP/1.1\r\nhost: gateway\r\nconnection: close\r\n\r\n')
  return { socket, answer: () => answer }
}

test('a worker that takes the place of a dead one takes no call before it can answer it, unless nobody else is left', async (t) => {
  const proxy = await startChaosProxy(database.url)
  t.after(() => proxy.close())
  // A port of its own choice would be another one when all workers have died.
  const gateway = await startWorkers(t, { DATABASE_URL: proxy.url, PROXY_PORT: String(await freePort()) })
  const callOften = async (): Promise<readonly number[]> => {
    const statuses: number[] = []
    for (let call = 0; call < 20; call += 1) {
      // A connection for each, so that the workers take turns.
      const response = await post(gateway, key, hello, { headers: { connection: 'close' } })
      await response.arrayBuffer()
      statuses.push(response.status)
    }
    return statuses
  }
  const workersOf = async () => (await descendantsOf(gateway.child.pid ?? 0)).map(({ pid }) => pid)
  const answered = Array.from({ length: 20 }, () => 200)
  const [first = 0, second = 0] = await workersOf()
  assert.deepEqual(await callOften(), answered)
  // The new one cannot become ready, which is only a moment otherwise.
  proxy.set('refuse')
  process.kill(first, 'SIGKILL')
  await untilTrue(async () => (await workersOf()).length === WORKERS)
  await untilTrue(() => countBreakpoints(gateway, 'the database cannot be reached; trying again') > 0)
  assert.deepEqual(await callOften(), answered)
  process.kill(second, 'SIGKILL')
  const isAlive = async (): Promise<boolean> =>
    fetch(`${gateway.url}/health`, { signal: AbortSignal.timeout(1_000) }).then(
      ({ status }) => status === 200,
      () => false,
    )
  await untilTrue(isAlive)
  assert.equal((await fetch(`${gateway.url}/ready`)).status, 503)
  proxy.set('pass')
  await untilTrue(() => countBreakpoints(gateway, 'ready') === 2 * WORKERS)
  assert.deepEqual(await callOften(), answered)
  gateway.kill('SIGTERM')
  assert.equal(await gateway.exited, 0)
})

test('a worker that cannot start beside one that serves is tried ever more rarely', async (t) => {
  const own = await createTestDatabase()
  const name = new URL(own.url).pathname.slice(1)
  const server = new URL(own.url)
  server.pathname = '/postgres'
  const admin = new pg.Client(server.href)
  await admin.connect()
  t.after(async () => {
    await admin.query(`alter database "${name} gone" rename to "${name}"`)
    await admin.query(`alter database "${name}" allow_connections true`)
    await admin.end()
    await own.drop()
  })
  const gateway = spawnWorkers(t, { DATABASE_URL: own.url })
  await untilTrue(() => countBreakpoints(gateway, 'ready') === WORKERS)
  await admin.query(`alter database "${name}" allow_connections false`)
  await admin.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [name])
  await admin.query(`alter database "${name}" rename to "${name} gone"`)
  const [first] = await descendantsOf(gateway.child.pid ?? 0)
  process.kill(first?.pid ?? 0, 'SIGKILL')
  const pauses = (): readonly number[] =>
    [...gateway.output().matchAll(/"pause_seconds":(\d+)/g)].map(([, seconds]) => Number(seconds))
  await untilTrue(() => countBreakpoints(gateway, 'a worker ended; another takes its place') === 4)
  assert.deepEqual(pauses(), [1, 2, 4, 8])
  gateway.killGroup('SIGKILL')
  await gateway.exited
})
