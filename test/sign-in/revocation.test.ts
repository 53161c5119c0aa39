import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../endpoints/admin-client.ts'
import { startChaosProxy } from '../support/chaos-proxy.ts'
import { createTestDatabase } from '../support/database.ts'
import { asAdmin, type CookieJar, me, post, signIn, startLoginGateway } from './login-app.ts'

let gateway: Awaited<ReturnType<typeof startLoginGateway>>
let alice: CookieJar

before(async () => {
  gateway = await startLoginGateway()
  alice = await signIn(gateway, 'alice@example.com')
})

after(() => gateway.stop())

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const sql = (text: string, values: unknown[] = []) => gateway.database?.pool.query(text, values)

async function form(path: string, fields: Record<string, string>) {
  const response = await fetch(`${gateway.url}${path}`, { method: 'POST', body: new URLSearchParams(fields) })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Record<string, string> }
}

async function deviceTokens(): Promise<{ readonly access: string; readonly refresh: string }> {
  const { body: device } = await form('/oauth/device_authorization', { surface: 'claude_code' })
  await post(gateway, alice, '/device', { user_code: device['user_code'] })
  const { body } = await form('/oauth/token', { grant_type: DEVICE_GRANT, device_code: device['device_code'] ?? '' })
  return { access: body['access_token'] ?? '', refresh: body['refresh_token'] ?? '' }
}

const refresh = (token: string) => form('/oauth/token', { grant_type: 'refresh_token', refresh_token: token })
const revoke = (fields: Record<string, string>) => form('/oauth/revoke', fields)

async function statusWith(token: string): Promise<number> {
  return (await fetch(`${gateway.url}/auth/me`, { headers: { authorization: `Bearer ${token}` } })).status
}

async function signOuts(): Promise<readonly { actor: string; source_address: string; request_id: string }[]> {
  const trail = await asAdmin(gateway, 'GET', '/admin/audit?action=sign-out&sort=at')
  return ((await trail.json()) as { data: { actor: string; source_address: string; request_id: string }[] }).data
}

test('the metadata names the revocation endpoint on the same origin (RFC 8414)', async () => {
  const response = await fetch(`${gateway.url}/.well-known/oauth-authorization-server`)
  const metadata = (await response.json()) as Record<string, unknown>
  assert.equal(metadata['revocation_endpoint'], `${gateway.url}/oauth/revoke`)
  assert.deepEqual(metadata['revocation_endpoint_auth_methods_supported'], ['none'])
})

test('revoking the access token ends the session and its refresh token; a second request changes nothing (RFC 7009)', async () => {
  const tokens = await deviceTokens()
  const before = await signOuts()
  const revoked = await revoke({ token: tokens.access })
  assert.equal(revoked.status, 200)
  assert.equal(revoked.headers.get('cache-control'), 'no-store')
  assert.equal(await statusWith(tokens.access), 401)
  assert.equal((await refresh(tokens.refresh)).status, 401)
  assert.equal((await revoke({ token: tokens.refresh, token_type_hint: 'refresh_token' })).status, 200)
  assert.equal((await revoke({ token: tokens.access, token_type_hint: 'access_token' })).status, 200)
  const entries = (await signOuts()).slice(before.length)
  assert.equal(entries.length, 1, 'one sign-out, one audit entry')
  assert.equal(entries[0]?.actor, 'alice@example.com')
  assert.equal(entries[0]?.source_address, '127.0.0.1')
  assert.equal(entries[0]?.request_id, revoked.headers.get('request-id'))
})

test('revoking the refresh token ends the session, also with a wrong hint and when the token was already used', async () => {
  const unused = await deviceTokens()
  assert.equal((await revoke({ token: unused.refresh, token_type_hint: 'access_token' })).status, 200)
  assert.equal(await statusWith(unused.access), 401)
  const used = await deviceTokens()
  const renewed = (await refresh(used.refresh)).body
  assert.equal((await revoke({ token: used.refresh, token_type_hint: 'refresh_token' })).status, 200)
  assert.equal(await statusWith(renewed['access_token'] ?? ''), 401)
  assert.equal((await refresh(renewed['refresh_token'] ?? '')).status, 401)
})

test('other sessions of the same user stay signed in', async () => {
  const [one, other] = [await deviceTokens(), await deviceTokens()]
  await revoke({ token: one.access })
  assert.equal(await statusWith(other.access), 200)
  assert.equal((await refresh(other.refresh)).status, 200)
  assert.equal((await me(gateway, alice)).user?.subject, 'alice@example.com')
})

test('an unknown or damaged token is answered with 200 and leaves no trace; a request without a token is refused', async () => {
  const { access } = await deviceTokens()
  const before = await signOuts()
  const minted = await gateway.control.mintToken({ claims: { sub: 'user-alice', email: 'alice@example.com' } })
  for (const token of ['rt-unknown', 'sess-unknown', `${access}x`, 'sk-proxy-unknown', minted, '\0'])
    assert.equal((await revoke({ token })).status, 200, token)
  assert.equal((await signOuts()).length, before.length)
  assert.equal(await statusWith(access), 200)
  for (const fields of [{}, { token: '' }, { token_type_hint: 'refresh_token' }]) {
    const refused = await revoke(fields as Record<string, string>)
    assert.deepEqual([refused.status, refused.body['error']], [400, 'invalid_request'])
  }
  const response = await fetch(`${gateway.url}/oauth/revoke`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: access }),
  })
  assert.equal(response.status, 400)
  assert.equal(await statusWith(access), 200)
})

test('POST /auth/logout ends the refresh token of that session, also of a session that is in no list', async () => {
  for (const isListed of [true, false]) {
    const tokens = await deviceTokens()
    if (!isListed) await sql('delete from sign_ins')
    const headers = { authorization: `Bearer ${tokens.access}` }
    assert.equal((await fetch(`${gateway.url}/auth/logout`, { method: 'POST', headers })).status, 204)
    assert.equal(await statusWith(tokens.access), 401)
    assert.equal((await refresh(tokens.refresh)).status, 401, `listed: ${isListed}`)
  }
})

test('while the database is away a sign-out is answered with 503 and can be repeated', async () => {
  const direct = await createTestDatabase()
  const proxy = await startChaosProxy(direct.url)
  const other = await startLoginGateway({
    database: { ...direct, url: proxy.url },
    simulator: gateway.simulator,
  })
  try {
    const jar = await signIn(other, 'alice@example.com')
    const kept = [...jar.cookies.values()].flatMap((values) => [...values])
    const token = kept.find(([name]) => name === 'causeway_session')?.[1] ?? ''
    const send = async () => {
      const response = await fetch(`${other.url}/oauth/revoke`, {
        method: 'POST',
        body: new URLSearchParams({ token }),
      })
      return [response.status, ((await response.json()) as { error?: string }).error]
    }
    proxy.set('refuse')
    assert.deepEqual(await send(), [503, 'temporarily_unavailable'])
    proxy.set('pass')
    await until(async () => (await send())[0] === 200)
    assert.equal((await jar.send(`${other.url}/auth/me`)).status, 401)
  } finally {
    proxy.set('pass')
    await other.stop()
    await proxy.close()
    await direct.drop()
  }
})
