import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from '../../src/foundation/database/paging.ts'
import { Problem } from '../../src/foundation/domain/errors.ts'
import { createAipOverrideStore } from '../../src/modules/endpoints/aip-overrides.store.ts'
import { createCapabilityOverrideStore } from '../../src/modules/endpoints/capability-overrides.store.ts'
import { createEndpointStore } from '../../src/modules/endpoints/endpoints.store.ts'
import { createTeamRoutingStore } from '../../src/modules/endpoints/team-routing.store.ts'
import { createKeyStore, type KeyRecord } from '../../src/modules/keys/keys.store.ts'
import { createModelMappingStore, type NewMapping } from '../../src/modules/models/model-mappings.store.ts'
import { createModelPriceStore } from '../../src/modules/models/model-prices.store.ts'
import { createTeamStore } from '../../src/modules/people/teams.store.ts'
import { createUserStore } from '../../src/modules/people/users.store.ts'
import { createIdpStore } from '../../src/modules/sign-in/idps.store.ts'
import { createSessionStore } from '../../src/modules/sign-in/sessions.store.ts'
import { createSearchProviderStore } from '../../src/modules/web-search/search-providers.store.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { aKey, anEndpoint, anIdp, aPrice } from './samples.ts'

let own: TestDatabase
before(async () => {
  own = await createTestDatabase()
})
after(() => own.drop())

test('pages of keys follow each other without gap or repetition in every order, also when keys are added', async () => {
  const store = createKeyStore(own.database.kysely)
  for (let index = 0; index < 25; index++) {
    const expiresAtMs = index % 2 === 0 ? null : Date.UTC(2030, 0, 1 + (index % 4))
    const key = await store.insert(aKey({ name: `page ${String(index % 5)}`, expiresAtMs }))
    if (index % 3 === 0) await store.touchLastUsed([{ id: key.id, atMs: Date.UTC(2026, 0, 1 + (index % 4)) }])
  }
  for (const sort of [
    'created_at',
    '-created_at',
    'name',
    '-name',
    'last_used_at',
    '-last_used_at',
    'expires_at',
    '-expires_at',
  ]) {
    const seen: KeyRecord[] = []
    let cursor: string | undefined
    do {
      const page: Page<KeyRecord> = await store.list({ limit: 4, sort, cursor, q: 'page' })
      seen.push(...page.data)
      assert.equal(page.has_more, page.next_cursor !== null)
      cursor = page.next_cursor ?? undefined
      await store.insert(aKey({ name: 'other' }))
    } while (cursor !== undefined)
    assert.equal(seen.length, 25, sort)
    assert.equal(new Set(seen.map((key) => key.id)).size, 25, sort)
  }
})

test('a cursor that was not given out by this list is refused as a bad parameter', async () => {
  const store = createKeyStore(own.database.kysely)
  const made = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url')
  const strange = ['x', made([1, 2, 3]), made(['-created_at', 'no time', 'no id']), made(['name', 'a', 'b'])]
  for (const cursor of [...strange, made(['-created_at', '2026-01-01', 'a\0b'])])
    await assert.rejects(
      store.list({ cursor }),
      (error) => error instanceof Problem && error.code === 'invalid_parameter',
      cursor,
    )
  await assert.rejects(store.list({ sort: 'hash' }), (error) => error instanceof Problem && error.status === 400)
})

test('a search text is taken literally', async () => {
  const store = createTeamStore(own.database.kysely)
  for (const name of ['100 % pure', 'under_score', 'back\\slash', 'plain']) await store.insert(name)
  const found = async (q: string) => (await store.list({ q })).data.map((team) => team.name)
  assert.deepEqual(await found('%'), ['100 % pure'])
  assert.deepEqual(await found('_'), ['under_score'])
  assert.deepEqual(await found('\\'), ['back\\slash'])
  assert.deepEqual(await found('PLAIN'), ['plain'])
})

