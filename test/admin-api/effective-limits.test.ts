import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Budget } from '../../src/foundation/domain/budget.ts'
import { decideBudget } from '../../src/foundation/domain/budget.ts'
import type { User } from '../../src/foundation/domain/user.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'
import { isOwnStatus } from '../support/api-coverage.ts'

const SPENT_NANO_USD = 1_234_567_890

/** As if everybody had spent 123.456789 cents in the running period. */
const allSpentTheSame = async (budgets: readonly Budget[]) =>
  budgets.map(({ limitNanoUsd, rules }) => {
    const { percent, status } = decideBudget(SPENT_NANO_USD, limitNanoUsd, rules)
    return { spendNanoUsd: SPENT_NANO_USD, percent, status, resetsAtMs: Date.UTC(2027, 0, 1) }
  })

let app: ApiApp
before(async () => {
  app = await startApiApp({ ports: { readStandings: allSpentTheSame } })
})
after(() => app.stop())

const LIMITS = '/v1/organizations/spend_limits'
const REQUESTS = '/v1/organizations/spend_limit_increase_requests'
const asAdmin = (method: string, path: string, body?: unknown) => app.call(method, path, { as: app.admin, body })

const userScope = (user: User) => ({ type: 'user', user_id: user.id })
const set = (scope: object, amount: unknown, period?: string) => asAdmin('POST', LIMITS, { amount, scope, period })

const auditOf = async (target: string): Promise<readonly string[]> => {
  const { body } = await asAdmin('GET', `/admin/audit?target=${encodeURIComponent(target)}`)
  return body.data.map((entry: { action: string }) => entry.action)
}

async function asked(user: User): Promise<string> {
  const { status, body } = await app.call('POST', '/me/budget/requests', {
    as: app.sessionOf(user),
    body: { amount_usd: 5 },
  })
  assert.equal(status, 201, JSON.stringify(body))
  return body.id as string
}

test('the limit of a person is set in cents, read by its id, changed in place and removed, each with its entry', async () => {
  const user = await app.addUser()
  const made = await set(userScope(user), '50000')
  const { created_at, updated_at, ...plain } = made.body
  assert.deepEqual(
    [made.status, plain],
    [
      200,
      {
        type: 'spend_limit',
        id: `spl_user_${user.id}`,
        amount: '50000',
        currency: 'USD',
        period: 'monthly',
        scope: userScope(user),
        is_enabled: true,
      },
    ],
  )
  assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000 && created_at <= updated_at)
  const { body: budget } = await asAdmin('GET', `/admin/users/${user.id}/budget`)
  assert.deepEqual([budget.limit_usd, budget.period, budget.policy], [500, 'monthly', 'standard'])

  await asAdmin('PUT', `/admin/users/${user.id}/budget`, { limit_usd: 7.005, period: 'weekly', policy: 'shaped' })
  const read = await asAdmin('GET', `${LIMITS}/spl_user_${user.id}`)
  assert.deepEqual([read.body.amount, read.body.period, read.body.created_at], ['700', 'weekly', created_at])
  assert.equal((await set(userScope(user), '900')).body.period, 'weekly', 'what is there keeps its period')
  const { body: kept } = await asAdmin('GET', `/admin/users/${user.id}/budget`)
  assert.deepEqual([kept.limit_usd, kept.period, kept.policy], [9, 'weekly', 'shaped'])

  const gone = await asAdmin('DELETE', `${LIMITS}/spl_user_${user.id}`)
  assert.deepEqual(gone.body, { id: `spl_user_${user.id}`, type: 'spend_limit_deleted' })
  assert.equal((await asAdmin('GET', `${LIMITS}/spl_user_${user.id}`)).status, 404)
  assert.equal((await asAdmin('DELETE', `${LIMITS}/spl_user_${user.id}`)).status, 404)
  const actions = await auditOf(`user:${user.id}`)
  assert.deepEqual(actions, ['budget.remove', 'budget.set', 'budget.set', 'budget.set'])
})

