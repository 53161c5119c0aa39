import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import type { SearchProvider } from '../../src/foundation/domain/web-search.ts'
import { newId } from '../../src/foundation/platform/ids.ts'
import { createUserStore } from '../../src/modules/people/users.store.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { aSpendRecord } from '../database/samples.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'
import { isOwnStatus } from '../support/api-coverage.ts'

let app: ApiApp
const searchedWith: SearchProvider[] = []
before(async () => {
  app = await startApiApp({
    ports: {
      search: async (provider) => {
        searchedWith.push(provider)
        return { kind: 'found', hits: [{ url: 'https://a.example/', title: 'a', text: '', pageAge: null }] }
      },
    },
  })
})
after(() => app.stop())

async function aMember() {
  const teamId = await app.addTeam()
  const user = await app.addUser({ teamId, email: 'm@example.com' })
  const as = app.sessionOf(user)
  return {
    user,
    teamId,
    as,
    call: (method: string, path: string, body?: unknown) => app.call(method, path, { as, body }),
  }
}

const asAdmin = (method: string, path: string, body?: unknown) => app.call(method, path, { as: app.admin, body })

test('people and keys learn who they are', async () => {
  const { user, teamId, call } = await aMember()
  const { body } = await call('GET', '/me')
  assert.deepEqual(body.user, { id: user.id, subject: user.subject, email: 'm@example.com', role: 'member' })
  assert.deepEqual([body.signed_in_with, body.role, body.team.id, body.key], ['session', 'member', teamId, null])
  const jwt = await app.call('GET', '/me', { as: `jwt-${user.subject}` })
  assert.equal(jwt.body.signed_in_with, 'jwt')
  const own = await app.addKey({ userId: app.adminUser.id, rateLimitRpm: 3 })
  const key = await app.call('GET', '/me', { as: own.key })
  assert.deepEqual([key.body.signed_in_with, key.body.role, key.body.key.rate_limit_rpm], ['key', 'member', 3])
  const nobody = await app.addKey()
  assert.equal((await app.call('GET', '/me', { as: nobody.key })).body.user, null)
})

test('people and keys see the budgets their calls are charged to, the person first', async () => {
  const { user, teamId, call } = await aMember()
  assert.deepEqual((await call('GET', '/me/budget')).body, { budgets: [] })
  await asAdmin('PUT', `/admin/teams/${teamId}/budget`, {
    limit_usd: 10,
    period: 'weekly',
    policy: 'soft',
    member_limit_usd: 2,
  })
  const seen = async (as?: string) => {
    const { body } = as === undefined ? await call('GET', '/me/budget') : await app.call('GET', '/me/budget', { as })
    return body.budgets.map((one: Record<string, unknown>) => [one['scope'], one['source'], one['limit_usd']])
  }
  const team = ['team', 'team', 10]
  assert.deepEqual(await seen(), [['user', 'team-member', 2], team])
  await asAdmin('PUT', `/admin/users/${user.id}/budget`, { limit_usd: 3, period: 'daily' })
  assert.deepEqual(await seen(), [['user', 'own', 3], team])
  assert.deepEqual(await seen((await app.addKey({ userId: user.id })).key), [['user', 'own', 3], team])
  assert.deepEqual(await seen((await app.addKey({ teamId })).key), [team])
  const { body } = await call('GET', '/me/budget')
  assert.deepEqual(
    [body.budgets[0].name, body.budgets[0].remaining_usd, body.budgets[0].status, body.budgets[0].rules],
    [
      user.subject,
      3,
      'ok',
      [
        { at_percent: 80, action: 'notify' },
        { at_percent: 100, action: 'block' },
      ],
    ],
  )
})

