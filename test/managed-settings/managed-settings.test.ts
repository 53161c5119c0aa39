import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { asAdmin, type CookieJar, me, signIn, startLoginGateway } from '../sign-in/login-app.ts'
import { login } from '../support/gateway.ts'

let gateway: Awaited<ReturnType<typeof startLoginGateway>>
let alice: CookieJar
let teamId = ''

before(async () => {
  gateway = await startLoginGateway()
  alice = await signIn(gateway, 'alice@example.com')
  teamId = ((await (await asAdmin(gateway, 'POST', '/admin/teams', { name: 'Platform' })).json()) as { id: string }).id
})

after(() => gateway.stop())

async function settingsOf(jar: CookieJar) {
  const visit = await jar.send(`${gateway.url}/managed/settings`)
  assert.equal(visit.status, 200)
  return JSON.parse(visit.text) as { uuid: string; checksum: string; settings: Record<string, unknown> }
}

test('the discovery variable is always there; the web search denial exactly while the mode is disabled', async () => {
  assert.deepEqual((await settingsOf(alice)).settings, { env: { CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY: '1' } })
  await asAdmin(gateway, 'PUT', '/admin/settings/websearch_mode', { value: 'disabled' })
  assert.deepEqual((await settingsOf(alice)).settings['permissions'], { deny: ['WebSearch'] })
  await asAdmin(gateway, 'PUT', '/admin/settings/websearch_mode', { value: 'enabled' })
  assert.equal('permissions' in (await settingsOf(alice)).settings, false)
})

test("everybody's document applies, the team's is laid over it, and what is denied adds up", async () => {
  await asAdmin(gateway, 'PUT', '/admin/settings/websearch_mode', { value: 'disabled' })
  const put = await asAdmin(gateway, 'PUT', '/admin/managed-settings', {
    settings: { model: 'sonnet', env: { A: '1', B: '1' }, permissions: { deny: ['WebFetch'], allow: ['Read'] } },
  })
  assert.equal(put.status, 200)
  await asAdmin(gateway, 'PUT', `/admin/teams/${teamId}/managed-settings`, {
    settings: { model: 'opus', env: { B: '2' }, permissions: { deny: ['Bash'], allow: ['Edit'] } },
  })
  const before = await settingsOf(alice)
  assert.equal(before.settings['model'], 'sonnet')
  await asAdmin(gateway, 'PUT', `/admin/users/${(await me(gateway, alice)).user?.id}/team`, { team_id: teamId })
  assert.deepEqual((await settingsOf(alice)).settings, {
    env: { CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY: '1', A: '1', B: '2' },
    permissions: { deny: ['WebSearch', 'WebFetch', 'Bash'], allow: ['Edit'] },
    model: 'opus',
  })
  await asAdmin(gateway, 'DELETE', `/admin/teams/${teamId}/managed-settings`)
  assert.equal((await settingsOf(alice)).settings['model'], 'sonnet')
  await asAdmin(gateway, 'PUT', '/admin/settings/websearch_mode', { value: 'enabled' })
})

test('an unchanged document is 304 for its tag in every spelling, a changed one is not', async () => {
  const { checksum } = await settingsOf(alice)
  for (const tag of [`"${checksum}"`, `W/"${checksum}"`, checksum, `"x", "${checksum}"`]) {
    const visit = await alice.send(`${gateway.url}/managed/settings`, { headers: { 'if-none-match': tag } })
    assert.deepEqual([visit.status, visit.text], [304, ''], tag)
  }
  await asAdmin(gateway, 'PUT', '/admin/managed-settings', { settings: { model: 'haiku' } })
  const changed = await alice.send(`${gateway.url}/managed/settings`, { headers: { 'if-none-match': `"${checksum}"` } })
  assert.equal(changed.status, 200)
})

test('only administrators edit, what is no object or too deep is refused, and each change is in the audit trail', async () => {
  assert.equal((await fetch(`${gateway.url}/managed/settings`)).status, 401)
  assert.equal((await alice.send(`${gateway.url}/admin/managed-settings`)).status, 403)
  for (const settings of [[], 'x', null, 1]) {
    const refused = await asAdmin(gateway, 'PUT', '/admin/managed-settings', { settings })
    assert.equal(refused.status, 400, JSON.stringify(settings))
  }
  const token = await login(gateway.url)
  const deep = `{"settings":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`
  const response = await fetch(`${gateway.url}/admin/managed-settings`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: deep,
  })
  assert.equal(response.status, 400)
  const missing = '/admin/teams/00000000-0000-4000-8000-000000000000/managed-settings'
  assert.equal((await asAdmin(gateway, 'GET', missing)).status, 404)
  const audit = await asAdmin(gateway, 'GET', '/admin/audit?action=managed_settings.update')
  const { data } = (await audit.json()) as { data: { after: unknown }[] }
  assert.deepEqual(data[0]?.after, { model: 'haiku' })
  const env = { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=canary', A: '1' }
  await asAdmin(gateway, 'PUT', '/admin/managed-settings', { settings: { env } })
  assert.match(JSON.stringify((await settingsOf(alice)).settings), /canary/, 'clients need it')
  await asAdmin(gateway, 'PUT', '/admin/managed-settings', { settings: { model: 'haiku' } })
  const kept = await (await asAdmin(gateway, 'GET', '/admin/audit?action=managed_settings.update')).text()
  assert.match(kept, /OTEL_EXPORTER_OTLP_HEADERS/)
  assert.doesNotMatch(kept, /canary/)
})

test('what cannot be stored as it is sent is refused and changes nothing', async () => {
  const token = await login(gateway.url)
  const before = await settingsOf(alice)
  for (const part of ['"a\\u0000b"', '"\\ud800"', '{"a\\u0000":1}', '{"\\udc00":1}', '[["\\u0000"]]', '1e400']) {
    const response = await fetch(`${gateway.url}/admin/managed-settings`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: `{"settings":{"env":${part}}}`,
    })
    assert.equal(response.status, 400, part)
    assert.match(await response.text(), /settings: must not have NUL characters/)
  }
  assert.deepEqual(await settingsOf(alice), before)
})

test('a team that another instance has just made has its document, one that it has just deleted has none', async () => {
  const fresh = '11111111-1111-4111-8111-111111111111'
  const path = `/admin/teams/${fresh}/managed-settings`
  await gateway.database?.pool.query(`insert into teams (id, name) values ($1, 'Elsewhere')`, [fresh])
  assert.equal((await asAdmin(gateway, 'PUT', path, { settings: { model: 'opus' } })).status, 200)
  assert.equal((await asAdmin(gateway, 'GET', path)).status, 200)
  await gateway.database?.pool.query('delete from teams where id = $1', [fresh])
  for (const method of ['GET', 'PUT', 'DELETE'])
    assert.equal((await asAdmin(gateway, method, path, method === 'PUT' ? { settings: {} } : undefined)).status, 404)
})
