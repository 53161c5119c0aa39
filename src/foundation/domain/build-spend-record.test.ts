import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildSpendRecord, type EndedCall } from './build-spend-record.ts'
import type { Price } from './price.ts'
import { defaultSettings } from './settings.ts'
import { noPayer } from './spend-record.ts'
import { noUsage } from './usage.ts'

const rates = { input: 5, output: 25, cacheRead: 0.5, cacheWrite5m: 6.25, cacheWrite1h: 10 }
const opus: Price = {
  modelId: 'anthropic.claude-opus-5',
  scope: 'global',
  rates,
  longContext: null,
  source: 'seed',
  updatedAt: '',
}

/** As for a probe, or for a call that a killed process left open. */
const call: EndedCall = {
  requestId: 'req_1',
  round: 0,
  atMs: 0,
  durationMs: 1,
  payer: noPayer,
  model: 'claude-opus-9',
  hostedModelId: 'anthropic.claude-opus-9',
  streaming: false,
  status: 200,
  errorType: null,
  reason: null,
  served: {
    endpointId: 'e',
    region: 'us-east-1',
    hostedModel: 'global.anthropic.claude-opus-9',
    answer: {
      usage: { ...noUsage, inputTokens: 1_000 },
      usageReported: true,
      usageClamped: false,
      outputCharacters: 0,
      stopReason: null,
      toolsCalled: [],
    },
    isComplete: true,
    requestBytes: 10,
  },
  routing: null,
  flags: ['probe'],
}

const recordWith = (changed: Partial<EndedCall>, ...prices: readonly Price[]) =>
  recordOf({ ...call, ...changed }, prices)

const recordOf = (ended: EndedCall, prices: readonly Price[]) =>
  buildSpendRecord(ended, {
    prices: new Map(prices.map((price) => [`${price.scope}:${price.modelId}`, price])),
    settings: defaultSettings,
  })

test('a served request for a model without a price costs an estimate, and its record says so', () => {
  const { rates: charged, costNanoUsd, flags } = recordWith({}, opus)
  assert.deepEqual([charged, costNanoUsd, flags], [rates, 5_000_000, ['probe', 'price_estimated']])
})

test('only when no price of any model is known, nothing is charged and the record is unpriced', () => {
  const { rates: charged, costNanoUsd, flags } = recordWith({})
  assert.deepEqual([charged, costNanoUsd, flags], [null, 0, ['probe', 'unpriced']])
})

const { served: _, ...asked } = call
const unserved: EndedCall = { ...asked, status: 503 }

test('what Amazon Bedrock did not serve is neither charged nor estimated', () => {
  const { rates: charged, costNanoUsd, flags } = recordOf(unserved, [opus])
  assert.deepEqual([charged, costNanoUsd, flags], [null, 0, ['probe']])
})
