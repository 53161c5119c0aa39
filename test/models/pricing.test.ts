import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ApiApp, startApiApp } from '../support/api-app.ts'
import { isOwnStatus } from '../support/api-coverage.ts'

let app: ApiApp
const regions = [
  { region: 'eu-west-1', listed: 30, error: null },
  { region: 'mx-central-1', listed: 0, error: 'the price list answered with status 404' },
]
before(async () => {
  app = await startApiApp({ ports: { refreshPrices: async () => ({ listed: 30, changed: 2, skipped: [], regions }) } })
})
after(() => app.stop())

const model = 'anthropic.claude-x-9'
const rates = {
  input_usd_per_mtok: 2,
  output_usd_per_mtok: 10,
  cache_read_usd_per_mtok: 0.2,
  cache_write_5m_usd_per_mtok: 2.5,
  cache_write_1h_usd_per_mtok: 4,
}
const as = () => ({ as: app.admin })

test('a price can be set for each scope, is listed at once, and is gone when it is removed', async () => {
  const both = await app.call('PUT', `/admin/pricing/${model}`, { ...as(), body: rates })
  assert.deepEqual(
    both.body.data.map((row: { scope: string }) => row.scope),
    ['geo', 'global'],
  )
  const gov = { ...rates, input_usd_per_mtok: 3, scope: 'us-gov' }
  assert.equal((await app.call('PUT', `/admin/pricing/${model}`, { ...as(), body: gov })).status, 200)
  const { body } = await app.call('GET', `/admin/pricing?q=${model}`, as())
  assert.deepEqual(
    body.data.map((row: Record<string, unknown>) => [row['scope'], row['input_usd_per_mtok'], row['source']]),
    [
      ['geo', 2, 'admin'],
      ['global', 2, 'admin'],
      ['us-gov', 3, 'admin'],
    ],
  )
  assert.equal((await app.call('DELETE', `/admin/pricing/${model}?scope=global`, as())).status, 204)
  assert.equal((await app.call('DELETE', `/admin/pricing/${model}`, as())).status, 204)
  assert.deepEqual((await app.call('GET', `/admin/pricing?q=${model}`, as())).body.data, [])
  assert.equal((await app.call('DELETE', `/admin/pricing/${model}`, as())).status, 404)

  const { body: trail } = await app.call('GET', `/admin/audit?target=model:${model}&sort=at`, as())
  const scopesIn = (prices: readonly { scope: string }[] | null) => prices?.map(({ scope }) => scope) ?? null
  assert.deepEqual(
    trail.data.map((entry: Record<'before' | 'after', { scope: string }[] | null> & { action: string }) => [
      entry.action,
      scopesIn(entry.before),
      scopesIn(entry.after),
    ]),
    [
      ['price.put', [], ['geo', 'global']],
      ['price.put', [], ['us-gov']],
      ['price.delete', ['global'], null],
      ['price.delete', ['geo', 'us-gov'], null],
    ],
  )
})

test('what is no price, no model or no scope is refused with its place', async () => {
  for (const body of [{}, { ...rates, output_usd_per_mtok: -1 }, { ...rates, scope: 'moon' }, { ...rates, more: 1 }]) {
    const answer = await app.call('PUT', `/admin/pricing/${model}`, { ...as(), body })
    assert.equal(answer.status, 400)
    assert.ok(answer.body.error.details.length > 0)
  }
  assert.equal((await app.call('PUT', '/admin/pricing/us.anthropic.claude-x', { ...as(), body: rates })).status, 400)
  assert.equal((await app.call('DELETE', `/admin/pricing/${model}?scope=moon`, as())).status, 400)
  assert.equal((await app.call('GET', '/admin/pricing?sort=nope', as())).status, 400)
  assert.equal((await app.call('POST', '/admin/pricing/refresh', { ...as(), body: { now: true } })).status, 400)
})

test('a refresh in which one region failed is no success, and names it', async () => {
  const { status, body } = await app.call('POST', '/admin/pricing/refresh', { ...as(), body: {} })
  assert.equal(status, 200)
  assert.deepEqual(body, {
    success: false,
    error: 'mx-central-1: the price list answered with status 404',
    listed: 30,
    changed: 2,
    skipped: [],
    regions,
  })
  const { body: trail } = await app.call('GET', '/admin/audit?action=price.refresh', as())
  assert.deepEqual(
    trail.data.map((entry: Record<string, unknown>) => [entry['actor'], entry['target'], entry['after']]),
    [['root', 'prices', { listed: 30, changed: 2, error: 'mx-central-1: the price list answered with status 404' }]],
  )
})

test('every declared answer of pricing was exercised', () => {
  app.assertCovered('Pricing', isOwnStatus)
})
