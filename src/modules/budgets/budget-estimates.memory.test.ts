import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Price } from '../../foundation/domain/price.ts'
import { noUsage } from '../../foundation/domain/usage.ts'
import { createBudgetEstimates } from './budget-estimates.memory.ts'

const rates = { input: 2, output: 10, cacheRead: 0.2, cacheWrite5m: 2.5, cacheWrite1h: 4 }
const price: Price = { modelId: 'm', scope: 'geo', rates, longContext: null, source: 'seed', updatedAt: '' }
const size = { subject: 'ada', hostedModelId: 'm', requestBytes: 1_000, maxTokens: 500 }
const seen = { ...noUsage, inputTokens: 250, outputTokens: 100 }
/** The prompt and five percent, all of it written to the cache; the whole output that was asked for, because it is short. */
const usual = (262.5 * 2.5 + 500 * 10) * 1_000
const worst = (1e6 * 4 + 500 * 10) * 1_000

test('a caller of whom no answer was seen reserves what a whole context can cost, as long as nobody knows what is left or little is', () => {
  const estimates = createBudgetEstimates()
  assert.equal(estimates.estimate(size, price, 1e15), worst)
  estimates.learn({ ...size, subject: 'bob' }, seen)
  assert.equal(estimates.estimate(size, price, undefined), worst)
  assert.equal(estimates.estimate(size, price, 100), worst)
  assert.equal(estimates.estimate(size, price, 32 * worst - 1), worst)
  assert.equal(estimates.estimate(size, price, 32 * worst), usual, 'far from the limit like the others')
})

test('a known caller reserves by the size of the request and the output of recent answers', () => {
  const estimates = createBudgetEstimates()
  estimates.learn(size, seen)
  assert.equal(estimates.estimate(size, price, 100), usual)
  assert.equal(estimates.estimate({ ...size, requestBytes: 2_000 }, price, 100), (525 * 2.5 + 500 * 10) * 1_000)
  assert.equal(estimates.estimate({ ...size, maxTokens: 50 }, price, 100), (262.5 * 2.5 + 50 * 10) * 1_000)
})

test('an answer may be twice as long as the recent ones, and short ones do not hide that a long one may follow', () => {
  const estimates = createBudgetEstimates()
  const outputOf = (maxTokens: number) =>
    (estimates.estimate({ ...size, maxTokens }, price, 100) -
      estimates.estimate({ ...size, maxTokens: 0 }, price, 100)) /
    10_000
  estimates.learn(size, { ...seen, outputTokens: 1 })
  assert.equal(outputOf(5_000), 1_000)
  estimates.learn(size, { ...seen, outputTokens: 2_000 })
  assert.equal(outputOf(5_000), 4_000)
  assert.equal(outputOf(3_000), 3_000)
  estimates.learn(size, { ...seen, outputTokens: 100 })
  assert.equal(outputOf(5_000), 2 * (2_000 * 0.9 + 100 * 0.1))
})

test('callers of one model are known each by their own answers, and an answer without a prompt tells of nobody', () => {
  const estimates = createBudgetEstimates()
  const [bob, eve] = [
    { ...size, subject: 'bob' },
    { ...size, subject: 'eve' },
  ]
  estimates.learn(size, seen)
  estimates.learn(bob, { ...seen, inputTokens: 500 })
  assert.equal(estimates.findUsual(size, price), usual)
  assert.equal(estimates.findUsual(bob, price), (525 * 2.5 + 500 * 10) * 1_000)
  assert.equal(
    estimates.estimate(eve, price, 1e15),
    estimates.findUsual(bob, price),
    'a stranger is as dear as the dearest',
  )
  estimates.learn(eve, { ...noUsage, outputTokens: 5 })
  estimates.learn({ ...eve, requestBytes: 0 }, seen)
  assert.equal(estimates.findUsual(eve, price), undefined)
  assert.equal(estimates.findUsual({ ...size, hostedModelId: 'another' }, price), undefined)
})

test('who asks for no limit of the output is taken for the longest answer', () => {
  const estimates = createBudgetEstimates()
  const endless = { ...size, maxTokens: null }
  assert.equal(estimates.estimate(endless, price, 100), (1e6 * 4 + 128_000 * 10) * 1_000)
  estimates.learn(size, { ...seen, outputTokens: 100_000 })
  assert.equal(estimates.estimate(endless, price, 100), (262.5 * 2.5 + 128_000 * 10) * 1_000)
})

test('fifty models and twenty thousand callers of each are remembered; for one more the oldest is forgotten', () => {
  const estimates = createBudgetEstimates()
  const isKnown = (fields: object) => estimates.findUsual({ ...size, ...fields }, price) !== undefined
  for (let model = 0; model < 51; model += 1) estimates.learn({ ...size, hostedModelId: `m${model}` }, seen)
  assert.deepEqual(
    ['m0', 'm1', 'm50'].map((hostedModelId) => isKnown({ hostedModelId })),
    [false, true, true],
  )
  for (let caller = 0; caller < 20_000; caller += 1)
    estimates.learn({ ...size, hostedModelId: 'm50', subject: `u${caller}` }, seen)
  assert.deepEqual(
    ['ada', 'u0', 'u19999'].map((subject) => isKnown({ hostedModelId: 'm50', subject })),
    [false, true, true],
  )
})

test('cheap cached prompts do not hide what an uncached one costs, a dear answer fades, an hour in the cache is remembered', () => {
  const estimates = createBudgetEstimates()
  for (let call = 0; call < 50; call += 1)
    estimates.learn(size, { ...noUsage, cacheReadTokens: 250, outputTokens: 100 })
  assert.equal(estimates.estimate(size, price, 100), usual)
  for (let call = 0; call < 100; call += 1) estimates.learn(size, { ...seen, inputTokens: 25 })
  assert.ok(estimates.estimate({ ...size, maxTokens: 0 }, price, 100) < 27 * 2.5 * 1_000)
  estimates.learn(size, { ...noUsage, cacheWrite1hTokens: 250 })
  estimates.learn(size, seen)
  assert.equal(estimates.estimate({ ...size, maxTokens: 0 }, price, 100), 262.5 * 4 * 1_000)
})

test('a new price counts at once, also one with cheap cache writes, and a model without one reserves nothing', () => {
  const estimates = createBudgetEstimates()
  estimates.learn(size, seen)
  const dearer = { ...price, rates: { ...rates, input: 4, output: 20 } }
  assert.equal(estimates.estimate(size, dearer, 100), (262.5 * 4 + 500 * 20) * 1_000)
  assert.equal(estimates.estimate(size, undefined, 100), 0)
})