test('another period than the one in force would lift it, so it is refused, also where it is inherited', async () => {
  const teamId = await app.addTeam()
  await asAdmin('PUT', `/admin/teams/${teamId}/budget`, { limit_usd: 90, period: 'weekly', member_limit_usd: 3 })
  const user = await app.addUser({ teamId })
  const refused = await set(userScope(user), '1000', 'daily')
  assert.equal(refused.status, 400)
  assert.match(refused.body.error.message, /^period: A weekly limit is in force.*a daily one would lift it/)
  assert.equal((await asAdmin('GET', `/admin/users/${user.id}/budget`)).status, 404)
  assert.equal((await set(userScope(user), '1000', 'weekly')).body.period, 'weekly')
  assert.equal((await set({ type: 'workspace', workspace_id: teamId }, '10000', 'monthly')).status, 400)
  const team = await set({ type: 'workspace', workspace_id: teamId }, '10000')
  assert.deepEqual([team.body.id, team.body.amount, team.body.period], [`spl_workspace_${teamId}`, '10000', 'weekly'])
  const { body } = await asAdmin('GET', `/admin/teams/${teamId}/budget`)
  assert.deepEqual([body.limit_usd, body.member_limit_usd], [100, 3], 'what each member gets stays')
  const free = await app.addUser()
  assert.equal((await set(userScope(free), '1000', 'daily')).body.period, 'daily', 'nothing was in force')
})

test('the list has defaults before single limits, by scope and by team, page by page', async () => {
  const stored = { value: { limit_usd: 20, period: 'monthly' } }
  assert.equal((await asAdmin('PUT', '/admin/settings/default_budget', stored)).status, 200)
  const teamId = await app.addTeam()
  await asAdmin('PUT', `/admin/teams/${teamId}/budget`, { limit_usd: 90, period: 'weekly', member_limit_usd: 3 })
  const all: { id: string; amount: string; scope: { type: string } }[] = []
  for (let next = `${LIMITS}?limit=2`; next !== ''; ) {
    const { status, body } = await asAdmin('GET', next)
    assert.equal(status, 200)
    assert.ok(body.data.length <= 2)
    all.push(...body.data)
    next = body.next_page === null ? '' : `${LIMITS}?limit=2&page=${encodeURIComponent(body.next_page)}`
  }
  const types = all.map(({ scope }) => scope.type)
  assert.equal(new Set(all.map(({ id }) => id)).size, all.length)
  assert.deepEqual(
    types,
    [...types].sort((a, b) => order.indexOf(a) - order.indexOf(b)),
  )
  assert.deepEqual(new Set(types), new Set(order))
  assert.deepEqual([all[0]?.id, all[0]?.amount], ['spl_seat_tier_member', '2000'])
  const both = await asAdmin('GET', `${LIMITS}?scope_type[]=rbac_group&scope_type[]=workspace&limit=1000`)
  assert.equal(both.body.data.length, types.filter((type) => type === 'rbac_group' || type === 'workspace').length)
  const people = await asAdmin('GET', `${LIMITS}?scope_type=user`)
  assert.ok(people.body.data.every((limit: { scope: { type: string } }) => limit.scope.type === 'user'))
  const ofTeam = await asAdmin('GET', `${LIMITS}?workspace_id=${teamId}`)
  assert.deepEqual(
    ofTeam.body.data.map((limit: { id: string }) => limit.id),
    [`spl_workspace_${teamId}`],
  )
  const shared = await asAdmin('GET', `${LIMITS}/spl_rbac_group_${teamId}`)
  assert.deepEqual([shared.body.amount, shared.body.scope], ['300', { type: 'rbac_group', rbac_group_id: teamId }])
  assert.equal((await asAdmin('GET', `${LIMITS}/spl_seat_tier_member`)).body.amount, '2000')
})

const order = ['seat_tier', 'rbac_group', 'workspace', 'user']

test('what many share is not removed with one limit', async () => {
  const teamId = await app.addTeam()
  await asAdmin('PUT', `/admin/teams/${teamId}/budget`, { limit_usd: 90, period: 'weekly', member_limit_usd: 3 })
  for (const id of ['seat_tier_member', `rbac_group_${teamId}`, `workspace_${teamId}`])
    assert.equal((await asAdmin('DELETE', `${LIMITS}/spl_${id}`)).status, 400, id)
  assert.equal((await asAdmin('GET', `/admin/teams/${teamId}/budget`)).body.member_limit_usd, 3)
  await asAdmin('PUT', `/admin/teams/${teamId}/budget`, { limit_usd: 90, period: 'weekly' })
  assert.equal((await asAdmin('GET', `${LIMITS}/spl_rbac_group_${teamId}`)).status, 404)
  assert.equal((await asAdmin('DELETE', `${LIMITS}/spl_workspace_${teamId}`)).status, 200)
})

