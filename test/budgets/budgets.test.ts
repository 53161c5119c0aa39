import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Budget } from '../../src/foundation/domain/budget.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'
import { isOwnStatus } from '../support/api-coverage.ts'

/** As if everybody had spent a dollar. */
const oneDollarEach = async (budgets: readonly Budget[]) =>
  budgets.map((budget) => ({
    spendNanoUsd: 1_000_000_000,
    percent: (1_000_000_000 / budget.limitNanoUsd) * 100,
    status: 'warning' as const,
    resetsAtMs: Date.UTC(2027, 0, 1),
  }))

let app: ApiApp
before(async () => {
  app = await startApiApp({ ports: { readStandings: oneDollarEach } })
})
after(() => app.stop())

const asAdmin = (method: string, path: string, body?: unknown) => app.call(method, path, { as: app.admin, body })

test('every budget is listed with its name, its spend and where it stands, the fullest first', async () => {
  const teamId = await app.addTeam('Budgeted')
  const user = await app.addUser({ subject: 'spender@example.com' })
  await asAdmin('PUT', `/admin/teams/${teamId}/budget`, { limit_usd: 10, period: 'monthly', policy: 'soft' })
  await asAdmin('PUT', `/admin/users/${user.id}/budget`, { limit_usd: 2, period: 'daily', policy: 'standard' })
  const { status, body } = await asAdmin('GET', '/admin/budgets')
  assert.equal(status, 200)
  assert.deepEqual(
    body.data.map((budget: Record<string, unknown>) => [
      budget['scope'],
      budget['name'],
      budget['spend_usd'],
      budget['percent'],
      budget['status'],
      budget['resets_at'],
    ]),
    [
      ['user', 'spender@example.com', 1, 50, 'warning', '2027-01-01T00:00:00.000Z'],
      ['team', 'Budgeted', 1, 10, 'warning', '2027-01-01T00:00:00.000Z'],
    ],
  )
})

test('the list is filtered, searched, sorted and paged', async () => {
  const names = async (query: string) =>
    (await asAdmin('GET', `/admin/budgets?${query}`)).body.data.map((budget: { name: string }) => budget.name)
  assert.deepEqual(await names('scope=team'), ['Budgeted'])
  assert.deepEqual(await names('q=SPEND'), ['spender@example.com'])
  const all = (await asAdmin('GET', '/admin/budgets')).body.data as { scope: string; subject_id: string }[]
  const team = all.find(({ scope }) => scope === 'team')?.subject_id
  assert.deepEqual(await names(`ids=${team},${crypto.randomUUID()}`), ['Budgeted'])
  assert.deepEqual(await names(`ids=${team}&scope=user`), [])
  assert.deepEqual(await names('sort=name'), ['Budgeted', 'spender@example.com'])
  assert.deepEqual(await names('sort=-limit_usd'), ['Budgeted', 'spender@example.com'])
  const first = (await asAdmin('GET', '/admin/budgets?limit=1')).body
  assert.equal(first.has_more, true)
  assert.deepEqual(await names(`limit=1&cursor=${first.next_cursor}`), ['Budgeted'])
})

test('odd parameters are 400', async () => {
  for (const query of ['sort=rules', 'limit=201', 'limit=', 'cursor=x', 'scope=key', 'q=%00', 'ids=x', 'nope=1'])
    assert.equal((await asAdmin('GET', `/admin/budgets?${query}`)).status, 400, query)
})