test('a member makes, lists, rotates and revokes keys of their own', async () => {
  const { user, teamId, call } = await aMember()
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
  const made = await call('POST', '/me/keys', { name: 'laptop', expires_at: expiresAt })
  assert.equal(made.status, 201)
  assert.deepEqual([made.body.user_id, made.body.team_id, made.body.expires_at], [user.id, teamId, expiresAt])
  assert.equal((await app.call('GET', '/me', { as: made.body.key })).status, 200)
  const { key: _secret, ...record } = made.body
  assert.deepEqual((await call('GET', '/me/keys')).body.data, [record])
  assert.deepEqual((await app.call('GET', '/me/keys', { as: made.body.key })).body.data, [record])

  const rotated = await call('POST', `/me/keys/${made.body.id}/rotate`, { grace_seconds: 60 })
  assert.equal(rotated.status, 201)
  assert.equal((await app.call('GET', '/me', { as: made.body.key })).status, 200)
  const revoked = await call('POST', `/me/keys/${made.body.id}/revoke`)
  assert.deepEqual([revoked.status, revoked.body.status], [200, 'revoked'])
  assert.equal((await app.call('GET', '/me', { as: made.body.key })).status, 401)
  assert.equal((await app.call('GET', '/me', { as: rotated.body.key })).status, 200)
  assert.equal((await call('POST', `/me/keys/${made.body.id}/rotate`)).status, 409)
  assert.deepEqual(
    (await call('GET', '/me/keys?status=active')).body.data.map((key: { id: string }) => key.id),
    [rotated.body.id],
  )
})

test('a rotation keeps the limits that an administrator has set', async () => {
  const { user, call } = await aMember()
  const limited = await app.addKey({ userId: user.id, rateLimitRpm: 2, allowedModels: ['m'] })
  const { body } = await call('POST', `/me/keys/${limited.id}/rotate`)
  assert.deepEqual([body.rate_limit_rpm, body.allowed_models], [2, ['m']])
})

test('a virtual key reads and never writes, whoever owns it', async () => {
  const own = await app.addKey({ userId: app.adminUser.id })
  for (const [method, path] of [
    ['POST', '/me/keys'],
    ['POST', `/me/keys/${own.id}/revoke`],
    ['POST', `/me/keys/${own.id}/rotate`],
    ['GET', '/admin/keys'],
  ] as const) {
    assert.equal((await app.call(method, path, { as: own.key, ...(method === 'GET' ? {} : { body: {} }) })).status, 403)
  }
  assert.equal((await app.call('GET', '/me', { as: own.key })).status, 200)
  const { body } = await app.call('GET', '/me/keys', { as: (await app.addKey()).key })
  assert.deepEqual(body, { data: [], has_more: false, next_cursor: null })
})

const adminWords = [
  'role',
  'user_id',
  'team_id',
  'is_admin',
  'rate_limit_rpm',
  'allowed_models',
  'id',
  'key',
  'hash',
  'prefix',
  'status',
  'revoked_at',
  'created_by',
  'spend_usd',
  'active',
  'constructor',
  'prototype',
]

test('no field beyond name and expiry gets through, and nothing is made or changed by trying', async () => {
  const { user, call, as } = await aMember()
  const { id } = await app.addKey({ userId: user.id, rateLimitRpm: 1 })
  const before = (await asAdmin('GET', `/admin/keys?user_id=${user.id}`)).body
  const places = ['/me/keys', `/me/keys/${id}/rotate`, `/me/keys/${id}/revoke`]
  for (const path of places) {
    const plain = path === '/me/keys' ? { name: 'x' } : {}
    for (const word of path.endsWith('rotate') ? [...adminWords, 'name', 'expires_at'] : adminWords) {
      const { status, body } = await call('POST', path, { ...plain, [word]: app.adminUser.id })
      assert.equal(status, 400, `${path} ${word}`)
      assert.equal(body.error.details[0].path, word)
    }
    for (const text of ['{"name":"x","__proto__":{"role":"admin"}}', '{"constructor":{"prototype":{"role":"admin"}}}'])
      assert.equal((await app.call('POST', path, { as, text })).status, 400)
  }
  assert.deepEqual((await asAdmin('GET', `/admin/keys?user_id=${user.id}`)).body, before)
  assert.equal((await asAdmin('GET', `/admin/users/${user.id}`)).body.role, 'member')
  assert.equal(({} as { role?: string }).role, undefined)
})

