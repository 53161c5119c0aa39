import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type Simulator, startSimulator } from '../../../simulator/simulator.ts'
import { untilTrue } from '../../message-path/path-client.ts'
import { asAdmin, authorize, beginCliLogin, createJar, me, poll, post, signIn } from '../../sign-in/login-app.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { ADMIN_PASSWORD, login, startGateway, type TestGateway } from '../../support/gateway.ts'

let database: TestDatabase
let simulator: Simulator
let one: TestGateway & { idpId: string }
let two: TestGateway & { idpId: string }

before(async () => {
  database = await createTestDatabase()
  simulator = await startSimulator()
  const start = async () => {
    const env = { OIDC_ISSUER: simulator.oidcUrl, OIDC_AUDIENCE: 'causeway' }
    const gateway = await startGateway({ database, simulator, env })
    const body = (await (await fetch(`${gateway.url}/auth/providers`)).json()) as { providers: { id: string }[] }
    return { ...gateway, idpId: body.providers[0]?.id ?? '' }
  }
  one = await start()
  two = await start()
})
after(async () => {
  await Promise.all([one.stop(), two.stop()])
  await simulator.close()
  await database.drop()
})

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

async function statusesOf(token: string): Promise<number[]> {
  const answers = [one, two, one].map((gateway) => fetch(`${gateway.url}/auth/me`, bearer(token)))
  return (await Promise.all(answers)).map((answer) => answer.status)
}

/** On the first instance; the second has not heard of it when the test goes on. */
async function signOutEverywhere(): Promise<void> {
  const ended = await fetch(`${one.url}/me/sessions`, { method: 'DELETE', ...bearer(await login(one.url)) })
  assert.equal(ended.status, 204)
}

beforeEach(signOutEverywhere)

test('who has signed out everywhere and signs in again is known to every instance at once', async () => {
  assert.deepEqual(await statusesOf(await login(one.url)), [200, 200, 200])
})

test('a sign-in on an instance that has not heard of the end of the sessions before lasts', async () => {
  assert.deepEqual(await statusesOf(await login(two.url)), [200, 200, 200])
})

test('so does one from a terminal', async () => {
  const jar = createJar()
  const begun = await beginCliLogin(one)
  const entered = await jar.send(`${one.url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD }),
  })
  assert.equal(entered.status, 200)
  assert.equal((await post(one, jar, '/auth/cli/complete', { user_code: begun.user_code })).status, 200)
  const { token } = (await (await poll(two, begun.session_code)).json()) as { token: string }
  assert.deepEqual(await statusesOf(token), [200, 200, 200])
})

test('so does one through an identity provider, after a new role', async () => {
  const known = await me(two, await signIn(two, 'bob@example.com'))
  assert.equal((await asAdmin(one, 'PATCH', `/admin/users/${known.user?.id}`, { role: 'admin' })).status, 200)
  const jar = await signIn(two, 'bob@example.com')
  const [token = ''] = [...jar.cookies.values()].flatMap((cookies) => cookies.get('causeway_session') ?? [])
  assert.deepEqual(await statusesOf(token), [200, 200, 200])
  assert.equal((await me(two, jar)).role, 'admin')
})

test('a session that has ended confirms nothing on an instance that has not heard of it', async () => {
  for (const path of ['/auth/logout', '/me/sessions']) {
    const jar = await signIn(two, 'carol@other.example')
    const { csrf_token: csrf = '' } = await me(two, jar)
    const [token = ''] = [...jar.cookies.values()].flatMap((cookies) => cookies.get('causeway_session') ?? [])
    const begun = await beginCliLogin(two)
    const method = path === '/auth/logout' ? 'POST' : 'DELETE'
    assert.equal((await fetch(`${one.url}${path}`, { method, ...bearer(token) })).status, 204)
    const visit = await jar.send(`${two.url}/auth/cli/complete`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': csrf },
      body: JSON.stringify({ user_code: begun.user_code }),
    })
    assert.equal(visit.status, 401, path)
    assert.equal((await poll(two, begun.session_code)).status, 202)
  }
})

test('nobody signs in on an instance that has not heard of the deactivation', async () => {
  const known = await me(two, await signIn(two, 'alice@example.com'))
  assert.equal((await asAdmin(one, 'PATCH', `/admin/users/${known.user?.id}`, { active: false })).status, 200)
  const jar = createJar()
  const visit = await jar.send(await authorize(jar, `${two.url}/auth/sso/${two.idpId}/start`, 'alice@example.com'))
  assert.equal(visit.status, 403)
})

test('a grant is given and taken away on every instance, in the session that is open', async () => {
  const jar = await signIn(two, 'carol@other.example')
  const [token = ''] = [...jar.cookies.values()].flatMap((cookies) => cookies.get('causeway_session') ?? [])
  const { user } = await me(two, jar)
  const statusOn = async (gateway: TestGateway): Promise<number> =>
    (await fetch(`${gateway.url}/admin/status`, bearer(token))).status
  const give = async (grants: readonly string[], status: number): Promise<void> => {
    assert.equal((await asAdmin(one, 'PATCH', `/admin/users/${user?.id}`, { grants })).status, 200)
    assert.equal(await statusOn(one), status, 'at once where it was changed')
    await untilTrue(async () => (await statusOn(two)) === status)
  }
  assert.equal(await statusOn(two), 403)
  await give(['ops:operate'], 200)
  const stream = (await fetch(`${two.url}/admin/events`, bearer(token))).body?.getReader()
  await give([], 403)
  // Nobody who lost the grant may keep watching, so the stream ends.
  while ((await stream?.read())?.done === false);
  assert.deepEqual(await statusesOf(token), [200, 200, 200], 'a grant ends no session')
})
