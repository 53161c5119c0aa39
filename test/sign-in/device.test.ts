import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { until } from '../endpoints/admin-client.ts'
import { addKey } from '../support/gateway.ts'
import { sendRaw } from '../support/raw-http.ts'
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

const authorizeDevice = async () => (await form('/oauth/device_authorization', { client_id: 'claude-code' })).body
const askToken = (deviceCode: string) => form('/oauth/token', { grant_type: DEVICE_GRANT, device_code: deviceCode })
const refresh = (token: string) => form('/oauth/token', { grant_type: 'refresh_token', refresh_token: token })
const forgetPoll = () => sql('update login_requests set polled_at = null')

async function signedInDevice(jar = alice) {
  const device = await authorizeDevice()
  await post(gateway, jar, '/device', { user_code: device['user_code'] })
  return (await askToken(device['device_code'] ?? '')).body
}

test('the metadata names endpoints of the same origin and no authorization endpoint (RFC 8414)', async () => {
  const response = await fetch(`${gateway.url}/.well-known/oauth-authorization-server`)
  const metadata = (await response.json()) as Record<string, unknown>
  assert.equal(metadata['issuer'], gateway.url)
  assert.equal(metadata['device_authorization_endpoint'], `${gateway.url}/oauth/device_authorization`)
  assert.equal(metadata['token_endpoint'], `${gateway.url}/oauth/token`)
  assert.equal('authorization_endpoint' in metadata, false)
  assert.deepEqual(metadata['grant_types_supported'], [DEVICE_GRANT, 'refresh_token'])
})

test('a client signs in by device code: pending, slowed down, confirmed, then tokens once (RFC 8628)', async () => {
  const device = await authorizeDevice()
  assert.match(device['device_code'] ?? '', /^[\w-]{43}$/)
  assert.equal(device['verification_uri'], `${gateway.url}/device`)
  assert.equal(device['verification_uri_complete'], `${gateway.url}/device?user_code=${device['user_code']}`)
  const code = device['device_code'] ?? ''
  assert.deepEqual(
    [(await askToken(code)).body['error'], (await askToken(code)).body['error']],
    ['authorization_pending', 'slow_down'],
  )
  await alice.open(device['verification_uri_complete'] ?? '')
  await forgetPoll()
  assert.equal((await askToken(code)).body['error'], 'authorization_pending', 'opening the page confirms nothing')
  const answered = await post(gateway, alice, '/device', { user_code: device['user_code'] })
  assert.equal(answered.status, 200, answered.text)
  const tokens = await askToken(code)
  assert.equal(tokens.status, 200)
  assert.equal(tokens.headers.get('cache-control'), 'no-store')
  assert.equal(tokens.body['token_type'], 'Bearer')
  assert.equal(tokens.body['expires_in'], 3600)
  const again = await askToken(code)
  assert.deepEqual([again.status, again.body['error']], [400, 'invalid_grant'])
  const bearer = { authorization: `Bearer ${tokens.body['access_token']}` }
  for (const path of ['/auth/me', '/v1/models', '/managed/settings'])
    assert.equal((await fetch(`${gateway.url}${path}`, { headers: bearer })).status, 200, path)
})

test('a refused, an expired and an unknown code are told apart', async () => {
  const refused = await authorizeDevice()
  await post(gateway, alice, '/device', { user_code: refused['user_code'], approve: false })
  assert.equal((await askToken(refused['device_code'] ?? '')).body['error'], 'access_denied')
  const late = await authorizeDevice()
  await sql("update login_requests set expires_at = now() - interval '1 second'")
  assert.equal((await askToken(late['device_code'] ?? '')).body['error'], 'expired_token')
  assert.equal((await askToken('unknown')).body['error'], 'invalid_grant')
})

test('a code for the client cannot be confirmed on the other page, nor polled by the other way', async () => {
  const device = await authorizeDevice()
  const wrong = await post(gateway, alice, '/auth/cli/complete', { user_code: device['user_code'] })
  assert.equal(wrong.status, 404)
  await post(gateway, alice, '/device', { user_code: device['user_code'] })
  const poll = await fetch(`${gateway.url}/auth/cli/poll?session_code=${device['device_code']}`)
  assert.equal(poll.status, 404)
})

