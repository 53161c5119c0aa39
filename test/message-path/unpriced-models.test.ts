/** Models without a price: what their requests cost, what budgets make of them, and how a price arrives. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { budgetPresets } from '../../src/foundation/domain/budget.ts'
import { nanoFromUsd } from '../../src/foundation/domain/money.ts'
import { setBudget } from '../budgets/budget-world.ts'
import { type Admin, adminOf } from '../endpoints/admin-client.ts'
import {
  answers,
  asksFor,
  question,
  type SearchWorld,
  search,
  startSearchWorld,
  text,
} from '../web-search/search-world.ts'
import { asEvent, hello, post, requestIdOf, toErrorContent, until } from './path-client.ts'

let world: SearchWorld
let admin: Admin

before(async () => {
  world = await startSearchWorld()
  admin = await adminOf(world.gateway)
  await defineModels()
  // The endpoint lists its profiles now; else it would do so within a minute.
  const [{ id }] = (await admin.done('GET', '/admin/endpoints')).data
  await admin.done('POST', `/admin/endpoints/${id}/check`)
})
beforeEach(async () => {
  await world.reset()
  await defineModels()
  await admin.done('PUT', '/admin/settings/unpriced_models', { value: 'estimate' })
})
after(() => world.gateway.stop())

/** The highest rates of all built-in prices outside the `global` scope. */
const highest = { input: 15, output: 75, cacheRead: 1.5, cacheWrite5m: 18.75, cacheWrite1h: 22 }
const zetaPrice = { input: 6, output: 30, cacheRead: 0.6, cacheWrite5m: 7.5, cacheWrite1h: 12 }

/** The simulator lists its profiles; the price file has no name that the gateway can read. */
async function defineModel(name: string, more: object = {}): Promise<void> {
  await world.gateway.control.defineModel({
    foundationModelId: `anthropic.${name}`,
    like: 'anthropic.claude-opus-5',
    ...more,
  })
}

const withoutPrice = [5, 6, 7, 8, 9, '9-5', '9-20270105-v1:0'].map((version) => `claude-zeta-${version}`)

async function defineModels(): Promise<void> {
  for (const name of [...withoutPrice, 'claude-sonnet-77']) await defineModel(name)
}

async function fixUsage(usage: object): Promise<void> {
  const counts = { cache_read_input_tokens: 0, cache_creation_input_tokens: 0, ...usage }
  await world.gateway.control.script({
    match: { operation: 'invoke' },
    times: null,
    behaviour: { answer: { usage: counts } },
  })
}

async function recordFor(model: string, key = world.key) {
  const response = await post(world.gateway, key, { ...hello, model })
  assert.equal(response.status, 200, await response.clone().text())
  return await asEvent(world.gateway, requestIdOf(response))
}

test('a budget of one dollar blocks requests for a model without a price', async () => {
  await fixUsage({ input_tokens: 20_000, output_tokens: 4_000 })
  const { key, userId } = await world.addPerson()
  assert.ok(world.gateway.database !== undefined)
  await setBudget(world.gateway.database, {
    scope: 'user',
    subjectId: userId,
    limitNanoUsd: nanoFromUsd(1),
    rules: budgetPresets.standard,
  })
  await admin.done('PUT', '/admin/settings/spend_retention_days', { value: 400 })
  for (let request = 0; request < 2; request += 1) {
    const record = await recordFor('claude-zeta-7', key)
    assert.deepEqual([record.costNanoUsd, record.flags], [nanoFromUsd(0.6), ['price_estimated']])
    assert.deepEqual(record.rates, highest)
  }
  const refused = await post(world.gateway, key, { ...hello, model: 'claude-zeta-7' })
  assert.equal(refused.status, 429)
  assert.equal((await toErrorContent(refused)).error.type, 'billing_error')
})

test('a model of a known family is charged at the highest rates of this family, also in the form of Amazon Bedrock', async () => {
  const direct = await recordFor('claude-sonnet-77')
  // Sonnet 4.5 and 4.6, with a tenth on top outside the global scope.
  const sonnet = { input: 3.3, output: 16.5, cacheRead: 0.33, cacheWrite5m: 4.125, cacheWrite1h: 6.6 }
  assert.deepEqual([direct.rates, direct.flags], [sonnet, ['price_estimated']])
  const { model: _, ...body } = { ...hello, anthropic_version: 'bedrock-2023-05-31' }
  const path = '/model/us.anthropic.claude-sonnet-77/invoke'
  const response = await post(world.gateway, world.key, body, { path })
  assert.equal(response.status, 200, await response.clone().text())
  const inBedrockForm = await asEvent(world.gateway, requestIdOf(response))
  assert.deepEqual([inBedrockForm.rates, inBedrockForm.flags], [sonnet, ['price_estimated']])
})

test('every round of a web search is charged at the estimate', async () => {
  await world.say(asksFor(search('01', 'tides')), answers(text('At noon.')))
  const response = await post(world.gateway, world.key, question({ model: 'claude-zeta-6' }))
  assert.equal(response.status, 200, await response.clone().text())
  const records = await world.records(requestIdOf(response), 2)
  assert.deepEqual(
    records.map(({ flags, costNanoUsd }) => [flags, costNanoUsd]),
    [
      [['price_estimated'], 100 * 15_000 + 10 * 75_000],
      [['price_estimated'], 200 * 15_000 + 10 * 75_000],
    ],
  )
})

