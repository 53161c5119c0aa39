import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Price } from '../domain/price.ts'
import { noUsage } from '../domain/usage.ts'
import { createBudgetEstimates } from './budget-estimates.ts'

const rates = { input: 2, output: 10, cacheRead: 0.2, cacheWrite5m: 2.5, cacheWrite1h: 4 }
const price: Price = { modelId: 'm', scope: 'geo', rates, longContext: null, source: 'seed', updatedAt: '' }
const size = { subject: 'ada', hostedModelId: 'm', requestBytes: 1_000, maxTokens: 500 }
const seen = { ...noUsage, inputTokens: 250, outputTokens: 100 }
/** 250 × 2 and 100 × 10 USD a million, and five percent. */
const usual = Math.ceil(1_500_000 * 1.05)

test('the first call of a model reserves what a whole context can cost', () => {
  assert.equal(createBudgetEstimates().estimate(size, price, 1e12), Math.ceil((2e9 + 5e6) * 1.05))
})

test('a known caller reserves by the size of the request and the output of recent answers', () => {
  const estimates = createBudgetEstimates()
  estimates.learn(size, seen, price)
  assert.equal(estimates.estimate(size, price, 1e12), usual)
  assert.equal(estimates.estimate({ ...size, requestBytes: 2_000 }, price, 1e12), Math.ceil(2_000_000 * 1.05))
  assert.equal(estimates.estimate({ ...size, maxTokens: 50 }, price, 1e12), Math.ceil(1_000_000 * 1.05))
})

test('cheap cached prompts do not hide what an uncached one costs, and a dear answer fades', () => {
  const estimates = createBudgetEstimates()
  estimates.learn(size, seen, price)
  estimates.learn(size, { ...noUsage, cacheReadTokens: 250, outputTokens: 100 }, price)
  assert.ok(estimates.estimate(size, price, 1e12) > 0.9 * usual)
  for (let call = 0; call < 100; call += 1) estimates.learn(size, { ...seen, inputTokens: 25 }, price)
  assert.ok(estimates.estimate(size, price, 1e12) < 0.75 * usual)
})

test('a stranger reserves an eighth of what is left, and never less than others spend', () => {
  const estimates = createBudgetEstimates()
  estimates.learn(size, seen, price)
  const stranger = { ...size, subject: 'bob' }
  assert.equal(estimates.estimate(stranger, price, 80_000_000), 10_000_000)
  assert.equal(estimates.estimate(stranger, price, 100), usual)
  assert.equal(estimates.estimate(stranger, price, 1e15), Math.ceil((2e9 + 5e6) * 1.05))
})

test('a new price counts at once, and a model without one reserves nothing', () => {
  const estimates = createBudgetEstimates()
  estimates.learn(size, seen, price)
  const dearer = { ...price, rates: { ...rates, input: 4, output: 20 } }
  assert.equal(estimates.estimate(size, dearer, 1e12), Math.ceil(3_000_000 * 1.05))
  assert.equal(estimates.estimate(size, undefined, 1e12), 0)
})
