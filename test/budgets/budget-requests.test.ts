import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Budget } from '../../src/foundation/domain/budget.ts'
import { decideBudget } from '../../src/foundation/domain/budget.ts'
import type { User } from '../../src/foundation/domain/user.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { aSpendRecord } from '../database/samples.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'
import { isOwnStatus } from '../support/api-coverage.ts'

/** As if everybody had spent nine dollars in the running period. */
const nineDollarsEach = async (budgets: readonly Budget[]) =>
  budgets.map(({ limitNanoUsd, rules }) => {
    const { percent, status } = decideBudget(9_000_000_000, limitNanoUsd, rules)
    return { spendNanoUsd: 9_000_000_000, percent, status, resetsAtMs: Date.UTC(2027, 0, 1) }
  })

let app: ApiApp
before(async () => {
  app = await startApiApp({
    ports: { readStandings: nineDollarsEach, findKnownUrl: () => 'https://gateway.example.com' },
  })
})
after(() => app.stop())

const asAdmin = (method: string, path: string, body?: unknown) => app.call(method, path, { as: app.admin, body })
const OWN = '/me/budget/requests'
const ALL = '/admin/budget-requests'

interface Person {
  readonly user: User
  readonly call: (method: string, path: string, body?: unknown) => ReturnType<ApiApp['call']>
}

let count = 0

async function addPerson(limitUsd: number | null, teamId: string | null = null): Promise<Person> {
  const user = await app.addUser({ subject: `asker-${(count += 1)}@example.com`, teamId })
  const as = app.sessionOf(user)
  if (limitUsd !== null)
    await asAdmin('PUT', `/admin/users/${user.id}/budget`, { limit_usd: limitUsd, period: 'weekly', policy: 'soft' })
  return { user, call: (method, path, body) => app.call(method, path, { as, body }) }
}

const ask = async ({ call }: Person, amount = 5): Promise<string> => {
  const { status, body } = await call('POST', OWN, { amount_usd: amount, reason: 'a release' })
  assert.equal(status, 201, JSON.stringify(body))
  return body.id as string
}

async function ownBudget({ call }: Person): Promise<readonly unknown[]> {
  const [budget] = (await call('GET', '/me/budget')).body.budgets
  return [budget.source, budget.limit_usd, budget.top_up_usd, budget.period, budget.rules.length]
}

test('somebody asks once, sees it, and withdraws it to ask for another amount', async () => {
  const ada = await addPerson(10)
  const first = await ask(ada)
  const again = await ada.call('POST', OWN, { amount_usd: 7 })
  assert.deepEqual([again.status, again.body.error.code], [409, 'conflict'])
  assert.match(again.body.error.message, /asked already.*Withdraw that request/)
  const racing = await addPerson(10)
  const all = await Promise.all(Array.from({ length: 5 }, () => racing.call('POST', OWN, { amount_usd: 1 })))
  assert.deepEqual(all.map(({ status }) => status).sort(), [201, 409, 409, 409, 409])
  const bob = await addPerson(10)
  assert.equal((await bob.call('DELETE', `${OWN}/${first}`)).status, 404, 'it is not his')
  assert.equal((await ada.call('DELETE', `${OWN}/${first}`)).status, 204)
  const twice = await ada.call('DELETE', `${OWN}/${first}`)
  assert.equal(twice.status, 409)
  assert.match(twice.body.error.message, /was withdrawn by asker-/)
  await ask(ada, 7)
  const { body } = await ada.call('GET', OWN)
  assert.deepEqual(
    body.data.map((one: Record<string, unknown>) => [one['amount_usd'], one['status'], one['scope'], one['reason']]),
    [
      [7, 'open', 'user', 'a release'],
      [5, 'withdrawn', 'user', 'a release'],
    ],
  )
  assert.equal((await bob.call('GET', OWN)).body.data.length, 0)
  const key = await app.addKey()
  assert.deepEqual((await app.call('GET', OWN, { as: key.key })).body.data, [])
})

test('whom nothing limits has nothing to ask for', async () => {
  const free = await addPerson(null)
  const { status, body } = await free.call('POST', OWN, { amount_usd: 5 })
  assert.equal(status, 409)
  assert.match(body.error.message, /No budget limits you/)
})