test('a refresh token works once and gives its successor; a late second use ends the family', async () => {
  const first = await signedInDevice()
  const second = await refresh(first['refresh_token'] ?? '')
  assert.equal(second.status, 200)
  assert.notEqual(second.body['refresh_token'], first['refresh_token'])
  const reused = await refresh(first['refresh_token'] ?? '')
  assert.deepEqual([reused.status, reused.body['error']], [401, 'invalid_grant'])
  const third = await refresh(second.body['refresh_token'] ?? '')
  assert.equal(third.status, 200, 'two programs in a race do not sign the person out')
  await sql("update refresh_tokens set used_at = now() - interval '1 minute' where used_at is not null")
  assert.equal((await refresh(first['refresh_token'] ?? '')).status, 401)
  assert.equal((await refresh(third.body['refresh_token'] ?? '')).status, 401, 'a stolen copy came to light')
  for (const { access_token: token } of [first, second.body, third.body]) {
    const who = await fetch(`${gateway.url}/auth/me`, { headers: { authorization: `Bearer ${token}` } })
    assert.equal(who.status, 401, 'whoever has the copy has its tokens too')
  }
  const trail = await sql(`select after from audit_log where action = 'session.end'`)
  assert.deepEqual(trail?.rows, [{ after: { reason: 'a refresh token was used a second time' } }])
})

test('a late second use ends the family of a sign-in too that is in no list', async () => {
  const first = await signedInDevice()
  const second = await refresh(first['refresh_token'] ?? '')
  assert.equal(second.status, 200)
  await sql('delete from sign_ins')
  await sql("update refresh_tokens set used_at = now() - interval '1 minute' where used_at is not null")
  assert.equal((await refresh(first['refresh_token'] ?? '')).status, 401)
  assert.equal((await refresh(second.body['refresh_token'] ?? '')).status, 401)
})

test('20 refreshes at once with the same token: one succeeds', async () => {
  const { refresh_token: token = '' } = await signedInDevice()
  const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(token)))
  assert.equal(answers.filter((answer) => answer.status === 200).length, 1)
  assert.equal(answers.filter((answer) => answer.status === 401).length, 19)
})

/** As a failover does it: what was written before in the same transaction is lost with the connection. */
async function whileTokensCannotBeStored(work: () => Promise<void>): Promise<void> {
  await sql(`create function go_away() returns trigger language plpgsql as $$
    begin raise exception 'terminating connection' using errcode = '57P01'; end $$`)
  await sql('create trigger go_away before insert on refresh_tokens for each row execute function go_away()')
  try {
    await work()
  } finally {
    await sql('drop function go_away cascade')
  }
}

test('a renewal that meets a fault of the database leaves the token usable, and is no theft later', async () => {
  const { refresh_token: token = '', access_token: access = '' } = await signedInDevice()
  await whileTokensCannotBeStored(async () => {
    const failed = await refresh(token)
    assert.deepEqual([failed.status, failed.body['error']], [503, 'temporarily_unavailable'])
  })
  await sql("update refresh_tokens set used_at = now() - interval '1 minute' where used_at is not null")
  const renewed = await refresh(token)
  assert.equal(renewed.status, 200, JSON.stringify(renewed.body))
  const who = await fetch(`${gateway.url}/auth/me`, { headers: { authorization: `Bearer ${access}` } })
  assert.equal(who.status, 200)
  assert.equal((await refresh(token)).status, 401, 'it still works once')
  assert.equal((await refresh(renewed.body['refresh_token'] ?? '')).status, 200)
})

test('a confirmed sign-in whose tokens could not be stored waits for the next poll', async () => {
  const device = await authorizeDevice()
  await post(gateway, alice, '/device', { user_code: device['user_code'] })
  const code = device['device_code'] ?? ''
  await whileTokensCannotBeStored(async () => {
    const failed = await askToken(code)
    assert.deepEqual([failed.status, failed.body['error']], [503, 'temporarily_unavailable'])
  })
  const tokens = await askToken(code)
  assert.equal(tokens.status, 200, JSON.stringify(tokens.body))
  assert.equal((await askToken(code)).body['error'], 'invalid_grant')
})

test('a renewal in the middle of a sign-out waits for it and is turned away', async () => {
  const { refresh_token: token = '' } = await signedInDevice()
  const { rows } = (await sql('select family from refresh_tokens order by created_at desc limit 1')) ?? { rows: [] }
  const client = await gateway.database?.pool.connect()
  assert.ok(client)
  try {
    // The steps of a sign-out, with the renewal between them.
    await client.query('begin')
    await client.query('update sign_ins set ended_at = now() where id = $1', [rows[0].family])
    const renewal = refresh(token)
    await until(async () => {
      const waiting = await sql(`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%sign_ins%'`)
      return waiting?.rowCount === 1
    })
    await client.query('delete from refresh_tokens where family = $1', [rows[0].family])
    await client.query('commit')
    assert.equal((await renewal).status, 401)
  } finally {
    client.release(true)
  }
})

