import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ModelSeed, seedMappings, seedPrices, timesDecimal } from './model-seed.ts'

const seed: ModelSeed = {
  models: [
    {
      hosted_model_id: 'anthropic.claude-x-9-20270101-v1:0',
      client_ids: ['claude-x-9', 'claude-x-9-20270101'],
      display_name: 'Claude X 9',
      context_window: 200_000,
      max_output_tokens: 64_000,
      routing_prefixes: ['us', 'global'],
      usd_per_mtok: { input: 0.1, output: 0.5, cache_read: 0.01, cache_write_5m: 0.125, cache_write_1h: null },
      long_context: {
        above_prompt_tokens: 100_000,
        input: 0.5,
        output: 2.5,
        cache_read: 0.05,
        cache_write_5m: 0.625,
        cache_write_1h: 1,
      },
      geo_price_factor: 1.1,
    },
  ],
}

test('each client id gives a row of its own, kept exactly', () => {
  const rows = seedMappings(seed, '2026-11-15T00:00:00Z')
  assert.deepEqual(
    rows.map((row) => [row.vendorPrefix, row.hostedModelId, row.source]),
    [
      ['claude-x-9', 'anthropic.claude-x-9-20270101-v1:0', 'seed'],
      ['claude-x-9-20270101', 'anthropic.claude-x-9-20270101-v1:0', 'seed'],
    ],
  )
  assert.equal(rows[0]?.maxOutputTokens, 64_000)
})

test('geo prices are the exact decimal multiple of the global ones, also in the long-context tier', () => {
  const [global, geo] = seedPrices(seed, '2026-11-15T00:00:00Z')
  assert.equal(global?.scope, 'global')
  assert.deepEqual(global?.rates, {
    input: 0.1,
    output: 0.5,
    cacheRead: 0.01,
    cacheWrite5m: 0.125,
    cacheWrite1h: null,
  })
  assert.equal(geo?.scope, 'geo')
  assert.deepEqual(geo?.rates, {
    input: 0.11,
    output: 0.55,
    cacheRead: 0.011,
    cacheWrite5m: 0.1375,
    cacheWrite1h: null,
  })
  assert.deepEqual(geo?.longContext, {
    abovePromptTokens: 100_000,
    rates: { input: 0.55, output: 2.75, cacheRead: 0.055, cacheWrite5m: 0.6875, cacheWrite1h: 1.1 },
  })
})

test('only a model that is known to be in GovCloud has a price there', () => {
  assert.ok(!seedPrices(seed, '').some(({ scope }) => scope === 'us-gov'))
  const models = seed.models.map((model) => ({ ...model, routing_prefixes: ['us-gov'] }))
  assert.equal(seedPrices({ models }, '').find(({ scope }) => scope === 'us-gov')?.rates.input, 0.12)
})

test('products are rounded half up at the sixth decimal', () => {
  assert.equal(timesDecimal(0.000005, 1.1), 0.000006)
  assert.equal(timesDecimal(0.000004, 1.1), 0.000004)
  assert.equal(timesDecimal(0.1, 1.1), 0.11)
  assert.equal(timesDecimal(18.75, 1), 18.75)
})