test('a request is for the budget that stands worse: the team’s when that blocks, else one’s own', async () => {
  const teamId = await app.addTeam('Blocked')
  await asAdmin('PUT', `/admin/teams/${teamId}/budget`, { limit_usd: 9, period: 'daily', policy: 'standard' })
  const member = await addPerson(100, teamId)
  const alone = await addPerson(null, teamId)
  const strict = await addPerson(5, teamId)
  await asAdmin('PUT', `/admin/users/${strict.user.id}/budget`, { limit_usd: 5, period: 'daily' })
  for (const [person, scope] of [
    [member, 'team'],
    [alone, 'team'],
    [strict, 'user'],
  ] as const) {
    const { body } = await person.call('POST', OWN, { amount_usd: 3 })
    assert.equal(body.scope, scope)
  }
  const { body } = await asAdmin('GET', `${ALL}?q=${member.user.subject}`)
  const approved = await asAdmin('POST', `${ALL}/${body.data[0].id}/approve`, { as: 'top_up' })
  assert.deepEqual(
    [approved.body.budget.scope, approved.body.budget.name, approved.body.budget.top_up_usd],
    ['team', 'Blocked', 3],
  )
  const other = (await asAdmin('GET', `${ALL}?q=${alone.user.subject}`)).body.data[0]
  const raised = await asAdmin('POST', `${ALL}/${other.id}/approve`, { as: 'raise', amount_usd: 1 })
  assert.deepEqual([raised.body.budget.limit_usd, raised.body.budget.top_up_usd], [10, 3])
  assert.equal((await asAdmin('GET', `/admin/teams/${teamId}/budget`)).body.limit_usd, 10)
})

test('administrators see who asks, where the budget stands and what was spent, day by day', async () => {
  const teamId = await app.addTeam('Shown')
  const person = await addPerson(10, teamId)
  const day = (ago: number) => Date.now() - ago * 86_400_000
  const records = [0, 0, 5, 31].map((ago, index) =>
    aSpendRecord({ requestId: `req_days${index}`, userId: person.user.id, costNanoUsd: 1_000_000_000, atMs: day(ago) }),
  )
  await createSpendLog(app.database.kysely).appendBatch(records)
  await ask(person)
  const [request] = (await asAdmin('GET', `${ALL}?status=open&q=${person.user.subject.toUpperCase()}`)).body.data
  assert.deepEqual(
    [request.user_name, request.team_name, request.amount_usd, request.reason, request.status],
    [person.user.subject, 'Shown', 5, 'a release', 'open'],
  )
  assert.deepEqual(
    [request.budget.source, request.budget.spend_usd, request.budget.percent, request.budget.status],
    ['own', 9, 90, 'warning'],
  )
  const toDay = (ago: number) => new Date(day(ago)).toISOString().slice(0, 10)
  assert.deepEqual(request.spend_by_day, [
    { day: toDay(5), spend_usd: 1 },
    { day: toDay(0), spend_usd: 2 },
  ])
  const first = (await asAdmin('GET', `${ALL}?limit=1&sort=amount_usd`)).body
  assert.equal(first.has_more, true)
  assert.equal((await asAdmin('GET', `${ALL}?limit=1&sort=amount_usd&cursor=${first.next_cursor}`)).status, 200)
})

test('an approval adds what was asked for until the period ends, and gives it once, however often it is sent', async () => {
  const person = await addPerson(10)
  const id = await ask(person)
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => asAdmin('POST', `${ALL}/${id}/approve`, { as: 'top_up' })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409])
  assert.deepEqual(await ownBudget(person), ['own', 10, 5, 'weekly', 3])
  const { body } = await asAdmin('POST', `${ALL}/${id}/decline`)
  assert.match(body.error.message, /was approved by root at .*Nothing was changed/)
  const [own] = (await person.call('GET', OWN)).body.data
  assert.deepEqual(
    [own.status, own.decided_by, own.granted_usd, own.granted_as, own.note],
    ['approved', 'root', 5, 'top_up', null],
  )
  const topUps = (await asAdmin('GET', `/admin/users/${person.user.id}/budget/top-ups`)).body.data
  assert.deepEqual(
    topUps.map((one: Record<string, unknown>) => [one['amount_usd'], one['reason'], one['created_by']]),
    [[5, 'a release', 'root']],
  )
  assert.equal((await person.call('DELETE', `${OWN}/${id}`)).status, 409)
})

