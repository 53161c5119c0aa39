import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPrice } from './find-price.ts'
import { nanoFromUsd, usdFromNano } from './money.ts'
import { calculateCost, type Price, type PriceScope, ratesFor } from './price.ts'
import { noUsage, promptTokens } from './usage.ts'

const rates = { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 }
const price: Price = { modelId: 'm', scope: 'geo', rates, longContext: null, source: 'seed', updatedAt: '' }
const usage = {
  inputTokens: 1_000,
  outputTokens: 200,
  cacheReadTokens: 30_000,
  cacheWrite5mTokens: 4_000,
  cacheWrite1hTokens: 500,
}

test('a call costs the sum of its five kinds, each at its own rate', () => {
  assert.equal(calculateCost(usage, price), 3_000_000 + 3_000_000 + 9_000_000 + 15_000_000 + 3_000_000)
  const alone = Object.keys(usage).map((kind) => calculateCost({ ...noUsage, [kind]: 1_000_000 }, price))
  assert.deepEqual(alone, [3e9, 15e9, 0.3e9, 3.75e9, 6e9])
  assert.equal(calculateCost(noUsage, price), 0)
})

test('an hour in the cache costs what five minutes cost where the hosted service offers no hour', () => {
  const withoutHour = { ...price, rates: { ...rates, cacheWrite1h: null } }
  assert.equal(calculateCost({ ...noUsage, cacheWrite1hTokens: 1_000 }, withoutHour), 3_750_000)
})

test('half nano-dollars are rounded once, over all kinds together', () => {
  const halves = { ...price, rates: { ...rates, input: 0.1375, cacheRead: 0.0125 } }
  assert.equal(calculateCost({ ...noUsage, inputTokens: 1 }, halves), 138)
  assert.equal(calculateCost({ ...noUsage, inputTokens: 1, cacheReadTokens: 1 }, halves), 150)
  assert.equal(calculateCost({ ...noUsage, inputTokens: 3 }, { ...price, rates: { ...rates, input: 0.0001 } }), 0)
})

test('beyond its border the long tier holds for every token of the call, and cached tokens count towards it', () => {
  const long = { input: 6, output: 22.5, cacheRead: 0.6, cacheWrite5m: 7.5, cacheWrite1h: 12 }
  const tiered = { ...price, longContext: { abovePromptTokens: promptTokens(usage), rates: long } }
  assert.equal(promptTokens(usage), 35_500)
  assert.equal(ratesFor(tiered, usage), rates, 'a prompt of exactly so many tokens is not beyond it')
  assert.equal(calculateCost(usage, tiered), calculateCost(usage, price))
  assert.equal(ratesFor(tiered, { ...usage, outputTokens: 1_000_000 }), rates, 'output is no part of the prompt')
  for (const kind of ['inputTokens', 'cacheReadTokens', 'cacheWrite5mTokens', 'cacheWrite1hTokens'] as const)
    assert.equal(ratesFor(tiered, { ...usage, [kind]: usage[kind] + 1 }), long, kind)
  assert.equal(
    calculateCost({ ...usage, inputTokens: 1_001 }, tiered),
    6_006_000 + 4_500_000 + 18_000_000 + 30_000_000 + 6_000_000,
  )
})

test('a price is that of the scope and the model, and GovCloud without one has the geo price', () => {
  const of = (scope: PriceScope, modelId: string): Price => ({ ...price, scope, modelId })
  const known = [of('geo', 'anthropic.a'), of('global', 'anthropic.b'), of('us-gov', 'anthropic.c')]
  const prices = new Map(known.map((one) => [`${one.scope}:${one.modelId}`, one]))
  const find = (invokedId: string, hostedModelId: string | null, region: string | null = 'us-east-1') =>
    findPrice(prices, { invokedId, hostedModelId, region })
  assert.equal(find('us.anthropic.a', 'anthropic.a'), known[0])
  assert.equal(find('anthropic.a', 'anthropic.a', null), known[0])
  assert.equal(find('global.anthropic.a', 'anthropic.a'), undefined, 'the geo price is not that of global')
  assert.equal(find('global.anthropic.b', 'anthropic.b'), known[1])
  assert.equal(find('us.anthropic.b', 'anthropic.b'), undefined)
  assert.equal(find('anthropic.a', 'anthropic.a', 'us-gov-west-1'), known[0])
  assert.equal(find('us-gov.anthropic.c', 'anthropic.c', 'us-gov-west-1'), known[2])
  assert.equal(find('us.anthropic.a', 'anthropic.b'), undefined)
  assert.equal(find('us.anthropic.a', null), undefined)
  assert.equal(find('us.anthropic.a', 'anthropic.a'), known[0], 'whatever was asked for before')
})

test('dollars become whole nano-dollars and come back as they were', () => {
  assert.equal(nanoFromUsd(0.1 + 0.2), 300_000_000)
  assert.equal(nanoFromUsd(0.000_000_000_6), 1)
  assert.equal(usdFromNano(nanoFromUsd(1_234.56)), 1_234.56)
})
