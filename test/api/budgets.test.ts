import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Budget } from '../../src/domain/budget.ts'
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
  app = await startApiApp({ ports: { standingsOf: oneDollarEach } })
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

test('every declared answer of the budget list was exercised', () => app.assertCovered('Budgets', isOwnStatus))
