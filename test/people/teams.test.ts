import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '../../src/foundation/platform/ids.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { aSpendRecord } from '../database/samples.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'
import { isOwnStatus } from '../support/api-coverage.ts'

let app: ApiApp
before(async () => {
  app = await startApiApp()
})
after(() => app.stop())

const asAdmin = (method: string, path: string, body?: unknown) => app.call(method, path, { as: app.admin, body })
const standard = { limit_usd: 100, period: 'monthly', policy: 'standard' }

test('a team is created, read, renamed, listed and deleted', async () => {
  const { status, body: team } = await asAdmin('POST', '/admin/teams', { name: ' Platform ' })
  assert.equal(status, 201)
  assert.deepEqual([team.name, team.member_count], ['Platform', 0])
  assert.deepEqual((await asAdmin('GET', `/admin/teams/${team.id}`)).body, team)
  const renamed = await asAdmin('PATCH', `/admin/teams/${team.id}`, { name: 'Tools' })
  assert.deepEqual(renamed.body, { ...team, name: 'Tools' })
  assert.deepEqual((await asAdmin('PATCH', `/admin/teams/${team.id}`, {})).body, renamed.body)
  assert.deepEqual((await asAdmin('GET', '/admin/teams?q=TOOL')).body.data, [renamed.body])
  assert.equal((await asAdmin('DELETE', `/admin/teams/${team.id}`)).status, 204)
  for (const method of ['GET', 'DELETE']) assert.equal((await asAdmin(method, `/admin/teams/${team.id}`)).status, 404)
  assert.equal((await asAdmin('PATCH', `/admin/teams/${team.id}`, { name: 'x' })).status, 404)
})

test('two teams cannot have one name, in whatever case, not even when both are created at once', async () => {
  await app.addTeam('Unique')
  const taken = await asAdmin('POST', '/admin/teams', { name: 'UNIQUE' })
  assert.deepEqual([taken.status, taken.body.error.code], [409, 'conflict'])
  assert.match(taken.body.error.message, /already a team with this name/)
  const other = await app.addTeam('Other')
  assert.equal((await asAdmin('PATCH', `/admin/teams/${other}`, { name: 'unique' })).status, 409)
  assert.equal((await asAdmin('PATCH', `/admin/teams/${other}`, { name: 'OTHER' })).status, 200)
  const racing = await Promise.all(Array.from({ length: 5 }, () => asAdmin('POST', '/admin/teams', { name: 'Race' })))
  assert.deepEqual(racing.map((answer) => answer.status).sort(), [201, 409, 409, 409, 409])
})

test('a name has 1 to 100 characters, counted as people count them', async () => {
  for (const name of [
    'é'.repeat(100),
    '\u{1f600}'.repeat(100),
    '<script>alert(1)</script>',
    "'; drop table teams; --",
  ]) {
    const { status, body } = await asAdmin('POST', '/admin/teams', { name })
    assert.deepEqual([status, body.name], [201, name])
  }
  for (const name of ['', '   ', 'x'.repeat(101), '\u{1f600}'.repeat(101), 'a\u0000b', 'a\nb', 'a\u202eb', '\ud800'])
    assert.equal((await asAdmin('POST', '/admin/teams', { name })).status, 400, JSON.stringify(name.slice(0, 10)))
})

test('marks that nobody sees are no part of the ends of a name, and no name by themselves', async () => {
  const { body: team } = await asAdmin('POST', '/admin/teams', { name: '\u200bPasted\u200e \u2060\ufeff' })
  assert.equal(team.name, 'Pasted')
  assert.equal((await asAdmin('POST', '/admin/teams', { name: 'pasted\u200b' })).status, 409)
  for (const name of ['\u200b', '\u00ad \u200d'])
    assert.equal((await asAdmin('POST', '/admin/teams', { name })).status, 400, JSON.stringify(name))
  const family = '\u{1f469}\u200d\u{1f467}'
  assert.equal((await asAdmin('POST', '/admin/teams', { name: family })).body.name, family)
})

