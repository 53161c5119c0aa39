/** A warm gateway-side authenticator, a real JWKS server, and more than a thousand forged tokens. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { Problem } from '../../src/foundation/domain/errors.ts'
import { parseEgressAllow } from '../../src/foundation/platform/egress-guard.ts'
import { createOutgoingHttp } from '../../src/foundation/platform/outgoing-http.ts'
import { createAuthenticator } from '../../src/modules/sign-in/authenticate.ts'
import { createTestSigner } from '../../src/modules/sign-in/jwt.fixture.ts'
import { createOidcVerifier } from '../../src/modules/sign-in/oidc-verifier.service.ts'
import { anIdp, aUser, createTestClock, someFacts } from '../../src/modules/sign-in/people.fixture.ts'
import { createResolveUser } from '../../src/modules/sign-in/resolve-user.ts'
import { createSessionKey, createSessionTokens } from '../../src/modules/sign-in/session-token.ts'
import { makeMutants } from './jwt-mutants.ts'

const signer = createTestSigner('signer')
const stranger = createTestSigner('stranger')
const neighbour = createTestSigner('neighbour')
const asked: string[] = []
const keySets: Readonly<Record<string, unknown>> = {
  '/keys': {
    keys: [
      signer.jwk,
      { ...stranger.jwk, kid: 'encryption', use: 'enc' },
      { ...stranger.jwk, kid: 'twice' },
      { ...neighbour.jwk, kid: 'twice' },
    ],
  },
  '/neighbour': { keys: [neighbour.jwk] },
}
const server = createServer((request, response) => {
  asked.push(request.url ?? '')
  response.end(JSON.stringify(keySets[request.url ?? ''] ?? {}))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const outgoing = createOutgoingHttp({ allow: parseEgressAllow('127.0.0.1') })
after(async () => {
  await outgoing.close()
  server.closeAllConnections()
  server.close()
})

const clock = createTestClock()
const nowSeconds = clock.nowMs() / 1000
const idp = anIdp({ issuerUrl: origin, jwksUrl: `${origin}/keys` })
const neighbourIdp = anIdp({ issuerUrl: `${origin}/n`, jwksUrl: `${origin}/neighbour` })
const ann = aUser({ subject: 'ann@corp.example', identity: { issuer: origin, subject: 'sub-1' } })
const facts = someFacts({ users: [ann] })
const sessionKey = createSessionKey(randomBytes(32))
const neverWrites = async (): Promise<never> => assert.fail('a forged token reached the store')
const idps = [idp, neighbourIdp]
const verifier = createOidcVerifier({ idps: () => idps, fetchJson: outgoing.fetchJson, clock })
const { authenticate } = createAuthenticator({
  snapshot: () => facts,
  clock,
  sessions: createSessionTokens({ clock, keys: () => [sessionKey] }),
  oidc: verifier,
  resolveUser: createResolveUser({
    people: () => facts,
    bootstrapUsername: 'admin',
    bindUser: neverWrites,
    provisionUser: neverWrites,
  }),
})

const header = { alg: 'RS256', typ: 'JWT', kid: 'signer' }
const payload = { iss: origin, sub: 'sub-1', aud: 'causeway', email: 'ann@corp.example', exp: nowSeconds + 3_600 }
const good = signer.signRaw(header, payload)
const isAccepted = async (token: string): Promise<boolean> => (await authenticate({ 'x-api-key': token })).user === ann

test('none of more than 1,000 forged tokens is accepted beside a warm one, and no URL in a token is ever fetched', async (context) => {
  assert.equal(await isAccepted(good), true)
  await verifier.warmUp()
  const mutants = makeMutants({
    good,
    signer,
    stranger,
    neighbour,
    neighbourIssuer: neighbourIdp.issuerUrl,
    payload,
    header,
    canaryUrl: `${origin}/canary`,
    nowSeconds,
  })
  context.diagnostic(`${mutants.length} mutants`)
  assert.ok(mutants.length >= 1_000)
  const accepted: string[] = []
  for (const { what, token } of mutants) {
    assert.notEqual(token, good, what)
    try {
      await authenticate({ 'x-api-key': token })
      accepted.push(what)
    } catch (error) {
      assert.ok(error instanceof Problem, `${what}: ${error}`)
      assert.equal(error.status, 401, what)
    }
    assert.ok(!(authenticate({ 'x-api-key': good }) instanceof Promise), 'the warm token stays warm')
  }
  assert.deepEqual(accepted, [])
  assert.deepEqual([...new Set(asked)].sort(), ['/keys', '/neighbour'])
  // The clock stands still: the first fetch of each provider is the only one.
  assert.equal(asked.length, 2)
})

test('the same token signed anew with a harmless change is accepted: the refusals above were about the changes', async () => {
  for (const change of [
    { jti: 'x' },
    { nbf: nowSeconds + 59 },
    { aud: ['other', 'causeway'] },
    { exp: nowSeconds - 59 },
  ]) {
    assert.equal(await isAccepted(signer.signRaw(header, { ...payload, ...change })), true, JSON.stringify(change))
  }
})
