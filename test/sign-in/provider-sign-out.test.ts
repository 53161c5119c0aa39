import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { decodeJwt } from 'jose'
import { asAdmin, type CookieJar, me, post, signIn, startLoginGateway, type Visit } from './login-app.ts'

let gateway: Awaited<ReturnType<typeof startLoginGateway>>

before(async () => {
  gateway = await startLoginGateway()
})

after(() => gateway.stop())

const change = (body: object) => asAdmin(gateway, 'PATCH', `/admin/idps/${gateway.idpId}`, body)
const signOut = (jar: CookieJar): Promise<Visit> => post(gateway, jar, '/auth/logout', undefined)

function signOutCookie(jar: CookieJar): string | undefined {
  return jar.cookies.get(`${new URL(gateway.url).host} /auth/logout`)?.get('causeway_sign_out')
}

/** Whether the provider still knows the person: it then sends the browser back without asking. */
async function isKnownAtProvider(jar: CookieJar): Promise<boolean> {
  const visit = await jar.open(`${gateway.url}/auth/sso/${gateway.idpId}/start`, (url) => url.includes('/portal?'))
  return visit.url.startsWith(`${gateway.url}/portal?`)
}

/** Says yes to the provider's question; gives the address to which it sends the browser. */
async function confirmAt(jar: CookieJar, url: string): Promise<string> {
  const page = await jar.send(url)
  assert.equal(page.status, 200, page.text)
  const action = /action="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const confirmed = await jar.send(action, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ xsrf, logout: 'yes' }).toString(),
  })
  return confirmed.headers.get('location') ?? `${confirmed.status} ${confirmed.text}`
}

test('a provider signs out locally unless it is told otherwise; every change is in the audit trail', async () => {
  const jar = await signIn(gateway, 'alice@example.com')
  assert.equal(signOutCookie(jar), undefined)
  const left = await signOut(jar)
  assert.deepEqual([left.status, left.text], [204, ''])
  assert.equal(await isKnownAtProvider(jar), true)
  const changed = (await (await change({ logout: 'provider' })).json()) as { id: string; logout: string }
  assert.equal(changed.logout, 'provider')
  const trail = await asAdmin(gateway, 'GET', `/admin/audit?action=idp.update&target=idp:${gateway.idpId}`)
  const { data } = (await trail.json()) as { data: { before: { logout: string }; after: { logout: string } }[] }
  assert.deepEqual([data[0]?.before.logout, data[0]?.after.logout], ['local', 'provider'])
  assert.equal((await change({ logout: 'everywhere' })).status, 400)
})

test('with `provider` the browser is led through the provider, whose session ends, and back to the portal', async () => {
  await change({ logout: 'provider' })
  const jar = await signIn(gateway, 'alice@example.com')
  assert.equal(await isKnownAtProvider(jar), true)
  const left = await signOut(jar)
  assert.equal(left.status, 200, left.text)
  assert.equal((await jar.send(`${gateway.url}/auth/me`)).status, 401, 'the session here has ended before')
  assert.equal(signOutCookie(jar), undefined)
  const url = new URL((JSON.parse(left.text) as { provider_logout_url: string }).provider_logout_url)
  assert.equal(`${url.origin}${url.pathname}`, `${gateway.simulator.oidcUrl}/session/end`)
  const { id_token_hint: hint, ...rest } = Object.fromEntries(url.searchParams)
  assert.deepEqual(rest, { client_id: 'causeway', post_logout_redirect_uri: `${gateway.url}/portal` })
  assert.equal(decodeJwt(hint ?? '').sub, 'user-alice')
  assert.equal(await confirmAt(jar, url.href), `${gateway.url}/portal`)
  assert.equal((await jar.send(`${gateway.url}/portal`)).status, 200)
  assert.equal(await isKnownAtProvider(jar), false)
})

