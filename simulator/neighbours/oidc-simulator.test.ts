import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import { type ControlClient, controlClient } from '../control-client.ts'
import { type Simulator, startSimulator } from '../simulator.ts'

const REDIRECT = 'http://127.0.0.1:54321/portal'
let simulator: Simulator
let control: ControlClient

before(async () => {
  simulator = await startSimulator()
  control = controlClient(simulator.controlUrl)
})
beforeEach(() => control.reset())
after(() => simulator.close())

/** A browser without a browser: keeps cookies, minds their paths, and follows redirects until one leaves the issuer. */
function createVisitor() {
  const cookies = new Map<string, { value: string; path: string }>()
  const cookiesFor = (path: string): string =>
    [...cookies].flatMap(([name, kept]) => (path.startsWith(kept.path) ? [`${name}=${kept.value}`] : [])).join('; ')
  return async (start: string, form?: Record<string, string>): Promise<{ url: string; reply: Response }> => {
    let url = start
    let body = form
    for (let hops = 0; hops < 10; hops += 1) {
      const reply = await fetch(url, {
        redirect: 'manual',
        headers: { cookie: cookiesFor(new URL(url).pathname) },
        ...(body ? { method: 'POST', body: new URLSearchParams(body) } : {}),
      })
      for (const cookie of reply.headers.getSetCookie()) {
        const [pair = '', ...attributes] = cookie.split(/;\s*/)
        const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? '/'
        const value = pair.slice(pair.indexOf('=') + 1)
        if (value !== '') cookies.set(pair.slice(0, pair.indexOf('=')), { value, path })
      }
      const location = reply.headers.get('location')
      if (location === null) return { url, reply }
      url = new URL(location, url).href
      body = undefined
      if (url.startsWith(REDIRECT)) return { url, reply }
    }
    throw new Error('too many redirects')
  }
}

async function discover(issuer: string): Promise<Record<string, string>> {
  return (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as Record<string, string>
}

async function logIn(issuer: string, user: string, extra: Record<string, string> = {}) {
  const metadata = await discover(issuer)
  const verifier = randomBytes(32).toString('base64url')
  const visit = createVisitor()
  const start = new URL(metadata['authorization_endpoint'] ?? '')
  start.search = new URLSearchParams({
    client_id: 'causeway',
    response_type: 'code',
    scope: 'openid email profile',
    redirect_uri: REDIRECT,
    state: 's1',
    nonce: 'n1',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...extra,
  }).toString()
  let at = await visit(start.href)
  if (!at.url.startsWith(REDIRECT)) {
    assert.match(await at.reply.text(), /name="user" value="alice@example\.com"/)
    at = await visit(at.url, { user })
  }
  const back = new URL(at.url)
  assert.equal(back.searchParams.get('state'), 's1')
  const exchange = (codeVerifier: string) =>
    fetch(metadata['token_endpoint'] ?? '', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: 'causeway',
        code: back.searchParams.get('code') ?? '',
        redirect_uri: REDIRECT,
        code_verifier: codeVerifier,
      }),
    })
  return { metadata, exchange, verifier }
}

async function fetchIdToken(issuer: string, user: string, extra: Record<string, string> = {}): Promise<string> {
  const { exchange, verifier } = await logIn(issuer, user, extra)
  const tokens = (await (await exchange(verifier)).json()) as { id_token: string }
  return tokens.id_token
}

test('a person logs in through the form and the ID token verifies against the published keys', async () => {
  const { metadata, exchange, verifier } = await logIn(simulator.oidcUrl, 'bob@example.com')
  const reply = await exchange(verifier)
  const { id_token } = (await reply.json()) as { id_token: string }
  const { payload, protectedHeader } = await jwtVerify(
    id_token,
    createRemoteJWKSet(new URL(metadata['jwks_uri'] ?? '')),
    {
      issuer: simulator.oidcUrl,
      audience: 'causeway',
    },
  )
  assert.equal(protectedHeader.alg, 'RS256')
  assert.deepEqual(
    [payload['email'], payload['name'], payload['nonce'], payload.sub],
    ['bob@example.com', 'Bob Example', 'n1', 'user-bob'],
  )
})

