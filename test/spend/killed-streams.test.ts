/** A real gateway process is killed with SIGKILL while requests run; the next process writes their records. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { type ControlClient, controlClient } from '../../simulator/control-client.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import type { OpenCall } from '../../src/foundation/domain/open-call.ts'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import { decodeEntries } from '../../src/modules/spend/journal/journal-entry.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { hello, until } from '../message-path/path-client.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { addKey, untilReady } from '../support/gateway.ts'
import { type GatewayProcess, onSimulator, spawnGateway } from '../support/gateway-process.ts'
import { makeFolder } from './ledger-parts.ts'

const sessionId = '5f8c1a52-7d0e-4c39-9f9b-0a4f5d1e2c3b'
const headers = {
  'x-claude-code-session-id': sessionId,
  'x-claude-code-agent-id': 'agent-1',
  'x-claude-code-parent-agent-id': 'agent-0',
}
const WORDS = 4_000

let simulator: Simulator
let control: ControlClient
let database: TestDatabase
let folder: Awaited<ReturnType<typeof makeFolder>>
let gateway: GatewayProcess
let key: Awaited<ReturnType<typeof addKey>>

before(async () => {
  simulator = await startSimulator({ settings: { tokenMode: 'fingerprint' } })
  control = controlClient(simulator.controlUrl)
  database = await createTestDatabase()
  key = await addKey(database.database)
  folder = await makeFolder()
  gateway = start()
})

after(async () => {
  gateway.kill('SIGKILL')
  await gateway.exited
  await database.drop()
  await simulator.close()
  await folder.remove()
})

function start(): GatewayProcess {
  return spawnGateway({ DATABASE_URL: database.url, SPEND_JOURNAL_DIR: folder.path, ...onSimulator(simulator) })
}

async function untilListening(): Promise<string> {
  const url = `http://127.0.0.1:${await gateway.listening()}`
  await untilReady(url, 120_000)
  return url
}

/** The newest note of each request that runs, by its session. */
function notes(): ReadonlyMap<string, OpenCall> {
  const files = readdirSync(folder.path, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.journal'),
  )
  const found = new Map<string, OpenCall>()
  for (const file of files.toSorted())
    for (const entry of decodeEntries(readFileSync(path.join(folder.path, file))).entries)
      if (entry.kind === 'open') found.set(entry.call.asked?.attribution.sessionId ?? '', entry.call)
  return found
}

interface Running {
  readonly requestId: string
  readonly ended: Promise<unknown>
}

async function sendStream(url: string): Promise<Running> {
  const response = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key.key, ...headers },
    body: JSON.stringify({ ...hello, model: 'claude-sonnet-5[1m]', stream: true }),
  })
  assert.equal(response.status, 200)
  return { requestId: response.headers.get('request-id') ?? '', ended: response.text().catch(() => undefined) }
}

/** Its request id is only in the note: the answer never begins. */
function sendSilent(url: string, session: string): Promise<unknown> {
  return fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key.key, 'x-claude-code-session-id': session },
    body: JSON.stringify({ ...hello, model: 'claude-opus-5' }),
  }).catch(() => undefined)
}

async function asEvent(requestId: string): Promise<SpendRecord> {
  const found = await until(async () => (await createSpendLog(database.database.kysely).find(requestId))[0])
  return found
}

test('the records of a killed process name session, agent and model, and charge what was streamed', async () => {
  const url = await untilListening()
  const text = Array.from({ length: WORDS }, (_, index) => `word${index}`).join(' ')
  await control.script({
    match: { operation: 'InvokeModelWithResponseStream' },
    behaviour: { answer: { content: [{ type: 'text', text }] }, pace: { eventsPerSecond: 50 } },
  })
  await control.script({ match: { operation: 'InvokeModel' }, times: null, behaviour: { delayMs: 120_000 } })
  const silentSession = '11111111-2222-4333-8444-555555555555'
  const silent = sendSilent(url, silentSession)
  const { requestId, ended } = await sendStream(url)
  const [streamed, unanswered] = await until(() => {
    const found = notes()
    const [one, other] = [found.get(sessionId), found.get(silentSession)]
    return (one?.progress?.outputCharacters ?? 0) > 200 && other !== undefined ? [one, other] : undefined
  })
  gateway.kill('SIGKILL')
  await Promise.all([gateway.exited, ended, silent])
  const sent = (await control.ledger({ operation: 'InvokeModelWithResponseStream' })).at(-1)
  gateway = start()
  await untilListening()

  const record = await asEvent(requestId)
  assert.deepEqual(
    [record.sessionId, record.agentId, record.parentAgentId, record.model, record.keyId],
    [sessionId, 'agent-1', 'agent-0', 'claude-sonnet-5[1m]', key.id],
  )
  assert.deepEqual(record.flags, ['estimated', 'aborted'])
  // The prompt was counted in the first event; of the output at least what the note had when the process was killed.
  assert.equal(record.usage.inputTokens, sent?.usage?.input)
  assert.equal(record.usage.cacheReadTokens, sent?.usage?.cache_read)
  const noted = Math.ceil((streamed?.progress?.outputCharacters ?? 0) / 3.5)
  assert.ok(record.usage.outputTokens >= noted, `${record.usage.outputTokens} of ${noted} output tokens`)
  assert.ok(record.usage.outputTokens < text.length / 3.5)

  const early = await asEvent(unanswered?.requestId ?? '')
  assert.deepEqual(
    [early.sessionId, early.model, early.usage.outputTokens, early.flags],
    [silentSession, 'claude-opus-5', 0, ['estimated', 'aborted']],
  )
  assert.ok(early.usage.inputTokens > 0 && early.costNanoUsd > 0)
})
