import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '../../src/foundation/platform/ids.ts'
import { createUserStore } from '../../src/modules/people/users.store.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'
import { isOwnStatus } from '../support/api-coverage.ts'

let app: ApiApp
before(async () => {
  app = await startApiApp()
})
after(() => app.stop())

const asAdmin = (method: string, path: string, body?: unknown) => app.call(method, path, { as: app.admin, body })

test('a user is created, read, changed, listed and deleted', async () => {
  const { status, body: user } = await asAdmin('POST', '/admin/users', {
    subject: ' Ann@Example.com ',
    email: 'ann@example.com',
    role: 'member',
  })
  assert.equal(status, 201)
  assert.deepEqual(
    [user.subject, user.email, user.role, user.team_id, user.active, user.identity, user.bootstrap],
    ['ann@example.com', 'ann@example.com', 'member', null, true, null, false],
  )
  assert.deepEqual((await asAdmin('GET', `/admin/users/${user.id}`)).body, user)
  const changed = await asAdmin('PATCH', `/admin/users/${user.id}`, { role: 'admin', email: null })
  assert.deepEqual(changed.body, { ...user, role: 'admin', email: null })
  assert.deepEqual((await asAdmin('GET', '/admin/users?q=ann@&role=admin&active=true')).body.data, [changed.body])
  assert.deepEqual((await asAdmin('GET', '/admin/users?q=ann@&active=false')).body.data, [])
  assert.equal((await asAdmin('DELETE', `/admin/users/${user.id}`)).status, 204)
  for (const method of ['GET', 'DELETE']) assert.equal((await asAdmin(method, `/admin/users/${user.id}`)).status, 404)
  assert.equal((await asAdmin('PATCH', `/admin/users/${user.id}`, { active: true })).status, 404)
})

test('what is left out makes a member without an address', async () => {
  const { body } = await asAdmin('POST', '/admin/users', { subject: 'service-account' })
  assert.deepEqual([body.role, body.email], ['member', null])
})

test('a user may be created in a team, which must be there', async () => {
  const { body: team } = await asAdmin('POST', '/admin/teams', { name: 'Newcomers' })
  const { status, body } = await asAdmin('POST', '/admin/users', { subject: 'cy@example.com', team_id: team.id })
  assert.deepEqual([status, body.team_id], [201, team.id])
  assert.equal((await asAdmin('GET', `/admin/teams/${team.id}`)).body.member_count, 1)
  for (const teamId of [newId(), 'Newcomers', '']) {
    const refused = await asAdmin('POST', '/admin/users', { subject: 'di@example.com', team_id: teamId })
    assert.equal(refused.status, 400)
    assert.match(refused.body.error.message, /team_id/)
  }
  assert.deepEqual((await asAdmin('GET', '/admin/users?q=di@example.com')).body.data, [])
})

test('one subject belongs to one user, however it is typed', async () => {
  await asAdmin('POST', '/admin/users', { subject: 'bo@example.com' })
  for (const subject of ['bo@example.com', 'BO@Example.com', '  bo@example.com'])
    assert.equal((await asAdmin('POST', '/admin/users', { subject })).status, 409)
  const racing = await Promise.all(
    [1, 2, 3].map(() => asAdmin('POST', '/admin/users', { subject: 'race@example.com' })),
  )
  assert.deepEqual(racing.map((answer) => answer.status).sort(), [201, 409, 409])
})

test('a deactivated user is shut out at once, with every session and key, and comes back as a new start', async () => {
  const user = await app.addUser()
  const session = app.sessionOf(user)
  const { key } = await app.addKey({ userId: user.id })
  const statuses = async () => [
    (await app.call('GET', '/me', { as: session })).status,
    (await app.call('GET', '/me', { as: key })).status,
  ]
  assert.deepEqual(await statuses(), [200, 200])
  assert.equal((await asAdmin('PATCH', `/admin/users/${user.id}`, { active: false })).body.active, false)
  assert.deepEqual(await statuses(), [403, 401])
  await asAdmin('PATCH', `/admin/users/${user.id}`, { active: true })
  assert.deepEqual(await statuses(), [401, 200])
})