test('the report has what holds for each person, whose limit it is, and what is spent to a thousandth of a cent', async () => {
  await asAdmin('PUT', '/admin/settings/default_budget', { value: { limit_usd: 20, period: 'monthly' } })
  const teamId = await app.addTeam()
  await asAdmin('PUT', `/admin/teams/${teamId}/budget`, { limit_usd: 90, period: 'weekly', member_limit_usd: 3 })
  const own = await app.addUser({ email: 'own@example.com' })
  const member = await app.addUser({ teamId })
  const other = await app.addUser()
  const left = await app.addUser()
  await asAdmin('PATCH', `/admin/users/${left.id}`, { active: false })
  await set(userScope(own), '1000')
  await asAdmin('POST', `/admin/users/${own.id}/budget/top-ups`, { amount_usd: 5 })
  const ids = [own, member, other, left].map(({ id }) => `user_ids[]=${id}`).join('&')
  const { status, body } = await asAdmin('GET', `${LIMITS}/effective?${ids}`)
  assert.equal(status, 200)
  const findRow = (user: User) => body.data.find((row: { actor: { user_id: string } }) => row.actor.user_id === user.id)
  assert.deepEqual(findRow(own), {
    actor: {
      type: 'user_actor',
      user_id: own.id,
      email_address: 'own@example.com',
      name: own.subject,
      deleted: false,
    },
    amount: '1500',
    currency: 'USD',
    period: 'monthly',
    period_to_date_spend: '123.457',
    scope: userScope(own),
    source: userScope(own),
    spend_limit_id: `spl_user_${own.id}`,
  })
  const buildSource = (user: User) => [findRow(user).amount, findRow(user).period, findRow(user).source]
  assert.deepEqual(buildSource(member), ['300', 'weekly', { type: 'rbac_group', rbac_group_id: teamId }])
  assert.deepEqual(buildSource(other), ['2000', 'monthly', { type: 'seat_tier', seat_tier: 'member' }])
  assert.equal(body.data.length, 3, 'whoever is not active has no row')
  const weekly = await asAdmin('GET', `${LIMITS}/effective?${ids}&period=weekly`)
  assert.deepEqual(
    weekly.body.data.map((row: { actor: { user_id: string } }) => row.actor.user_id),
    [member.id],
  )
  const page = await asAdmin('GET', `${LIMITS}/effective?${ids}&limit=1`)
  const next = await asAdmin('GET', `${LIMITS}/effective?${ids}&limit=2&page=${page.body.next_page}`)
  assert.equal(page.body.data.length + next.body.data.length, 3)
  assert.equal(next.body.next_page, null)
  await asAdmin('PUT', '/admin/settings/default_budget', { value: null })
  assert.equal((await asAdmin('GET', `${LIMITS}/effective?user_ids=${other.id}`)).body.data.length, 0)
})