test('a raise is for good: the limit that holds and the amount become the own budget, with its period and policy', async () => {
  const own = await addPerson(10)
  await asAdmin('POST', `/admin/users/${own.user.id}/budget/top-ups`, { amount_usd: 2 })
  const raised = await asAdmin('POST', `${ALL}/${await ask(own)}/approve`, {
    as: 'raise',
    amount_usd: 7,
    note: 'well earned',
  })
  assert.deepEqual([raised.body.status, raised.body.granted_usd, raised.body.note], ['approved', 7, 'well earned'])
  assert.deepEqual(await ownBudget(own), ['own', 17, 2, 'weekly', 3])
  assert.equal((await asAdmin('GET', `/admin/users/${own.user.id}/budget`)).body.policy, 'soft')

  const teamId = await app.addTeam('Members')
  const team = { limit_usd: 100, period: 'daily', policy: 'shaped', member_limit_usd: 8 }
  await asAdmin('PUT', `/admin/teams/${teamId}/budget`, team)
  const member = await addPerson(null, teamId)
  await asAdmin('POST', `${ALL}/${await ask(member)}/approve`, { as: 'raise' })
  assert.deepEqual(await ownBudget(member), ['own', 13, 0, 'daily', 3])
  assert.equal((await asAdmin('GET', `/admin/users/${member.user.id}/budget`)).body.policy, 'shaped')
  assert.equal((await asAdmin('GET', `/admin/teams/${teamId}/budget`)).body.member_limit_usd, 8)

  const rules = [{ at_percent: 90, action: 'block' }]
  await asAdmin('PUT', '/admin/settings/default_budget', { value: { limit_usd: 10, period: 'daily', policy: rules } })
  const other = await addPerson(null)
  await asAdmin('POST', `${ALL}/${await ask(other)}/approve`, { as: 'raise' })
  assert.deepEqual(await ownBudget(other), ['own', 15, 0, 'daily', 1])
  assert.deepEqual((await asAdmin('GET', `/admin/users/${other.user.id}/budget`)).body.policy, rules)
  await asAdmin('PUT', '/admin/settings/default_budget', { value: null })
})

test('a request stays open when its budget or its period goes, and is then declined with a word', async () => {
  const person = await addPerson(10)
  const id = await ask(person)
  await asAdmin('DELETE', `/admin/users/${person.user.id}/budget`)
  for (const as of ['top_up', 'raise']) {
    const { status, body } = await asAdmin('POST', `${ALL}/${id}/approve`, { as })
    assert.equal(status, 409)
    assert.match(body.error.message, /No budget limits this person/)
  }
  const [open] = (await asAdmin('GET', `${ALL}?status=open&q=${person.user.subject}`)).body.data
  assert.deepEqual([open.budget, open.status], [null, 'open'])
  const declined = await asAdmin('POST', `${ALL}/${id}/decline`, { note: 'nothing stops you any more' })
  assert.deepEqual([declined.status, declined.body.status, declined.body.granted_usd], [200, 'declined', null])
  const [own] = (await person.call('GET', OWN)).body.data
  assert.deepEqual([own.status, own.note], ['declined', 'nothing stops you any more'])
  await asAdmin('PUT', `/admin/users/${person.user.id}/budget`, { limit_usd: 10, period: 'daily' })
  const late = await ask(person)
  app.advance(2 * 86_400_000)
  const approved = await app.call('POST', `${ALL}/${late}/approve`, {
    as: app.sessionOf(app.adminUser),
    body: { as: 'top_up' },
  })
  app.advance(-2 * 86_400_000)
  const [topUp] = (await asAdmin('GET', `/admin/users/${person.user.id}/budget/top-ups`)).body.data
  assert.equal(approved.status, 200)
  assert.ok(
    Date.parse(topUp.ends_at) > Date.now() + 2 * 86_400_000 - 1_000,
    'until the end of the period in which it was given',
  )
})