test('a new role ends the sessions of the old one', async () => {
  const user = await app.addUser({ role: 'admin' })
  const session = app.sessionOf(user)
  assert.equal((await app.call('GET', '/admin/teams', { as: session })).status, 200)
  await asAdmin('PATCH', `/admin/users/${user.id}`, { role: 'member' })
  assert.equal((await app.call('GET', '/admin/teams', { as: session })).status, 401)
})

test('a user who is released from an identity may be bound to another one; sessions end, keys stay', async () => {
  const user = await app.addUser({ identity: { issuer: 'https://old.example', subject: 'one' } })
  const session = app.sessionOf(user)
  const { key } = await app.addKey({ userId: user.id })
  const users = createUserStore(app.database.kysely)
  assert.equal(await users.bindIdentity(user.id, 'https://new.example', 'two'), undefined)
  const released = await asAdmin('DELETE', `/admin/users/${user.id}/identity`)
  assert.deepEqual([released.status, released.body.id], [200, user.id])
  assert.equal((await app.call('GET', '/me', { as: session })).status, 401)
  assert.equal((await app.call('GET', '/me', { as: key })).status, 200)
  assert.equal((await users.bindIdentity(user.id, 'https://new.example', 'two'))?.identity?.subject, 'two')
  const { body } = await asAdmin('GET', '/admin/audit')
  assert.equal(body.data[0].action, 'user.release-identity')
  assert.equal((await asAdmin('DELETE', `/admin/users/${newId()}/identity`)).status, 404)
  assert.equal((await asAdmin('DELETE', '/admin/users/x/identity')).status, 400)
})

test('a new address ends no session', async () => {
  const user = await app.addUser()
  const session = app.sessionOf(user)
  await asAdmin('PATCH', `/admin/users/${user.id}`, { email: 'new@example.com', role: 'member', active: true })
  assert.equal((await app.call('GET', '/me', { as: session })).status, 200)
})

test('a deleted user takes keys, sessions and budget along', async () => {
  const user = await app.addUser()
  const { id, key } = await app.addKey({ userId: user.id })
  await asAdmin('PUT', `/admin/users/${user.id}/budget`, { limit_usd: 1, period: 'daily', policy: 'soft' })
  assert.equal((await asAdmin('DELETE', `/admin/users/${user.id}`)).status, 204)
  assert.equal((await app.call('GET', '/me', { as: key })).status, 401)
  assert.equal((await app.call('GET', '/me', { as: app.sessionOf(user) })).status, 401)
  assert.equal((await asAdmin('GET', `/admin/keys/${id}`)).status, 404)
  assert.equal((await asAdmin('GET', `/admin/users/${user.id}/budget`)).status, 404)
})

test('the last active administrator cannot be demoted, deactivated or deleted', async () => {
  const path = `/admin/users/${app.adminUser.id}`
  // Other tests leave administrators behind; for this one there is only one.
  await app.database.pool.query('update users set active = false where role = $1 and id <> $2', [
    'admin',
    app.adminUser.id,
  ])
  for (const patch of [{ role: 'member' }, { active: false }, { role: 'member', active: false }]) {
    const { status, body } = await asAdmin('PATCH', path, patch)
    assert.equal(status, 409)
    assert.match(body.error.message, /last active administrator/)
  }
  assert.equal((await asAdmin('DELETE', path)).status, 409)
  assert.equal((await asAdmin('PATCH', path, { role: 'admin', active: true, email: 'a@b' })).status, 200)
  await app.addUser({ role: 'admin' })
  assert.equal((await asAdmin('GET', path)).body.active, true)
})

test('the bootstrap administrator stays, even among others', async () => {
  const bootstrap = await app.addUser({ subject: 'admin', role: 'admin', bootstrap: true })
  const path = `/admin/users/${bootstrap.id}`
  for (const patch of [{ role: 'member' }, { active: false }])
    assert.equal((await asAdmin('PATCH', path, patch)).status, 409)
  const { status, body } = await asAdmin('DELETE', path)
  assert.equal(status, 409)
  assert.match(body.error.message, /bootstrap administrator/)
  assert.equal((await asAdmin('PATCH', path, { email: 'ops@example.com' })).status, 200)
})

