import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { until } from '../message-path/path-client.ts'
import { createTestDatabase } from '../support/database.ts'
import { startGateway } from '../support/gateway.ts'
import { sendRaw } from '../support/raw-http.ts'
import { asAdmin, authorize, createJar, me, signIn, startLoginGateway } from './login-app.ts'

let gateway: Awaited<ReturnType<typeof startLoginGateway>>

before(async () => {
  gateway = await startLoginGateway()
})

after(() => gateway.stop())

const start = (): string => `${gateway.url}/auth/sso/${gateway.idpId}/start`

test('the browser is sent to the provider with code flow, PKCE, state, nonce and the three scopes', async () => {
  const visit = await createJar().send(start())
  assert.equal(visit.status, 302)
  const target = new URL(visit.headers.get('location') ?? '')
  assert.equal(target.origin, gateway.simulator.oidcUrl)
  const query = Object.fromEntries(target.searchParams)
  assert.equal(query['response_type'], 'code')
  assert.equal(query['scope'], 'openid email profile')
  assert.equal(query['client_id'], 'causeway')
  assert.equal(query['redirect_uri'], `${gateway.url}/portal`)
  assert.equal(query['code_challenge_method'], 'S256')
  for (const name of ['state', 'nonce', 'code_challenge']) assert.match(query[name] ?? '', /^[\w-]{43}$/)
  const cookie = visit.headers.get('set-cookie') ?? ''
  assert.match(cookie, /Path=\/portal; Max-Age=600; HttpOnly; SameSite=Lax$/)
  assert.ok(!cookie.includes(query['nonce'] ?? '?'), 'the cookie is sealed')
})

test('coming back signs in on the server, with a fresh cookie and no token in any address', async () => {
  const jar = createJar()
  const back = await authorize(jar, start(), 'alice@example.com')
  const visit = await jar.send(back)
  assert.equal(visit.status, 303)
  assert.equal(visit.headers.get('location'), '/portal#/')
  const session = visit.headers.getSetCookie().find((line) => line.startsWith('causeway_session=')) ?? ''
  assert.match(session, /^causeway_session=sess-[\w.-]+; Path=\/; Max-Age=86400; HttpOnly; SameSite=Lax$/)
  const who = await me(gateway, jar)
  assert.equal(who.user?.subject, 'alice@example.com')
  assert.equal(who.role, 'member')
})

/** As a browser comes through a proxy that ends TLS. */
const overTls = { headers: { 'x-forwarded-proto': 'https' } }

/** To the provider and back; gives the address that the proxy asks of the gateway. */
async function authorizeOverTls(jar: ReturnType<typeof createJar>, user: string): Promise<string> {
  const left = await jar.send(start(), overTls)
  const back = new URL(await authorize(jar, left.headers.get('location') ?? '', user))
  assert.equal(back.protocol, 'https:')
  return `${gateway.url}${back.pathname}${back.search}`
}

test('behind a proxy that ends TLS the cookies are Secure and bound to this host', async () => {
  const jar = createJar()
  const state = (await jar.send(start(), overTls)).headers.get('set-cookie') ?? ''
  assert.match(state, /^__Host-causeway_sign_in_.*; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/)
  const visit = await jar.send(await authorizeOverTls(jar, 'alice@example.com'), overTls)
  const session = visit.headers.getSetCookie().find((line) => line.includes('causeway_session=sess-')) ?? ''
  assert.match(session, /^__Host-causeway_session=.*; Path=\/; .*; Secure$/)
  assert.doesNotMatch(`${state} ${session}`, /Domain=/i)
})

test('a state that a neighbouring domain has planted in a browser signs nobody in (T16)', async () => {
  const attacker = createJar()
  const back = await authorizeOverTls(attacker, 'bob@example.com')
  const kept = [...attacker.cookies.values()].flatMap((values) => [...values])
  const [name = '', sealed = ''] = kept.find(([one]) => one.includes('causeway_sign_in_')) ?? []
  // Browsers refuse a name that begins with __Host- from another host, so without it is all that can be planted.
  const planted = `${name.replace('__Host-', '')}=${sealed}`
  const visit = await createJar().send(back, { headers: { ...overTls.headers, cookie: planted } })
  assert.equal(visit.status, 400)
  assert.deepEqual(
    visit.headers.getSetCookie().filter((line) => line.includes('sess-')),
    [],
  )
  assert.equal((await attacker.send(back, overTls)).status, 303, 'in the browser that began it is finished')
})