test('a name is found however its accents are written', async () => {
  const name = 'Équipe à côté'
  const { body: team } = await asAdmin('POST', '/admin/teams', { name: name.normalize('NFD') })
  await createSpendLog(app.database.kysely).appendBatch([aSpendRecord({ atMs: Date.now(), teamId: team.id })])
  for (const form of ['NFC', 'NFD']) {
    const written = encodeURIComponent(name.normalize(form))
    const { body: list } = await asAdmin('GET', `/admin/teams?q=${written}`)
    assert.deepEqual(
      list.data.map(({ id }: { id: string }) => id),
      [team.id],
      form,
    )
    const { body: usage } = await asAdmin('GET', `/admin/analytics/org/overview?team=${written}`)
    assert.equal(usage.totals.requests, 1, form)
  }
})

test('members are listed by team', async () => {
  const teamId = await app.addTeam()
  const inside = await app.addUser({ teamId })
  await app.addUser()
  const { body } = await asAdmin('GET', `/admin/teams/${teamId}/members`)
  assert.deepEqual(
    body.data.map((user: { id: string }) => user.id),
    [inside.id],
  )
  assert.equal((await asAdmin('GET', `/admin/teams/${teamId}`)).body.member_count, 1)
  assert.equal((await asAdmin('GET', `/admin/teams/${newId()}/members`)).status, 404)
})

test('deleting a team leaves its members without one and stops the keys that only it owned', async () => {
  const teamId = await app.addTeam()
  const user = await app.addUser({ teamId })
  const ofTeam = await app.addKey({ teamId })
  const ofUser = await app.addKey({ teamId, userId: user.id })
  await asAdmin('PUT', `/admin/teams/${teamId}/budget`, standard)
  assert.equal((await asAdmin('DELETE', `/admin/teams/${teamId}`)).status, 204)
  assert.equal((await asAdmin('GET', `/admin/users/${user.id}`)).body.team_id, null)
  assert.equal((await app.call('GET', '/me', { as: ofTeam.key })).status, 401)
  assert.equal((await app.call('GET', '/me', { as: ofUser.key })).status, 200)
  assert.equal((await asAdmin('GET', `/admin/teams/${teamId}/budget`)).status, 404)
})

test('a team budget is set, replaced, read and removed', async () => {
  const teamId = await app.addTeam()
  const path = `/admin/teams/${teamId}/budget`
  assert.equal((await asAdmin('GET', path)).status, 404)
  assert.equal((await asAdmin('DELETE', path)).status, 404)
  const set = await asAdmin('PUT', path, { ...standard, member_limit_usd: 12.5 })
  assert.equal(set.status, 200)
  assert.deepEqual(
    [set.body.scope, set.body.subject_id, set.body.limit_usd, set.body.member_limit_usd, set.body.policy],
    ['team', teamId, 100, 12.5, 'standard'],
  )
  assert.deepEqual(set.body.rules, [
    { at_percent: 80, action: 'notify' },
    { at_percent: 100, action: 'block' },
  ])
  assert.deepEqual([set.body.spend_usd, set.body.percent, set.body.status], [0, 0, 'ok'])
  const rules = [
    { at_percent: 50.5, action: 'notify' },
    { at_percent: 90, action: 'shape', rpm: 3 },
    { at_percent: 120, action: 'block' },
  ]
  const replaced = await asAdmin('PUT', path, { limit_usd: 0.01, period: 'daily', policy: rules })
  assert.deepEqual([replaced.body.policy, replaced.body.rules, replaced.body.member_limit_usd], [rules, rules, null])
  const read = await asAdmin('GET', path)
  assert.deepEqual([read.body.limit_usd, read.body.period, read.body.rules], [0.01, 'daily', rules])
  assert.equal((await asAdmin('DELETE', path)).status, 204)
  assert.equal((await asAdmin('GET', path)).status, 404)
  assert.equal((await asAdmin('PUT', `/admin/teams/${newId()}/budget`, standard)).status, 404)
})