test('a top-up counts until the period ends, wherever the budget is told, and is taken back by its id', async () => {
  const teamId = await app.addTeam('Rush')
  const user = await app.addUser({ subject: 'rush@example.com', teamId })
  const subjects = [
    { path: `/admin/teams/${teamId}`, scope: 'team', id: teamId, limit: 10 },
    { path: `/admin/users/${user.id}`, scope: 'user', id: user.id, limit: 4 },
  ]
  for (const { path, scope, id, limit } of subjects) {
    const body = { amount_usd: 6.000000001, reason: ' the release ' }
    const none = await asAdmin('POST', `${path}/budget/top-ups`, body)
    assert.deepEqual([none.status, none.body.error.code], [409, 'conflict'])
    assert.match(none.body.error.message, /No budget limits this .* Set a budget first/)
    await asAdmin('PUT', `${path}/budget`, { limit_usd: limit, period: 'weekly', policy: 'standard' })
    const { status, body: given } = await asAdmin('POST', `${path}/budget/top-ups`, body)
    assert.equal(status, 201)
    assert.deepEqual(
      [given.scope, given.subject_id, given.amount_usd, given.reason, given.active, given.created_by],
      [scope, id, 6.000000001, 'the release', true, 'root'],
    )
    assert.equal(given.ends_at, nextMonday())
    await asAdmin('POST', `${path}/budget/top-ups`, { amount_usd: 2 })
    const [listed] = (await asAdmin('GET', `/admin/budgets?ids=${id}`)).body.data
    // The fake spend is a dollar: of the limit and both top-ups.
    assert.deepEqual(
      [listed.limit_usd, listed.top_up_usd, listed.percent],
      [limit, 8.000000001, (1_000_000_000 / (limit * 1e9 + 8_000_000_001)) * 100],
    )
    assert.equal((await asAdmin('GET', `${path}/budget`)).body.top_up_usd, 8.000000001)
    assert.equal((await asAdmin('DELETE', `/admin/budgets/top-ups/${given.id}`)).status, 204)
    assert.equal((await asAdmin('DELETE', `/admin/budgets/top-ups/${given.id}`)).status, 404)
    assert.equal((await asAdmin('GET', `${path}/budget`)).body.top_up_usd, 2)
    const left = (await asAdmin('GET', `${path}/budget/top-ups`)).body.data
    assert.deepEqual(
      left.map((one: { amount_usd: number }) => one.amount_usd),
      [2],
    )
    assert.deepEqual(await actionsOf(`${scope}:${id}`), [
      'budget.set',
      'budget.top-up',
      'budget.top-up',
      'budget.take-back',
    ])
  }
  const spend = await asAdmin('GET', `/admin/analytics/org/spend?days=7&team=${teamId}`)
  assert.deepEqual(
    spend.body.budgets.map((one: Record<string, unknown>) => [one['name'], one['limit_usd'], one['top_up_usd']]),
    [['Rush', 10, 2]],
  )
  const own = (await app.call('GET', '/me/budget', { as: app.sessionOf(user) })).body.budgets[0]
  assert.deepEqual([own.limit_usd, own.top_up_usd, own.remaining_usd], [4, 2, 5])
})

test('a top-up is on whichever terms hold: the limit of the team for each member, then a budget of their own', async () => {
  const teamId = await app.addTeam('Shared')
  const user = await app.addUser({ subject: 'shared@example.com', teamId })
  const team = { limit_usd: 50, period: 'monthly', policy: 'standard', member_limit_usd: 5 }
  await asAdmin('PUT', `/admin/teams/${teamId}/budget`, team)
  await asAdmin('POST', `/admin/users/${user.id}/budget/top-ups`, { amount_usd: 3 })
  const own = async () => {
    const { body } = await app.call('GET', '/me/budget', { as: app.sessionOf(user) })
    return body.budgets.map((one: Record<string, unknown>) => [one['source'], one['limit_usd'], one['top_up_usd']])
  }
  assert.deepEqual(await own(), [
    ['team-member', 5, 3],
    ['team', 50, 0],
  ])
  await asAdmin('PUT', `/admin/users/${user.id}/budget`, { limit_usd: 9, period: 'daily' })
  assert.deepEqual((await own())[0], ['own', 9, 3])
})

test('top-ups that cannot be are refused, and the words name the place', async () => {
  const user = await app.addUser({ subject: 'bounds@example.com' })
  const path = `/admin/users/${user.id}/budget`
  await asAdmin('PUT', path, { limit_usd: 8_999_999, period: 'daily' })
  const team = `/admin/teams/${await app.addTeam('Bounds')}/budget/top-ups`
  const whole = [{}, { amount_usd: 0 }, { amount_usd: 1, nope: 1 }, { amount_usd: 1, reason: 'x'.repeat(501) }]
  for (const body of [...whole, { amount_usd: -1 }, { amount_usd: 9_000_001 }, { amount_usd: 2 }, { amount_usd: '1' }])
    assert.equal((await asAdmin('POST', `${path}/top-ups`, body)).status, 400, JSON.stringify(body))
  assert.match((await asAdmin('POST', `${path}/top-ups`, { amount_usd: 2 })).body.error.message, /9,000,000/)
  assert.equal((await asAdmin('POST', `${path}/top-ups`, { amount_usd: 1 })).status, 201)
  for (const body of whole) assert.equal((await asAdmin('POST', team, body)).status, 400)
  for (const kind of ['users', 'teams']) {
    const unknown = `/admin/${kind}/${crypto.randomUUID()}/budget/top-ups`
    assert.equal((await asAdmin('POST', unknown, { amount_usd: 1 })).status, 404)
    assert.equal((await asAdmin('GET', unknown)).status, 404)
  }
  for (const list of [`${path}/top-ups`, team]) assert.equal((await asAdmin('GET', `${list}?sort=reason`)).status, 400)
  assert.equal((await asAdmin('DELETE', '/admin/budgets/top-ups/7')).status, 400)
})

async function actionsOf(target: string): Promise<readonly string[]> {
  const { rows } = await app.database.pool.query('select action from audit_log where target = $1 order by at, id', [
    target,
  ])
  return rows.map(({ action }) => action as string)
}

function nextMonday(): string {
  const now = new Date()
  const days = 7 - ((now.getUTCDay() + 6) % 7)
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + days)).toISOString()
}

test('every declared answer of the budget list was exercised', () => app.assertCovered('Budgets', isOwnStatus))
