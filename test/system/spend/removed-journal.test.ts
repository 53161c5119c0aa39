import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { type Simulator, startSimulator } from '../../../simulator/simulator.ts'
import { hello, post, untilTrue } from '../../message-path/path-client.ts'
import { type ChaosProxy, startChaosProxy } from '../../support/chaos-proxy.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { addKey, untilReady } from '../../support/gateway.ts'
import { type GatewayProcess, spawnGateway } from '../../support/gateway-process.ts'

const CALLS = 6

let folder: string
let journal: string
let own: TestDatabase
let link: ChaosProxy
let simulator: Simulator
let key: string
let gateway: GatewayProcess
let url: string

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'causeway-removed-'))
  journal = path.join(folder, 'journal')
  own = await createTestDatabase()
  link = await startChaosProxy(own.url)
  simulator = await startSimulator()
  key = (await addKey(own.database)).key
  await start()
})

afterEach(async () => {
  gateway.kill('SIGKILL')
  await gateway.exited
  await link.close()
  await own.drop()
  await simulator.close()
  await rm(folder, { recursive: true, force: true })
})

async function start(): Promise<void> {
  gateway = spawnGateway({
    DATABASE_URL: link.url,
    DATA_DIR: folder,
    SPEND_JOURNAL_DIR: journal,
    AWS_ENDPOINT_URL: simulator.url,
    AWS_ACCESS_KEY_ID: simulator.accessKey,
    AWS_SECRET_ACCESS_KEY: simulator.secretKey,
  })
  url = `http://127.0.0.1:${await gateway.listening()}`
  await untilReady(url)
}

async function callOften(): Promise<void> {
  const answers = await Promise.all(Array.from({ length: CALLS }, () => post({ url }, key, hello)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array.from({ length: CALLS }, () => 200),
  )
}

async function storedCalls(): Promise<number> {
  const { rows } = await own.database.pool.query('select count(*)::int as rows from spend_log where key_id is not null')
  return rows[0].rows
}

async function restart(): Promise<void> {
  link.set('pass')
  await start()
  await untilTrue(async () => (await storedCalls()) === 2 * CALLS)
}

test('a journal that is removed is begun again with all that waits, and a crash loses none of it', async () => {
  link.set('refuse')
  await callOften()
  await rm(journal, { recursive: true })
  await untilTrue(() => gateway.output().includes('the spend journal was removed'))
  await callOften()
  await untilTrue(async () => (await readdir(journal)).length === 1)
  gateway.kill('SIGKILL')
  await gateway.exited
  await restart()
})

test('a journal that is removed just before the end does not spoil it, and keeps what the database did not take', async () => {
  link.set('refuse')
  await callOften()
  await callOften()
  await rm(journal, { recursive: true })
  gateway.kill('SIGTERM')
  assert.equal(await gateway.exited, 0)
  assert.match(gateway.output(), /spend stays in the journal/)
  await restart()
})