test('the keys of another person do not exist: same answer as for an unknown id, and nothing changes', async () => {
  const [ann, bo] = [await aMember(), await aMember()]
  const ofBo = await app.addKey({ userId: bo.user.id })
  const ofTeam = await app.addKey({ teamId: ann.teamId })
  const ofNobody = await app.addKey()
  const before = (await asAdmin('GET', '/admin/keys?limit=200')).body
  for (const { id } of [ofBo, ofTeam, ofNobody])
    for (const operation of ['revoke', 'rotate']) {
      const foreign = await ann.call('POST', `/me/keys/${id}/${operation}`)
      const unknown = await ann.call('POST', `/me/keys/${newId()}/${operation}`)
      assert.equal(foreign.status, 404)
      assert.deepEqual(foreign.body.error, unknown.body.error)
    }
  assert.deepEqual((await ann.call('GET', '/me/keys')).body.data, [])
  assert.deepEqual((await asAdmin('GET', '/admin/keys?limit=200')).body, before)
  assert.equal((await app.call('GET', '/me', { as: ofBo.key })).status, 200)
  for (const query of [`user_id=${bo.user.id}`, `team_id=${bo.teamId}`])
    assert.equal((await ann.call('GET', `/me/keys?${query}`)).status, 400)
  // Administrators have /admin for that; here they are people like others.
  const asRoot = await app.call('POST', `/me/keys/${ofBo.id}/revoke`, { as: app.admin })
  assert.equal(asRoot.status, 404)
})

test('one person cannot fill the memory of every instance with keys', async () => {
  const { user, call } = await aMember()
  await app.database.pool.query(
    `insert into virtual_keys (id, name, hash, prefix, user_id, created_by)
     select gen_random_uuid(), 'many', sha256(('own' || n)::bytea), 'sk-proxy-', $1, 'test' from generate_series(1, 99) n`,
    [user.id],
  )
  const last = await call('POST', '/me/keys', { name: 'the hundredth' })
  assert.equal(last.status, 201)
  assert.equal((await call('POST', '/me/keys', { name: 'one too many' })).status, 409)
  const rotation = `/me/keys/${last.body.id}/rotate`
  assert.equal((await call('POST', rotation, { grace_seconds: 60 })).status, 409, 'both would be active')
  const replaced = await call('POST', rotation)
  assert.equal(replaced.status, 201, 'without a grace time one takes the place of the other')
  assert.equal((await call('GET', '/me/keys?status=active&limit=200')).body.data.length, 100)
  await call('POST', `/me/keys/${replaced.body.id}/revoke`)
  assert.equal((await call('POST', '/me/keys', { name: 'again' })).status, 201)
})

test('somebody who was deleted a moment ago on another instance gets no key', async () => {
  const { user, call } = await aMember()
  await app.database.pool.query('delete from users where id = $1', [user.id])
  assert.equal((await call('POST', '/me/keys', { name: 'late' })).status, 401)
})

test('everybody has a search provider of their own, or none', async () => {
  const path = '/me/search-provider'
  const [one, other] = [await aMember(), await aMember()]
  assert.deepEqual((await one.call('GET', path)).body, { mode: 'enabled', provider: null })
  const tavily = { provider_type: 'tavily', api_key: 'tvly-canary', max_results: 50 }
  const { status, body } = await one.call('PUT', path, tavily)
  assert.deepEqual([status, body.provider.has_api_key, body.provider.max_results], [200, true, 20])
  assert.deepEqual((await one.call('GET', path)).body, body)
  assert.equal((await other.call('GET', path)).body.provider, null)
  const key = await app.addKey({ userId: one.user.id })
  assert.deepEqual((await app.call('GET', path, { as: key.key })).body, body)
  assert.equal((await app.call('GET', path, { as: (await app.addKey()).key })).body.provider, null)
  assert.equal((await one.call('PUT', path, { provider_type: 'tavily', api_url: 'https://b.example/' })).status, 400)
  assert.equal((await one.call('DELETE', path)).status, 204)
  assert.equal((await one.call('DELETE', path)).status, 204)
  assert.equal((await one.call('GET', path)).body.provider, null)
  const { body: audit } = await asAdmin('GET', `/admin/audit?target=user:${one.user.id}&limit=5`)
  assert.deepEqual(
    audit.data.map((entry: { action: string }) => entry.action),
    ['search_provider.delete', 'search_provider.update'],
  )
  assert.equal(`${JSON.stringify(audit)}${app.logged()}`.includes('canary'), false)
})