test('a request is listed with where its asker stands, and approved with a new limit', async () => {
  const user = await app.addUser()
  await set(userScope(user), '1000')
  const id = await asked(user)
  const { body } = await asAdmin('GET', `${REQUESTS}?actor_ids[]=${user.id}&status[]=pending`)
  const [listed] = body.data
  assert.deepEqual(
    [listed.id, listed.status, listed.period, listed.resolved_at, listed.resolved_by, listed.actor.user_id],
    [id, 'pending', 'monthly', null, null, user.id],
  )
  assert.deepEqual([listed.spend_summary.amount, listed.spend_summary.period_to_date_spend], ['1000', '123.457'])
  assert.deepEqual((await asAdmin('GET', `${REQUESTS}/${id}`)).body, listed)

  for (const [amount, period, message] of [
    ['1000', undefined, /^amount: must be above the limit in force/],
    ['1500', 'daily', /^period: A monthly limit is in force/],
  ] as const) {
    const refused = await asAdmin('POST', `${REQUESTS}/${id}/approve`, { amount, period })
    assert.equal(refused.status, 400)
    assert.match(refused.body.error.message, message)
  }
  const done = await asAdmin('POST', `${REQUESTS}/${id}/approve`, { amount: '1750', period: null })
  assert.deepEqual(
    [done.status, done.body.status, done.body.spend_limit.amount, done.body.spend_summary],
    [200, 'approved', '1750', null],
  )
  assert.deepEqual(done.body.resolved_by, {
    type: 'user_actor',
    user_id: app.adminUser.id,
    email_address: null,
    name: app.adminUser.subject,
    deleted: false,
  })
  const { body: own } = await app.call('GET', '/me/budget/requests', { as: app.sessionOf(user) })
  assert.deepEqual([own.data[0].status, own.data[0].granted_usd, own.data[0].granted_as], ['approved', 7.5, 'raise'])
  const twice = await asAdmin('POST', `${REQUESTS}/${id}/approve`, { amount: '9000' })
  assert.equal(twice.status, 400)
  assert.match(twice.body.error.message, /This request was approved by root at .* Nothing was changed\./)
  assert.equal((await asAdmin('POST', `${REQUESTS}/${id}/deny`)).status, 400)
  assert.deepEqual(await auditOf(`budget_request:${id}`), ['budget_request.approve', 'budget_request.create'])
  assert.equal(await eventsAbout(user), 1)
})

/** Of decisions that were told to this person. */
async function eventsAbout(user: User): Promise<number> {
  const { rows } = await app.database.pool.query(
    `select from notification_outbox where event::text like '%budget_decided%' and event::text like $1`,
    [`%${user.subject}%`],
  )
  return rows.length
}

test('what is denied stays denied, and nobody is told who should not be', async () => {
  const user = await app.addUser()
  await set(userScope(user), '1000')
  const id = await asked(user)
  const denied = await asAdmin('POST', `${REQUESTS}/${id}/deny`, { suppress_notification: true })
  assert.deepEqual([denied.status, denied.body.status], [200, 'denied'])
  const again = await asAdmin('POST', `${REQUESTS}/${id}/deny`)
  assert.deepEqual(again.body, denied.body)
  assert.equal(await eventsAbout(user), 0)
  const { body } = await asAdmin('GET', `${REQUESTS}?status=denied&actor_ids=${user.id}`)
  assert.deepEqual(
    body.data.map((one: { id: string }) => one.id),
    [id],
  )
  const other = await asked(user)
  assert.equal((await asAdmin('POST', `${REQUESTS}/${other}/deny`, {})).status, 200)
  assert.equal(await eventsAbout(user), 1)
})

test('what is asked for a team, and what was withdrawn, is not in the shape and not in the list', async () => {
  const teamId = await app.addTeam()
  await asAdmin('PUT', `/admin/teams/${teamId}/budget`, { limit_usd: 1, period: 'weekly' })
  const member = await app.addUser({ teamId })
  const forTeam = await asked(member)
  const alone = await app.addUser()
  await set(userScope(alone), '1000')
  const withdrawn = await asked(alone)
  await app.call('DELETE', `/me/budget/requests/${withdrawn}`, { as: app.sessionOf(alone) })
  const { body } = await asAdmin('GET', `${REQUESTS}?limit=1000`)
  const ids = body.data.map((one: { id: string }) => one.id)
  for (const id of [forTeam, withdrawn]) {
    assert.ok(!ids.includes(id))
    assert.equal((await asAdmin('GET', `${REQUESTS}/${id}`)).status, 404)
    assert.equal((await asAdmin('POST', `${REQUESTS}/${id}/deny`)).status, 404)
    assert.equal((await asAdmin('POST', `${REQUESTS}/${id}/approve`, { amount: '900' })).status, 404)
  }
})

