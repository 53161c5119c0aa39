/** A budget that nobody has set, tried against spend that is known. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { aSpendRecord } from '../database/samples.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'
import { isOwnStatus } from '../support/api-coverage.ts'

let app: ApiApp
let ids: Readonly<Record<'platform' | 'mobile' | 'ada' | 'bob' | 'cy' | 'dee' | 'gone', string>>

const DAY_MS = 86_400_000
const usd = (amount: number): number => amount * 1_000_000_000
const today = new Date()
/** Noon of a day of the month so many months ago. */
const dayOfMonth = (monthsAgo: number, day: number): number =>
  Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - monthsAgo, day, 12)
const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

before(async () => {
  app = await startApiApp()
  const [platform, mobile] = [await app.addTeam('Platform'), await app.addTeam('Mobile')]
  const add = async (name: string, teamId: string | null): Promise<string> =>
    (await app.addUser({ subject: `${name}@example.com`, teamId })).id
  const [ada, bob] = [await add('ada', platform), await add('bob', platform)]
  const [cy, dee, gone] = [await add('cy', mobile), await add('dee', null), await add('gone', null)]
  ids = { platform, mobile, ada, bob, cy, dee, gone }
  await app.call('PATCH', `/admin/users/${gone}`, { as: app.admin, body: { active: false } })
  const now = Date.now()
  const spent = (userId: string, teamId: string | null, atMs: number, amount: number) =>
    aSpendRecord({ userId, teamId, atMs, costNanoUsd: usd(amount) })
  await createSpendLog(app.database.kysely).appendBatch([
    spent(ada, platform, now, 12),
    spent(bob, platform, now, 8.5),
    spent(cy, mobile, now, 1),
    spent(gone, null, now, 99),
    // The month before: ada reaches ten dollars with the second of three days, bob never.
    spent(ada, platform, dayOfMonth(1, 3), 6),
    spent(ada, platform, dayOfMonth(1, 9), 4),
    spent(ada, platform, dayOfMonth(1, 20), 50),
    spent(bob, platform, dayOfMonth(1, 9), 9.99),
    // The last moment of the third month ago, and the first of the second.
    spent(cy, mobile, dayOfMonth(2, 1) - 12 * 3_600_000 - 1, 7),
    spent(cy, mobile, dayOfMonth(2, 1), 7),
    // Out of reach of three finished months.
    spent(dee, null, dayOfMonth(4, 15), 1_000),
  ])
})
after(() => app.stop())

const simulate = (body: object, as = app.admin) => app.call('POST', '/admin/budgets/simulate', { as, body })
const monthly = { period: 'monthly', policy: 'standard' } as const

test('the default is tried for everybody whom it would be for, the worst first', async () => {
  const { status, body } = await simulate({ scope: 'default', limit_usd: 10, ...monthly })
  assert.equal(status, 200)
  assert.equal(body.total, 5, 'with the administrator and without the one who is suspended')
  assert.deepEqual([body.current.above, body.current.warning, body.current.shaped, body.current.blocked], [1, 1, 0, 1])
  assert.equal(body.current.from, dateOf(dayOfMonth(0, 1)))
  assert.equal(body.current.resets_at, new Date(dayOfMonth(-1, 1) - 12 * 3_600_000).toISOString())
  assert.deepEqual(
    body.finished,
    [1, 2, 3].map((ago) => ({
      from: dateOf(dayOfMonth(ago, 1)),
      to: dateOf(dayOfMonth(ago - 1, 1) - DAY_MS),
      stopped: ago === 1 ? 1 : 0,
    })),
  )
  assert.deepEqual(
    body.subjects.slice(0, 3).map((one: Record<string, unknown>) => [one['name'], one['spend_usd'], one['status']]),
    [
      ['ada@example.com', 12, 'blocked'],
      ['bob@example.com', 8.5, 'warning'],
      ['cy@example.com', 1, 'ok'],
    ],
  )
  assert.deepEqual(body.subjects[0].stopped_on, [dateOf(dayOfMonth(1, 9)), null, null])
  assert.equal(body.subjects[0].percent, 120)
})

test('a period has its own days alone: what was spent a moment before it does not count', async () => {
  const seven = await simulate({ scope: 'user', subject_id: ids.cy, limit_usd: 7, ...monthly })
  assert.deepEqual(seven.body.subjects[0].stopped_on, [
    null,
    dateOf(dayOfMonth(2, 1)),
    dateOf(dayOfMonth(2, 1) - DAY_MS),
  ])
  const eight = await simulate({ scope: 'user', subject_id: ids.cy, limit_usd: 8, ...monthly })
  assert.deepEqual(eight.body.subjects[0].stopped_on, [null, null, null])
})

test('the policy decides where calls stop, and one without a stop stops nobody', async () => {
  const soft = await simulate({ scope: 'user', subject_id: ids.ada, limit_usd: 10, period: 'monthly', policy: 'soft' })
  assert.deepEqual(
    [soft.body.subjects[0].status, soft.body.subjects[0].stopped_on[0]],
    ['warning', dateOf(dayOfMonth(1, 20))],
  )
  const shaped = await simulate({
    scope: 'user',
    subject_id: ids.ada,
    limit_usd: 10,
    period: 'monthly',
    policy: 'shaped',
  })
  assert.equal(shaped.body.current.shaped, 1)
  const rules = [{ at_percent: 100, action: 'notify' }]
  const never = await simulate({ scope: 'user', subject_id: ids.ada, limit_usd: 1, period: 'monthly', policy: rules })
  assert.deepEqual(
    [never.body.current.warning, never.body.finished.map(({ stopped }: { stopped: number }) => stopped)],
    [1, [0, 0, 0]],
  )
})

