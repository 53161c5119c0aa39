import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IdentityProvider } from '../../foundation/domain/idp.ts'
import { createFakeJsonServer, createTestSigner, type FakeJsonServer, type TestSigner } from './jwt.fixture.ts'
import { createOidcVerifier, type VerifiedJwt } from './oidc-verifier.service.ts'
import { anIdp, createTestClock } from './people.fixture.ts'

const KEYS_URL = 'https://login.corp.example/keys'
const signer = createTestSigner('key-1')
const second = createTestSigner('key-2')

function setUp(idps: readonly IdentityProvider[] = [anIdp()], server: FakeJsonServer = createFakeJsonServer({})) {
  const clock = createTestClock()
  let current = idps
  if (!server.answers.has(KEYS_URL)) server.answers.set(KEYS_URL, { keys: [signer.jwk] })
  const verifier = createOidcVerifier({ idps: () => current, fetchJson: server.fetchJson, clock })
  const payload = (changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
    iss: 'https://login.corp.example',
    sub: 'sub-1',
    aud: 'causeway',
    email: 'ann@corp.example',
    exp: clock.nowMs() / 1000 + 3_600,
    ...changes,
  })
  const isValid = async (token: string): Promise<boolean> => (await verifier.verify(token)) !== undefined
  return {
    clock,
    server,
    verifier,
    payload,
    isValid,
    accepts: (changes: Readonly<Record<string, unknown>>, by: TestSigner = signer) =>
      isValid(by.sign(payload(changes))),
    setIdps: (next: readonly IdentityProvider[]): void => {
      current = next
    },
  }
}

test('a good token gives the claims that name people, and nothing else of it', async () => {
  const { verifier, payload } = setUp()
  const verified = await verifier.verify(signer.sign(payload({ email_verified: 'false', groups: ['x'], nonce: 'n' })))
  assert.deepEqual(verified?.claims, {
    iss: 'https://login.corp.example',
    sub: 'sub-1',
    email: 'ann@corp.example',
    email_verified: false,
  })
  assert.equal(verified?.nonce, 'n')
})

test('a known verdict is given without a promise, until the token expires', async () => {
  const { verifier, payload, clock } = setUp()
  const token = signer.sign(payload({ exp: clock.nowMs() / 1000 + 100 }))
  const verified = await verifier.verify(token)
  assert.ok(verified !== undefined)
  assert.equal(verifier.verify(token), verified)
  clock.advanceMs(159_999)
  assert.equal(verifier.verify(token), verified)
  clock.advanceMs(1)
  assert.equal(verifier.verify(token), undefined)
})

test('a verdict ends when its provider is changed, disabled or removed', async () => {
  const idp = anIdp()
  const { verifier, payload, setIdps } = setUp([idp])
  const token = signer.sign(payload())
  for (const next of [[{ ...idp, audience: 'other' }], [{ ...idp, enabled: false }], []]) {
    setIdps([idp])
    assert.ok((await verifier.verify(token)) !== undefined)
    setIdps(next)
    assert.equal(verifier.verify(token), undefined)
  }
})

test('aud must contain the audience as a whole member; an unset audience matches nothing', async () => {
  const { accepts } = setUp()
  assert.equal(await accepts({ aud: ['x', 'causeway'] }), true)
  for (const aud of [
    'causeway2',
    'cause',
    'x causeway',
    'CAUSEWAY',
    '',
    [],
    ['causewa'],
    [['causeway']],
    { causeway: 1 },
    undefined,
    null,
  ]) {
    assert.equal(await accepts({ aud }), false, JSON.stringify(aud))
  }
  const unset = setUp([anIdp({ audience: '' })])
  for (const aud of ['', [''], undefined, 'causeway']) assert.equal(await unset.accepts({ aud }), false)
})

test('iss must be the issuer to the letter', async () => {
  const { accepts } = setUp()
  const others = [
    'https://login.corp.example/',
    'https://LOGIN.corp.example',
    'http://login.corp.example',
    'https://login.corp.example/tenant',
    '',
    undefined,
    ['https://login.corp.example'],
  ]
  for (const iss of others) assert.equal(await accepts({ iss }), false, String(iss))
})

