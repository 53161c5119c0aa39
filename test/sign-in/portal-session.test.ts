import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createUserStore } from '../../src/modules/people/users.store.ts'
import { ADMIN_PASSWORD, addKey, login, startGateway } from '../support/gateway.ts'
import { sendRaw } from '../support/raw-http.ts'
import { asAdmin, createJar, me, post, signIn, startLoginGateway } from './login-app.ts'

let gateway: Awaited<ReturnType<typeof startLoginGateway>>

before(async () => {
  gateway = await startLoginGateway()
})

after(() => gateway.stop())

const json = { 'content-type': 'application/json' }

async function passwordJar() {
  const jar = createJar()
  const visit = await jar.send(`${gateway.url}/auth/login`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD }),
  })
  assert.equal(visit.status, 200)
  return jar
}

test('a password sign-in sets the cookie too, and the cookie opens the admin API', async () => {
  const jar = await passwordJar()
  const who = await me(gateway, jar)
  assert.equal(who.role, 'admin')
  assert.match(who.csrf_token ?? '', /^[\w-]{43}$/)
  assert.equal((await jar.send(`${gateway.url}/admin/users`)).status, 200)
})

test('a browser is told how long its session still lasts, also when a shorter one is set', async () => {
  const jar = await passwordJar()
  const secondsLeft = async () => (await me(gateway, jar)).session_expires_in ?? Number.NaN
  const setHours = (value: number) => asAdmin(gateway, 'PUT', '/admin/settings/session_token_ttl_hours', { value })
  const settings = (await (await asAdmin(gateway, 'GET', '/admin/settings')).json()) as {
    session_token_ttl_hours: number
  }
  const hours = settings.session_token_ttl_hours
  assert.ok(Math.abs((await secondsLeft()) - hours * 3600) < 30)
  await setHours(1)
  assert.ok(Math.abs((await secondsLeft()) - 3600) < 30)
  await setHours(hours)
  const bearer = { authorization: `Bearer ${await login(gateway.url)}` }
  const who = (await (await fetch(`${gateway.url}/auth/me`, { headers: bearer })).json()) as object
  assert.equal('session_expires_in' in who, false)
})

test('a write with the cookie needs the token of this very session (T29)', async () => {
  const jar = await passwordJar()
  const other = (await me(gateway, await passwordJar())).csrf_token ?? ''
  const attempt = (headers: Record<string, string>, body = '{"name":"by cookie"}') =>
    jar.send(`${gateway.url}/admin/teams`, { method: 'POST', headers, body })
  for (const [what, headers] of Object.entries({
    none: json,
    empty: { ...json, 'x-csrf-token': '' },
    wrong: { ...json, 'x-csrf-token': 'A'.repeat(43) },
    'of another session': { ...json, 'x-csrf-token': other },
    'a simple request from another site': { 'content-type': 'text/plain', origin: 'https://evil.example' },
    'a form': { 'content-type': 'application/x-www-form-urlencoded', origin: 'null' },
  })) {
    const visit = await attempt(headers)
    assert.equal(visit.status, 403, what)
    assert.match(visit.text, /csrf_rejected/, what)
  }
  const teams = (await (await asAdmin(gateway, 'GET', '/admin/teams')).json()) as { data: { name: string }[] }
  assert.equal(
    teams.data.some((team) => team.name === 'by cookie'),
    false,
  )
  assert.equal((await post(gateway, jar, '/admin/teams', { name: 'by cookie' })).status, 201)
})