test('a request whose budget is gone cannot be approved, only denied', async () => {
  const user = await app.addUser()
  await set(userScope(user), '1000')
  const id = await asked(user)
  await asAdmin('DELETE', `${LIMITS}/spl_user_${user.id}`)
  const { body } = await asAdmin('GET', `${REQUESTS}/${id}`)
  assert.deepEqual([body.status, body.period, body.spend_summary], ['pending', 'monthly', null])
  assert.equal((await asAdmin('POST', `${REQUESTS}/${id}/approve`, { amount: '5000' })).status, 409)
  assert.equal((await asAdmin('POST', `${REQUESTS}/${id}/deny`)).status, 200)
})

test('two decisions at once are one decision', async () => {
  const user = await app.addUser()
  await set(userScope(user), '1000')
  const id = await asked(user)
  const all = await Promise.all(
    ['2000', '3000', '4000'].map((amount) => asAdmin('POST', `${REQUESTS}/${id}/approve`, { amount })),
  )
  const [done, ...others] = all.toSorted((a, b) => a.status - b.status)
  assert.deepEqual([done?.status, ...others.map(({ status }) => status)], [200, 400, 400])
  assert.equal((await asAdmin('GET', `${LIMITS}/spl_user_${user.id}`)).body.amount, done?.body.spend_limit.amount)
})

test('what cannot be read is said, and nothing is stored', async () => {
  const user = await app.addUser()
  const scope = userScope(user)
  for (const amount of [null, 50, '', '0', '-1', '1.5', '1e3', ' 5', '900000001', '9'.repeat(13)]) {
    const { status, body } = await set(scope, amount)
    assert.equal(status, 400, String(amount))
    assert.match(body.error.message, /amount.*whole number of cents as text, from "1" to "900000000"/)
  }
  for (const [wrong, message] of [
    [{ type: 'organization' }, /scope.*must be \{"type": "user", "user_id"/],
    [{ type: 'seat_tier', seat_tier: 'member' }, /scope.*set in the portal/],
    ['user', /scope.*must be \{"type": "user", "user_id"/],
    [{ type: 'user' }, /scope\.user_id/],
    [{ type: 'user', user_id: 'user_01' }, /scope\.user_id: must be a UUID/],
    [{ type: 'user', user_id: user.id, more: 1 }, /scope.*more/],
  ] as const) {
    const { status, body } = await asAdmin('POST', LIMITS, { amount: '5', scope: wrong })
    assert.equal(status, 400)
    assert.match(body.error.message, message)
  }
  assert.equal((await set(scope, '5', 'yearly')).status, 400)
  assert.equal((await asAdmin('POST', LIMITS, { amount: '5', scope, more: 1 })).status, 400)
  assert.equal((await set({ type: 'user', user_id: crypto.randomUUID() }, '5')).status, 404)
  assert.equal((await set({ type: 'workspace', workspace_id: crypto.randomUUID() }, '5')).status, 404)
  for (const id of ['spl_x', 'spl_user_1', 'spl_seat_tier_other', `spl_organization_${user.id}`, user.id])
    for (const method of ['GET', 'DELETE']) assert.equal((await asAdmin(method, `${LIMITS}/${id}`)).status, 404, id)
  for (const path of [
    `${LIMITS}?scope_type=organization`,
    `${LIMITS}?scope_type[]=`,
    `${LIMITS}?limit=0`,
    `${LIMITS}?limit=1001`,
    `${LIMITS}?page=x`,
    `${LIMITS}?team=1`,
    `${LIMITS}/effective?period=yearly`,
    `${LIMITS}/effective?user_ids[]=1`,
    `${LIMITS}/effective?page=x`,
    `${REQUESTS}?status=open`,
    `${REQUESTS}?actor_ids=1`,
    `${REQUESTS}/1`,
  ])
    assert.equal((await asAdmin('GET', path)).status, 400, path)
  for (const verb of ['approve', 'deny'])
    assert.equal((await asAdmin('POST', `${REQUESTS}/1/${verb}`, { amount: '5' })).status, 400)
  assert.equal((await asAdmin('DELETE', `${LIMITS}/${'x'.repeat(101)}`)).status, 400)
  assert.equal((await asAdmin('GET', `${LIMITS}/${'x'.repeat(101)}`)).status, 400)
  assert.equal((await asAdmin('GET', `/admin/users/${user.id}/budget`)).status, 404)
})

test('every declared answer of the spend limits was exercised', () => app.assertCovered('Spend limits', isOwnStatus))