test('keys can be filtered by status, and revoking keeps the earlier time', async () => {
  const store = createKeyStore(own.database.kysely)
  const user = await createUserStore(own.database.kysely).insert({ subject: 's', email: null, role: 'member' })
  const active = await store.insert(aKey({ userId: user.id }))
  const expired = await store.insert(aKey({ userId: user.id, expiresAtMs: Date.now() - 1_000 }))
  const revoked = await store.insert(aKey({ userId: user.id }))
  const graceful = await store.insert(aKey({ userId: user.id }))
  const at = Date.now() - 5_000
  assert.equal((await store.revoke(revoked.id, at))?.revokedAtMs, at)
  assert.equal((await store.revoke(revoked.id, at + 60_000))?.revokedAtMs, at)
  await store.revoke(graceful.id, Date.now(), 60)
  const ids = async (status: 'active' | 'expired' | 'revoked') =>
    (await store.list({ userId: user.id, status })).data.map((key) => key.id).sort()
  assert.deepEqual(await ids('active'), [active.id, graceful.id].sort())
  assert.deepEqual(await ids('expired'), [expired.id])
  assert.deepEqual(await ids('revoked'), [revoked.id])
})

test('a patch changes what it names, clears what it sets to null and keeps the rest', async () => {
  const store = createKeyStore(own.database.kysely)
  const key = await store.insert(aKey({ rateLimitRpm: 10, allowedModels: ['a'], expiresAtMs: Date.now() + 1_000 }))
  const patched = await store.update(key.id, { rateLimitRpm: 20, allowedModels: null })
  assert.deepEqual(patched, { ...key, rateLimitRpm: 20, allowedModels: null })
  assert.deepEqual(await store.update(key.id, {}), patched)
  const idps = createIdpStore(own.database.kysely)
  const idp = await idps.insert(anIdp({ clientSecret: Buffer.from('sealed') }))
  const renamed = await idps.update(idp.id, { name: 'Renamed', allowedDomains: null })
  assert.deepEqual(renamed, { ...idp, name: 'Renamed', allowedDomains: null })
  assert.deepEqual(await idps.findClientSecret(idp.id), Buffer.from('sealed'))
})

test('a late report of use never turns the clock back', async () => {
  const store = createKeyStore(own.database.kysely)
  const key = await store.insert(aKey())
  await store.touchLastUsed([{ id: key.id, atMs: 2_000_000 }])
  await store.touchLastUsed([{ id: key.id, atMs: 1_000_000 }])
  assert.equal((await store.find(key.id))?.lastUsedAtMs, 2_000_000)
})

test('the seed adds unknown models and overwrites none', async () => {
  const store = createModelMappingStore(own.database.kysely)
  const mapping = (vendorPrefix: string, hostedModelId: string): NewMapping => ({
    vendorPrefix,
    hostedModelId,
    displayName: vendorPrefix,
    contextWindow: null,
    maxOutputTokens: null,
    source: 'seed',
  })
  await store.put({ ...mapping('claude-a', 'own.model'), source: 'admin' })
  assert.equal(await store.insertUnlessPresent([mapping('claude-a', 'seed.a'), mapping('claude-b', 'seed.b')]), 1)
  assert.equal((await store.find('claude-a'))?.hostedModelId, 'own.model')
  assert.equal((await store.find('claude-b'))?.hostedModelId, 'seed.b')
  assert.equal(await store.insertUnlessPresent([mapping('claude-a', 'seed.a'), mapping('claude-b', 'seed.b')]), 0)
})

