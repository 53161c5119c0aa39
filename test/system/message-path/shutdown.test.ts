import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import path from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { type ControlClient, controlClient } from '../../../simulator/control-client.ts'
import { type Simulator, startSimulator } from '../../../simulator/simulator.ts'
import { hello, parseEvents, post, untilProbed, untilTrue } from '../../message-path/path-client.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { freePort } from '../../support/free-port.ts'
import { addKey, untilReady } from '../../support/gateway.ts'

let simulator: Simulator
let control: ControlClient
let database: TestDatabase
let key = ''

before(async () => {
  simulator = await startSimulator({ settings: { tokenMode: 'fingerprint' } })
  control = controlClient(simulator.controlUrl)
  database = await createTestDatabase()
  key = (await addKey(database.database)).key
})

beforeEach(() => control.reset())

after(async () => {
  await database.drop()
  await simulator.close()
})

interface GatewayProcess {
  readonly url: string
  readonly child: ChildProcess
  readonly exited: Promise<number | null>
}

async function startProcess(env: Readonly<Record<string, string>>): Promise<GatewayProcess> {
  const port = await freePort()
  const child = spawn(process.execPath, [path.join(import.meta.dirname, '../../../src/main.ts')], {
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'] ?? '',
      AWS_ACCESS_KEY_ID: simulator.accessKey,
      AWS_SECRET_ACCESS_KEY: simulator.secretKey,
      AWS_REGION: 'us-east-1',
      AWS_ENDPOINT_URL: simulator.url,
      ADMIN_PASSWORD: 'correct horse battery staple',
      DATABASE_URL: database.url,
      PROXY_PORT: String(port),
      TLS_PORT: '0',
      ...env,
    },
  })
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  const url = `http://127.0.0.1:${port}`
  await untilReady(url)
  await untilProbed(database.database)
  await control.clearLedger()
  return { url, child, exited }
}

async function storedIds(): Promise<Set<string>> {
  const rows = await database.database.kysely
    .selectFrom('spend_log')
    .select('request_id')
    .where('key_id', 'is not', null)
    .execute()
  return new Set(rows.map((row) => String(row.request_id)))
}

test('a process that is told to end finishes its streams, slow readers too, loses no record and exits with 0', async () => {
  const gateway = await startProcess({ DRAIN_TIMEOUT_SECONDS: '20' })
  await control.script({
    match: { operation: 'invoke' },
    times: null,
    behaviour: { pace: { eventsPerSecond: 12, firstEventDelayMs: 0 } },
  })
  const before = (await storedIds()).size
  const streams = await Promise.all(Array.from({ length: 25 }, () => post(gateway, key, { ...hello, stream: true })))
  const waiting = Promise.all(Array.from({ length: 5 }, () => post(gateway, key, hello)))
  const slow = await openSlowly(gateway)
  gateway.child.kill('SIGTERM')
  const texts = await Promise.all(streams.map((response) => response.text()))
  for (const text of texts) assert.match(text, /event: message_stop\n/)
  for (const response of await waiting) assert.equal(response.status, 200)
  assert.match(await slow.readToEnd(), /event: message_stop\n/)
  assert.equal(await gateway.exited, 0)
  assert.equal((await storedIds()).size - before, 31)
  const calls = (await control.ledger()).filter(({ operation }) => operation.startsWith('InvokeModel'))
  assert.ok(calls.length === 31 && calls.every(({ completed }) => completed))
})