test('a search provider is tried before and after it is stored, each with its own key', async () => {
  const path = '/me/search-provider/test'
  const { call } = await aMember()
  searchedWith.length = 0
  assert.equal((await call('POST', path)).body.provider_type, 'duckduckgo')
  const sent = await call('POST', path, { provider_type: 'serper', api_key: 'serper-1', query: 'tides' })
  assert.deepEqual([sent.body.success, sent.body.result_count], [true, 1])
  await call('PUT', '/me/search-provider', { provider_type: 'tavily', api_key: 'tvly-1' })
  await call('POST', path, {})
  await call('POST', path, { provider_type: 'tavily' })
  assert.equal((await call('POST', path, { provider_type: 'serper' })).status, 400)
  assert.equal((await call('POST', path, { provider_type: 'custom', api_url: 'https://127.1.1.1/' })).status, 400)
  assert.deepEqual(
    searchedWith.map(({ type, apiKey }) => [type, apiKey]),
    [
      ['duckduckgo', null],
      ['serper', 'serper-1'],
      ['tavily', 'tvly-1'],
      ['tavily', 'tvly-1'],
    ],
  )
  await asAdmin('PUT', '/admin/websearch-mode', { mode: 'disabled' })
  assert.equal((await call('POST', path)).status, 409)
  await asAdmin('PUT', '/admin/websearch-mode', { mode: 'enabled' })
})

test('people see their own usage and calls and nobody else\u2019s; a key without a person sees its own', async () => {
  const one = await aMember()
  const other = await aMember()
  const alone = await app.addKey()
  const log = createSpendLog(app.database.kysely)
  const call = (values: Partial<SpendRecord>) =>
    aSpendRecord({ atMs: Date.now(), keyId: null, costNanoUsd: 1_000_000_000, ...values })
  await log.appendBatch([
    call({ userId: one.user.id }),
    call({ userId: one.user.id, status: 429, errorType: 'rate_limit_error', costNanoUsd: 0 }),
    call({ userId: other.user.id }),
    call({ userId: null, keyId: alone.id, costNanoUsd: 2_000_000_000 }),
  ])
  for (const [as, requests, spend] of [
    [one.as, 2, 1],
    [other.as, 1, 1],
    [alone.key, 1, 2],
  ] as const) {
    const usage = await app.call('GET', '/me/usage?days=7&tz=America/New_York', { as })
    assert.deepEqual([usage.body.totals.requests, usage.body.totals.spend_usd], [requests, spend])
    assert.equal(usage.body.timeseries.length, 7)
    const sum = usage.body.timeseries.reduce(
      (total: number, point: { spend_usd: number }) => total + point.spend_usd,
      0,
    )
    assert.deepEqual([sum, usage.body.by_model[0].spend_usd], [spend, spend])
    const calls = await app.call('GET', '/me/requests', { as })
    assert.equal(calls.body.data.length, requests)
  }
  assert.equal((await one.call('GET', `/me/requests?q=${encodeURIComponent('status:error')}`)).body.data.length, 1)
  assert.equal((await one.call('GET', `/me/requests?q=user:${other.user.subject}`)).body.data.length, 0)
  for (const path of ['/me/usage?days=3', '/me/usage?user=x', '/me/requests?user=x', '/me/requests?q=nope:1'])
    assert.equal((await one.call('GET', path)).status, 400, path)
})

