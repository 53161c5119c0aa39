import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type ControlClient, controlClient } from '../control-client.ts'
import { type Simulator, startSimulator } from '../simulator.ts'
import { minimalBody, sendSigned } from '../test-client.fixture.ts'

const SONNET = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'
const LONG_TEXT = 'The keeper counted the boats again before dusk. '.repeat(300)
let simulator: Simulator
let control: ControlClient

before(async () => {
  simulator = await startSimulator()
  control = controlClient(simulator.controlUrl)
})
beforeEach(() => control.reset())
after(() => simulator.close())

type Counts = {
  input_tokens: number
  output_tokens: number
  cache_read_input_tokens: number
  cache_creation_input_tokens: number
  cache_creation: Record<string, number>
}

async function readUsage(body: Record<string, unknown>, region = 'us-east-1'): Promise<Counts> {
  const reply = await sendSigned(simulator, {
    path: `/model/${encodeURIComponent(SONNET)}/invoke`,
    body: minimalBody(body),
    region,
  })
  assert.equal(reply.status, 200, reply.body.toString())
  return JSON.parse(reply.body.toString()).usage
}

const block = (text: string, ttl?: '5m' | '1h') => ({
  type: 'text',
  text,
  cache_control: { type: 'ephemeral', ...(ttl ? { ttl } : {}) },
})

test('counted input grows with the text and the headers say the same as the body', async () => {
  const short = await readUsage({})
  const long = await readUsage({ messages: [{ role: 'user', content: LONG_TEXT }] })
  assert.equal(short.input_tokens, 1)
  assert.ok(long.input_tokens > 2500 && long.input_tokens < 3500)
  const reply = await sendSigned(simulator, { path: `/model/${SONNET}/invoke`, body: minimalBody() })
  const { usage } = JSON.parse(reply.body.toString())
  assert.equal(reply.headers['x-amzn-bedrock-input-token-count'], String(usage.input_tokens))
  assert.equal(reply.headers['x-amzn-bedrock-output-token-count'], String(usage.output_tokens))
})

test('the first call writes the cache, the second reads it, another region starts anew', async () => {
  const body = { system: [block(LONG_TEXT)] }
  const first = await readUsage(body)
  assert.ok(first.cache_creation_input_tokens > 2500)
  assert.deepEqual([first.cache_read_input_tokens, first.cache_creation['ephemeral_1h_input_tokens']], [0, 0])
  const second = await readUsage(body)
  assert.equal(second.cache_read_input_tokens, first.cache_creation_input_tokens)
  assert.equal(second.cache_creation_input_tokens, 0)
  assert.equal(second.input_tokens, first.input_tokens)
  assert.equal((await readUsage(body, 'us-west-2')).cache_read_input_tokens, 0)
})

test('a longer conversation reads the old prefix and writes only what is new, by lifetime', async () => {
  const system = [block(LONG_TEXT, '1h')]
  const first = await readUsage({ system })
  const asked = { role: 'user', content: [block(`${LONG_TEXT} And then?`, '5m')] }
  const next = await readUsage({ system, messages: [asked] })
  assert.equal(next.cache_read_input_tokens, first.cache_creation['ephemeral_1h_input_tokens'])
  assert.equal(next.cache_creation['ephemeral_1h_input_tokens'], 0)
  assert.ok((next.cache_creation['ephemeral_5m_input_tokens'] ?? 0) > 2500)
  assert.equal(next.input_tokens, 0)
})

test('a cache entry ends with its time, and a hit starts the time again', async () => {
  const body = { system: [block(LONG_TEXT)] }
  await readUsage(body)
  await control.setSettings({ clockOffsetSeconds: 200, clockSkewSeconds: 10_000 })
  assert.ok((await readUsage(body)).cache_read_input_tokens > 0)
  await control.setSettings({ clockOffsetSeconds: 450 })
  assert.ok((await readUsage(body)).cache_read_input_tokens > 0)
  await control.setSettings({ clockOffsetSeconds: 800 })
  assert.equal((await readUsage(body)).cache_read_input_tokens, 0)
})

test('a changed prefix and a prefix below the minimum are not cached', async () => {
  await readUsage({ system: [block(LONG_TEXT)] })
  assert.equal((await readUsage({ system: [block(`Now: ${LONG_TEXT}`)] })).cache_read_input_tokens, 0)
  const tiny = await readUsage({ system: [block('Be brief.')] })
  assert.equal(tiny.cache_creation_input_tokens, 0)
})

test('fingerprints are unique, match the ledger, and can be asked for one call at a time', async () => {
  await control.setSettings({ tokenMode: 'fingerprint' })
  const replies = await Promise.all(Array.from({ length: 20 }, () => readUsage({})))
  const inputs = replies.map((usage) => usage.input_tokens).sort()
  assert.equal(new Set(inputs).size, 20)
  const ledger = await control.ledger({ operation: 'InvokeModel' })
  assert.deepEqual(ledger.map((entry) => entry.usage?.input).sort(), inputs)
  for (const entry of ledger)
    assert.deepEqual([entry.usage?.input, entry.usage?.output], [1_000_000 + entry.n, 7 + (entry.n % 97)])
  await control.setSettings({ tokenMode: 'counted' })
  await control.script({ behaviour: { tokenMode: 'fingerprint' } })
  assert.ok((await readUsage({})).input_tokens > 1_000_000)
  assert.equal((await readUsage({})).input_tokens, 1)
})

test('in the cheap mode a large body is neither parsed nor counted', async () => {
  await control.setSettings({ tokenMode: 'fingerprint', checks: 'none', answers: 'fixed' })
  const body = `{"not json": ${'x'.repeat(500_000)}`
  const reply = await sendSigned(simulator, { path: `/model/${SONNET}/invoke`, body })
  assert.equal(reply.status, 200)
  assert.ok(JSON.parse(reply.body.toString()).usage.input_tokens > 1_000_000)
})
