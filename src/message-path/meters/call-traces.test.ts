import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SpendRecord } from '../../foundation/domain/spend-record.ts'
import type { SpanNode } from '../../foundation/platform/traces.ts'
import { createCallTracer } from './call-traces.ts'

const attempt = { endpointId: 'e1', hostedModel: 'm', status: 200, error: null, durationMs: 10 }
const record = {
  model: 'claude-sonnet-5',
  status: 200,
  errorType: null,
  stopReason: 'end_turn',
  keyId: 'k1',
  userId: null,
  teamId: null,
  endpointId: 'e1',
  firstTokenMs: 5,
  streaming: true,
  usage: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWrite5mTokens: 4, cacheWrite1hTokens: 5 },
  costNanoUsd: 500_000_000,
  webSearches: 1,
  attempts: [{ ...attempt, status: 503, error: 'ServiceUnavailableException' }, attempt],
  flags: [],
  tools: ['secret-tool'],
  sessionId: 'secret-session',
} as unknown as SpendRecord

function traced() {
  let nowMs = 0
  const written: SpanNode[] = []
  const clock = { nowMs: () => 1_000_000 + nowMs, monotonicMs: () => nowMs }
  const tracer = createCallTracer({ write: (root) => void written.push(root) }, clock)
  return { tracer, written, after: (ms: number) => void (nowMs += ms) }
}

test('stages follow each other without gaps, and tries stand below the stage that made them', () => {
  const { tracer, written, after } = traced()
  const trace = tracer.begin('req_1', {})
  after(1)
  trace?.enter('call-provider')
  after(20)
  trace?.enter('answer')
  after(5)
  trace?.account(record)
  after(2)
  trace?.end()
  const [root] = written
  assert.deepEqual([root?.startMs, root?.endMs], [1_000_000, 1_000_028])
  assert.deepEqual(
    root?.children.map(({ name, startMs, endMs }) => [name, startMs - 1_000_000, endMs - 1_000_000]),
    [
      ['authenticate', 0, 1],
      ['call-provider', 1, 21],
      ['answer', 21, 26],
      ['account', 26, 28],
    ],
  )
  assert.deepEqual(
    root?.children[1]?.children.map(({ startMs, endMs, error }) => [startMs - 1_000_000, endMs - 1_000_000, error]),
    [
      [1, 11, 'ServiceUnavailableException'],
      [11, 21, null],
    ],
  )
  assert.doesNotMatch(JSON.stringify(root), /secret/)
})

test('the rounds of a request that searches the web add up, each with its own tries', () => {
  const { tracer, written } = traced()
  const trace = tracer.begin('req_1', {})
  for (const one of [record, { ...record, attempts: [attempt] }]) {
    trace?.enter('call-provider')
    trace?.enter('answer')
    trace?.account(one)
  }
  trace?.end()
  const [root] = written
  const calls = root?.children.filter(({ name }) => name === 'call-provider') ?? []
  assert.deepEqual(
    calls.map(({ children }) => children.length),
    [2, 1],
  )
  assert.equal(root?.attributes['gen_ai.usage.output_tokens'], 4)
  assert.equal(root?.attributes['gateway.cost_usd'], 1)
  assert.equal(root?.attributes['gateway.attempts'], 3)
})

test('a call whose client does not keep its trace is not followed', () => {
  const { tracer } = traced()
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00'
  assert.equal(tracer.begin('req_1', { traceparent }), undefined)
})