test('a team is one subject, and its members are those without a budget of their own', async () => {
  const team = await simulate({ scope: 'team', subject_id: ids.platform, limit_usd: 20, ...monthly })
  assert.deepEqual(
    team.body.subjects.map((one: Record<string, unknown>) => [
      one['scope'],
      one['name'],
      one['spend_usd'],
      one['status'],
    ]),
    [['team', 'Platform', 20.5, 'blocked']],
  )
  assert.equal(team.body.subjects[0].stopped_on[0], dateOf(dayOfMonth(1, 20)))
  const members = { scope: 'members', subject_id: ids.platform, limit_usd: 8, ...monthly }
  assert.deepEqual(
    (await simulate(members)).body.subjects.map(({ name }: { name: string }) => name),
    ['ada@example.com', 'bob@example.com'],
  )
  await app.call('PUT', `/admin/users/${ids.bob}/budget`, { as: app.admin, body: { limit_usd: 1, period: 'daily' } })
  assert.deepEqual(
    (await simulate(members)).body.subjects.map(({ name }: { name: string }) => name),
    ['ada@example.com'],
  )
  // A limit for each member takes the team out of the default.
  await app.call('PUT', `/admin/teams/${ids.platform}/budget`, {
    as: app.admin,
    body: { limit_usd: 100, period: 'monthly', member_limit_usd: 5 },
  })
  const rest = await simulate({ scope: 'default', limit_usd: 10, ...monthly })
  assert.deepEqual(rest.body.subjects.map(({ name }: { name: string }) => name).toSorted(), [
    'cy@example.com',
    'dee@example.com',
    'root',
  ])
})

test('days and weeks have three finished ones each', async () => {
  for (const period of ['daily', 'weekly'] as const) {
    const { body } = await simulate({ scope: 'user', subject_id: ids.ada, limit_usd: 10, period })
    assert.equal(body.finished.length, 3)
    const lengths = body.finished.map(
      ({ from, to }: { from: string; to: string }) => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1,
    )
    assert.deepEqual(lengths, period === 'daily' ? [1, 1, 1] : [7, 7, 7])
    assert.equal(Date.parse(body.finished[0].to) + DAY_MS, Date.parse(body.current.from))
  }
})

test('periods whose first days are forgotten are left out', async () => {
  await app.call('PUT', '/admin/settings/spend_retention_days', { as: app.admin, body: { value: 1 } })
  const { body } = await simulate({ scope: 'user', subject_id: ids.ada, limit_usd: 10, ...monthly })
  // Sums by day are kept for 32 days: of finished months at most the last, on the first days of the next.
  assert.ok(body.finished.length <= 1)
  await app.call('PUT', '/admin/settings/spend_retention_days', { as: app.admin, body: { value: 400 } })
})

test('at most a hundred are listed, and all are counted', async () => {
  const team = await app.addTeam('Large')
  for (let index = 0; index < 103; index += 1) await app.addUser({ subject: `many${index}@example.com`, teamId: team })
  const { body } = await simulate({ scope: 'members', subject_id: team, limit_usd: 10, ...monthly })
  assert.deepEqual([body.total, body.subjects.length], [103, 100])
})

test('nothing is changed by trying', async () => {
  const list = async () => (await app.call('GET', '/admin/budgets', { as: app.admin })).body.data.length
  const before = await list()
  await simulate({ scope: 'user', subject_id: ids.dee, limit_usd: 3, ...monthly })
  assert.equal(await list(), before)
  const trail = await app.call('GET', '/admin/audit?action=budget.simulate', { as: app.admin })
  assert.deepEqual(trail.body.data ?? [], [])
})

test('what makes no sense is refused by name, and nobody is 404', async () => {
  const cases: readonly (readonly [body: object, field: string])[] = [
    [{ scope: 'user', limit_usd: 1, ...monthly }, 'subject_id'],
    [{ scope: 'default', subject_id: ids.ada, limit_usd: 1, ...monthly }, 'subject_id'],
    [{ scope: 'everybody', limit_usd: 1, ...monthly }, 'scope'],
    [{ scope: 'default', limit_usd: 0, ...monthly }, 'limit_usd'],
    [{ scope: 'default', limit_usd: 1, period: 'yearly' }, 'period'],
    [{ scope: 'default', limit_usd: 1, period: 'daily', policy: [{ at_percent: 1, action: 'shape' }] }, 'policy'],
    [{ scope: 'default', limit_usd: 1, ...monthly, member_limit_usd: 1 }, 'member_limit_usd'],
  ]
  for (const [body, field] of cases) {
    const answer = await simulate(body)
    assert.equal(answer.status, 400, field)
    assert.ok(answer.body.error.message.includes(`: ${field}`), answer.body.error.message)
  }
  for (const scope of ['user', 'team', 'members']) {
    const answer = await simulate({ scope, subject_id: crypto.randomUUID(), limit_usd: 1, ...monthly })
    assert.equal(answer.status, 404, scope)
  }
})

test('every declared answer of the simulation was exercised', () => app.assertCovered('Budget simulation', isOwnStatus))
