import assert from 'node:assert/strict'
import { test } from 'node:test'
import { estimatePrice } from './estimated-price.ts'
import { findChargedPrice, findPrice } from './find-price.ts'
import { calculateCost, type Price, type PriceScope, type Rates } from './price.ts'
import { noUsage } from './usage.ts'

const ratesAt = (input: number, cacheWrite1h: number | null = input * 2): Rates => ({
  input,
  output: input * 5,
  cacheRead: input / 10,
  cacheWrite5m: input * 1.25,
  cacheWrite1h,
})

function readPrice(modelId: string, scope: PriceScope, input: number, more: Partial<Price> = {}): Price {
  return { modelId, scope, rates: ratesAt(input), longContext: null, source: 'seed', updatedAt: '', ...more }
}

function bookOf(...prices: readonly Price[]): ReadonlyMap<string, Price> {
  return new Map(prices.map((price) => [`${price.scope}:${price.modelId}`, price]))
}

const both = (modelId: string, input: number, more: Partial<Price> = {}) => [
  readPrice(modelId, 'global', input, more),
  readPrice(modelId, 'geo', input * 2, more),
]

test('a model without a price has the highest rates of its family in the scope, each kind of token by itself', () => {
  const cheapWrites = { ...ratesAt(4), cacheRead: 9, cacheWrite5m: 1 }
  const prices = bookOf(
    ...both('anthropic.claude-opus-4', 10),
    readPrice('anthropic.claude-opus-5', 'global', 4, { rates: cheapWrites }),
    ...both('anthropic.claude-haiku-4', 1),
    ...both('anthropic.claude-fable-5', 50),
  )
  const global = estimatePrice(prices, 'global', 'anthropic.claude-opus-9')
  assert.deepEqual(global?.rates, { ...ratesAt(10), cacheRead: 9 })
  assert.equal(global?.source, 'estimate')
  assert.equal(estimatePrice(prices, 'geo', 'anthropic.claude-opus-9')?.rates.input, 20)
  assert.equal(estimatePrice(prices, 'geo', 'anthropic.claude-haiku-9-20270101-v1:0')?.rates.input, 2)
})

test('the family is a whole word of the id; any other model has the highest rates of all', () => {
  const prices = bookOf(...both('anthropic.claude-opus-4', 10), ...both('anthropic.claude-haiku-4', 1))
  for (const id of ['anthropic.claude-haikus-9', 'anthropic.claude-zeta-9', 'anthropic.claude-superhaiku-1'])
    assert.equal(estimatePrice(prices, 'global', id)?.rates.input, 10, id)
  // A family without a known price.
  assert.equal(estimatePrice(prices, 'global', 'anthropic.claude-mythos-9')?.rates.input, 10)
  assert.equal(estimatePrice(prices, 'global', 'anthropic.claude-3-5-haiku-20241022-v1:0')?.rates.input, 1)
})

test('a model that is priced in another scope is charged by that price, with the premium of the scope', () => {
  const prices = bookOf(readPrice('anthropic.claude-zeta-9', 'global', 2), ...both('anthropic.claude-opus-4', 10))
  assert.equal(estimatePrice(prices, 'geo', 'anthropic.claude-zeta-9')?.rates.input, 2.2)
  assert.equal(estimatePrice(prices, 'us-gov', 'anthropic.claude-zeta-9')?.rates.input, 2.4)
  const onlyGeo = bookOf(readPrice('anthropic.claude-zeta-9', 'geo', 2), ...both('anthropic.claude-opus-4', 10))
  assert.equal(estimatePrice(onlyGeo, 'global', 'anthropic.claude-zeta-9')?.rates.input, 2)
})

test('an estimate is never lower than any row of the family, also for long prompts', () => {
  const longContext = { abovePromptTokens: 100_000, rates: ratesAt(5) }
  const family = [
    readPrice('anthropic.claude-haiku-5', 'global', 1, { longContext }),
    readPrice('anthropic.claude-haiku-4', 'global', 2, { rates: ratesAt(2, null) }),
    readPrice('anthropic.claude-haiku-3', 'global', 0.5, {
      longContext: { abovePromptTokens: 200_000, rates: ratesAt(8) },
    }),
  ]
  const estimate = estimatePrice(bookOf(...family), 'global', 'anthropic.claude-haiku-9')
  assert.ok(estimate !== undefined)
  assert.equal(estimate.longContext?.abovePromptTokens, 100_000)
  for (const inputTokens of [1, 100_000, 100_001, 200_001])
    for (const kind of ['outputTokens', 'cacheReadTokens', 'cacheWrite5mTokens', 'cacheWrite1hTokens'] as const) {
      const usage = { ...noUsage, inputTokens, [kind]: 1_000 }
      for (const price of family)
        assert.ok(calculateCost(usage, estimate) >= calculateCost(usage, price), `${inputTokens} ${kind}`)
    }
})

test('without any known price there is no estimate, and a known price is never replaced by one', () => {
  const call = { invokedId: 'global.anthropic.claude-opus-9', hostedModelId: 'anthropic.claude-opus-9', region: null }
  assert.equal(findChargedPrice(new Map(), call), undefined)
  const known = readPrice('anthropic.claude-opus-9', 'global', 1)
  assert.equal(findChargedPrice(bookOf(known, ...both('anthropic.claude-opus-4', 10)), call), known)
  // An application profile whose model nobody knows.
  const unknown = { invokedId: 'arn:aws:bedrock:eu-west-1:1:application-inference-profile/x', hostedModelId: null }
  const prices = bookOf(...both('anthropic.claude-opus-4', 10))
  assert.equal(findChargedPrice(prices, { ...unknown, region: 'eu-west-1' })?.rates.input, 20)
})

test('a price of the price list holds for its family and version with a date or revision, and for no other version', () => {
  const listed = readPrice('anthropic.claude-zeta-9', 'geo', 3, { source: 'price_list' })
  const find = (price: Price, hostedModelId: string) =>
    findPrice(bookOf(price), { invokedId: `us.${hostedModelId}`, hostedModelId, region: null })
  for (const suffix of ['', '-v1', '-v1:0', '-20270105-v1:0', '-20270105'])
    assert.equal(find(listed, `anthropic.claude-zeta-9${suffix}`), listed, suffix)
  for (const id of [
    'zeta-9-5',
    'zeta-9-5-v1:0',
    'zeta-9-5-20270105-v1:0',
    'zeta-99',
    'zeta-9-fast',
    'zeta',
    'beta-zeta-9',
  ])
    assert.equal(find(listed, `anthropic.claude-${id}`), undefined, id)
  assert.equal(find({ ...listed, source: 'admin' }, 'anthropic.claude-zeta-9-v1'), undefined)
})