/** Two megabytes and a reader that takes some seconds for them, longer than the hosted service and the other clients. */
async function openSlowly(gateway: GatewayProcess): Promise<{ readToEnd: () => Promise<string> }> {
  const answer = { content: [{ type: 'text', text: 'word '.repeat(400_000) }] }
  await control.clearScripts()
  await control.script({ match: { operation: 'invoke' }, behaviour: { answer } })
  const response = await post(gateway, key, { ...hello, stream: true })
  const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader()
  const decoder = new TextDecoder()
  return {
    readToEnd: async () => {
      let tail = ''
      for (let reads = 1; ; reads += 1) {
        const { done, value } = await reader.read()
        if (done) return tail
        tail = (tail + decoder.decode(value, { stream: true })).slice(-200)
        if (reads % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
  }
}

/** As a load balancer sends it: on a connection that is kept for as long as the gateway keeps it. Null when it was refused. */
function callOver(agent: http.Agent, gateway: GatewayProcess): Promise<string | null> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const request = http.request(`${gateway.url}/v1/messages`, { method: 'POST', agent, headers }, async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve(text)
    })
    request.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNREFUSED' ? resolve(null) : reject(error),
    )
    request.end(JSON.stringify({ ...hello, stream: true }))
  })
}

test('callers who keep their connections and call without a pause are let go, and nothing is cut off', async () => {
  const gateway = await startProcess({ DRAIN_TIMEOUT_SECONDS: '3600' })
  await control.script({
    match: { operation: 'invoke' },
    times: null,
    behaviour: { pace: { eventsPerSecond: 30, firstEventDelayMs: 0 } },
  })
  const agent = new http.Agent({ keepAlive: true })
  const before = (await storedIds()).size
  let answered = 0
  let cutOff = 0
  const callers = Array.from({ length: 8 }, async () => {
    for (let text = await callOver(agent, gateway); text !== null; text = await callOver(agent, gateway)) {
      answered += 1
      if (!text.includes('event: message_stop\n')) cutOff += 1
    }
  })
  await untilTrue(() => answered >= 16)
  gateway.child.kill('SIGTERM')
  await Promise.all(callers)
  assert.equal(await gateway.exited, 0)
  agent.destroy()
  assert.equal(cutOff, 0)
  assert.equal((await storedIds()).size - before, answered)
})

test('when time is up every open call is told so, recorded, and the process exits', async () => {
  const gateway = await startProcess({ DRAIN_TIMEOUT_SECONDS: '1' })
  const before = (await storedIds()).size
  await control.script({
    match: { operation: 'invoke' },
    times: 10,
    behaviour: { silence: { afterEvents: 3, ms: 3_600_000 } },
  })
  const streams = await Promise.all(Array.from({ length: 10 }, () => post(gateway, key, { ...hello, stream: true })))
  await control.script({ match: { operation: 'invoke' }, times: 10, behaviour: { hangMs: 3_600_000 } })
  const unanswered = [
    ...Array.from({ length: 5 }, () => post(gateway, key, { ...hello, stream: true })),
    ...Array.from({ length: 5 }, () => post(gateway, key, hello)),
  ]
  await untilTrue(
    async () => (await control.ledger()).filter(({ operation }) => operation.startsWith('InvokeModel')).length === 20,
  )
  gateway.child.kill('SIGTERM')
  for (const response of streams) {
    const text = await response.text()
    assert.doesNotMatch(text, /message_stop/)
    const last = parseEvents(text).at(-1)
    assert.equal(last?.event, 'error')
    assert.match(last?.data ?? '', /restarted/)
  }
  for (const response of await Promise.all(unanswered)) {
    assert.equal(response.status, 503)
    assert.match(await response.text(), /restarted/)
  }
  assert.equal(await gateway.exited, 0)
  assert.equal((await storedIds()).size - before, 20)
})

test('a second signal ends the waiting', async () => {
  const gateway = await startProcess({ DRAIN_TIMEOUT_SECONDS: '3600' })
  await control.script({ match: { operation: 'invoke' }, behaviour: { silence: { afterEvents: 3, ms: 3_600_000 } } })
  const response = await post(gateway, key, { ...hello, stream: true })
  gateway.child.kill('SIGTERM')
  await untilTrue(async () => (await fetch(`${gateway.url}/ready`)).status === 503)
  gateway.child.kill('SIGTERM')
  assert.equal(parseEvents(await response.text()).at(-1)?.event, 'error')
  assert.equal(await gateway.exited, 0)
})