test('refresh tokens are stored as hashes only', async () => {
  const { refresh_token: token = '' } = await signedInDevice()
  const dump = JSON.stringify(
    (await sql('select encode(hash, $1) as hash, family, user_id from refresh_tokens', ['escape']))?.rows,
  )
  assert.equal(dump.includes(token) || dump.includes(token.slice(3)), false)
})

test('a deactivated, a deleted and a demoted person are turned away at the next refresh', async () => {
  for (const leave of ['deactivate', 'delete', 'demote'] as const) {
    const jar = await signIn(gateway, 'bob@example.com')
    const { refresh_token: token = '' } = await signedInDevice(jar)
    const path = `/admin/users/${(await me(gateway, jar)).user?.id}`
    if (leave === 'deactivate') await asAdmin(gateway, 'PATCH', path, { active: false })
    else if (leave === 'demote') await asAdmin(gateway, 'PATCH', path, { role: 'admin' })
    else await asAdmin(gateway, 'DELETE', path)
    const answer = await refresh(token)
    assert.deepEqual([answer.status, answer.body['error']], [401, 'invalid_grant'], leave)
    if (leave === 'deactivate') await asAdmin(gateway, 'PATCH', path, { active: true })
  }
})

test('what is no OAuth form is refused in OAuth words and never with a fault', async () => {
  const send = async (path: string, body: string, type = 'application/x-www-form-urlencoded') => {
    const response = await fetch(`${gateway.url}${path}`, { method: 'POST', headers: { 'content-type': type }, body })
    return [response.status, ((await response.json()) as { error: string }).error]
  }
  assert.deepEqual(await send('/oauth/token', ''), [400, 'unsupported_grant_type'])
  assert.deepEqual(await send('/oauth/token', 'grant_type=password'), [400, 'unsupported_grant_type'])
  assert.deepEqual(await send('/oauth/token', 'grant_type=a&grant_type=b'), [400, 'invalid_request'])
  assert.deepEqual(await send('/oauth/token', '{}', 'application/json'), [400, 'invalid_request'])
  assert.deepEqual(await send('/oauth/token', `a=${'x'.repeat(20_000)}`), [413, 'invalid_request'])
  assert.deepEqual(await send('/oauth/token', `grant_type=${DEVICE_GRANT}&device_code=%00%ff`), [400, 'invalid_grant'])
  assert.deepEqual(await send('/oauth/token', 'grant_type=refresh_token'), [401, 'invalid_grant'])
})

test('telemetry is taken from those who may call and thrown away', async () => {
  const database = gateway.database
  assert.ok(database)
  const { key } = await addKey(database)
  const sendAs = (headers: Record<string, string>, body = Buffer.alloc(1000, 7)) =>
    fetch(`${gateway.url}/v1/metrics`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf', ...headers },
      body,
    })
  assert.equal((await sendAs({})).status, 401)
  const { access_token: token = '' } = await signedInDevice()
  assert.equal((await sendAs({ authorization: `Bearer ${token}` })).status, 200)
  assert.equal((await sendAs({ authorization: `Bearer ${token}` }, Buffer.alloc(17 * 1024 * 1024))).status, 413)
  for (const signal of ['logs', 'traces']) {
    const response = await fetch(`${gateway.url}/v1/${signal}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"x": not json',
    })
    assert.equal(response.status, 200, signal)
  }
  assert.match(key, /^sk-proxy-/)
})

test('the client finds a sign of life and a description without a credential', async () => {
  for (const path of ['/api/hello', '/'])
    assert.equal((await fetch(`${gateway.url}${path}`, { method: 'HEAD' })).status, 200, path)
  const protocol = await fetch(`${gateway.url}/protocol`)
  assert.equal(protocol.status, 200)
  assert.match(protocol.headers.get('content-type') ?? '', /^text\/markdown/)
})

test('a client that leaves in the middle of its form is nothing for the error log', async () => {
  const head = 'host: x\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 99\r\n\r\na='
  for (const path of ['/oauth/token', '/oauth/device_authorization']) {
    const seen = gateway.logLines.length
    await sendRaw(gateway.port, `POST ${path} HTTP/1.1\r\n${head}`, { waitMs: 50 })
    await until(async () => gateway.logLines.slice(seen).some((line) => line.includes(`"${path}"`)))
    await setImmediate()
    assert.deepEqual(
      gateway.logLines.slice(seen).filter((line) => line.includes('"level":"error"')),
      [],
    )
  }
})