test('every step is in the audit trail, and the request is told to administrators with where it is decided', async () => {
  const teamId = await app.addTeam('Told')
  const person = await addPerson(10, teamId)
  const steps: (readonly [string, () => Promise<unknown>])[] = []
  const withdrawn = await ask(person, 3)
  steps.push(['budget_request.withdraw', () => person.call('DELETE', `${OWN}/${withdrawn}`)])
  for (const [, step] of steps) await step()
  const approved = await ask(person, 4)
  await asAdmin('POST', `${ALL}/${approved}/approve`, { as: 'raise' })
  const declined = await ask(person, 5)
  await asAdmin('POST', `${ALL}/${declined}/decline`)
  const trail = async (target: string) => {
    const { rows } = await app.database.pool.query(
      'select actor, action, after from audit_log where target = $1 order by at, id',
      [target],
    )
    return rows.map(({ actor, action, after: entry }) => [actor, action, entry.status, entry.amount_usd])
  }
  const asker = person.user.subject
  assert.deepEqual(await trail(`budget_request:${withdrawn}`), [
    [asker, 'budget_request.create', 'open', 3],
    [asker, 'budget_request.withdraw', 'withdrawn', 3],
  ])
  assert.deepEqual(await trail(`budget_request:${approved}`), [
    [asker, 'budget_request.create', 'open', 4],
    ['root', 'budget_request.approve', 'approved', 4],
  ])
  assert.deepEqual((await trail(`budget_request:${declined}`)).at(-1), [
    'root',
    'budget_request.decline',
    'declined',
    5,
  ])
  const { rows } = await app.database.pool.query(
    'select event, category from notification_outbox where dedupe_key = $1',
    [`budget_requested ${approved}`],
  )
  assert.equal(rows.length, 1)
  const { event, category } = rows[0]
  assert.deepEqual(
    [category, event.type, event.userIdentity, event.teamName],
    ['budget', 'budget_requested', asker, 'Told'],
  )
  const { period_start: periodStart, ...detail } = event.detail
  assert.equal(new Date(periodStart).getUTCDay(), 1)
  assert.deepEqual(detail, {
    threshold_percent: 80,
    spend_usd: 9,
    limit_usd: 10,
    percent: 90,
    period: 'weekly',
    scope: 'user',
    requested_usd: 4,
    reason: 'a release',
    link: 'https://gateway.example.com/portal#/budget-requests',
  })
})

test('a decision is told with whoever asked, whatever was decided; a withdrawal is not', async () => {
  const person = await addPerson(10, await app.addTeam('Waiting'))
  const granted = await ask(person, 4)
  await asAdmin('POST', `${ALL}/${granted}/approve`, { as: 'raise', amount_usd: 3, note: 'a little less' })
  const declined = await ask(person, 5)
  await asAdmin('POST', `${ALL}/${declined}/decline`, { note: 'next month' })
  const withdrawn = await ask(person, 6)
  await person.call('DELETE', `${OWN}/${withdrawn}`)
  const told = async (id: string) => {
    const { rows } = await app.database.pool.query('select event from notification_outbox where dedupe_key = $1', [
      `budget_decided ${id}`,
    ])
    return rows.map(({ event }) => [event.type, event.userIdentity, event.teamName, event.detail])
  }
  const whom = ['budget_decided', person.user.subject, 'Waiting']
  const both = {
    scope: 'user',
    reason: 'a release',
    decided_by: 'root',
    link: 'https://gateway.example.com/portal#/',
  }
  const approval = {
    decision: 'approved',
    requested_usd: 4,
    granted_usd: 3,
    granted_as: 'raise',
    note: 'a little less',
  }
  const refusal = { decision: 'declined', requested_usd: 5, granted_usd: null, granted_as: null, note: 'next month' }
  assert.deepEqual(await told(granted), [[...whom, { ...both, ...approval }]])
  assert.deepEqual(await told(declined), [[...whom, { ...both, ...refusal }]])
  assert.deepEqual(await told(withdrawn), [])
})

test('odd input is 400, and unknown requests are 404', async () => {
  const person = await addPerson(10)
  for (const body of [
    {},
    { amount_usd: 0 },
    { amount_usd: '5' },
    { amount_usd: 5, reason: 'a\nb' },
    { amount_usd: 5, as: 'raise' },
  ])
    assert.equal((await person.call('POST', OWN, body)).status, 400, JSON.stringify(body))
  const id = await ask(person, 9_000_000)
  for (const body of [{}, { as: 'gift' }, { as: 'raise', amount_usd: -1 }, { as: 'top_up' }, { as: 'raise' }])
    assert.equal((await asAdmin('POST', `${ALL}/${id}/approve`, body)).status, 400, JSON.stringify(body))
  assert.equal((await asAdmin('POST', `${ALL}/${id}/decline`, { amount_usd: 1 })).status, 400)
  for (const query of ['status=closed', 'sort=reason', 'limit=0', 'nope=1'])
    assert.equal((await asAdmin('GET', `${ALL}?${query}`)).status, 400, query)
  assert.equal((await person.call('GET', `${OWN}?limit=0`)).status, 400)
  assert.equal((await person.call('DELETE', `${OWN}/7`)).status, 400)
  const unknown = crypto.randomUUID()
  assert.equal((await person.call('DELETE', `${OWN}/${unknown}`)).status, 404)
  assert.equal((await asAdmin('POST', `${ALL}/${unknown}/approve`, { as: 'raise' })).status, 404)
  assert.equal((await asAdmin('POST', `${ALL}/${unknown}/decline`)).status, 404)
})