test('time: exp is required, sixty seconds of leeway, no endless tokens', async () => {
  const { accepts, clock } = setUp()
  const now = clock.nowMs() / 1000
  const good = [{ exp: now + 1 }, { exp: now - 59 }, { exp: now + 10.5 }, { nbf: now + 30 }, { nbf: now - 30 }]
  const bad = [
    { exp: now - 61 },
    { exp: now - 120 },
    { exp: undefined },
    { exp: String(now + 100) },
    { exp: 1e20 },
    { exp: null },
    { nbf: now + 600 },
    { nbf: 'x' },
  ]
  for (const claims of good) assert.equal(await accepts(claims), true, JSON.stringify(claims))
  for (const claims of bad) assert.equal(await accepts(claims), false, JSON.stringify(claims))
})

test('sub must be there', async () => {
  const { accepts } = setUp()
  for (const sub of [undefined, '', ' ', 7, null, 'x'.repeat(256), 'a\u0000'])
    assert.equal(await accepts({ sub }), false)
})

test('a kid must lead to exactly one signing key of this very provider', async () => {
  const otherIdp = anIdp({ issuerUrl: 'https://other.example', jwksUrl: 'https://other.example/keys' })
  const twice = createTestSigner('twice')
  const server = createFakeJsonServer({
    [KEYS_URL]: {
      keys: [
        signer.jwk,
        { ...second.jwk, kid: 'encryption', use: 'enc' },
        { ...second.jwk, kid: 'other-alg', alg: 'RS512' },
        { ...second.jwk, kid: 'no-verify', key_ops: ['encrypt'] },
        { ...second.jwk, kid: 7 },
        { ...twice.jwk },
        { ...second.jwk, kid: 'twice' },
        { kty: 'oct', kid: 'secret', k: 'c2VjcmV0' },
        { kty: 'RSA', kid: 'broken', n: '!!', e: 'AQAB' },
        null,
        'text',
      ],
    },
    'https://other.example/keys': { keys: [{ ...second.jwk, kid: 'theirs' }] },
  })
  const { isValid, payload } = setUp([anIdp(), otherIdp], server)
  assert.equal(await isValid(signer.sign(payload())), true)
  assert.equal(await isValid(second.sign(payload({ iss: 'https://other.example' }), { kid: 'theirs' })), true)
  const kids = [
    'encryption',
    'other-alg',
    'no-verify',
    7,
    'twice',
    'secret',
    'broken',
    'theirs',
    '../../etc/passwd',
    "' or 1=1",
    '__proto__',
    '',
    null,
    undefined,
  ]
  for (const kid of kids) {
    for (const by of [second, twice]) assert.equal(await isValid(by.sign(payload(), { kid })), false, String(kid))
  }
})

test('a token without kid is accepted only while the provider has a single signing key', async () => {
  const single = setUp()
  assert.equal(await single.isValid(signer.sign(single.payload(), { kid: undefined })), true)
  const several = setUp([anIdp()], createFakeJsonServer({ [KEYS_URL]: { keys: [signer.jwk, second.jwk] } }))
  assert.equal(await several.isValid(signer.sign(several.payload(), { kid: undefined })), false)
})

test('short RSA keys are not trusted', async () => {
  const weak = createTestSigner('weak', 1024)
  const { isValid, payload } = setUp([anIdp()], createFakeJsonServer({ [KEYS_URL]: { keys: [weak.jwk] } }))
  assert.equal(await isValid(weak.sign(payload())), false)
})

test('500 random kids cause one fetch a minute, and valid users are not disturbed', async () => {
  const { verifier, server, payload, clock, isValid } = setUp()
  const good = signer.sign(payload())
  assert.equal(await isValid(good), true)
  server.asked.length = 0
  for (let minute = 0; minute < 3; minute += 1) {
    clock.advanceMs(60_000)
    const storm = Array.from({ length: 500 }, (_, at) =>
      verifier.verify(second.sign(payload({ at }), { kid: `random-${minute}-${at}` })),
    )
    assert.ok((await Promise.all(storm)).every((verdict) => verdict === undefined))
    assert.ok(!(verifier.verify(good) instanceof Promise))
    clock.advanceMs(59_999)
    assert.equal(await isValid(second.sign(payload(), { kid: `late-${minute}` })), false)
    clock.advanceMs(-59_999)
    assert.equal(server.asked.length, minute + 1)
  }
})