test('odd limits and rules are refused, and the words name the place', async () => {
  const path = `/admin/teams/${await app.addTeam()}/budget`
  const rule = (at: number, action: string, rpm?: number) => ({
    at_percent: at,
    action,
    ...(rpm === undefined ? {} : { rpm }),
  })
  const bad: readonly (readonly [change: object, path: string])[] = [
    [{ limit_usd: 0 }, 'limit_usd'],
    [{ limit_usd: -1 }, 'limit_usd'],
    [{ limit_usd: 1e-10 }, 'limit_usd'],
    [{ limit_usd: 1e308 }, 'limit_usd'],
    [{ limit_usd: 9_000_001 }, 'limit_usd'],
    [{ limit_usd: '5' }, 'limit_usd'],
    [{ limit_usd: null }, 'limit_usd'],
    [{ period: 'yearly' }, 'period'],
    [{ member_limit_usd: 0 }, 'member_limit_usd'],
    [{ policy: 'strict' }, 'policy'],
    [{ policy: [] }, 'policy'],
    [{ policy: [1, 2, 3, 4, 5, 6].map((at) => rule(at, 'notify')) }, 'policy'],
    [{ policy: [rule(0, 'block')] }, 'policy.0.at_percent'],
    [{ policy: [rule(80, 'explode')] }, 'policy.0.action'],
    [{ policy: [{ ...rule(80, 'block'), extra: 1 }] }, 'policy.0.extra'],
    [{ policy: [rule(100, 'notify'), rule(80, 'block')] }, 'policy.1.at_percent'],
    [{ policy: [rule(80, 'notify'), rule(80, 'block')] }, 'policy.1.at_percent'],
    [{ policy: [rule(80, 'block'), rule(100, 'notify')] }, 'policy.0.action'],
    [{ policy: [rule(80, 'shape')] }, 'policy.0.rpm'],
    [{ policy: [rule(80, 'shape', 0)] }, 'policy.0.rpm'],
    [{ policy: [rule(80, 'notify', 5)] }, 'policy.0.rpm'],
    [{ nope: 1 }, 'nope'],
  ]
  for (const [change, place] of bad) {
    const { status, body } = await asAdmin('PUT', path, { ...standard, ...change })
    assert.equal(status, 400, JSON.stringify(change))
    assert.equal(body.error.details[0].path, place, JSON.stringify(change))
  }
  assert.equal((await asAdmin('GET', path)).status, 404)
})

test('a list of ids gives just these teams and people, whatever else there is', async () => {
  const [first, second, third] = [await app.addTeam('Ids 1'), await app.addTeam('Ids 2'), await app.addTeam('Ids 3')]
  const names = async (query: string) =>
    (await asAdmin('GET', `/admin/teams?${query}`)).body.data.map(({ name }: { name: string }) => name)
  assert.deepEqual(await names(`ids=${third},${first?.toUpperCase()},${newId()}`), ['Ids 1', 'Ids 3'])
  assert.deepEqual(await names(`ids=${first},${second}&q=2`), ['Ids 2'])
  const user = await asAdmin('POST', '/admin/users', { subject: 'ids@example.com' })
  const people = await asAdmin('GET', `/admin/users?ids=${user.body.id},${newId()}`)
  assert.deepEqual(people.body.data, [user.body])
  for (const list of ['', 'x', `${first},`, Array.from({ length: 201 }, newId).join(',')])
    for (const path of ['/admin/teams', '/admin/users'])
      assert.equal((await asAdmin('GET', `${path}?ids=${list}`)).status, 400, list.slice(0, 40))
})

test('malformed ids and parameters are 400', async () => {
  for (const [method, path] of [
    ['GET', '/admin/teams?limit=201'],
    ['GET', '/admin/teams/7'],
    ['PATCH', '/admin/teams/7'],
    ['DELETE', '/admin/teams/7'],
    ['GET', '/admin/teams/7/members'],
    ['GET', '/admin/teams/7/budget'],
    ['DELETE', '/admin/teams/7/budget'],
  ] as const)
    assert.equal((await asAdmin(method, path)).status, 400, path)
})

test('every declared answer of the teams was exercised', () => app.assertCovered('Teams', isOwnStatus))
