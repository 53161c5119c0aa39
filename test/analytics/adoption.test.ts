import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { User } from '../../src/foundation/domain/user.ts'
import { newId } from '../../src/foundation/platform/ids.ts'
import { createUserStore } from '../../src/modules/people/users.store.ts'
import { createSignInStore } from '../../src/modules/sign-in/sign-ins.store.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { aSpendRecord } from '../database/samples.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'

const HOUR_MS = 3_600_000
const nowMs = Date.now()

let app: ApiApp
let teamId: string
before(async () => {
  app = await startApiApp()
  teamId = await app.addTeam('Platform')
  const users = createUserStore(app.database.kysely)
  const add = (name: string, team: string | null = teamId): Promise<User> =>
    app.addUser({ subject: `${name}@example.com`, teamId: team })
  const [daily, weekly, former, lister, terminal, browser, left] = [
    await add('daily'),
    await add('weekly', null),
    await add('former'),
    await add('lister'),
    await add('terminal'),
    await add('browser'),
    await add('left'),
  ]
  await add('silent')
  const call = (user: User, hoursAgo: number) =>
    aSpendRecord({ userId: user.id, teamId: user.teamId, atMs: nowMs - hoursAgo * HOUR_MS })
  await createSpendLog(app.database.kysely).appendBatch([
    call(daily, 1),
    call(daily, 30 * 24),
    call(weekly, 7 * 24 - 1),
    call(former, 7 * 24 + 1),
    call(left, 1),
  ])
  await users.touchModelsListed([{ id: lister.id, atMs: nowMs }])
  const signIns = createSignInStore(app.database.kysely)
  for (const [user, via] of [
    [terminal, 'device'],
    [browser, 'sso'],
  ] as const)
    await signIns.keep({
      id: newId(),
      userId: user.id,
      via,
      sessionEpoch: 0,
      client: null,
      sourceAddress: null,
      createdAtMs: nowMs,
      expiresAtMs: nowMs + HOUR_MS,
    })
  await users.update(left.id, { active: false })
  // The account that a gateway makes for itself was invited by nobody.
  await users.insert({ subject: 'built-in', email: null, role: 'admin', bootstrap: true })
})
after(() => app.stop())

const ask = async (query: string, as = app.admin) => {
  const { status, body } = await app.call('GET', `/admin/analytics/adoption?${query}`, { as })
  assert.equal(status, 200, query)
  return body.stages.map(({ stage, people }: { stage: string; people: number }) => [stage, people])
}

async function listed(stage: string, query = ''): Promise<readonly string[]> {
  const { body } = await app.call('GET', `/admin/users?adoption=${stage}${query}`, { as: app.admin })
  return body.data.map(({ subject }: User) => subject.split('@')[0])
}

test('each stage has the people that it says, and the list of users opens the same ones', async () => {
  assert.deepEqual(await ask(''), [
    ['invited', 8],
    ['connected', 5],
    ['active', 2],
  ])
  assert.deepEqual(await listed('invited'), [
    'browser',
    'daily',
    'former',
    'lister',
    'root',
    'silent',
    'terminal',
    'weekly',
  ])
  assert.deepEqual(await listed('connected'), ['daily', 'former', 'lister', 'terminal', 'weekly'])
  assert.deepEqual(await listed('active'), ['daily', 'weekly'])
  assert.deepEqual(await listed('active', `&team_id=${teamId}`), ['daily'])
})

test('shares are of everybody invited and of the stage before', async () => {
  const { body } = await app.call('GET', '/admin/analytics/adoption', { as: app.admin })
  assert.deepEqual(
    body.stages.map((one: { share: number; share_of_previous: number | null }) => [one.share, one.share_of_previous]),
    [
      [1, null],
      [5 / 8, 5 / 8],
      [2 / 8, 2 / 5],
    ],
  )
})

test('a team is asked by name, (none) are those without one, and a lead sees the own team alone', async () => {
  const own = [
    ['invited', 6],
    ['connected', 4],
    ['active', 1],
  ]
  assert.deepEqual(await ask('team=Platform'), own)
  for (const [query, expected] of [
    ['team=Platform', teamId],
    ['team=Platform,(none)', null],
    ['', null],
  ] as const) {
    const { body } = await app.call('GET', `/admin/analytics/adoption?${query}`, { as: app.admin })
    assert.equal(body.team_id, expected, query)
  }
  assert.deepEqual((await ask('team=(none)'))[2], ['active', 1])
  assert.deepEqual((await ask('team=nobody'))[0], ['invited', 0])
  const lead = await app.addUser({ subject: 'lead@example.com', teamId, grants: ['team:lead'] })
  const session = app.sessionOf(lead)
  assert.deepEqual((await ask('', session))[1], own[1])
  const { status } = await app.call('GET', '/admin/analytics/adoption?team=Other', { as: session })
  assert.equal(status, 403)
})

test('a stage that there is not, and a range, are 400', async () => {
  for (const path of ['/admin/users?adoption=gone', '/admin/analytics/adoption?days=7']) {
    const { status, body } = await app.call('GET', path, { as: app.admin })
    assert.equal(status, 400, path)
    assert.match(body.error.message, /^(adoption|days)/)
  }
})
