import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../endpoints/admin-client.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { login, type TestGateway } from '../support/gateway.ts'
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

let database: TestDatabase
let here: TestGateway & { idpId: string }
let there: TestGateway & { idpId: string }

before(async () => {
  database = await createTestDatabase()
  here = await startLoginGateway({ database })
  there = await startLoginGateway({ database, simulator: here.simulator })
  for (const name of ['ways', 'one', 'device', 'everywhere'])
    await here.control.setOidcUser({
      sub: `user-${name}`,
      claims: { email: `${name}@example.com`, email_verified: true },
    })
})

after(async () => {
  await Promise.all([here.stop(), there.stop()])
  await here.simulator.close()
  await database.drop()
})

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
/** By the specification. */

interface Listed {
  readonly id: string
  readonly signed_in_with: string
  readonly client: string | null
  readonly source_address: string | null
  readonly current: boolean
}

async function sessionsOf(jar: CookieJar, gateway = here): Promise<readonly Listed[]> {
  const visit = await jar.send(`${gateway.url}/me/sessions`)
  assert.equal(visit.status, 200, visit.text)
  return (JSON.parse(visit.text) as { data: Listed[] }).data
}

/** Stored beside the answer to the sign-in. */
async function listed(jar: CookieJar, count: number): Promise<readonly Listed[]> {
  await until(async () => (await sessionsOf(jar)).length === count)
  return await sessionsOf(jar)
}

async function remove(jar: CookieJar, path: string): Promise<void> {
  const { csrf_token: csrf = '' } = await me(here, jar)
  const visit = await jar.send(`${here.url}${path}`, { method: 'DELETE', headers: { 'x-csrf-token': csrf } })
  assert.equal(visit.status, 204, visit.text)
}

async function statusWith(token: string, gateway: TestGateway): Promise<number> {
  return (await fetch(`${gateway.url}/auth/me`, { headers: { authorization: `Bearer ${token}` } })).status
}

async function cliToken(jar: CookieJar): Promise<string> {
  const begun = await beginCliLogin(here)
  await post(here, jar, '/auth/cli/complete', { user_code: begun.user_code })
  return ((await (await poll(here, begun.session_code)).json()) as { token: string }).token
}

async function deviceTokens(jar: CookieJar) {
  const form = async (path: string, fields: Record<string, string>) => {
    const headers = { 'user-agent': 'claude-cli/2.1.278 (external, cli)' }
    const response = await fetch(`${here.url}${path}`, { method: 'POST', headers, body: new URLSearchParams(fields) })
    return { status: response.status, body: (await response.json()) as Record<string, string> }
  }
  const device = (await form('/oauth/device_authorization', { client_id: 'claude-code' })).body
  await post(here, jar, '/device', { user_code: device['user_code'] })
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  const { body } = await form('/oauth/token', { grant_type, device_code: device['device_code'] ?? '' })
  return {
    access: body['access_token'] ?? '',
    refresh: () => form('/oauth/token', { grant_type: 'refresh_token', refresh_token: body['refresh_token'] ?? '' }),
  }
}

test('every way to sign in is in the list, named by its program, without anything secret', async () => {
  const jar = createJar()
  const send = jar.send
  await signIn(here, 'ways@example.com', {
    ...jar,
    send: (url, init) => send(url, { ...init, headers: { 'user-agent': FIREFOX, ...(init?.headers as object) } }),
  })
  const token = await cliToken(jar)
  const device = await deviceTokens(jar)
  const sessions = await listed(jar, 3)
  const named = sessions.map(({ signed_in_with: how, client, current }) => `${how}, ${client}, ${current}`).sort()
  assert.match(named[0] ?? '', /^cli, .*, false$/)
  assert.deepEqual(named.slice(1), ['device, Claude Code 2.1.278, false', 'sso, Firefox 140 on Linux, true'])
  for (const { source_address: address } of sessions) assert.equal(address, '127.0.0.1')
  const stored = await database.database.pool.query('select * from sign_ins')
  for (const secret of [token, device.access]) assert.ok(!JSON.stringify(stored.rows).includes(secret.slice(-40)))
})

test('a session that is signed out stops on every instance; the others go on', async () => {
  const jar = await signIn(here, 'one@example.com')
  const token = await cliToken(jar)
  await until(async () => (await statusWith(token, there)) === 200)
  const cli = (await listed(jar, 2)).find(({ signed_in_with: how }) => how === 'cli')
  await remove(jar, `/me/sessions/${cli?.id}`)
  assert.equal(await statusWith(token, here), 401, 'here at once')
  await until(async () => (await statusWith(token, there)) === 401)
  assert.equal((await sessionsOf(jar)).length, 1)
})

test('a client that renews its sign-in keeps one place in the list, and cannot renew once it is signed out', async () => {
  const jar = await signIn(here, 'device@example.com')
  const device = await deviceTokens(jar)
  const renewed = await device.refresh()
  assert.equal(renewed.status, 200)
  const entry = (await listed(jar, 2)).find(({ signed_in_with: how }) => how === 'device')
  await remove(jar, `/me/sessions/${entry?.id}`)
  for (const token of [device.access, renewed.body['access_token'] ?? ''])
    assert.equal(await statusWith(token, here), 401, 'all tokens of the sign-in')
  assert.equal((await device.refresh()).status, 401)
  assert.equal((await listed(jar, 1)).length, 1)
})

test('signing out everywhere ends browser, terminal and client on every instance; logging out leaves the list too', async () => {
  const jar = await signIn(here, 'everywhere@example.com')
  const [token, device] = [await cliToken(jar), await deviceTokens(jar)]
  await listed(jar, 3)
  const { user } = await me(here, jar)
  await remove(jar, '/me/sessions')
  assert.equal((await jar.send(`${here.url}/me`)).status, 401)
  await until(async () => (await statusWith(token, there)) === 401 && (await statusWith(device.access, there)) === 401)
  assert.equal((await device.refresh()).status, 401)
  const back = await signIn(here, 'everywhere@example.com')
  await listed(back, 1)
  assert.equal((await post(here, back, '/auth/logout', undefined)).status, 204)
  const left = await asAdmin(here, 'GET', `/admin/users/${user?.id}/sessions`)
  assert.deepEqual(((await left.json()) as { data: unknown[] }).data, [])
})

test('the use of a session is stored by a loop, and the list of models is seen by every instance', async () => {
  const token = await login(here.url)
  const headers = { authorization: `Bearer ${token}` }
  const read = async (gateway: TestGateway, path: string) =>
    (await (await fetch(`${gateway.url}${path}`, { headers })).json()) as { models_listed_at: string | null }
  await until(async () => (await statusWith(token, there)) === 200)
  assert.equal((await read(there, '/me/client')).models_listed_at, null)
  assert.equal((await fetch(`${here.url}/v1/models`, { headers })).status, 200)
  await until(async () => (await read(there, '/me/client')).models_listed_at !== null)
  // Stored by a statement of its own, after the list of models.
  await until(async () => {
    const seen = await database.database.pool.query("select last_seen_at from users where subject = 'admin'")
    return seen.rows[0].last_seen_at instanceof Date
  })
})
