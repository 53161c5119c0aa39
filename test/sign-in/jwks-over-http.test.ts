/** Key sets and discovery over real sockets: rotation, outage, slowness and hostile documents. */
import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import type { IdentityProvider } from '../../src/foundation/domain/idp.ts'
import { parseEgressAllow } from '../../src/foundation/platform/egress-guard.ts'
import { createOutgoingHttp } from '../../src/foundation/platform/outgoing-http.ts'
import { createTestSigner, type TestSigner } from '../../src/modules/sign-in/jwt.fixture.ts'
import { createOidcVerifier } from '../../src/modules/sign-in/oidc-verifier.service.ts'
import { anIdp, createTestClock } from '../../src/modules/sign-in/people.fixture.ts'

const outgoing = createOutgoingHttp({ allow: parseEgressAllow('127.0.0.1') })
const stops: (() => unknown)[] = [outgoing.close]
after(() => Promise.all(stops.map((stop) => stop())))

async function startProvider(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function setUp(idps: readonly IdentityProvider[]) {
  const clock = createTestClock()
  const failures: string[] = []
  const verifier = createOidcVerifier({
    idps: () => idps,
    fetchJson: outgoing.fetchJson,
    clock,
    onFetchFailed: (issuer, error) => failures.push(`${issuer}: ${(error as Error).message}`),
  })
  const toToken = (signer: TestSigner, iss: string, extra: object = {}): string =>
    signer.sign({ iss, sub: 'sub-1', aud: 'causeway', exp: clock.nowMs() / 1000 + 3_600, ...extra })
  const isValid = async (token: string): Promise<boolean> => (await verifier.verify(token)) !== undefined
  return { clock, failures, verifier, toToken, isValid }
}

const first = createTestSigner('first')
const second = createTestSigner('second')

test('discovery, rotation and outage of a real provider', async () => {
  let keys = [first.jwk]
  let isDown = false
  const asked: string[] = []
  const origin: string = await startProvider((request, response) => {
    asked.push(request.url ?? '')
    if (isDown) response.writeHead(500).end('{}')
    else if (request.url === '/tenant/.well-known/openid-configuration') {
      response.end(JSON.stringify({ issuer: `${origin}/tenant`, jwks_uri: `${origin}/keys` }))
    } else response.end(JSON.stringify({ keys }))
  })
  const issuer = `${origin}/tenant`
  const { clock, toToken, isValid, failures } = setUp([anIdp({ issuerUrl: issuer, jwksUrl: null })])
  assert.equal(await isValid(toToken(first, issuer)), true)
  assert.deepEqual(asked, ['/tenant/.well-known/openid-configuration', '/keys'])
  keys = [first.jwk, second.jwk]
  clock.advanceMs(60_000)
  assert.equal(await isValid(toToken(second, issuer)), true)
  isDown = true
  clock.advanceMs(3_600_000)
  assert.equal(await isValid(toToken(second, issuer, { later: true })), true)
  assert.equal(await isValid(toToken(createTestSigner('third'), issuer)), false)
  assert.equal(failures.length, 1)
})

test('a storm of 500 random kids reaches the provider once', async () => {
  let fetches = 0
  const origin = await startProvider((_, response) => {
    fetches += 1
    response.end(JSON.stringify({ keys: [first.jwk] }))
  })
  const { clock, toToken, isValid } = setUp([anIdp({ issuerUrl: origin, jwksUrl: `${origin}/keys` })])
  assert.equal(await isValid(toToken(first, origin)), true)
  clock.advanceMs(61_000)
  const template = toToken(second, origin).split('.')
  const storm = Array.from({ length: 500 }, (_, at) => {
    const header = Buffer.from(JSON.stringify({ alg: 'RS256', kid: `random-${at}` })).toString('base64url')
    return isValid([header, template[1], template[2]].join('.'))
  })
  assert.ok((await Promise.all(storm)).every((valid) => !valid))
  assert.equal(fetches, 2)
})

test('a key set that hangs holds up neither another provider nor its own known keys', async () => {
  let hangs = false
  const slow = await startProvider((_, response) => {
    if (!hangs) response.end(JSON.stringify({ keys: [first.jwk] }))
  })
  const quick = await startProvider((_, response) => response.end(JSON.stringify({ keys: [second.jwk] })))
  const { clock, toToken, isValid, verifier } = setUp([
    anIdp({ issuerUrl: slow, jwksUrl: `${slow}/keys` }),
    anIdp({ issuerUrl: quick, jwksUrl: `${quick}/keys` }),
  ])
  const warm = toToken(first, slow)
  assert.equal(await isValid(warm), true)
  hangs = true
  clock.advanceMs(600_000)
  const waiting = verifier.verify(toToken(second, slow))
  assert.ok(waiting instanceof Promise)
  assert.ok(!(verifier.verify(warm) instanceof Promise))
  assert.equal(await isValid(toToken(first, slow, { unseen: true })), true)
  assert.equal(await isValid(toToken(second, quick)), true)
})

test('a discovery document cannot send us to a closed address, nor speak for another issuer', async () => {
  const canaryHits: string[] = []
  let document: object = {}
  const origin: string = await startProvider((request, response) => {
    if (request.url !== '/.well-known/openid-configuration') canaryHits.push(request.url ?? '')
    response.end(JSON.stringify(document))
  })
  const closed = [
    'http://169.254.169.254/latest/meta-data/',
    'http://[::ffff:a9fe:a9fe]/keys',
    'http://10.0.0.1/keys',
    'https://127.0.0.2/keys',
    'http://localhost.evil.example/keys',
    `${origin.replace('//', '//user@')}/keys`,
    'file:///etc/passwd',
  ]
  const documents = [
    ...closed.map((url) => ({ issuer: origin, jwks_uri: url })),
    { issuer: `${origin}/`, jwks_uri: `${origin}/keys` },
    { issuer: 'https://evil.example', jwks_uri: `${origin}/keys` },
  ]
  for (document of documents) {
    const { toToken, isValid, failures } = setUp([anIdp({ issuerUrl: origin, jwksUrl: null })])
    assert.equal(await isValid(toToken(first, origin)), false)
    assert.equal(failures.length, 1, JSON.stringify(document))
  }
  assert.deepEqual(canaryHits, [])
})