test('a wrong code verifier is refused, and a code works once', async () => {
  const wrong = await logIn(simulator.oidcUrl, 'alice@example.com')
  assert.equal((await wrong.exchange(randomBytes(32).toString('base64url'))).status, 400)
  const right = await logIn(simulator.oidcUrl, 'alice@example.com')
  assert.equal((await right.exchange(right.verifier)).status, 200)
  assert.equal((await right.exchange(right.verifier)).status, 400)
})

test('a login hint skips the form, and claims can be set', async () => {
  await control.setOidcUser({ sub: 'user-dora', claims: { email: 'dora@example.com', groups: ['admins'] } })
  const claims = decodeJwt(await fetchIdToken(simulator.oidcUrl, '', { login_hint: 'dora@example.com' }))
  assert.deepEqual([claims['email'], claims['groups']], ['dora@example.com', ['admins']])
})

test('a second issuer has its own name and keys', async () => {
  const issuer = `${simulator.oidcUrl}/issuers/second`
  const token = await fetchIdToken(issuer, 'carol@other.example')
  assert.equal(decodeJwt(token).iss, issuer)
  const main = createRemoteJWKSet(new URL((await discover(simulator.oidcUrl))['jwks_uri'] ?? ''))
  await assert.rejects(jwtVerify(token, main), { code: 'ERR_JWKS_NO_MATCHING_KEY' })
  const own = createRemoteJWKSet(new URL((await discover(issuer))['jwks_uri'] ?? ''))
  assert.equal((await jwtVerify(token, own)).payload['email'], 'carol@other.example')
})

test('a redirect that does not end in /portal is refused', async () => {
  const { authorization_endpoint } = await discover(simulator.oidcUrl)
  const query = new URLSearchParams({
    client_id: 'causeway',
    response_type: 'code',
    scope: 'openid',
    redirect_uri: 'http://evil.example/steal',
  })
  assert.equal((await fetch(`${authorization_endpoint}?${query}`, { redirect: 'manual' })).status, 400)
})

test('tokens can be minted, also wrong ones, and keys rotate', async () => {
  const keys = async () => createRemoteJWKSet(new URL((await discover(simulator.oidcUrl))['jwks_uri'] ?? ''))
  const good = await control.mintToken({ claims: { sub: 'x', email: 'x@example.com' } })
  assert.equal((await jwtVerify(good, await keys(), { audience: 'causeway' })).payload['email'], 'x@example.com')
  await assert.rejects(jwtVerify(await control.mintToken({ key: 'forged' }), await keys()), {
    code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
  })
  await assert.rejects(jwtVerify(await control.mintToken({ key: 'unpublished' }), await keys()), {
    code: 'ERR_JWKS_NO_MATCHING_KEY',
  })
  await assert.rejects(jwtVerify(await control.mintToken({ expiresInSeconds: -10 }), await keys()), {
    code: 'ERR_JWT_EXPIRED',
  })
  assert.equal((await control.rotateOidcKeys({ keepOld: true })).kids.length, 2)
  await jwtVerify(good, await keys())
  await control.rotateOidcKeys()
  await assert.rejects(jwtVerify(good, await keys()), { code: 'ERR_JWKS_NO_MATCHING_KEY' })
  await jwtVerify(await control.mintToken({}), await keys())
})

test('an issuer can be down, slow, huge or wrong', async () => {
  const url = `${simulator.oidcUrl}/.well-known/openid-configuration`
  await control.setOidcMode({ mode: 'down' })
  await assert.rejects(fetch(url))
  await control.setOidcMode({ mode: 'slow', ms: 60 })
  const startedAt = performance.now()
  assert.equal((await fetch(url)).status, 200)
  assert.ok(performance.now() - startedAt >= 58)
  await control.setOidcMode({ mode: 'huge', bytes: 300_000, target: 'jwks' })
  assert.ok((await (await fetch(`${simulator.oidcUrl}/jwks`)).text()).length > 300_000)
  await control.setOidcMode({ mode: 'override', fields: { issuer: 'https://evil.example' } })
  const metadata = await discover(simulator.oidcUrl)
  assert.equal(metadata['issuer'], 'https://evil.example')
  assert.ok(metadata['token_endpoint'])
  await control.setOidcMode({ mode: 'normal' })
  assert.equal((await discover(simulator.oidcUrl))['issuer'], simulator.oidcUrl)
})