test('another site cannot sign a browser in: the password is taken as JSON only, which a form cannot send', async () => {
  const body = JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD })
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const visit = await createJar().send(`${gateway.url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': type, origin: 'https://evil.example' },
      body,
    })
    assert.equal(visit.status, 415, type)
    assert.deepEqual(visit.headers.getSetCookie(), [], type)
  }
})

test('bearer callers need no such token, and no answer invites another origin', async () => {
  const token = await login(gateway.url)
  const response = await fetch(`${gateway.url}/admin/teams`, {
    method: 'POST',
    headers: { ...json, authorization: `Bearer ${token}`, origin: 'https://evil.example' },
    body: JSON.stringify({ name: 'by bearer' }),
  })
  assert.equal(response.status, 201)
  assert.equal(response.headers.get('access-control-allow-origin'), null)
  const preflight = await fetch(`${gateway.url}/admin/teams`, {
    method: 'OPTIONS',
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
  })
  assert.notEqual(preflight.status, 200)
  assert.equal(preflight.headers.get('access-control-allow-origin'), null)
})

test('the cookie counts only when no header carries a value', async () => {
  const jar = await passwordJar()
  const ask = async (headers: Record<string, string>) => (await jar.send(`${gateway.url}/auth/me`, { headers })).status
  assert.equal(await ask({}), 200)
  assert.equal(await ask({ authorization: '', 'x-api-key': '' }), 200)
  assert.equal(await ask({ authorization: 'Bearer ' }), 200)
  assert.equal(await ask({ authorization: 'Bearer wrong' }), 401)
  assert.equal(await ask({ authorization: 'Basic YTpi' }), 401)
  assert.equal(await ask({ 'x-api-key': 'sk-proxy-wrong' }), 401)
})

test('the cookie opens no message route, and over https only a cookie that this host has set counts', async () => {
  const jar = await passwordJar()
  assert.equal((await jar.send(`${gateway.url}/v1/models`)).status, 401)
  const message = await jar.send(`${gateway.url}/v1/messages`, { method: 'POST', headers: json, body: '{}' })
  assert.equal(message.status, 401)
  const planted = await jar.send(`${gateway.url}/auth/me`, { headers: { 'x-forwarded-proto': 'https' } })
  assert.equal(planted.status, 401)
})

test('a virtual key or an identity token in the cookie is no session', async () => {
  const token = await gateway.control.mintToken({ claims: { sub: 'user-alice', email: 'alice@example.com' } })
  for (const value of ['sk-proxy-abc', token, 'sess-', 'sess-a.b.c', '%00', 'x'.repeat(9000)]) {
    const response = await fetch(`${gateway.url}/auth/me`, { headers: { cookie: `causeway_session=${value}` } })
    assert.equal(response.status, 401, value.slice(0, 30))
  }
})

test('a key of an administrator is told that it may do what members may', async () => {
  assert.ok(gateway.database !== undefined)
  const admin = await createUserStore(gateway.database.kysely).findBySubject('admin')
  assert.ok(admin !== undefined)
  const { key } = await addKey(gateway.database, { userId: admin.id })
  // A change through the API makes this instance read the key that the test has stored behind its back.
  await asAdmin(gateway, 'PUT', '/admin/settings/spend_retention_days', { value: 400 })
  const ask = (path: string) => fetch(`${gateway.url}${path}`, { headers: { authorization: `Bearer ${key}` } })
  const who = (await (await ask('/auth/me')).json()) as { role: string; user: { role: string } }
  assert.deepEqual([who.role, who.user.role], ['member', 'admin'])
  assert.equal((await ask('/admin/status')).status, 403)
})

test('signing out ends the session everywhere and clears the cookie', async () => {
  const jar = await passwordJar()
  const token = jar.cookies.get(`${new URL(gateway.url).host} /`)?.get('causeway_session') ?? ''
  assert.equal((await jar.send(`${gateway.url}/auth/logout`, { method: 'POST' })).status, 403)
  const out = await post(gateway, jar, '/auth/logout', undefined)
  assert.equal(out.status, 204)
  assert.match(out.headers.get('set-cookie') ?? '', /causeway_session=; Path=\/; Max-Age=0/)
  const again = await fetch(`${gateway.url}/auth/me`, { headers: { authorization: `Bearer ${token}` } })
  assert.equal(again.status, 401)
})

test('a demoted, deactivated or deleted person loses a portal session at once here (T21)', async () => {
  const jar = await signIn(gateway, 'bob@example.com')
  const { user } = await me(gateway, jar)
  await asAdmin(gateway, 'PATCH', `/admin/users/${user?.id}`, { role: 'admin' })
  assert.equal((await jar.send(`${gateway.url}/auth/me`)).status, 401, 'a new role needs a new session')
  const admin = await signIn(gateway, 'bob@example.com')
  assert.equal((await admin.send(`${gateway.url}/admin/users`)).status, 200)
  await asAdmin(gateway, 'PATCH', `/admin/users/${user?.id}`, { role: 'member' })
  assert.notEqual((await admin.send(`${gateway.url}/admin/users`)).status, 200)
  const member = await signIn(gateway, 'bob@example.com')
  await asAdmin(gateway, 'PATCH', `/admin/users/${user?.id}`, { active: false })
  assert.equal((await member.send(`${gateway.url}/auth/me`)).status, 403)
  await asAdmin(gateway, 'DELETE', `/admin/users/${user?.id}`)
  assert.equal((await member.send(`${gateway.url}/auth/me`)).status, 401)
})

test('with password sign-in switched off only the forced one gives a session (T20)', async () => {
  const token = await login(gateway.url)
  const change = (value: boolean) =>
    fetch(`${gateway.url}/admin/settings/admin_login_enabled`, {
      method: 'PUT',
      headers: { ...json, authorization: `Bearer ${token}` },
      body: JSON.stringify({ value }),
    })
  assert.equal((await change(false)).status, 200)
  const refused = await createJar().send(`${gateway.url}/auth/login`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD }),
  })
  assert.equal(refused.status, 403)
  assert.deepEqual(refused.headers.getSetCookie(), [])
  const offered = (await (await fetch(`${gateway.url}/auth/providers`)).json()) as { admin_login_enabled: boolean }
  assert.equal(offered.admin_login_enabled, false)
  await change(true)
})

test('without a database the password and its cookie work, and what needs one says so', async () => {
  const bare = await startGateway({ database: 'none', simulator: gateway.simulator })
  try {
    const jar = createJar()
    const visit = await jar.send(`${bare.url}/auth/login`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD }),
    })
    assert.equal(visit.status, 200)
    assert.equal((await me(bare, jar)).role, 'admin')
    const begun = await fetch(`${bare.url}/auth/cli/login`)
    assert.equal(begun.status, 503)
    assert.match(await begun.text(), /database_required/)
    assert.equal((await jar.send(`${bare.url}/managed/settings`)).status, 200)
    const token = await login(bare.url)
    const ask = (method: string, path: string): Promise<Response> =>
      fetch(`${bare.url}${path}`, { method, headers: { authorization: `Bearer ${token}` } })
    assert.equal((await ask('GET', '/auth/me')).status, 200)
    assert.equal((await ask('POST', '/auth/logout')).status, 204)
    assert.equal((await ask('GET', '/auth/me')).status, 401, 'signed out is signed out')
    assert.equal((await me(bare, jar)).role, 'admin', 'another session goes on')
  } finally {
    await bare.stop()
  }
})

test('the default password signs in nobody whose page has led its own name to a gateway on this machine (T05)', async () => {
  const local = await startGateway({ database: 'none', env: { ADMIN_PASSWORD: 'admin' } })
  const body = '{"username":"admin","password":"admin"}'
  const statusFor = async (port: number, host: string): Promise<number> => {
    const head = `host: ${host}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`
    return (await sendRaw(port, `POST /auth/login HTTP/1.1\r\n${head}\r\n\r\n${body}`)).status
  }
  try {
    for (const host of ['localhost:8080', '127.0.0.1', '[::1]:8080', '192.0.2.7'])
      assert.equal(await statusFor(local.port, host), 200, host)
    for (const host of ['evil.example', 'evil.example:8080', 'localhost.evil.example', '127.0.0.1.evil.example', 'x'])
      assert.equal(await statusFor(local.port, host), 400, host)
    assert.equal(await statusFor(gateway.port, 'gateway.example.com'), 401, 'another password is not guessed so easily')
  } finally {
    await local.stop()
  }
})

test('PUBLIC_URL is a name that the default password may be used under', async () => {
  const named = await startGateway({
    database: 'none',
    env: { ADMIN_PASSWORD: 'admin', PUBLIC_URL: 'https://gateway.example.com' },
  })
  const body = '{"username":"admin","password":"admin"}'
  const head = `host: Gateway.example.com\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`
  const { status } = await sendRaw(named.port, `POST /auth/login HTTP/1.1\r\n${head}\r\n\r\n${body}`)
  await named.stop()
  assert.equal(status, 200)
})