test('a model that only the price list names is priced exactly, and earlier records keep their price', async () => {
  await fixUsage({ input_tokens: 1_000, output_tokens: 100 })
  const before = await recordFor('claude-zeta-9')
  assert.deepEqual(before.flags, ['price_estimated'])

  const named = { displayName: 'Claude Zeta 9', usdPerMtok: zetaPrice }
  await defineModel('claude-zeta-9', named)
  const refreshed = await admin.done('POST', '/admin/pricing/refresh', {})
  assert.equal(refreshed.success, true, refreshed.error)

  for (const model of ['claude-zeta-9', 'us.anthropic.claude-zeta-9', 'us.anthropic.claude-zeta-9-20270105-v1:0']) {
    const record = await recordFor(model)
    assert.deepEqual(record.flags, [], model)
    assert.deepEqual(
      record.rates,
      { input: 6.6, output: 33, cacheRead: 0.66, cacheWrite5m: 8.25, cacheWrite1h: 13.2 },
      model,
    )
    assert.equal(record.costNanoUsd, 1_000 * 6_600 + 100 * 33_000)
  }
  const newer = await recordFor('claude-zeta-9-5')
  assert.deepEqual([newer.flags, newer.rates], [['price_estimated'], highest])
  const kept = await asEvent(world.gateway, before.requestId)
  assert.deepEqual([kept.rates, kept.costNanoUsd, kept.flags], [before.rates, before.costNanoUsd, before.flags])

  const { unpriced_models: unpriced } = await admin.done('GET', '/admin/status')
  const isPriced = (model: string) =>
    unpriced.find((one: { model: string }) => one.model === model)?.has_price ?? 'not listed'
  assert.notEqual(isPriced('claude-zeta-9'), false)
  assert.equal(isPriced('claude-zeta-9-5'), false)
})

test('estimated requests are found by their flag and counted in analytics, status and metrics', async () => {
  const { requestId } = await recordFor('claude-zeta-8')
  const { data } = await admin.done('GET', '/admin/requests?flag=price_estimated&model=%3Dclaude-zeta-8')
  assert.deepEqual(
    data.map((one: { request_id: string; flags: string[] }) => [one.request_id, one.flags]),
    [[requestId, ['price_estimated']]],
  )
  assert.deepEqual((await admin.done('GET', '/admin/requests?flag=unpriced&model=%3Dclaude-zeta-8')).data, [])
  const { mix } = await admin.done('GET', '/admin/analytics/org/models?model=claude-zeta-8&days=1')
  assert.deepEqual([mix[0].unpriced_requests, mix[0].spend_usd > 0], [1, true])
  const counted = await until(async () => {
    const { unpriced_models: models } = await admin.done('GET', '/admin/status')
    const found = models.find((one: { model: string }) => one.model === 'claude-zeta-8')
    return found?.requests === 1 ? found : undefined
  })
  assert.equal(counted.has_price, false)
  const metrics = await (await fetch(`${world.gateway.url}/metrics`)).text()
  assert.match(metrics, /^gateway_unpriced_requests_total\{.*\} [1-9]/m)
})

test('with unpriced_models set to refuse, requests without a price are rejected before Amazon Bedrock is called', async () => {
  await admin.done('PUT', '/admin/settings/unpriced_models', { value: 'refuse' })
  const refused = await post(world.gateway, world.key, { ...hello, model: 'claude-zeta-5' })
  assert.equal(refused.status, 400)
  const { error } = await toErrorContent(refused)
  assert.deepEqual([error.type, error.code], ['invalid_request_error', 'model_without_price'])
  assert.equal(
    error.message,
    'model: claude-zeta-5 has no price on this gateway, and requests without a price are rejected. Choose another model, or ask an administrator to set a price for anthropic.claude-zeta-5 under Models → Prices.',
  )
  const record = await asEvent(world.gateway, requestIdOf(refused))
  assert.deepEqual([record.status, record.costNanoUsd, record.flags], [400, 0, []])

  const { model: _, ...body } = { ...hello, anthropic_version: 'bedrock-2023-05-31' }
  const path = '/model/us.anthropic.claude-zeta-5/invoke'
  const inBedrockForm = await post(world.gateway, world.key, body, { path })
  assert.equal(inBedrockForm.status, 400)
  assert.match(((await inBedrockForm.json()) as { message: string }).message, /has no price on this gateway/)
  assert.deepEqual(await world.gateway.control.ledger({ operation: 'InvokeModel' }), [])

  // Models with a price are served, and a price that arrives is enough.
  assert.deepEqual((await recordFor('claude-sonnet-5')).flags, [])
  const price = {
    input_usd_per_mtok: 1,
    output_usd_per_mtok: 2,
    cache_read_usd_per_mtok: 0.1,
    cache_write_5m_usd_per_mtok: 1.25,
  }
  await admin.done('PUT', '/admin/pricing/anthropic.claude-zeta-5', price)
  assert.deepEqual((await recordFor('claude-zeta-5')).flags, [])
})

test('the built-in model that clients ask for as fable has its price, and mythos has that of the highest', async () => {
  await fixUsage({ input_tokens: 1_000, output_tokens: 100 })
  const fable = await recordFor('claude-fable-5-2')
  assert.deepEqual([fable.hostedModel, fable.flags], ['us.anthropic.claude-fable-5-2', []])
  assert.equal(fable.costNanoUsd, 1_000 * 8_800 + 100 * 44_000)
  const mythos = await recordFor('claude-mythos-5-2')
  assert.deepEqual([mythos.hostedModel, mythos.flags], ['us.anthropic.claude-mythos-5-2', ['price_estimated']])
  assert.deepEqual(mythos.rates, highest)
})