test('a price refresh without news changes nothing', async () => {
  const store = createModelPriceStore(own.database.kysely)
  const tiered = {
    ...aPrice('price_list', 3),
    longContext: { abovePromptTokens: 200_000, rates: aPrice('seed', 6).rates },
  }
  assert.equal(await store.put([tiered]), 1)
  const [first] = await store.list()
  assert.equal(await store.put([tiered]), 0)
  assert.deepEqual(await store.list(), [first])
  assert.equal(await store.put([{ ...tiered, rates: { ...tiered.rates, cacheWrite1h: null } }]), 1)
  assert.deepEqual((await store.list())[0]?.longContext, tiered.longContext)
  assert.equal(await store.remove(tiered.modelId, 'price_list'), 1)
})

test('an AIP override is keyed by endpoint and model, and says whether it is new', async () => {
  const endpoint = await createEndpointStore(own.database.kysely).insert(anEndpoint())
  const store = createAipOverrideStore(own.database.kysely)
  const override = { endpointId: endpoint.id, modelId: 'm', aipArn: 'arn:1', reason: null, setBy: 'admin' }
  assert.equal((await store.put(override)).created, true)
  const { record, created } = await store.put({ ...override, aipArn: 'arn:2', reason: 'cost' })
  assert.deepEqual([created, record.aipArn, record.reason], [false, 'arn:2', 'cost'])
  const found = await createEndpointStore(own.database.kysely).find(endpoint.id)
  assert.deepEqual(found?.aipOverrides, [{ ...override, aipArn: 'arn:2', reason: 'cost' }])
  assert.equal(await store.remove(endpoint.id, 'm'), true)
  assert.equal(await store.remove(endpoint.id, 'm'), false)
})

test('an assignment without endpoints removes it', async () => {
  const { kysely } = own.database
  const team = await createTeamStore(kysely).insert('Routed')
  const endpoint = await createEndpointStore(kysely).insert(anEndpoint())
  const store = createTeamRoutingStore(kysely)
  const routing = {
    teamId: team.id,
    strategy: 'primary_fallback',
    endpoints: [{ endpointId: endpoint.id, priority: 1 }],
  } as const
  await store.replace(routing)
  assert.deepEqual(await store.find(team.id), routing)
  await store.replace({ ...routing, endpoints: [] })
  assert.equal(await store.find(team.id), undefined)
})

test('a capability override is replaced, listed and removed by its key', async () => {
  const endpoint = await createEndpointStore(own.database.kysely).insert(anEndpoint())
  const store = createCapabilityOverrideStore(own.database.kysely)
  const key = { endpointId: endpoint.id, profileId: 'us.model', feature: 'beta-1' }
  await store.put({ ...key, supported: true, reason: null, setBy: 'admin' })
  await store.put({ ...key, supported: false, reason: 'refused', setBy: 'admin' })
  assert.deepEqual(
    (await store.list()).map(({ supported, reason }) => ({ supported, reason })),
    [{ supported: false, reason: 'refused' }],
  )
  assert.equal(await store.remove(key), true)
  assert.deepEqual(await store.list(), [])
})

test('there is one search provider for all and one for each user', async () => {
  const { kysely } = own.database
  const user = await createUserStore(kysely).insert({ subject: 'searcher', email: null, role: 'member' })
  const store = createSearchProviderStore(kysely)
  const provider = { providerType: 'tavily', apiKey: Buffer.from('sealed'), apiUrl: null, maxResults: 5 }
  await store.put({ userId: null, ...provider })
  await store.put({ userId: null, ...provider, maxResults: 7 })
  await store.put({ userId: user.id, ...provider })
  assert.equal((await store.find(null))?.maxResults, 7)
  assert.deepEqual((await store.find(user.id))?.apiKey, Buffer.from('sealed'))
  assert.equal(await store.remove(user.id), true)
  assert.equal(await store.find(user.id), undefined)
  assert.ok(await store.find(null))
})

test('expired entries of ended sessions are forgotten', async () => {
  const store = createSessionStore(own.database.kysely)
  await store.revoke('old', 1_000)
  await store.revoke('new', Date.now() + 60_000)
  await store.revoke('new', Date.now() + 60_000)
  assert.equal(await store.forgetExpired(Date.now()), 1)
})
