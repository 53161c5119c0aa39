import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { shownAddress } from '../../src/foundation/domain/shown-address.ts'
import type { SearchOutcome, SearchProvider } from '../../src/foundation/domain/web-search.ts'
import { createSearchProviderStore } from '../../src/modules/web-search/search-providers.store.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'
import { isOwnStatus } from '../support/api-coverage.ts'

let app: ApiApp
let outcome: SearchOutcome
const asked: SearchProvider[] = []
before(async () => {
  app = await startApiApp({
    ports: {
      search: async (provider) => {
        asked.push(provider)
        return outcome
      },
    },
  })
})
beforeEach(() => {
  outcome = { kind: 'found', hits: [{ url: 'https://a.example/', title: 'secret title', text: '', pageAge: null }] }
  asked.length = 0
})
after(() => app.stop())

const asAdmin = (method: string, path: string, body?: unknown) => app.call(method, path, { as: app.admin, body })
const put = (body: unknown) => asAdmin('PUT', '/admin/websearch-mode', body)
const read = async () => (await asAdmin('GET', '/admin/websearch-mode')).body
const tryProvider = (body?: unknown) => asAdmin('POST', '/admin/websearch-mode/test', body)

test('without a provider there is nothing to make global or to test', async () => {
  assert.deepEqual(await read(), { mode: 'enabled' })
  const refused = await put({ mode: 'global' })
  assert.equal(refused.status, 400)
  assert.equal(refused.body.error.details[0].path, 'provider')
  assert.equal((await tryProvider()).status, 409)
  assert.deepEqual(await read(), { mode: 'enabled' })
})

test('what each engine needs is asked for, and the mistake is named', async () => {
  const wrong: readonly (readonly [provider: object, path: string])[] = [
    [{}, 'provider.provider_type'],
    [{ provider_type: 'bing' }, 'provider.provider_type'],
    [{ provider_type: 'tavily' }, 'provider.api_key'],
    [{ provider_type: 'serper', api_key: null }, 'provider.api_key'],
    [{ provider_type: 'tavily', api_key: '' }, 'provider.api_key'],
    [{ provider_type: 'serper', api_key: 'line\nbreak' }, 'provider.api_key'],
    [{ provider_type: 'custom' }, 'provider.api_url'],
    [{ provider_type: 'searxng' }, 'provider.api_url'],
    [{ provider_type: 'custom', api_url: 'ftp://a.example' }, 'provider.api_url'],
    [{ provider_type: 'custom', api_url: 'http://169.254.169.254/' }, 'provider.api_url'],
    [{ provider_type: 'custom', api_url: 'https://10.0.0.1/' }, 'provider.api_url'],
    [{ provider_type: 'duckduckgo', max_results: 'many' }, 'provider.max_results'],
    [{ provider_type: 'duckduckgo', region: 'us' }, 'provider.region'],
  ]
  for (const [provider, path] of wrong) {
    const { status, body } = await put({ mode: 'global', provider })
    assert.equal(status, 400, JSON.stringify(provider))
    assert.equal(body.error.details[0].path, path, JSON.stringify(provider))
  }
  assert.equal((await put({ mode: 'on' })).status, 400)
  assert.deepEqual(await read(), { mode: 'enabled' })
})

test('a global provider is stored, shown without its key, and kept for the next time', async () => {
  const { status, body } = await put({ mode: 'global', provider: { provider_type: 'tavily', api_key: 'tvly-canary' } })
  assert.equal(status, 200)
  const { updated_at: updatedAt, ...provider } = body.provider
  assert.ok(updatedAt)
  assert.deepEqual(provider, { provider_type: 'tavily', api_url: null, max_results: 10, has_api_key: true })
  assert.deepEqual((await read()).provider, body.provider)
  assert.equal(app.ports.snapshot().settings.websearch_mode, 'global')
  assert.deepEqual((await put({ mode: 'disabled' })).body, { mode: 'disabled' })
  assert.deepEqual((await put({ mode: 'global' })).body, body)
})

