import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase } from '../support/database.ts'
import { ADMIN_PASSWORD, login, startGateway } from '../support/gateway.ts'
import {
  asAdmin,
  beginCliLogin,
  type CookieJar,
  createJar,
  me,
  poll,
  post,
  signIn,
  startLoginGateway,
} from './login-app.ts'

let gateway: Awaited<ReturnType<typeof startLoginGateway>>
let alice: CookieJar

before(async () => {
  gateway = await startLoginGateway()
  alice = await signIn(gateway, 'alice@example.com')
})

after(() => gateway.stop())

const sql = (text: string, values: unknown[] = []) => gateway.database?.pool.query(text, values)

test('the codes: the secret has 256 bits, the other is short, and the address does not hold the secret', async () => {
  const begun = await beginCliLogin(gateway)
  assert.match(begun.session_code, /^[\w-]{43}$/)
  assert.match(begun.user_code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
  assert.equal(begun.verification_url, `${gateway.url}/auth/cli/callback?user_code=${begun.user_code}`)
  assert.equal(begun.expires_in, 300)
  assert.equal(begun.verification_url.includes(begun.session_code), false)
  assert.notEqual((await beginCliLogin(gateway)).session_code, begun.session_code)
})

test('nothing is given until the signed-in person confirms; then the token comes once', async () => {
  const begun = await beginCliLogin(gateway)
  const pending = await poll(gateway, begun.session_code)
  assert.equal(pending.status, 202)
  assert.deepEqual(await pending.json(), { status: 'pending' })
  await alice.open(begun.verification_url)
  assert.equal((await poll(gateway, begun.session_code)).status, 202, 'opening the page confirms nothing')
  const seen = await alice.send(`${gateway.url}/auth/cli/request?user_code=${begun.user_code}`)
  const request = JSON.parse(seen.text) as Record<string, string>
  assert.equal(request['user_code'], begun.user_code)
  assert.equal(request['asked_from'], '127.0.0.1')
  assert.equal((await poll(gateway, begun.session_code)).status, 202, 'looking at it confirms nothing')
  const confirmed = await post(gateway, alice, '/auth/cli/complete', { user_code: begun.user_code.toLowerCase() })
  assert.equal(confirmed.status, 200, confirmed.text)
  const complete = await poll(gateway, begun.session_code)
  assert.equal(complete.status, 200)
  const body = (await complete.json()) as { status: string; token: string; expires_at: string }
  assert.equal(body.status, 'complete')
  assert.ok(Date.parse(body.expires_at) > Date.now() + 23 * 3_600_000)
  const who = await fetch(`${gateway.url}/auth/me`, { headers: { authorization: `Bearer ${body.token}` } })
  assert.equal(((await who.json()) as { user: { subject: string } }).user.subject, 'alice@example.com')
  assert.equal((await poll(gateway, begun.session_code)).status, 404)
})

test('fixation: an attacker who sends the link gets nothing until the victim has confirmed the shown code (T15)', async () => {
  const attackers = await beginCliLogin(gateway)
  const victim = createJar()
  const landed = await victim.open(attackers.verification_url)
  assert.equal(landed.status, 200)
  assert.equal((await victim.send(`${gateway.url}/auth/cli/request?user_code=${attackers.user_code}`)).status, 401)
  await signIn(gateway, 'bob@example.com', victim)
  await victim.open(attackers.verification_url)
  assert.equal((await poll(gateway, attackers.session_code)).status, 202)
  await post(gateway, victim, '/auth/cli/complete', { user_code: attackers.user_code, approve: false })
  const refused = await poll(gateway, attackers.session_code)
  assert.equal(refused.status, 410)
  assert.deepEqual(await refused.json(), { status: 'denied' })
  const late = await post(gateway, victim, '/auth/cli/complete', { user_code: attackers.user_code })
  assert.equal(late.status, 404, 'a refusal is final')
})

test('login CSRF: without the page token, with a bearer token or from another site nothing is confirmed (T16)', async () => {
  const begun = await beginCliLogin(gateway)
  const body = JSON.stringify({ user_code: begun.user_code })
  const url = `${gateway.url}/auth/cli/complete`
  const json = { 'content-type': 'application/json' }
  const csrf = (await me(gateway, alice)).csrf_token ?? ''
  assert.equal((await fetch(url, { method: 'POST', headers: json, body })).status, 401)
  assert.equal((await alice.send(url, { method: 'POST', headers: json, body })).status, 403)
  const form = { 'content-type': 'text/plain', origin: 'https://evil.example' }
  assert.equal((await alice.send(url, { method: 'POST', headers: form, body })).status, 403)
  assert.equal(
    (await alice.send(url, { method: 'POST', headers: { ...form, 'x-csrf-token': csrf }, body })).status,
    415,
  )
  const bearer = { ...json, authorization: `Bearer ${await login(gateway.url)}` }
  assert.equal((await fetch(url, { method: 'POST', headers: bearer, body })).status, 403)
  const jwt = await gateway.control.mintToken({
    claims: { sub: 'user-bob', email: 'bob@example.com', email_verified: true },
  })
  const withJwt = await fetch(url, { method: 'POST', headers: { ...json, authorization: `Bearer ${jwt}` }, body })
  assert.equal(withJwt.status, 403)
  assert.equal((await fetch(`${url}?user_code=${begun.user_code}`)).status, 405)
  assert.equal((await poll(gateway, begun.session_code)).status, 202)
})

test('a token that came from a terminal cannot confirm another terminal', async () => {
  const first = await beginCliLogin(gateway)
  await post(gateway, alice, '/auth/cli/complete', { user_code: first.user_code })
  const { token } = (await (await poll(gateway, first.session_code)).json()) as { token: string }
  const second = await beginCliLogin(gateway)
  const thief = createJar()
  thief.cookies.set(`${new URL(gateway.url).host} /`, new Map([['causeway_session', token]]))
  const visit = await post(gateway, thief, '/auth/cli/complete', { user_code: second.user_code })
  assert.equal(visit.status, 403)
})

test('50 polls at once: exactly one receives the token, and the database never held it (T17)', async () => {
  const begun = await beginCliLogin(gateway)
  await post(gateway, alice, '/auth/cli/complete', { user_code: begun.user_code })
  const stored = JSON.stringify((await sql('select * from login_requests'))?.rows)
  const polls = await Promise.all(Array.from({ length: 50 }, () => poll(gateway, begun.session_code)))
  const [winner, ...others] = polls.filter((response) => response.status === 200)
  assert.ok(winner)
  assert.equal(others.length, 0)
  assert.equal(polls.filter((response) => response.status === 404).length, 49)
  const { token } = (await winner.json()) as { token: string }
  assert.equal(stored.includes(token) || stored.includes(begun.session_code), false)
  const dump = JSON.stringify((await sql('select * from login_requests'))?.rows)
  assert.equal(dump.includes(token), false)
})

test('an expired sign-in is 410, an unknown one 404, and neither can be confirmed', async () => {
  const begun = await beginCliLogin(gateway)
  await sql("update login_requests set expires_at = now() - interval '1 second' where user_code = $1", [
    begun.user_code.replace('-', ''),
  ])
  const late = await post(gateway, alice, '/auth/cli/complete', { user_code: begun.user_code })
  assert.equal(late.status, 404)
  const expired = await poll(gateway, begun.session_code)
  assert.equal(expired.status, 410)
  assert.deepEqual(await expired.json(), { status: 'expired' })
  assert.equal((await poll(gateway, 'unknown')).status, 404)
  assert.equal((await poll(gateway, '')).status, 404)
  assert.equal((await fetch(`${gateway.url}/auth/cli/poll`)).status, 400)
})

test('an approval that was not collected in time is worth nothing', async () => {
  const begun = await beginCliLogin(gateway)
  await post(gateway, alice, '/auth/cli/complete', { user_code: begun.user_code })
  await sql("update login_requests set expires_at = now() - interval '1 second'")
  assert.equal((await poll(gateway, begun.session_code)).status, 410)
})

test('a person who was deactivated after confirming gets no token', async () => {
  const carol = await signIn(gateway, 'carol@other.example')
  const begun = await beginCliLogin(gateway)
  await post(gateway, carol, '/auth/cli/complete', { user_code: begun.user_code })
  const { user } = await me(gateway, carol)
  await asAdmin(gateway, 'PATCH', `/admin/users/${user?.id}`, { active: false })
  assert.equal((await poll(gateway, begun.session_code)).status, 403)
})

test('what a person has confirmed is worth nothing after signing out everywhere or a release of the identity', async () => {
  for (const end of ['sessions', 'identity']) {
    const jar = await signIn(gateway, 'bob@example.com')
    const { user } = await me(gateway, jar)
    const begun = await beginCliLogin(gateway)
    await post(gateway, jar, '/auth/cli/complete', { user_code: begun.user_code })
    assert.ok((await asAdmin(gateway, 'DELETE', `/admin/users/${user?.id}/${end}`)).ok)
    const answer = await poll(gateway, begun.session_code)
    assert.deepEqual([answer.status, await answer.json()], [410, { status: 'denied' }], end)
  }
})

test('who was removed on another instance a moment ago confirms nothing and stores nothing', async () => {
  const jar = await signIn(gateway, 'bob@example.com')
  const begun = await beginCliLogin(gateway)
  const { user, csrf_token: csrf = '' } = await me(gateway, jar)
  await sql('delete from users where id = $1', [user?.id])
  const send = (method: string, path: string, body: unknown) =>
    jar.send(`${gateway.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-csrf-token': csrf },
      body: JSON.stringify(body),
    })
  assert.equal((await send('POST', '/auth/cli/complete', { user_code: begun.user_code })).status, 401)
  assert.equal((await send('PUT', '/me/search-provider', { provider_type: 'duckduckgo' })).status, 401)
  assert.equal((await poll(gateway, begun.session_code)).status, 202)
})

test('guessing user codes and opening many sign-ins is held back', async () => {
  const bob = await signIn(gateway, 'bob@example.com')
  const statuses = []
  for (let n = 0; n < 25; n += 1)
    statuses.push(
      (await bob.send(`${gateway.url}/auth/cli/request?user_code=BBBB-BBB${'BCDFGHJKLMNPQRSTVWXZ'[n % 20]}`)).status,
    )
  assert.equal(statuses[0], 404)
  assert.equal(statuses.at(-1), 429)
  const begins = await Promise.all(Array.from({ length: 40 }, () => fetch(`${gateway.url}/auth/cli/login`)))
  const refused = begins.filter((response) => response.status === 429)
  assert.ok(refused.length > 0)
  assert.match(refused[0]?.headers.get('retry-after') ?? '', /^\d+$/)
})

test('the whole sign-in works when every step reaches another instance', async () => {
  const database = await createTestDatabase()
  const env = { OIDC_ISSUER: gateway.simulator.oidcUrl, OIDC_AUDIENCE: 'causeway', PUBLIC_URL: 'http://127.0.0.1:1' }
  const options = { database, simulator: gateway.simulator, env }
  const [a, b] = await Promise.all([startGateway(options), startGateway(options)])
  try {
    const begun = await beginCliLogin(a)
    const jar = createJar()
    const entered = await jar.send(`${b.url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD }),
    })
    assert.equal(entered.status, 200)
    assert.equal((await post(b, jar, '/auth/cli/complete', { user_code: begun.user_code })).status, 200)
    const { token } = (await (await poll(a, begun.session_code)).json()) as { token: string }
    const who = await fetch(`${b.url}/auth/me`, { headers: { authorization: `Bearer ${token}` } })
    assert.equal(who.status, 200)
  } finally {
    await Promise.all([a.stop(), b.stop()])
    await database.drop()
  }
})
