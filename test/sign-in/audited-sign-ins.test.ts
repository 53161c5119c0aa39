import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../endpoints/admin-client.ts'
import { startChaosProxy } from '../support/chaos-proxy.ts'
import { createTestDatabase } from '../support/database.ts'
import { ADMIN_PASSWORD, startGateway, type TestGateway } from '../support/gateway.ts'
import { asAdmin, authorize, beginCliLogin, createJar, poll, post, signIn, startLoginGateway } from './login-app.ts'

let gateway: Awaited<ReturnType<typeof startLoginGateway>>

before(async () => {
  // The address of each caller is the one in the header, as behind a load balancer.
  gateway = await startLoginGateway({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
})

after(() => gateway.stop())

interface Entry {
  readonly actor: string
  readonly action: string
  readonly target: string | null
  readonly after: Readonly<Record<string, string>> | null
  readonly source_address: string | null
  readonly request_id: string | null
}

async function readEntries(action: string): Promise<readonly Entry[]> {
  const response = await asAdmin(gateway, 'GET', `/admin/audit?action=${action}&sort=at&limit=200`)
  return ((await response.json()) as { data: Entry[] }).data
}

function tryPassword(url: string, username: string, address: string, password = 'wrong'): Promise<Response> {
  return fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ username, password }),
  })
}

function linesAbout(of: TestGateway, requestId: string | null) {
  const lines = of.logLines.map((line) => JSON.parse(line) as Record<string, unknown>)
  return lines.filter(({ id, msg }) => id === requestId && msg === 'a password sign-in was refused')
}

const wrongPasswords = () => readEntries('sign-in.failed')

test('a wrong password leaves an audit entry with name, address and request, and a log line with the address', async () => {
  const response = await tryPassword(gateway.url, 'Admin ', '203.0.113.1')
  assert.equal(response.status, 401)
  const requestId = response.headers.get('request-id')
  const entry = await until(async () => (await wrongPasswords()).find((one) => one.request_id === requestId))
  assert.equal(entry?.actor, 'sign-in')
  assert.equal(entry?.target, null)
  assert.deepEqual(entry?.after, { via: 'password', username: 'Admin ' })
  assert.equal(entry?.source_address, '203.0.113.1')
  const [line] = linesAbout(gateway, requestId)
  assert.equal(line?.['level'], 'warn')
  assert.equal(line?.['source_address'], '203.0.113.1')
  assert.equal(line?.['reason'], 'wrong_password')
})

test('a long name is cut, and neither the password nor the name reaches the log', async () => {
  const name = `${'n'.repeat(99)}\u{1f511}${'m'.repeat(200)}`
  const response = await tryPassword(gateway.url, name, '203.0.113.2', 'canary-password')
  const requestId = response.headers.get('request-id')
  const entry = await until(async () => (await wrongPasswords()).find((one) => one.request_id === requestId))
  const kept = entry?.after?.['username'] ?? ''
  assert.ok(kept.startsWith('n'.repeat(99)) && kept.length <= 101, kept)
  assert.doesNotMatch(JSON.stringify(entry), /canary/)
  assert.doesNotMatch(gateway.logLines.join(''), /canary|nnnnnnnn/)
})

test('a NUL and half a surrogate pair in a name are stored too', async () => {
  const response = await tryPassword(gateway.url, 'a\0b\ud83d', '203.0.113.3')
  const requestId = response.headers.get('request-id')
  const entry = await until(async () => (await wrongPasswords()).find((one) => one.request_id === requestId))
  assert.equal(entry?.after?.['username'], 'a\u{fffd}b\u{fffd}')
})

test('attempts that are turned away before the password is compared have a log line only', async () => {
  for (let attempt = 0; attempt < 10; attempt += 1) await tryPassword(gateway.url, 'admin', '203.0.113.4')
  const throttled = await tryPassword(gateway.url, 'admin', '203.0.113.4', ADMIN_PASSWORD)
  assert.equal(throttled.status, 429)
  const requestId = throttled.headers.get('request-id')
  assert.equal(linesAbout(gateway, requestId)[0]?.['reason'], 'login_throttled')
  assert.ok(!(await wrongPasswords()).some((one) => one.request_id === requestId))
})

