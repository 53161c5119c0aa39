import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '../../src/foundation/platform/ids.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'
import { isOwnStatus } from '../support/api-coverage.ts'

let app: ApiApp
before(async () => {
  app = await startApiApp()
})
after(() => app.stop())

const asAdmin = (method: string, path: string, body?: unknown) => app.call(method, path, { as: app.admin, body })
const inOneHour = () => new Date(Date.now() + 3_600_000).toISOString()

/** Whether the key opens what every key opens. */
const works = async (key: string) => (await app.call('GET', '/me', { as: key })).status === 200

test('a created key works at once, and its secret is shown only then', async () => {
  const user = await app.addUser()
  const teamId = await app.addTeam()
  const sent = {
    name: '  CI \u{1f511} ',
    rate_limit_rpm: 60,
    user_id: user.id,
    team_id: teamId,
    expires_at: inOneHour(),
    allowed_models: ['claude-sonnet-4-5', 'claude-sonnet-4-5'],
  }
  const { status, body } = await asAdmin('POST', '/admin/keys', sent)
  assert.equal(status, 201)
  assert.match(body.key, /^sk-proxy-[0-9A-Za-z]{43}$/)
  assert.equal(body.prefix, body.key.slice(0, 16))
  assert.equal(body.name, 'CI \u{1f511}')
  assert.deepEqual(body.allowed_models, ['claude-sonnet-4-5'])
  assert.equal(body.status, 'active')
  assert.equal(body.expires_at, sent.expires_at)
  assert.equal(body.spend_usd, 0)
  assert.equal(await works(body.key), true)

  const { key, ...record } = body
  const read = await asAdmin('GET', `/admin/keys/${body.id}`)
  assert.deepEqual(read.body, { ...record, addresses: [] })
  const listed = await asAdmin('GET', `/admin/keys?user_id=${user.id}`)
  assert.deepEqual(listed.body, { data: [record], has_more: false, next_cursor: null })
  assert.equal(app.logged().includes(key), false)
})

test('only a name is needed, and the key then belongs to nobody', async () => {
  const { body } = await asAdmin('POST', '/admin/keys', { name: 'bare' })
  assert.deepEqual(
    [body.user_id, body.team_id, body.rate_limit_rpm, body.expires_at, body.allowed_models],
    [null, null, null, null, null],
  )
})

test('a key for an unknown user or team, or one that is over already, is refused', async () => {
  for (const [field, value] of [
    ['user_id', newId()],
    ['team_id', newId()],
    ['expires_at', '2020-01-01T00:00:00Z'],
    ['expires_at', '9999-12-31T23:59:59-12:00'],
  ]) {
    const { status, body } = await asAdmin('POST', '/admin/keys', { name: 'x', [field as string]: value })
    assert.equal(status, 400)
    assert.equal(body.error.details[0].path, field)
  }
})

test('PATCH changes what is sent, clears what is null, and keeps the rest', async () => {
  const user = await app.addUser()
  const { body: key } = await asAdmin('POST', '/admin/keys', { name: 'a', rate_limit_rpm: 5, user_id: user.id })
  const { status, body } = await asAdmin('PATCH', `/admin/keys/${key.id}`, { name: 'b', rate_limit_rpm: null })
  assert.equal(status, 200)
  assert.deepEqual([body.name, body.rate_limit_rpm, body.user_id], ['b', null, user.id])
  const moved = await asAdmin('PATCH', `/admin/keys/${key.id}`, {
    user_id: null,
    team_id: await app.addTeam(),
    expires_at: inOneHour(),
    allowed_models: ['m'],
  })
  assert.deepEqual([moved.body.user_id, moved.body.allowed_models], [null, ['m']])
  assert.equal((await asAdmin('PATCH', `/admin/keys/${key.id}`, {})).status, 200)
  assert.equal((await asAdmin('PATCH', `/admin/keys/${key.id}`, { team_id: newId() })).status, 400)
  assert.equal((await asAdmin('PATCH', `/admin/keys/${newId()}`, { name: 'c' })).status, 404)
})

