import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { defaultSettings, type SettingKey, settingSpecs } from '../../src/foundation/domain/settings.ts'
import { createSearchProviderStore } from '../../src/modules/web-search/search-providers.store.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'
import { isOwnStatus } from '../support/api-coverage.ts'

let app: ApiApp
before(async () => {
  app = await startApiApp()
})
after(() => app.stop())

const asAdmin = (method: string, path: string, body?: unknown) => app.call(method, path, { as: app.admin, body })
const put = (key: string, value: unknown) => asAdmin('PUT', `/admin/settings/${key}`, { value })

test('settings that nobody has changed are the defaults', async () => {
  const { status, body } = await asAdmin('GET', '/admin/settings')
  assert.equal(status, 200)
  assert.deepEqual(body, { ...defaultSettings })
})

const samples: Readonly<Record<SettingKey, { good: readonly unknown[]; bad: readonly unknown[] }>> = {
  virtual_keys_enabled: { good: [false, true], bad: ['false', 0, null, [], {}] },
  admin_login_enabled: { good: [false, true], bad: ['true', 1, null] },
  capability_probe_aip: { good: [false, true], bad: ['on', null] },
  session_token_ttl_hours: { good: [1, 8760, 24], bad: [0, -1, 8761, 1.5, '24', null, 1e308] },
  websearch_mode: { good: ['disabled', 'enabled'], bad: ['off', 'GLOBAL', '', null, true] },
  websearch_price_usd: { good: [0.01, 100, 0], bad: [-0.01, 101, '0.01', null, true] },
  spend_retention_days: { good: [1, 3650, 400], bad: [0, 3651, '400', null] },
  audit_retention_days: { good: [30, 365], bad: [0, 3651, null] },
  unpriced_models: { good: ['refuse', 'estimate'], bad: ['free', 'ESTIMATE', '', true, null] },
  store_failure_messages: { good: [false, true], bad: ['false', 0, null] },
  digest_time_zone: { good: ['Europe/Berlin', 'UTC'], bad: ['+02:00', 'Mars/Base', '', 2, null] },
  default_budget: {
    good: [
      { limit_usd: 10, period: 'daily', policy: 'soft' },
      { limit_usd: 1, period: 'weekly', policy: [{ at_percent: 100, action: 'block' }] },
      null,
    ],
    bad: [
      [],
      'standard',
      {},
      { limit_usd: 0, period: 'daily', policy: 'soft' },
      { limit_usd: 5, period: 'hourly', policy: 'soft' },
      { limit_usd: 5, period: 'daily', policy: 'soft', member_limit_usd: 1 },
      { limit_usd: 5, period: 'daily', policy: [{ at_percent: 80, action: 'shape' }] },
    ],
  },
}

test('every setting takes its values, shows them at once, and refuses others by name', async () => {
  assert.deepEqual(Object.keys(samples).sort(), Object.keys(settingSpecs).sort())
  for (const [key, { good, bad }] of Object.entries(samples)) {
    for (const value of good) {
      const { status, body } = await put(key, value)
      assert.equal(status, 200, `${key} = ${JSON.stringify(value)}`)
      assert.deepEqual([body.key, body.value, body.updated_by], [key, value, 'root'])
      assert.deepEqual((await asAdmin('GET', '/admin/settings')).body[key], value)
      assert.deepEqual(app.ports.snapshot().settings[key as SettingKey], value)
    }
    for (const value of bad) {
      const { status, body } = await put(key, value)
      assert.equal(status, 400, `${key} = ${JSON.stringify(value)}`)
      assert.match(body.error.details[0].path, /^value/)
    }
    assert.deepEqual((await asAdmin('GET', '/admin/settings')).body[key], good.at(-1))
  }
})

test('a default budget without a policy gets the standard one, so that nobody has to guess later', async () => {
  const { body } = await put('default_budget', { limit_usd: 3, period: 'monthly' })
  assert.deepEqual(body.value, { limit_usd: 3, period: 'monthly', policy: 'standard' })
  await put('default_budget', null)
})

test('keys that are no settings are 404, internal and prototype names included', async () => {
  for (const key of ['nope', 'session_signing_key', '__proto__', 'constructor', 'toString', 'hasOwnProperty', '%00']) {
    assert.equal((await put(key, true)).status, 404, key)
  }
  const { rows } = await app.database.pool.query('select key from proxy_settings')
  assert.equal(
    rows.every((row) => Object.hasOwn(settingSpecs, row.key)),
    true,
  )
})

test('the body is exactly {value}', async () => {
  for (const body of [{}, { value: true, extra: 1 }, { values: true }, true, null, []])
    assert.equal((await asAdmin('PUT', '/admin/settings/virtual_keys_enabled', body)).status, 400)
  assert.equal((await asAdmin('PUT', '/admin/settings/virtual_keys_enabled')).status, 400)
})

test('web search becomes global only when a provider is stored for everybody', async () => {
  const refused = await put('websearch_mode', 'global')
  assert.equal(refused.status, 400)
  assert.match(refused.body.error.message, /needs a provider/)
  await createSearchProviderStore(app.database.kysely).put({
    userId: null,
    providerType: 'duckduckgo',
    apiKey: null,
    apiUrl: null,
    maxResults: 5,
  })
  assert.equal((await put('websearch_mode', 'global')).status, 200)
  await put('websearch_mode', 'enabled')
})

test('virtual keys stop at once when they are switched off, and admins still get in', async () => {
  const { key } = await app.addKey()
  await put('virtual_keys_enabled', false)
  const refused = await app.call('GET', '/me', { as: key })
  assert.deepEqual([refused.status, refused.headers.get('x-should-retry')], [401, 'false'])
  assert.equal(refused.body.error.code, 'virtual_keys_disabled')
  assert.equal((await put('virtual_keys_enabled', true)).status, 200)
  assert.equal((await app.call('GET', '/me', { as: key })).status, 200)
})

test('a shorter session lifetime ends longer sessions', async () => {
  const user = await app.addUser()
  const session = app.sessionOf(user, 24)
  app.advance(2 * 3_600_000)
  assert.equal((await app.call('GET', '/me', { as: session })).status, 200)
  app.advance(-2 * 3_600_000)
  await put('session_token_ttl_hours', 1)
  app.advance(2 * 3_600_000)
  assert.equal((await app.call('GET', '/me', { as: session })).status, 401)
  app.advance(-2 * 3_600_000)
  await put('session_token_ttl_hours', 24)
})

test('each change is in the audit trail with the value before, the default included', async () => {
  await put('audit_retention_days', 30)
  await put('audit_retention_days', 31)
  const { body } = await asAdmin('GET', '/admin/audit?target=setting:audit_retention_days&limit=2')
  assert.deepEqual(
    body.data.map((entry: { before: unknown; after: unknown }) => [entry.before, entry.after]),
    [
      [30, 31],
      [365, 30],
    ],
  )
})

test('every declared answer of the settings was exercised', () => app.assertCovered('Settings', isOwnStatus))