test('a user changes team, and the keys of the old team follow; others stay where they were put', async () => {
  const [from, to, elsewhere] = [await app.addTeam(), await app.addTeam(), await app.addTeam()]
  const user = await app.addUser({ teamId: from })
  const follows = await app.addKey({ userId: user.id, teamId: from })
  const stays = await app.addKey({ userId: user.id, teamId: elsewhere })
  const teamOf = async (id: string) => (await asAdmin('GET', `/admin/keys/${id}`)).body.team_id
  const moved = await asAdmin('PUT', `/admin/users/${user.id}/team`, { team_id: to })
  assert.deepEqual([moved.status, moved.body.team_id], [200, to])
  assert.deepEqual([await teamOf(follows.id), await teamOf(stays.id)], [to, elsewhere])
  assert.equal((await app.call('GET', '/me', { as: follows.key })).body.team.id, to)
  const out = await asAdmin('PUT', `/admin/users/${user.id}/team`, { team_id: null })
  assert.deepEqual([out.body.team_id, await teamOf(follows.id)], [null, null])
  assert.equal((await asAdmin('PUT', `/admin/users/${user.id}/team`, { team_id: newId() })).status, 400)
  assert.equal((await asAdmin('PUT', `/admin/users/${newId()}/team`, { team_id: to })).status, 404)
})

test('more keys than one page holds follow too', async () => {
  const [from, to] = [await app.addTeam(), await app.addTeam()]
  const user = await app.addUser({ teamId: from })
  await app.database.pool.query(
    `insert into virtual_keys (id, name, hash, prefix, user_id, team_id, created_by)
     select gen_random_uuid(), 'many', sha256(n::text::bytea), 'sk-proxy-', $1, $2, 'test' from generate_series(1, 450) n`,
    [user.id, from],
  )
  await asAdmin('PUT', `/admin/users/${user.id}/team`, { team_id: to })
  const { rows } = await app.database.pool.query('select count(*) from virtual_keys where team_id = $1', [to])
  assert.equal(Number(rows[0].count), 450)
})

test('a user budget is set, read and removed, and has no member limit', async () => {
  const user = await app.addUser()
  const path = `/admin/users/${user.id}/budget`
  assert.equal((await asAdmin('GET', path)).status, 404)
  assert.equal((await asAdmin('DELETE', path)).status, 404)
  const budget = { limit_usd: 20, period: 'weekly' }
  const { status, body } = await asAdmin('PUT', path, { ...budget, policy: 'shaped' })
  assert.deepEqual([status, body.scope, body.subject_id, body.policy], [200, 'user', user.id, 'shaped'])
  assert.deepEqual(body.rules[1], { at_percent: 100, action: 'shape', rpm: 5 })
  assert.equal((await asAdmin('PUT', path, budget)).body.policy, 'standard')
  const refused = await asAdmin('PUT', path, { ...budget, member_limit_usd: 5 })
  assert.deepEqual([refused.status, refused.body.error.details[0].path], [400, 'member_limit_usd'])
  assert.equal((await asAdmin('GET', path)).status, 200)
  assert.equal((await asAdmin('DELETE', path)).status, 204)
  assert.equal((await asAdmin('PUT', `/admin/users/${newId()}/budget`, budget)).status, 404)
})

test('malformed ids and parameters are 400', async () => {
  for (const [method, path] of [
    ['GET', '/admin/users?active=yes'],
    ['GET', '/admin/users?role=owner'],
    ['GET', '/admin/users/7'],
    ['PATCH', '/admin/users/7'],
    ['DELETE', '/admin/users/7'],
    ['GET', '/admin/users/7/budget'],
    ['DELETE', '/admin/users/7/budget'],
  ] as const)
    assert.equal((await asAdmin(method, path)).status, 400, path)
  assert.equal((await asAdmin('POST', '/admin/users', { subject: 'x', role: 'owner' })).status, 400)
  assert.equal((await asAdmin('PATCH', `/admin/users/${newId()}`, { subject: 'y' })).status, 400)
})

test('every declared answer of the users was exercised', () => app.assertCovered('Users', isOwnStatus))
