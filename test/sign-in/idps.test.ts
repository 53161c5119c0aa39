import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { newId } from '../../src/foundation/platform/ids.ts'
import type { FetchJson } from '../../src/foundation/platform/outgoing-http.ts'
import { createIdpStore } from '../../src/modules/sign-in/idps.store.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'
import { isOwnStatus } from '../support/api-coverage.ts'

const issuer = 'https://login.example.com/tenant'
const { publicKey, privateKey } = await generateKeyPair('RS256')
const jwk = { ...(await exportJWK(publicKey)), kid: 'one', use: 'sig', alg: 'RS256' }
const discovery = {
  issuer,
  jwks_uri: 'https://login.example.com/keys',
  authorization_endpoint: 'https://login.example.com/authorize',
  token_endpoint: 'https://login.example.com/token',
}
const healthy: Readonly<Record<string, unknown>> = {
  [`${issuer}/.well-known/openid-configuration`]: discovery,
  'https://login.example.com/keys': { keys: [jwk, { kty: 'EC', kid: 'two' }] },
}

let web = healthy
const fetched: string[] = []
const fetchJson: FetchJson = async (url) => {
  fetched.push(url)
  const body = web[url]
  return { status: body === undefined ? 404 : 200, headers: {}, body: body ?? null }
}

let app: ApiApp
before(async () => {
  app = await startApiApp({ ports: { fetchJson } })
})
after(() => app.stop())

const asAdmin = (method: string, path: string, body?: unknown) => app.call(method, path, { as: app.admin, body })
const anIdp = (values: object = {}) => ({
  name: 'Example',
  issuer_url: `https://${newId()}.example.com`,
  audience: 'gateway',
  auto_provision: true,
  default_role: 'member',
  ...values,
})

test('a provider is added, read, changed, listed and deleted', async () => {
  const sent = anIdp({ allowed_domains: ['@Example.COM', 'example.com'], user_claim: 'upn', client_id: 'cid' })
  const { status, body: idp } = await asAdmin('POST', '/admin/idps', sent)
  assert.equal(status, 201)
  const { id, created_at: createdAt, ...rest } = idp
  assert.deepEqual(rest, {
    ...sent,
    allowed_domains: ['example.com'],
    enabled: true,
    logout: 'local',
    has_client_secret: false,
    jwks_url: null,
  })
  assert.ok(createdAt)
  assert.deepEqual((await asAdmin('GET', `/admin/idps/${id}`)).body, idp)
  assert.deepEqual((await asAdmin('GET', `/admin/idps?q=${sent.issuer_url}`)).body.data, [idp])
  assert.equal(app.ports.snapshot().idps.at(-1)?.issuerUrl, sent.issuer_url)
  const patch = {
    enabled: false,
    logout: 'provider',
    allowed_domains: null,
    jwks_url: 'https://keys.example.com/jwks',
    default_role: 'admin',
  }
  assert.deepEqual((await asAdmin('PATCH', `/admin/idps/${id}`, patch)).body, { ...idp, ...patch })
  assert.equal((await asAdmin('PATCH', `/admin/idps/${id}`, {})).status, 200)
  assert.equal((await asAdmin('DELETE', `/admin/idps/${id}`)).status, 204)
  for (const method of ['GET', 'DELETE']) assert.equal((await asAdmin(method, `/admin/idps/${id}`)).status, 404)
  assert.equal((await asAdmin('PATCH', `/admin/idps/${id}`, { name: 'x' })).status, 404)
})

test('what is left out stays closed', async () => {
  const { body } = await asAdmin('POST', '/admin/idps', {
    name: 'Bare',
    issuer_url: 'https://bare.example.com',
    audience: 'a',
  })
  assert.deepEqual(
    [body.auto_provision, body.default_role, body.allowed_domains, body.user_claim, body.enabled],
    [false, 'member', null, 'auto', true],
  )
})

test('an issuer and audience exist once', async () => {
  const first = anIdp()
  assert.equal((await asAdmin('POST', '/admin/idps', first)).status, 201)
  assert.equal((await asAdmin('POST', '/admin/idps', { ...first, name: 'Again' })).status, 409)
  const other = await asAdmin('POST', '/admin/idps', { ...first, audience: 'other' })
  assert.equal((await asAdmin('PATCH', `/admin/idps/${other.body.id}`, { audience: 'gateway' })).status, 409)
})

test('the client secret goes in and never comes out, and lies encrypted in the database', async () => {
  const secret = 'canary-client-secret'
  const { body: idp } = await asAdmin('POST', '/admin/idps', anIdp({ client_secret: secret }))
  assert.equal(idp.has_client_secret, true)
  const stored = await createIdpStore(app.database.kysely).findClientSecret(idp.id)
  assert.ok(stored !== undefined && !stored.includes(secret))
  const answers = [
    idp,
    (await asAdmin('GET', `/admin/idps/${idp.id}`)).body,
    (await asAdmin('GET', '/admin/idps?limit=200')).body,
    (await asAdmin('GET', `/admin/audit?target=idp:${idp.id}`)).body,
  ]
  assert.doesNotMatch(JSON.stringify(answers), /canary/)
  assert.doesNotMatch(app.logged(), /canary/)
  const kept = await asAdmin('PATCH', `/admin/idps/${idp.id}`, { name: 'Renamed' })
  assert.equal(kept.body.has_client_secret, true)
  assert.deepEqual(await createIdpStore(app.database.kysely).findClientSecret(idp.id), stored)
  const cleared = await asAdmin('PATCH', `/admin/idps/${idp.id}`, { client_secret: null })
  assert.equal(cleared.body.has_client_secret, false)
})

