import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModelMapping } from '../../foundation/domain/model-mapping.ts'
import { createMappingMemory, UNKNOWN_MODEL_MS } from './model-mappings.memory.ts'

const mapping: ModelMapping = {
  vendorPrefix: 'claude-x-9',
  hostedModelId: 'anthropic.claude-x-9',
  displayName: 'Claude X 9',
  contextWindow: null,
  maxOutputTokens: null,
  source: 'discovery',
  createdAt: '2026-11-15T00:00:00Z',
}

function setUp() {
  const clock = { nowMs: 0, monotonicMs: () => clock.nowMs }
  const persisted: ModelMapping[] = []
  const store = { accepts: false }
  const persist = async (row: ModelMapping): Promise<boolean> => {
    persisted.push(row)
    return store.accepts
  }
  return { clock, persisted, store, memory: createMappingMemory(clock, persist) }
}

test('a discovered pair is known at once and handed to the store', () => {
  const { memory, persisted } = setUp()
  memory.remember(mapping)
  assert.equal(memory.findDiscovered('claude-x-9'), mapping)
  assert.equal(memory.findDiscovered('claude-x'), undefined)
  assert.deepEqual(persisted, [mapping])
})

test("a pair that the store took is the store's from then on, so that deleting it there forgets it here", async () => {
  const { memory, store } = setUp()
  store.accepts = true
  memory.remember(mapping)
  assert.equal(memory.findDiscovered('claude-x-9'), mapping)
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(memory.findDiscovered('claude-x-9'), undefined)
})

test('a pair that could not be stored stays known here', async () => {
  const { memory } = setUp()
  memory.remember(mapping)
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(memory.findDiscovered('claude-x-9'), mapping)
})

test('an unknown id stays unknown for a minute, for these endpoints only', () => {
  const { clock, memory } = setUp()
  memory.rememberMissing('claude-y-1', 'eu,us')
  assert.equal(memory.isKnownMissing('claude-y-1', 'eu,us'), true)
  assert.equal(memory.isKnownMissing('claude-y-1', 'eu'), false)
  clock.nowMs += UNKNOWN_MODEL_MS
  assert.equal(memory.isKnownMissing('claude-y-1', 'eu,us'), false)
})

test('any number of invented ids takes bounded memory: the oldest go', () => {
  const { memory } = setUp()
  for (let index = 0; index < 20_000; index += 1) memory.rememberMissing(`claude-y-${index}`, 'eu')
  assert.equal(memory.isKnownMissing('claude-y-0', 'eu'), false)
  assert.equal(memory.isKnownMissing('claude-y-19999', 'eu'), true)
})

test('one question asked at the same time is asked once, and again when it is over', async () => {
  const { memory } = setUp()
  let asked = 0
  const ask = async (): Promise<number> => (asked += 1)
  assert.deepEqual(await Promise.all([memory.askOnce('q', ask), memory.askOnce('q', ask)]), [1, 1])
  assert.equal(await memory.askOnce('q', ask), 2)
})

test('an endpoint is listed at most once a minute, also when the listing failed', async () => {
  const { clock, memory } = setUp()
  let listed = 0
  const list = async (): Promise<never> => {
    listed += 1
    throw new Error('no access')
  }
  for (let call = 0; call < 100; call += 1) await assert.rejects(memory.listOnce('eu', list))
  assert.equal(listed, 1)
  clock.nowMs += UNKNOWN_MODEL_MS
  await assert.rejects(memory.listOnce('eu', list))
  assert.equal(listed, 2)
})
