import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createSpendLog } from '../../../src/modules/spend/spend-log.store.ts'
import { sqlPayloads } from '../../analytics/sql-payloads.ts'
import { aSpendRecord } from '../../database/samples.ts'
import { type ApiAnswer, type ApiApp, startApiApp } from '../../support/api-app.ts'
import { tryPayloads } from './try-payloads.ts'

let app: ApiApp
before(async () => {
  app = await startApiApp()
  const records = Array.from({ length: 500 }, (_, index) =>
    aSpendRecord({ atMs: Date.now() - index * 3_600_000, tools: ['Read', 'mcp__files__list'] }),
  )
  await createSpendLog(app.database.kysely).appendBatch(records)
})
after(() => app.stop())

type Body = ApiAnswer['body']
/** How much an answer shows: nothing, for a name that nobody has. */
const shown: Readonly<Record<string, (body: Body) => number>> = {
  overview: (body) => body.totals.requests,
  spend: (body) => body.by_user.length + body.by_team.length + body.by_model.length,
  activity: (body) => body.heatmap.reduce((sum: number, { requests }: { requests: number }) => sum + requests, 0),
  models: (body) => body.mix.length + body.latency.length + body.tokens.length,
  tools: (body) => body.totals.calls,
  export: (body) => body.trimEnd().split('\r\n').length - 1,
}
const filters = ['team', 'user', 'model', 'endpoint']
const leaks = /SQLSTATE|syntax error|pg_|postgres|relation |operator does not|invalid input|\b(22|42)[0-9A-Z]{3}\b/i

/** Few days: an export looks into each of them. */
const ask = (route: string, parameter: string, value: string) => {
  const days = parameter === 'days' ? '' : 'days=7&'
  return app.call('GET', `/admin/analytics/org/${route}?${days}${parameter}=${encodeURIComponent(value)}`, {
    as: app.admin,
  })
}

/** Refused or empty; an error says nothing of the database. */
async function assertHarmless(route: string, parameter: string, value: string): Promise<void> {
  const { status, body } = await ask(route, parameter, value)
  const question = `${route}?${parameter}=${value}`
  assert.ok(status === 200 || status === 400, `${question}: ${status}`)
  if (status === 200) assert.equal(shown[route]?.(body), 0, question)
  // The message may show what was sent.
  else assert.doesNotMatch(JSON.stringify(body).replaceAll(JSON.stringify(value).slice(1, -1), ''), leaks, question)
}

test('there are at least 300 different payloads, and without a filter every route shows something', async () => {
  assert.ok(new Set(sqlPayloads).size >= 300, `${sqlPayloads.length}`)
  for (const [route, count] of Object.entries(shown)) {
    const { body } = await app.call('GET', `/admin/analytics/org/${route}`, { as: app.admin })
    assert.ok(count(body) > 0, route)
  }
})

for (const route of Object.keys(shown))
  test(`${route}: SQL in any filter is refused or finds nothing`, async () => {
    for (const parameter of filters) await tryPayloads((value) => assertHarmless(route, parameter, value))
  })

test('SQL in the other parameters is refused on every route', async () => {
  for (const route of Object.keys(shown))
    for (const parameter of ['days', 'from', 'to', 'granularity', 'tz'])
      for (const payload of sqlPayloads) {
        const { status } = await ask(route, parameter, payload)
        assert.equal(status, 400, `${route}?${parameter}=${payload}`)
      }
})

test('after all of it every record is there, and nothing was logged as an error', async () => {
  const { rows } = await app.database.pool.query('select count(*) as records from spend_log')
  assert.deepEqual(rows, [{ records: 500 }])
  assert.doesNotMatch(app.logged(), /"level":"error"|syntax error/)
})