test('a sign-in that begins on an open line goes on over TLS, where the provider sends the browser back to', async () => {
  const path = `/auth/sso/${gateway.idpId}/start`
  const change = (audience: string) => asAdmin(gateway, 'PATCH', `/admin/idps/${gateway.idpId}`, { audience })
  const ask = async (target: string, proto: string) =>
    (
      await sendRaw(
        gateway.port,
        `GET ${target} HTTP/1.1\r\nhost: gateway.example.com\r\nx-forwarded-proto: ${proto}\r\nconnection: close\r\n\r\n`,
      )
    ).head
  await change('gateway.example.com')
  const open = await ask(path, 'http')
  assert.match(open, new RegExp(`^location: https://gateway\\.example\\.com${path}\\?hop=1$`, 'm'))
  assert.doesNotMatch(open, /set-cookie/)
  const secure = await ask(`${path}?hop=1`, 'https')
  assert.match(secure, /^location: .*redirect_uri=https%3A%2F%2Fgateway\.example\.com%2Fportal/m)
  assert.match(secure, /^set-cookie: __Host-causeway_sign_in_/m)
  await change('causeway')
})

test('a state works once: the same address and cookies again are refused with a page that says what to do', async () => {
  const jar = createJar()
  const back = await authorize(jar, start(), 'alice@example.com')
  const kept = structuredClone(jar.cookies)
  assert.equal((await jar.send(back)).status, 303)
  for (const [place, values] of kept) jar.cookies.set(place, values)
  const again = await jar.send(back)
  assert.equal(again.status, 400)
  assert.match(again.headers.get('content-type') ?? '', /^text\/html/)
  assert.match(again.text, /Begin again on this page/)
})

test('a state of another browser is refused: nobody is signed in as somebody else by a link', async () => {
  const attackersBack = await authorize(createJar(), start(), 'bob@example.com')
  const victim = createJar()
  const visit = await victim.send(attackersBack)
  assert.equal(visit.status, 400)
  assert.deepEqual(visit.headers.getSetCookie(), [])
  assert.equal((await victim.send(`${gateway.url}/auth/me`)).status, 401)
})

test("a stranger's code under one's own state is refused: the code is bound to its verifier", async () => {
  const attackersBack = new URL(await authorize(createJar(), start(), 'bob@example.com'))
  const victim = createJar()
  const own = new URL(await authorize(victim, start(), 'alice@example.com'))
  own.searchParams.set('code', attackersBack.searchParams.get('code') ?? '')
  const visit = await victim.send(own.href)
  assert.equal(visit.status, 400)
  assert.match(visit.text, /refused this sign-in/)
  assert.equal((await victim.send(`${gateway.url}/auth/me`)).status, 401)
})

test('missing, empty, doubled and damaged states, and answers of another issuer, are refused without a fault', async () => {
  for (const query of [
    'code=x',
    'state=',
    'code=x&state=y',
    'state=a&state=b&code=c',
    `code=x&state=${'A'.repeat(43)}`,
  ]) {
    const visit = await createJar().send(`${gateway.url}/portal?${query}`)
    assert.equal(visit.status, 400, query)
    assert.match(visit.text, /cannot be finished/)
  }
  const jar = createJar()
  const back = new URL(await authorize(jar, start(), 'alice@example.com'))
  back.searchParams.set('iss', 'https://other.example')
  assert.equal((await jar.send(back.href)).status, 400)
})

test('a refusal by the provider is shown in our words, never in those of the address', async () => {
  const jar = createJar()
  const left = await jar.send(start())
  const state = new URL(left.headers.get('location') ?? '').searchParams.get('state') ?? ''
  const error = encodeURIComponent('<script>alert(1)</script>')
  const visit = await jar.send(`${gateway.url}/portal?error=${error}&error_description=${error}&state=${state}`)
  assert.equal(visit.status, 400)
  assert.doesNotMatch(visit.text, /alert\(1\)/)
})