test('500 first tokens at once share one fetch', async () => {
  const { verifier, server, payload } = setUp()
  const verdicts = await Promise.all(
    Array.from({ length: 500 }, (_, at) => verifier.verify(signer.sign(payload({ at })))),
  )
  assert.ok(verdicts.every((verdict) => verdict !== undefined))
  assert.deepEqual(server.asked, [KEYS_URL])
})

test('a rotated key is picked up within a minute, and the withdrawn one ends, warm verdicts included', async () => {
  const { verifier, server, payload, clock, isValid } = setUp()
  const old = signer.sign(payload())
  assert.equal(await isValid(old), true)
  server.answers.set(KEYS_URL, { keys: [second.jwk] })
  clock.advanceMs(30_000)
  assert.equal(await isValid(second.sign(payload())), false)
  clock.advanceMs(30_000)
  assert.equal(await isValid(second.sign(payload({ at: 1 }))), true)
  assert.equal(await isValid(old), false)
  assert.equal((await Promise.resolve(verifier.verify(second.sign(payload({ at: 1 }))))) !== undefined, true)
})

test('a new key under the old name, or under none, is picked up as soon; forged signatures fetch once a minute', async () => {
  const { server, payload, clock, isValid } = setUp()
  assert.equal(await isValid(signer.sign(payload())), true)
  for (const kid of ['key-1', undefined]) {
    const successor = createTestSigner('key-1')
    server.answers.set(KEYS_URL, { keys: [{ ...successor.jwk, kid }] })
    clock.advanceMs(60_000)
    assert.equal(await isValid(successor.sign(payload(), { kid })), true, String(kid))
  }
  clock.advanceMs(60_000)
  server.asked.length = 0
  for (let at = 0; at < 20; at += 1)
    assert.equal(await isValid(second.sign(payload({ at }), { kid: undefined })), false)
  assert.equal(server.asked.length, 1)
})

test('keys are refreshed in the background while the old ones answer', async () => {
  const { verifier, server, payload, clock } = setUp()
  const token = signer.sign(payload())
  const verified = await verifier.verify(token)
  clock.advanceMs(5 * 60_000)
  assert.equal(verifier.verify(token), verified)
  assert.equal(server.asked.length, 2)
})

test('cached keys go on working for a day while the provider is down, for tokens never seen before too', async () => {
  const { server, payload, clock, isValid } = setUp()
  assert.equal(await isValid(signer.sign(payload())), true)
  server.answers.set(KEYS_URL, new Error('down'))
  for (const hours of [1, 11, 11]) {
    clock.advanceMs(hours * 3_600_000)
    assert.equal(await isValid(signer.sign(payload({ hours }))), true)
  }
  clock.advanceMs(2 * 3_600_000)
  assert.equal(await isValid(signer.sign(payload())), false)
})

test('a provider that answers nonsense does not take away the keys that are known', async () => {
  const { server, payload, clock, isValid } = setUp()
  assert.equal(await isValid(signer.sign(payload())), true)
  for (const nonsense of [{}, [], null, 'text', { keys: 'x' }, { keys: [] }, { keys: [{ kty: 'EC' }] }, 7]) {
    server.answers.set(KEYS_URL, nonsense)
    clock.advanceMs(61_000)
    assert.equal(await isValid(second.sign(payload())), false)
    assert.equal(await isValid(signer.sign(payload({ nonsense }))), true)
  }
})

test('a provider that was down at first is asked again after half a minute', async () => {
  const { server, payload, clock, isValid } = setUp()
  server.answers.set(KEYS_URL, new Error('down'))
  assert.equal(await isValid(signer.sign(payload())), false)
  server.answers.set(KEYS_URL, { keys: [signer.jwk] })
  clock.advanceMs(29_999)
  assert.equal(await isValid(signer.sign(payload())), false)
  clock.advanceMs(1)
  assert.equal(await isValid(signer.sign(payload())), true)
})

