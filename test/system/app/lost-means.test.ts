import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { controlClient } from '../../../simulator/control-client.ts'
import { type Simulator, startSimulator } from '../../../simulator/simulator.ts'
import { hello, untilTrue } from '../../message-path/path-client.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { ADMIN_PASSWORD, addKey, untilReady } from '../../support/gateway.ts'
import { type GatewayProcess, spawnGateway } from '../../support/gateway-process.ts'

/** Enough for a file of the journal and the beginning of the next. */
const CALLS = 1_200
const CONNECTIONS = 8
/** A beat of the owner of a journal, and something for the measuring. */
const BEAT_MS = 11_000

/** The first ones are those of the process itself, so that closing a connection makes room for no other. */
const NO_MORE_DESCRIPTORS = 10

let folder: string
let journal: string
let own: TestDatabase
let simulator: Simulator
let key: string
let gateway: GatewayProcess
let url: string
let agent: http.Agent

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'causeway-lost-'))
  journal = path.join(folder, 'journal')
  await mkdir(journal)
  own = await createTestDatabase()
  simulator = await startSimulator()
  key = (await addKey(own.database)).key
  // Connections that are there already need no descriptor.
  agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  gateway = spawnGateway({
    DATABASE_URL: own.url,
    DATA_DIR: folder,
    SPEND_JOURNAL_DIR: journal,
    ADMIN_PASSWORD,
    AWS_ENDPOINT_URL: simulator.url,
    AWS_ACCESS_KEY_ID: simulator.accessKey,
    AWS_SECRET_ACCESS_KEY: simulator.secretKey,
  })
  url = `http://127.0.0.1:${await gateway.listening()}`
  await untilReady(url)
})

afterEach(async () => {
  agent.destroy()
  gateway.kill('SIGKILL')
  await gateway.exited
  await own.drop()
  await simulator.close()
  await rm(folder, { recursive: true })
})

/** With texts that make its record a long one. */
function call(through: http.Agent = agent): Promise<number | undefined> {
  const long = 'x'.repeat(200)
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'x-claude-code-session-id': long,
    'x-claude-code-agent-id': long,
    'x-claude-code-parent-agent-id': long,
  }
  return new Promise((resolve, reject) => {
    const request = http.request(`${url}/v1/messages`, { method: 'POST', agent: through, headers }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode))
    })
    request.once('error', reject)
    request.end(JSON.stringify(hello))
  })
}

async function callOften(count: number): Promise<void> {
  const seen = new Map<number | undefined, number>()
  const caller = async (): Promise<void> => {
    for (let done = 0; done < count / CONNECTIONS; done += 1) {
      const status = await call()
      seen.set(status, (seen.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, caller))
  assert.deepEqual([...seen], [[200, count]])
}

/**
 * More connections to the hosted service than the calls and the probes take, since a call that finds none free opens
 * one. Answers wait for each other, so that no two of the calls share one.
 */
async function openConnections(count: number): Promise<void> {
  const control = controlClient(simulator.controlUrl)
  await control.script({ behaviour: { delayMs: 1_000 }, times: count })
  const through = new http.Agent()
  const statuses = await Promise.all(Array.from({ length: count }, () => call(through)))
  assert.deepEqual(new Set(statuses), new Set([200]))
}

async function storedRecords(): Promise<number> {
  const { rows } = await own.database.pool.query('select count(*)::int as rows from spend_log where key_id is not null')
  return rows[0].rows
}

async function endInOrder(): Promise<void> {
  gateway.kill('SIGTERM')
  assert.equal(await gateway.exited, 0)
  assert.doesNotMatch(gateway.output(), /nobody (noticed|handled)/)
}

/** False where this may not be done. */
function makeReadOnly(directory: string): boolean {
  try {
    execFileSync('mount', ['--bind', directory, directory], { stdio: 'ignore' })
  } catch {
    return false
  }
  execFileSync('mount', ['-o', 'remount,bind,ro', directory])
  return true
}

test('a data directory that becomes read-only stops nothing, and is used again when it can be', async (context) => {
  await callOften(CONNECTIONS)
  if (!makeReadOnly(folder)) return context.skip('nothing can be mounted here')
  try {
    // While it lasts, files are to be begun, ended and touched.
    for (let round = 0; round < 4; round += 1) await callOften(CALLS)
    await new Promise((resolve) => setTimeout(resolve, BEAT_MS))
    await callOften(CONNECTIONS)
    assert.match(gateway.output(), /EROFS/)
    assert.equal((await fetch(`${url}/health`)).status, 200)
    await untilTrue(async () => (await storedRecords()) === 4 * CALLS + 2 * CONNECTIONS)
  } finally {
    execFileSync('umount', ['-l', folder])
  }
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  await callOften(CONNECTIONS)
  await untilTrue(async () => (await storedRecords()) === 4 * CALLS + 3 * CONNECTIONS)
  await endInOrder()
})

test('without a descriptor for the database and the journal calls go on, and every record is stored later', async () => {
  await callOften(CONNECTIONS)
  await openConnections(2 * CONNECTIONS)
  const pid = String(gateway.child.pid)
  const [before] = /(\d+) +\d+$/m
    .exec(execFileSync('prlimit', ['--pid', pid, '--nofile', '--noheadings', '--output', 'SOFT,HARD']).toString())
    ?.slice(1) ?? ['1024']
  execFileSync('prlimit', ['--pid', pid, `--nofile=${NO_MORE_DESCRIPTORS}:`])
  // Every connection to the database has to be opened again, and cannot be.
  await own.database.pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  for (let round = 0; round < 4; round += 1) await callOften(CALLS)
  execFileSync('prlimit', ['--pid', pid, `--nofile=${before}:`])
  await untilTrue(async () => (await storedRecords()) === 4 * CALLS + 3 * CONNECTIONS)
  assert.match(gateway.output(), /EMFILE/)
  await untilReady(url)
  await endInOrder()
})