test('pages forbid inline script, framing and every other origin', async () => {
  for (const path of ['/portal', '/device', '/auth/cli/callback', '/portal?code=x']) {
    const visit = await createJar().send(`${gateway.url}${path}`)
    const policy = visit.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.doesNotMatch(policy, /unsafe/)
    assert.doesNotMatch(visit.text, /https?:\/\//)
    assert.doesNotMatch(visit.text, /<script>|\son\w+=|style="/)
    assert.equal(visit.headers.get('x-content-type-options'), 'nosniff')
  }
})

test('an unknown provider is 404, and a provider that does not answer gives a page', async () => {
  assert.equal(
    (await createJar().send(`${gateway.url}/auth/sso/00000000-0000-4000-8000-000000000000/start`)).status,
    404,
  )
  assert.equal((await createJar().send(`${gateway.url}/auth/sso/nonsense/start`)).status, 400)
  const jar = createJar()
  const back = await authorize(jar, start(), 'alice@example.com')
  await gateway.control.setOidcMode({ target: 'token', mode: 'error', status: 503 })
  const visit = await jar.send(back)
  await gateway.control.setOidcMode({ mode: 'normal' })
  assert.equal(visit.status, 502)
  assert.match(visit.text, /does not answer/)
})

test('claims that name somebody else never take over an account (T13)', async () => {
  await signIn(gateway, 'alice@example.com')
  const impostors = {
    'admin by user name': { preferred_username: 'admin' },
    'admin in other letters': { preferred_username: 'AdMin' },
    'a colleague by display name': { name: 'alice@example.com' },
    'a colleague, not verified': { email: 'alice@example.com', email_verified: false },
    'a colleague, verified at the same provider': { email: 'Alice@Example.com', email_verified: true },
  }
  for (const [what, claims] of Object.entries(impostors)) {
    const sub = `impostor ${what}`.replaceAll(' ', '-')
    await gateway.control.setOidcUser({ sub, claims })
    const jar = createJar()
    const visit = await jar.send(await authorize(jar, start(), sub))
    const who = visit.status === 303 ? await me(gateway, jar) : undefined
    assert.notEqual(who?.user?.subject, 'alice@example.com', what)
    assert.notEqual(who?.role, 'admin', what)
    if (visit.status !== 303) {
      assert.equal(visit.status, 403, what)
      assert.match(visit.text, /Ask an administrator/, what)
    }
  }
})

test('a second provider with the same e-mail is another person and is refused', async () => {
  await signIn(gateway, 'alice@example.com')
  const created = await asAdmin(gateway, 'POST', '/admin/idps', {
    name: 'Second',
    issuer_url: `${gateway.simulator.oidcUrl}/issuers/second`,
    audience: 'causeway',
    auto_provision: true,
    default_role: 'admin',
  })
  const { id } = (await created.json()) as { id: string }
  const jar = createJar()
  const visit = await jar.send(await authorize(jar, `${gateway.url}/auth/sso/${id}/start`, 'alice@example.com'))
  assert.equal(visit.status, 403)
  assert.match(visit.text, /already bound to another identity/)

  const claims = { sub: 'user-alice', email: 'alice@example.com', email_verified: true }
  const issuer = `${gateway.simulator.oidcUrl}/issuers/second`
  const token = await gateway.control.mintToken({ claims, issuer: 'second' })
  for (let call = 0; call < 3; call += 1) {
    const refused = await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${token}` } })
    assert.equal(refused.status, 403)
  }
  const ofSecond = await until(async () => {
    const shown = await asAdmin(gateway, 'GET', '/admin/audit?action=sign-in.refused')
    const { data } = (await shown.json()) as { data: { target: string; after: Record<string, string> }[] }
    const found = data.filter(({ after }) => after['issuer'] === issuer)
    return found.length > 0 ? found : undefined
  })
  assert.deepEqual(
    ofSecond.map(({ after }) => [after['reason'], after['claimed'], after['idp_id'], after['subject']]),
    [['identity_mismatch', 'alice@example.com', id, 'user-alice']],
    'administrators see it, once for many tries',
  )
  assert.match(ofSecond[0]?.target ?? '', /^user:/)
})

test('auto_provision, default_role, allowed_domains, client_id and client_secret are obeyed (T14)', async () => {
  const created = await asAdmin(gateway, 'POST', '/admin/idps', {
    name: 'Closed',
    issuer_url: `${gateway.simulator.oidcUrl}/issuers/closed`,
    audience: 'an-api',
    client_id: 'causeway-confidential',
    client_secret: 'causeway-confidential-secret-000000000001',
    auto_provision: false,
    default_role: 'admin',
    allowed_domains: ['other.example'],
  })
  const { id } = (await created.json()) as { id: string }
  const attempt = async (user: string) => {
    const jar = createJar()
    const visit = await jar.send(await authorize(jar, `${gateway.url}/auth/sso/${id}/start`, user))
    return { visit, jar }
  }
  const foreign = await attempt('bob@example.com')
  assert.equal(foreign.visit.status, 403)
  assert.match(foreign.visit.text, /e-mail domain/)
  const unknown = await attempt('carol@other.example')
  assert.equal(unknown.visit.status, 403)
  assert.match(unknown.visit.text, /add carol@other\.example/)
  const users = await (await asAdmin(gateway, 'GET', '/admin/users?q=carol')).json()
  assert.deepEqual((users as { data: unknown[] }).data, [])
  await asAdmin(gateway, 'PATCH', `/admin/idps/${id}`, { auto_provision: true })
  const welcome = await attempt('carol@other.example')
  assert.equal(welcome.visit.status, 303, welcome.visit.text)
  assert.equal((await me(gateway, welcome.jar)).role, 'admin')
})

test('a token without the chosen claim is refused with the name of that claim, whoever is registered', async () => {
  const issuer = `${gateway.simulator.oidcUrl}/issuers/by-oid`
  const stored = { name: 'By oid', issuer_url: issuer, audience: 'by-oid', auto_provision: true, user_claim: 'oid' }
  assert.equal((await asAdmin(gateway, 'POST', '/admin/idps', stored)).status, 201)
  assert.equal((await asAdmin(gateway, 'POST', '/admin/users', { subject: 'nameless-1' })).status, 201)
  const signIn = async (claims: object): Promise<Response> => {
    const token = await gateway.control.mintToken({ issuer: 'by-oid', claims: { aud: 'by-oid', ...claims } })
    return await fetch(`${gateway.url}/auth/me`, { headers: { authorization: `Bearer ${token}` } })
  }
  const nameless = await signIn({ sub: 'nameless-1', email: 'nameless@example.com' })
  assert.equal(nameless.status, 403)
  const { error } = (await nameless.json()) as { error: { type: string; code: string; message: string } }
  assert.deepEqual([error.type, error.code], ['permission_error', 'user_claim_missing'])
  assert.match(error.message, /no usable claim oid/)
  assert.doesNotMatch(error.message, /nameless-1/)
  assert.equal((await signIn({ sub: 'named-1', oid: '7d4c' })).status, 200)
})

test('a sign-in that one instance began is finished by another, and a third knows the new person at once', async () => {
  const database = await createTestDatabase()
  const env = {
    OIDC_ISSUER: gateway.simulator.oidcUrl,
    OIDC_AUDIENCE: 'causeway',
    PUBLIC_URL: 'http://gateway.example:9',
  }
  const options = { database, simulator: gateway.simulator, env }
  const [a, b, c] = await Promise.all([startGateway(options), startGateway(options), startGateway(options)])
  try {
    const { providers } = (await (await fetch(`${a.url}/auth/providers`)).json()) as { providers: { id: string }[] }
    const jar = createJar()
    // Stands for the balancer: the browser sees one host, and each of its requests may go to another instance.
    const share = (url: string): void => {
      for (const [place, values] of [...jar.cookies])
        if (place.startsWith('127.0.0.1')) jar.cookies.set(place.replace(/^\S+/, new URL(url).host), values)
    }
    const back = await authorize(jar, `${a.url}/auth/sso/${providers[0]?.id}/start?hop=1`, 'bob@example.com')
    assert.ok(back.startsWith('http://gateway.example:9/portal?'))
    share(b.url)
    const visit = await jar.send(back.replace('http://gateway.example:9', b.url))
    assert.equal(visit.status, 303, visit.text)
    share(c.url)
    assert.equal((await me(c, jar)).user?.subject, 'bob@example.com')
  } finally {
    await Promise.all([a.stop(), b.stop(), c.stop()])
    await database.drop()
  }
})

test('a token with the groups of a person who is in two hundred of them is read', async () => {
  const groups = Array.from({ length: 200 }, () => randomUUID())
  const claims = { sub: 'user-alice', email: 'alice@example.com', email_verified: true, groups }
  const token = await gateway.control.mintToken({ claims })
  assert.ok(token.length > 10_000)
  const who = await fetch(`${gateway.url}/me`, { headers: { authorization: `Bearer ${token}` } })
  assert.equal(who.status, 200)
  const tried = await asAdmin(gateway, 'POST', '/admin/idps/test', {
    issuer_url: gateway.simulator.oidcUrl,
    audience: 'causeway',
    token,
  })
  assert.equal(((await tried.json()) as { token: { ok: boolean } }).token.ok, true)
})