test('whatever expiry is shown can be sent back', async () => {
  for (const expiry of ['9999-12-31T23:59:59.999Z', '2999-01-01T00:00:00+14:00']) {
    const { body: made } = await asAdmin('POST', '/admin/keys', { name: 'long-lived', expires_at: expiry })
    const { status, body } = await asAdmin('PATCH', `/admin/keys/${made.id}`, { expires_at: made.expires_at })
    assert.deepEqual([status, body.expires_at], [200, new Date(expiry).toISOString()])
  }
})

test('an expired key can be renamed by a form that sends its expiry back, but not be given another past', async () => {
  const expiresAtMs = Date.now() - 60_000
  const { id } = await app.addKey({ expiresAtMs })
  const same = new Date(expiresAtMs).toISOString()
  const { status, body } = await asAdmin('PATCH', `/admin/keys/${id}`, { name: 'renamed', expires_at: same })
  assert.deepEqual([status, body.status], [200, 'expired'])
  assert.equal((await asAdmin('PATCH', `/admin/keys/${id}`, { expires_at: '2020-01-01T00:00:00Z' })).status, 400)
})

test('a revoked key is refused from the moment of the answer; revoking again changes nothing', async () => {
  const { id, key } = await app.addKey()
  assert.equal(await works(key), true)
  const first = await asAdmin('POST', `/admin/keys/${id}/revoke`)
  assert.deepEqual([first.status, first.body.status], [200, 'revoked'])
  assert.equal(await works(key), false)
  const second = await asAdmin('POST', `/admin/keys/${id}/revoke`)
  assert.deepEqual(second.body, first.body)
  const { body } = await asAdmin('GET', `/admin/audit?target=key:${id}`)
  assert.deepEqual(
    body.data.map((entry: { action: string }) => entry.action),
    ['key.revoke'],
  )
  assert.equal((await asAdmin('POST', `/admin/keys/${newId()}/revoke`)).status, 404)
})

test('only a revoked key can be deleted', async () => {
  const { id } = await app.addKey()
  assert.equal((await asAdmin('DELETE', `/admin/keys/${id}`)).status, 409)
  await asAdmin('POST', `/admin/keys/${id}/revoke`)
  assert.equal((await asAdmin('DELETE', `/admin/keys/${id}`)).status, 204)
  assert.equal((await asAdmin('DELETE', `/admin/keys/${id}`)).status, 404)
  assert.equal((await asAdmin('GET', `/admin/keys/${id}`)).status, 404)
  const expired = await app.addKey({ expiresAtMs: Date.now() - 1 })
  assert.equal((await asAdmin('DELETE', `/admin/keys/${expired.id}`)).status, 409)
})

test('rotation without grace ends the old key at once and takes every limit over', async () => {
  const user = await app.addUser()
  const old = await app.addKey({ userId: user.id, rateLimitRpm: 7, allowedModels: ['m'], name: 'rotated' })
  const { status, body } = await asAdmin('POST', `/admin/keys/${old.id}/rotate`)
  assert.equal(status, 201)
  assert.deepEqual([body.name, body.user_id, body.rate_limit_rpm, body.allowed_models], ['rotated', user.id, 7, ['m']])
  assert.notEqual(body.id, old.id)
  assert.equal(body.previous_key.id, old.id)
  assert.equal(await works(old.key), false)
  assert.equal(await works(body.key), true)
})

test('with a grace time both keys work until it ends', async () => {
  const old = await app.addKey()
  const { body } = await asAdmin('POST', `/admin/keys/${old.id}/rotate`, { grace_seconds: 600 })
  assert.deepEqual([await works(old.key), await works(body.key)], [true, true])
  const shown = await asAdmin('GET', `/admin/keys/${old.id}`)
  assert.equal(shown.body.status, 'active')
  assert.equal(shown.body.revoked_at, body.previous_key.revoked_at)
  assert.equal((await asAdmin('POST', `/admin/keys/${old.id}/rotate`)).status, 409)
  assert.equal((await asAdmin('DELETE', `/admin/keys/${old.id}`)).status, 409)
  app.advance(601_000)
  assert.deepEqual([await works(old.key), await works(body.key)], [false, true])
  app.advance(-601_000)
})