test('while the database is away, and without one, a wrong password is answered as usual and logged', async () => {
  const direct = await createTestDatabase()
  const proxy = await startChaosProxy(direct.url)
  const away = await startGateway({ database: { ...direct, url: proxy.url } })
  const none = await startGateway({ database: 'none', simulator: gateway.simulator })
  try {
    proxy.set('hang')
    for (const one of [away, none]) {
      const response = await tryPassword(one.url, 'admin', '203.0.113.5')
      assert.equal(response.status, 401)
      assert.equal(linesAbout(one, response.headers.get('request-id'))[0]?.['source_address'], '127.0.0.1')
    }
  } finally {
    proxy.set('refuse')
    await away.stop()
    await none.stop()
    await away.simulator.close()
    await proxy.close()
    await direct.drop()
  }
})

test('sign-ins through a provider name address and request: portal, terminal and client, with what the first one stored', async () => {
  await gateway.control.setOidcUser({
    sub: 'user-audited',
    claims: { email: 'audited@example.com', email_verified: true },
  })
  const jar = createJar()
  const back = await authorize(jar, `${gateway.url}/auth/sso/${gateway.idpId}/start`, 'audited@example.com')
  const landed = await jar.send(back, { headers: { 'x-forwarded-for': '203.0.113.10' } })
  assert.equal(landed.status, 303)
  const ofUser = async (action: string) =>
    (await readEntries(action)).filter(({ source_address: address }) => address?.startsWith('203.0.113.1') === true)
  for (const action of ['user.provision', 'sign-in']) {
    const [entry] = await until(async () => {
      const found = await ofUser(action)
      return found.length > 0 ? found : undefined
    })
    assert.equal(entry?.source_address, '203.0.113.10', action)
    assert.equal(entry?.request_id, landed.headers.get('request-id'), action)
  }

  const cli = await beginCliLogin(gateway)
  await post(gateway, jar, '/auth/cli/complete', { user_code: cli.user_code })
  const polled = await fetch(`${gateway.url}/auth/cli/poll?session_code=${cli.session_code}`, {
    headers: { 'x-forwarded-for': '203.0.113.11' },
  })
  assert.equal(polled.status, 200)

  const send = (path: string, fields: Record<string, string>) =>
    fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { 'x-forwarded-for': '203.0.113.12' },
      body: new URLSearchParams(fields),
    })
  const device = (await (await send('/oauth/device_authorization', {})).json()) as Record<string, string>
  await post(gateway, jar, '/device', { user_code: device['user_code'] })
  const tokens = await send('/oauth/token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: device['device_code'] ?? '',
  })
  assert.equal(tokens.status, 200)
  const signIns = await until(async () => {
    const found = await ofUser('sign-in')
    return found.length === 3 ? found : undefined
  })
  assert.deepEqual(
    signIns
      .toSorted((one, other) => (one.source_address ?? '').localeCompare(other.source_address ?? ''))
      .map((entry) => [entry.actor, entry.source_address, entry.request_id, entry.after?.['via']]),
    [
      ['audited@example.com', '203.0.113.10', landed.headers.get('request-id'), 'sso'],
      ['audited@example.com', '203.0.113.11', polled.headers.get('request-id'), 'cli'],
      ['audited@example.com', '203.0.113.12', tokens.headers.get('request-id'), 'cli'],
    ],
  )
  assert.equal((await poll(gateway, cli.session_code)).status, 404)
})

test('binding a user at the first sign-in, and refusing an identity, name address and request too', async () => {
  await asAdmin(gateway, 'POST', '/admin/users', { subject: 'bound@example.com' })
  for (const sub of ['user-bound', 'user-impostor'])
    await gateway.control.setOidcUser({ sub, claims: { email: 'bound@example.com', email_verified: true } })
  const visit = async (sub: string, address: string) => {
    const jar = createJar()
    const back = await authorize(jar, `${gateway.url}/auth/sso/${gateway.idpId}/start`, sub)
    return await jar.send(back, { headers: { 'x-forwarded-for': address } })
  }
  const bound = await visit('user-bound', '203.0.113.20')
  assert.equal(bound.status, 303)
  const refused = await visit('user-impostor', '203.0.113.21')
  assert.equal(refused.status, 403)
  for (const [action, address, visited] of [
    ['user.bind', '203.0.113.20', bound],
    ['sign-in.refused', '203.0.113.21', refused],
  ] as const) {
    const entry = await until(async () => (await readEntries(action)).find((one) => one.source_address === address))
    assert.equal(entry?.request_id, visited.headers.get('request-id'), action)
  }
  assert.ok(await signIn(gateway, 'user-bound'))
})