test('what the browser keeps is sealed, is sent to sign-out alone, and counts for its own session alone', async () => {
  await change({ logout: 'provider' })
  const victim = await signIn(gateway, 'alice@example.com')
  const sealed = signOutCookie(victim) ?? ''
  assert.doesNotMatch(Buffer.from(sealed, 'base64url').toString('latin1'), /alice|eyJ/)
  const other = await signIn(gateway, 'bob@example.com')
  const place = other.cookies.get(`${new URL(gateway.url).host} /auth/logout`)
  for (const planted of [sealed, 'x', `${sealed.slice(0, -4)}AAAA`]) {
    const jar = await signIn(gateway, 'bob@example.com', other)
    place?.set('causeway_sign_out', planted)
    assert.equal((await signOut(jar)).status, 204)
  }
  assert.equal((await me(gateway, victim)).user?.subject, 'alice@example.com')
})

test('an ID token too large for a cookie is left out, and sign-out at the provider still works', async () => {
  await change({ logout: 'provider' })
  await gateway.control.setOidcUser({
    sub: 'user-large',
    claims: {
      email: 'large@example.com',
      email_verified: true,
      groups: Array.from({ length: 300 }, (_, at) => `g${at}`),
    },
  })
  const jar = await signIn(gateway, 'large@example.com')
  assert.ok((signOutCookie(jar) ?? '').length < 1_000)
  const left = JSON.parse((await signOut(jar)).text) as { provider_logout_url: string }
  assert.equal(new URL(left.provider_logout_url).searchParams.has('id_token_hint'), false)
  assert.equal(await confirmAt(jar, left.provider_logout_url), `${gateway.url}/portal`)
  assert.equal(await isKnownAtProvider(jar), false)
})

test('without an end_session_endpoint, or set back to `local`, sign-out ends the session here', async () => {
  await change({ logout: 'provider' })
  const jar = await signIn(gateway, 'alice@example.com')
  await change({ logout: 'local' })
  assert.equal((await signOut(jar)).status, 204)
  assert.equal((await jar.send(`${gateway.url}/auth/me`)).status, 401)

  const second = await startLoginGateway({ simulator: gateway.simulator })
  try {
    const admin = (body: object) => asAdmin(second, 'PATCH', `/admin/idps/${second.idpId}`, body)
    await admin({ logout: 'provider' })
    await gateway.control.setOidcMode({ mode: 'override', fields: { end_session_endpoint: null } })
    const bare = await signIn(second, 'alice@example.com')
    assert.equal((await post(second, bare, '/auth/logout', undefined)).status, 204)
    assert.equal((await bare.send(`${second.url}/auth/me`)).status, 401)
    assert.match(second.logLines.join(''), /has no end_session_endpoint/)
  } finally {
    await gateway.control.setOidcMode({ mode: 'normal' })
    await second.stop()
  }
})

test('while the provider is down, sign-out ends the session here', async () => {
  await gateway.control.setOidcUser({ sub: 'user-down', claims: { email: 'down@example.com', email_verified: true } })
  // This one never asks the second issuer for its addresses, so it remembers none.
  const fresh = await startLoginGateway({ simulator: gateway.simulator })
  try {
    await asAdmin(fresh, 'PATCH', `/admin/idps/${fresh.idpId}`, { logout: 'provider' })
    const jar = await signIn(fresh, 'down@example.com')
    await asAdmin(fresh, 'PATCH', `/admin/idps/${fresh.idpId}`, {
      issuer_url: `${gateway.simulator.oidcUrl}/issuers/down`,
    })
    await gateway.control.setOidcMode({ issuer: 'down', mode: 'down' })
    assert.equal((await post(fresh, jar, '/auth/logout', undefined)).status, 204)
    assert.equal((await jar.send(`${fresh.url}/auth/me`)).status, 401)
    assert.match(fresh.logLines.join(''), /sign-out at the identity provider failed/)
  } finally {
    await gateway.control.setOidcMode({ issuer: 'down', mode: 'normal' })
    await fresh.stop()
  }
})