test('the number of results is clamped to 1 to 20', async () => {
  for (const [wanted, given] of [
    [0, 1],
    [-5, 1],
    [7, 7],
    [21, 20],
    [1_000_000, 20],
  ]) {
    const { body } = await put({ mode: 'global', provider: { provider_type: 'duckduckgo', max_results: wanted } })
    assert.equal(body.provider.max_results, given)
  }
})

test('a stored key never goes to another engine or another address', async () => {
  const tavily = { provider_type: 'tavily', api_url: 'https://one.example/search' }
  await put({ mode: 'global', provider: { ...tavily, api_key: 'tvly-canary' } })
  const same = await put({ mode: 'global', provider: { ...tavily, max_results: 3 } })
  assert.deepEqual([same.status, same.body.provider.has_api_key], [200, true])
  for (const change of [{ api_url: 'https://two.example/search' }, { provider_type: 'serper' }, { api_url: null }])
    assert.equal((await put({ mode: 'global', provider: { ...tavily, ...change } })).status, 400)
  const tested = await tryProvider({ ...tavily, api_url: 'https://two.example/search' })
  assert.equal(tested.status, 400)
  assert.deepEqual(asked, [])
  const custom = await put({ mode: 'global', provider: { provider_type: 'custom', api_url: tavily.api_url } })
  assert.equal(custom.body.provider.has_api_key, false)
})

test('keys are sealed in the database and appear in no answer, log line or audit entry', async () => {
  await put({ mode: 'global', provider: { provider_type: 'serper', api_key: 'serper-canary' } })
  await tryProvider()
  const stored = await createSearchProviderStore(app.database.kysely).find(null)
  assert.equal(stored?.apiKey?.includes('canary'), false)
  const { body } = await asAdmin('GET', '/admin/audit?target=setting:websearch_mode&limit=1')
  assert.deepEqual(body.data[0].after.provider.has_api_key, true)
  for (const text of [JSON.stringify(body), app.logged(), JSON.stringify(await read())])
    assert.equal(text.includes('canary'), false)
  const address = 'https://search.example.com/find?key=canary'
  await put({ mode: 'global', provider: { provider_type: 'custom', api_url: address } })
  const { body: keyed } = await asAdmin('GET', '/admin/audit?target=setting:websearch_mode&limit=1')
  assert.equal(keyed.data[0].after.provider.api_url, shownAddress(address))
  assert.equal(JSON.stringify(keyed).includes('canary'), false)
})

test('a test says whether it works, and nothing of what the other side sent', async () => {
  await put({ mode: 'global', provider: { provider_type: 'serper', api_key: 'serper-1', max_results: 4 } })
  const stored = await tryProvider()
  const { duration_ms: duration, ...rest } = stored.body
  assert.ok(duration >= 0)
  assert.deepEqual(rest, { success: true, provider_type: 'serper', result_count: 1, error: null })
  assert.deepEqual(asked, [{ type: 'serper', apiKey: 'serper-1', apiUrl: null, maxResults: 4, isOwn: false }])
  outcome = { kind: 'failed', reason: 'unavailable', message: 'The search engine refused the API key (401).' }
  const failed = await tryProvider({ provider_type: 'tavily', api_key: 'tvly-2', query: 'tides' })
  assert.deepEqual([failed.status, failed.body.success, failed.body.error], [200, false, outcome.message])
  assert.equal(asked.at(-1)?.apiKey, 'tvly-2')
  const before = asked.length
  for (const part of [
    { api_key: 'serper-2' },
    { api_url: 'https://one.example/' },
    { max_results: 2, query: 'tides' },
  ]) {
    const { status, body } = await tryProvider(part)
    assert.deepEqual([status, body.error.details?.[0]?.path], [400, 'provider_type'], JSON.stringify(part))
  }
  assert.equal(asked.length, before, 'what is stored was not tested in their place')
  outcome = { kind: 'found', hits: [] }
  assert.equal((await tryProvider({ query: 'tides' })).body.success, false)
  assert.equal((await read()).provider.provider_type, 'serper')
})

test('every declared answer of web search was exercised', () => app.assertCovered('Web search', isOwnStatus))