test('people open their own calls; those of others are as unknown as calls that never were', async () => {
  const one = await aMember()
  const other = await aMember()
  const alone = await app.addKey()
  const owned = await app.addKey({ userId: one.user.id })
  const record = (values: Partial<SpendRecord>) => aSpendRecord({ atMs: Date.now(), keyId: null, ...values })
  const mine = record({ userId: one.user.id, routing: 'default endpoint: main (no assignment)' })
  const keys = record({ userId: null, keyId: alone.id })
  await createSpendLog(app.database.kysely).appendBatch([mine, { ...mine, round: 1 }, keys])
  const open = (as: string, id: string) => app.call('GET', `/me/requests/${id}`, { as })
  for (const as of [one.as, owned.key]) {
    const { status, body } = await open(as, mine.requestId)
    assert.equal(status, 200)
    assert.deepEqual([body.request_id, body.rounds.length], [mine.requestId, 2])
    assert.match(body.routing, /^default endpoint: main/)
  }
  assert.equal((await open(alone.key, keys.requestId)).status, 200)
  const unknown = await open(one.as, 'req_00000000000000000000000000000000')
  assert.equal(unknown.status, 404)
  for (const [as, id] of [
    [other.as, mine.requestId],
    [alone.key, mine.requestId],
    [one.as, keys.requestId],
    [owned.key, keys.requestId],
    [app.admin, mine.requestId],
  ] as const) {
    const answer = await open(as, id)
    assert.deepEqual([answer.status, answer.body.error], [404, unknown.body.error])
  }
  assert.equal((await open(one.as, 'x'.repeat(201))).status, 400)
})

test('the account behind a call is told to administrators alone', async () => {
  const { user, as } = await aMember()
  const arn = (account: string) => `arn:aws:bedrock:us-east-1:${account}:application-inference-profile/abc123`
  const hostedModel = arn('123456789012')
  const [attempt] = aSpendRecord({}).attempts
  assert.ok(attempt)
  const record = aSpendRecord({
    atMs: Date.now(),
    keyId: null,
    userId: user.id,
    hostedModel,
    attempts: [{ ...attempt, hostedModel }],
  })
  await createSpendLog(app.database.kysely).appendBatch([record])
  for (const path of ['/me/requests', `/me/requests/${record.requestId}`]) {
    const { body } = await app.call('GET', path, { as })
    assert.doesNotMatch(JSON.stringify(body), /123456789012/, path)
    assert.equal((body.data?.[0] ?? body).hosted_model, arn('000000000000'), path)
  }
  const { body } = await asAdmin('GET', `/admin/requests/${record.requestId}`)
  assert.deepEqual([body.hosted_model, body.attempts[0].hosted_model], [hostedModel, hostedModel])
})

test('a person and their keys learn when a client of theirs last asked for the models', async () => {
  const { user, call } = await aMember()
  assert.deepEqual((await call('GET', '/me/client')).body, { models_listed_at: null })
  const at = '2026-11-01T10:00:00.000Z'
  await createUserStore(app.database.kysely).touchModelsListed([{ id: user.id, atMs: Date.parse(at) }])
  await createUserStore(app.database.kysely).touchModelsListed([{ id: user.id, atMs: Date.parse(at) - 60_000 }])
  const own = await app.addKey({ userId: user.id })
  for (const as of [own.key, app.sessionOf(user)])
    assert.deepEqual((await app.call('GET', '/me/client', { as })).body, { models_listed_at: at })
  const nobodys = await app.addKey()
  assert.deepEqual((await app.call('GET', '/me/client', { as: nobodys.key })).body, { models_listed_at: null })
})

test('odd input is 400', async () => {
  const { call } = await aMember()
  assert.equal((await call('GET', '/me/keys?limit=0')).status, 400)
  assert.equal((await call('POST', '/me/keys', { name: 'x', expires_at: '2020-01-01T00:00:00Z' })).status, 400)
  for (const operation of ['revoke', 'rotate'])
    assert.equal((await call('POST', `/me/keys/7/${operation}`)).status, 400)
})

test('every declared answer of the own things was exercised', () => app.assertCovered('Me', isOwnStatus))