test('a grace time can be cut short by revoking', async () => {
  const old = await app.addKey()
  await asAdmin('POST', `/admin/keys/${old.id}/rotate`, { grace_seconds: 604_800 })
  await asAdmin('POST', `/admin/keys/${old.id}/revoke`)
  assert.equal(await works(old.key), false)
})

test('dead and unknown keys are not rotated, and of two rotations at once one wins', async () => {
  const { id } = await app.addKey()
  const both = await Promise.all([1, 2].map(() => asAdmin('POST', `/admin/keys/${id}/rotate`)))
  assert.deepEqual(both.map((answer) => answer.status).sort(), [201, 409])
  const expired = await app.addKey({ expiresAtMs: Date.now() - 1 })
  assert.equal((await asAdmin('POST', `/admin/keys/${expired.id}/rotate`)).status, 409)
  assert.equal((await asAdmin('POST', `/admin/keys/${newId()}/rotate`)).status, 404)
  for (const grace of [-1, 604_801, 1.5, '60', null])
    assert.equal((await asAdmin('POST', `/admin/keys/${id}/rotate`, { grace_seconds: grace })).status, 400)
})

test('lists filter, search, sort and page without losing or repeating a key', async () => {
  const teamId = await app.addTeam()
  const names = Array.from({ length: 7 }, (_, index) => `paged_${index}%`)
  const ids: string[] = []
  for (const name of names) ids.push((await app.addKey({ name, teamId })).id)
  await asAdmin('POST', `/admin/keys/${ids[0]}/revoke`)

  const seen: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await asAdmin('GET', `/admin/keys?team_id=${teamId}&sort=name&limit=3${cursor}`)
    seen.push(...body.data.map((key: { name: string }) => key.name))
    if (!body.has_more) break
    cursor = `&cursor=${body.next_cursor}`
  }
  assert.deepEqual(seen, names)

  const count = async (query: string) =>
    (await asAdmin('GET', `/admin/keys?team_id=${teamId}&${query}`)).body.data.length
  assert.deepEqual([await count('status=revoked'), await count('status=active')], [1, 6])
  assert.equal(await count('q=paged_3%25'), 1)
  assert.equal(await count('q=%25'), 7)
  assert.equal(await count('q=nothing'), 0)
})

test('every write is in the audit trail with before and after, and without the secret or its hash', async () => {
  const { body: key } = await asAdmin('POST', '/admin/keys', { name: 'watched' })
  await asAdmin('PATCH', `/admin/keys/${key.id}`, { name: 'renamed' })
  await asAdmin('POST', `/admin/keys/${key.id}/revoke`)
  await asAdmin('DELETE', `/admin/keys/${key.id}`)
  const { body } = await asAdmin('GET', `/admin/audit?target=key:${key.id}&sort=at`)
  const actions = body.data.map((entry: { action: string }) => entry.action)
  assert.deepEqual(actions, ['key.create', 'key.update', 'key.revoke', 'key.delete'])
  const [, update] = body.data
  assert.deepEqual([update.before.name, update.after.name], ['watched', 'renamed'])
  assert.equal(update.actor, 'root')
  assert.equal(update.source_address, '127.0.0.1')
  assert.match(update.request_id, /^req_[0-9a-f]{32}$/)
  assert.doesNotMatch(JSON.stringify(body), new RegExp(`${key.key}|hash`))
})

test('malformed ids are 400 on every path', async () => {
  for (const path of ['', '/revoke', '/rotate'])
    for (const method of path === '' ? ['GET', 'PATCH', 'DELETE'] : ['POST'])
      for (const bad of ['7', 'not-a-uuid', '%00', `${newId()}x`])
        assert.equal((await asAdmin(method, `/admin/keys/${bad}${path}`)).status, 400, `${method} ${bad}${path}`)
  assert.equal((await asAdmin('GET', '/admin/keys?limit=0')).status, 400)
})

test('every declared answer of the keys was exercised', () => app.assertCovered('Keys', isOwnStatus))