test('a provider that never answers does not hold up the others', async () => {
  const slow = anIdp({ issuerUrl: 'https://slow.example', jwksUrl: 'https://slow.example/keys' })
  const server = createFakeJsonServer({ 'https://slow.example/keys': () => new Promise(() => undefined) })
  const { verifier, payload, isValid } = setUp([slow, anIdp()], server)
  const hanging = verifier.verify(signer.sign(payload({ iss: 'https://slow.example' })))
  assert.ok(hanging instanceof Promise)
  assert.equal(await isValid(signer.sign(payload())), true)
})

test('discovery: the document must name this issuer exactly, and its key set is used', async () => {
  const issuer = 'https://login.corp.example/'
  const discovery = 'https://login.corp.example/.well-known/openid-configuration'
  const idp = anIdp({ issuerUrl: issuer, jwksUrl: null })
  const documents: readonly (readonly [unknown, boolean])[] = [
    [{ issuer, jwks_uri: KEYS_URL }, true],
    [{ issuer: 'https://login.corp.example', jwks_uri: KEYS_URL }, false],
    [{ issuer: 'https://evil.example', jwks_uri: KEYS_URL }, false],
    [{ jwks_uri: KEYS_URL }, false],
    [{ issuer }, false],
    [{ issuer, jwks_uri: 7 }, false],
    [null, false],
  ]
  for (const [document, expected] of documents) {
    const { accepts, server } = setUp([idp], createFakeJsonServer({ [discovery]: document }))
    assert.equal(await accepts({ iss: issuer }), expected, JSON.stringify(document))
    assert.equal(server.asked[0], discovery)
    assert.equal(server.asked.includes(KEYS_URL), expected)
  }
})

test('expired, foreign and malformed tokens never cause a fetch', async () => {
  const { server, payload, clock, isValid } = setUp()
  const hopeless = [
    signer.sign(payload({ exp: clock.nowMs() / 1000 - 100 })),
    signer.sign(payload({ iss: 'https://evil.example' })),
    signer.sign(payload({ aud: 'other' })),
    signer.sign(payload(), { alg: 'none' }),
    signer.sign(payload(), { crit: ['exp'] }),
    signer.sign(payload(), { b64: true }),
    'a.b.c',
    '',
    'x'.repeat(8_193),
  ]
  for (const token of hopeless) assert.equal(await isValid(token), false)
  assert.deepEqual(server.asked, [])
})

test('two providers of one issuer are told apart by their audience', async () => {
  const [one, two] = [anIdp({ audience: 'one' }), anIdp({ audience: 'two' })]
  const { verifier, payload, server } = setUp([one, two])
  const verified = (await verifier.verify(signer.sign(payload({ aud: 'two' })))) as VerifiedJwt
  assert.equal(verified.idp, two)
  await verifier.verify(signer.sign(payload({ aud: 'one' })))
  assert.equal(server.asked.length, 1)
})

test('the browser sign-in can ask for the client id as audience; such a token is no bearer credential', async () => {
  const idp = anIdp({ clientId: 'portal' })
  const { verifier, payload, isValid } = setUp([idp])
  const token = signer.sign(payload({ aud: 'portal', nonce: 'n-1' }))
  assert.equal((await verifier.verifyIssuedTo(token, idp, 'portal'))?.nonce, 'n-1')
  assert.equal(await isValid(token), false)
  assert.equal(await verifier.verifyIssuedTo(token, idp, ''), undefined)
  assert.equal(await verifier.verifyIssuedTo(token, anIdp({ issuerUrl: 'https://other.example' }), 'portal'), undefined)
})

test('warming up fetches the keys of enabled providers before anybody comes', async () => {
  const { verifier, server, payload, isValid } = setUp([
    anIdp(),
    anIdp({ enabled: false, issuerUrl: 'https://off.example' }),
  ])
  await verifier.warmUp()
  assert.deepEqual(server.asked, [KEYS_URL])
  assert.equal(await isValid(signer.sign(payload())), true)
  assert.equal(server.asked.length, 1)
})