test('a stored secret does not move to another issuer unasked', async () => {
  const { body: idp } = await asAdmin('POST', '/admin/idps', anIdp({ client_secret: 'canary' }))
  const path = `/admin/idps/${idp.id}`
  const moved = { issuer_url: 'https://elsewhere.example.com' }
  const refused = await asAdmin('PATCH', path, moved)
  assert.deepEqual([refused.status, refused.body.error.details[0].path], [400, 'client_secret'])
  assert.equal((await asAdmin('GET', path)).body.issuer_url, idp.issuer_url)
  assert.equal((await asAdmin('PATCH', path, { issuer_url: idp.issuer_url })).status, 200)
  assert.equal((await asAdmin('PATCH', path, { ...moved, client_secret: 'new' })).status, 200)
})

test('URLs that the gateway may not call are refused when they are entered', async () => {
  const bad = [
    'http://idp.example.com',
    'https://169.254.169.254/latest',
    'https://10.0.0.1',
    'https://[::ffff:169.254.169.254]/',
    'https://user:pass@idp.example.com',
    'https://metadata.google.internal/',
    'ftp://idp.example.com',
    'https://idp.example.com:22',
    'http://localhost.evil.example',
    'not a url',
    'javascript:alert(1)',
    `https://idp.example.com/${'x'.repeat(2_048)}`,
  ]
  const { body: idp } = await asAdmin('POST', '/admin/idps', anIdp())
  for (const url of bad)
    for (const field of ['issuer_url', 'jwks_url'])
      for (const [method, path, body] of [
        ['POST', '/admin/idps', anIdp({ [field]: url })],
        ['PATCH', `/admin/idps/${idp.id}`, { [field]: url }],
        ['POST', '/admin/idps/test', { issuer_url: issuer, [field]: url }],
      ] as const) {
        const answer = await asAdmin(method, path, body)
        assert.equal(answer.status, 400, `${method} ${field} ${url}`)
        assert.equal(answer.body.error.details[0].path, field)
      }
  assert.equal((await asAdmin('POST', '/admin/idps', anIdp({ issuer_url: `${issuer}?a=b` }))).status, 400)
  assert.deepEqual(fetched, [])
  // Allow-listed for development and tests.
  assert.equal((await asAdmin('POST', '/admin/idps', anIdp({ issuer_url: 'http://127.0.0.1:9000' }))).status, 201)
})

test('trying a provider reports discovery, keys and the claims of a token, and stores nothing', async () => {
  const token = await new SignJWT({ email: 'Ann@Example.com', preferred_username: 'ann' })
    .setProtectedHeader({ alg: 'RS256', kid: 'one' })
    .setIssuer(issuer)
    .setAudience('gateway')
    .setSubject('123')
    .setExpirationTime('5m')
    .sign(privateKey)
  const before = (await asAdmin('GET', '/admin/idps?limit=200')).body
  const { status, body } = await asAdmin('POST', '/admin/idps/test', {
    ...anIdp({ issuer_url: issuer, allowed_domains: ['example.com'] }),
    token,
  })
  assert.equal(status, 200)
  assert.equal(body.success, true)
  assert.deepEqual(body.discovery, {
    ok: true,
    message: 'The discovery document belongs to this issuer.',
    jwks_url: discovery.jwks_uri,
    authorization_endpoint: discovery.authorization_endpoint,
    token_endpoint: discovery.token_endpoint,
  })
  assert.deepEqual([body.signing_keys.usable, body.signing_keys.key_ids], [1, ['one']])
  assert.deepEqual([body.token.user_name, body.token.domain_allowed], ['ann@example.com', true])
  assert.equal(body.token.claims.sub, '123')
  assert.equal(fetched.length, 2, 'each URL is called once')
  const wrong = await asAdmin('POST', '/admin/idps/test', { issuer_url: issuer, audience: 'another', token })
  assert.deepEqual([wrong.body.success, wrong.body.token.claims], [false, null])
  assert.deepEqual((await asAdmin('GET', '/admin/idps?limit=200')).body, before)
})

test('a provider that does not work says what does not, without repeating what it sent', async () => {
  const test = async (values: object = {}) =>
    (await asAdmin('POST', '/admin/idps/test', { issuer_url: issuer, ...values })).body
  web = {}
  const nothing = await test()
  assert.deepEqual([nothing.success, nothing.discovery.ok, nothing.signing_keys.ok], [false, false, false])
  assert.match(nothing.discovery.message, /status 404/)
  web = { ...healthy, [`${issuer}/.well-known/openid-configuration`]: { ...discovery, issuer: 'https://canary' } }
  const foreign = await test()
  assert.match(foreign.discovery.message, /another issuer/)
  assert.doesNotMatch(JSON.stringify(foreign), /canary/)
  web = { ...healthy, 'https://login.example.com/keys': { keys: [{ kty: 'EC' }] } }
  assert.match((await test()).signing_keys.message, /no key for RS256/)
  web = { ...healthy, 'https://login.example.com/keys': { keys: [jwk, jwk] } }
  assert.match((await test()).signing_keys.message, /None of the keys/)
  web = { 'https://login.example.com/keys': { keys: [jwk] } }
  const onlyKeys = await test({ jwks_url: 'https://login.example.com/keys' })
  assert.deepEqual([onlyKeys.success, onlyKeys.discovery.ok], [true, false])
  web = healthy
})

test('malformed ids and parameters are 400', async () => {
  for (const [method, path] of [
    ['GET', '/admin/idps?sort=audience'],
    ['GET', '/admin/idps/7'],
    ['PATCH', '/admin/idps/7'],
    ['DELETE', '/admin/idps/7'],
  ] as const)
    assert.equal((await asAdmin(method, path)).status, 400, path)
})

test('every declared answer of the identity providers was exercised', () =>
  app.assertCovered('Identity providers', isOwnStatus))
