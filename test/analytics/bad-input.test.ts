import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { aSpendRecord } from '../database/samples.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'
import { isOwnStatus } from '../support/api-coverage.ts'
import { injections } from './injections.ts'
import { rangeReportsOf } from './range-reports.ts'

let app: ApiApp
/** Every report on a range. */
let names: readonly string[]
before(async () => {
  app = await startApiApp()
  names = rangeReportsOf(app.routes)
  assert.ok(names.length > 5)
  await createSpendLog(app.database.kysely).appendBatch([aSpendRecord({ atMs: Date.now() })])
})
after(() => app.stop())

const ask = (name: string, query: string) => app.call('GET', `/admin/analytics/${name}?${query}`, { as: app.admin })

test('parameters that make no sense are 400 on every route, and the message names the parameter', async () => {
  const mistakes: readonly (readonly [query: string, name: string])[] = [
    ['days=2', 'days'],
    ['days=abc', 'days'],
    ['days=', 'days'],
    ['days=30.5', 'days'],
    ['granularity=month', 'granularity'],
    ['tz=Nowhere/City', 'tz'],
    ['tz=%2B02:00', 'tz'],
    ['tz=', 'tz'],
    ['from=2026-01-01', 'to'],
    ['to=2026-01-01', 'from'],
    ['from=2026-02-01&to=2026-01-01', 'from'],
    ['from=2026-02-30&to=2026-03-01', 'from'],
    ['from=26-1-1&to=2026-03-01', 'from'],
    ['from=1900-01-01&to=1900-01-02', 'to'],
    ['from=2025-01-01&to=2026-02-05', 'from'],
    ['nope=1', 'nope'],
    ['until=14:20', 'until'],
    ['until=24:00', 'until'],
    ['until=00:00', 'until'],
    ['until=9:00', 'until'],
    ['team=%00', 'team'],
    [`user=${'a,'.repeat(1001)}`, 'user'],
    [`model=${'m'.repeat(9000)}${'m'.repeat(9000)}`.slice(0, 16_100), 'model'],
    ['team=a&team=b', 'team'],
  ]
  for (const name of names)
    for (const [query, parameter] of mistakes.filter(([text]) => text.length < 12_000)) {
      const { status, body } = await ask(name, query)
      assert.deepEqual([status, body.error.type], [400, 'invalid_request_error'], `${name}?${query}`)
      assert.ok(body.error.message.startsWith(parameter), `${name}?${query}: ${body.error.message}`)
    }
})

test('absolute days go before `days`, the longest range has 400 of them, and the answer says what it is about', async () => {
  const absolute = await ask('org/overview', 'days=7&from=2026-01-01&to=2026-01-02')
  assert.deepEqual(absolute.body.range, { from: '2026-01-01', to: '2026-01-02', granularity: 'hour', tz: 'UTC' })
  const longest = await ask('org/spend', 'from=2025-01-01&to=2026-02-04&tz=Asia/Tokyo')
  assert.deepEqual([longest.status, longest.body.range.granularity], [200, 'week'])
  const standard = await ask('org/activity', '')
  assert.equal(standard.body.active_users.length, 30)
})

async function check(name: string, query: string): Promise<void> {
  const { status, body } = await ask(name, query)
  // A statement that sleeps would be ended by its limit, which is a 503.
  assert.ok([200, 400].includes(status), `${name}?${query}: ${status}`)
  if (status === 400) assert.doesNotMatch(JSON.stringify(body), /syntax|SQLSTATE|42\d\d\d|relation/i)
  else if (name === 'org/overview') assert.equal(body.totals.requests, 0, query)
  else if (name === 'org/export') assert.equal(body.trimEnd().split('\r\n').length, 1, query)
}

test('whatever is written into a filter is a name that nobody has: 400 or an empty answer, and never an error', async () => {
  const before = (await app.database.pool.query('select count(*) as rows from spend_log')).rows
  const parameters = ['team', 'user', 'model', 'endpoint']
  for (const text of injections) {
    const value = encodeURIComponent(text)
    // In every place at once on every route, and in each place alone on the one whose answer shows what it let through.
    for (const name of names) await check(name, parameters.map((parameter) => `${parameter}=${value}`).join('&'))
    for (const parameter of parameters) await check('org/overview', `${parameter}=${value}`)
  }
  for (const parameter of ['days', 'from', 'to', 'granularity', 'tz'])
    for (const text of injections)
      assert.equal(
        (await ask('org/spend', `${parameter}=${encodeURIComponent(text)}`)).status,
        400,
        `${parameter}=${text}`,
      )
  assert.deepEqual((await app.database.pool.query('select count(*) as rows from spend_log')).rows, before)
  assert.doesNotMatch(app.logged(), /"level":"error"/)
})

test('a thousand names in one filter are answered, more are refused', async () => {
  const many = Array.from({ length: 1000 }, (_, index) => `n${index}`).join(',')
  assert.equal((await ask('org/spend', `team=${many}&model=${many.slice(0, 4000)}`)).status, 200)
  assert.equal((await ask('org/spend', `team=${many},one`)).status, 400)
})

test('a budget is shown once, however often and in whatever case a filter names its team', async () => {
  const teamId = await app.addTeam('Twice')
  await app.call('PUT', `/admin/teams/${teamId}/budget`, { as: app.admin, body: { limit_usd: 5, period: 'monthly' } })
  for (const team of ['Twice', `Twice,${teamId}`, teamId.toUpperCase(), `${teamId},${teamId.toUpperCase()}`]) {
    const { body } = await ask('org/spend', `team=${team}`)
    assert.deepEqual(
      body.budgets.map(({ name }: { name: string }) => name),
      ['Twice'],
      team,
    )
  }
})

test('where people stand is asked of teams alone', async () => {
  assert.equal((await ask('adoption', 'team=Nobody')).body.stages[0].people, 0)
  for (const query of ['days=7', 'user=a', 'team=']) assert.equal((await ask('adoption', query)).status, 400, query)
})

test('every declared answer of analytics was exercised', () => app.assertCovered('Analytics', isOwnStatus))