test('whoever is removed takes requests and top-ups along', async () => {
  const person = await addPerson(10)
  await asAdmin('POST', `${ALL}/${await ask(person)}/approve`, { as: 'top_up' })
  await ask(person)
  assert.equal((await asAdmin('DELETE', `/admin/users/${person.user.id}`)).status, 204)
  for (const table of ['budget_top_ups', 'budget_requests']) {
    const { rows } = await app.database.pool.query(`select from ${table} where user_id = $1`, [person.user.id])
    assert.equal(rows.length, 0, table)
  }
})

test('every declared answer of the budget requests was exercised', () =>
  app.assertCovered('Budget requests', isOwnStatus))

test('a lead decides what others of the team ask for themselves, until the budget resets, and nothing else', async () => {
  const teamId = await app.addTeam()
  const ada = await addPerson(10, teamId)
  const bob = await addPerson(10, teamId)
  const stranger = await addPerson(10, await app.addTeam())
  const ledBy = await app.addUser({ teamId, grants: ['team:lead'] })
  await asAdmin('PUT', `/admin/users/${ledBy.id}/budget`, { limit_usd: 10, period: 'weekly', policy: 'soft' })
  const as = app.sessionOf(ledBy)
  const lead: Person = { user: ledBy, call: (method, path, body) => app.call(method, path, { as, body }) }
  const [first, second, foreign, own] = [await ask(ada), await ask(bob), await ask(stranger), await ask(lead)]

  const { body: listed } = await lead.call('GET', `${ALL}?status=open`)
  const seen = listed.data.map(({ id }: { readonly id: string }) => id)
  assert.deepEqual(seen.sort(), [first, second, own].sort(), 'nothing of another team')
  const answer = async (path: string, body: unknown) => {
    const { status, body: said } = await lead.call('POST', `${ALL}/${path}`, body)
    return [status, said.error?.code]
  }
  assert.deepEqual(await answer(`${foreign}/approve`, { as: 'top_up' }), [404, 'not_found'])
  assert.deepEqual(await answer(`${foreign}/decline`, {}), [404, 'not_found'])
  assert.deepEqual(await answer(`${own}/approve`, { as: 'top_up' }), [403, 'admin_required'])
  assert.deepEqual(await answer(`${own}/decline`, {}), [403, 'admin_required'])
  assert.deepEqual(await answer(`${first}/approve`, { as: 'raise' }), [403, 'admin_required'])
  assert.deepEqual(await answer(`${first}/approve`, { as: 'top_up', amount_usd: 3 }), [200, undefined])
  assert.deepEqual(await answer(`${first}/approve`, { as: 'top_up', amount_usd: 3 }), [409, 'conflict'])
  assert.deepEqual(await answer(`${second}/decline`, { note: 'not this week' }), [200, undefined])
  assert.deepEqual((await ownBudget(ada)).slice(0, 3), ['own', 10, 3])
  assert.deepEqual((await ownBudget(bob)).slice(0, 3), ['own', 10, 0])
  const { body: trail } = await asAdmin(
    'GET',
    `/admin/audit?target=budget_request:${first}&action=budget_request.approve`,
  )
  assert.deepEqual([trail.data.length, trail.data[0].actor], [1, ledBy.subject])
})

test('what is asked for the budget of a whole team is for administrators', async () => {
  const teamId = await app.addTeam()
  await asAdmin('PUT', `/admin/teams/${teamId}/budget`, { limit_usd: 5, period: 'weekly', policy: 'standard' })
  const ada = await addPerson(null, teamId)
  const id = await ask(ada)
  const lead = app.sessionOf(await app.addUser({ teamId, grants: ['team:lead'] }))
  const refused = await app.call('POST', `${ALL}/${id}/approve`, { as: lead, body: { as: 'top_up' } })
  assert.deepEqual([refused.status, refused.body.error.code], [403, 'admin_required'])
  assert.equal((await asAdmin('POST', `${ALL}/${id}/approve`, { as: 'top_up' })).status, 200)
})
