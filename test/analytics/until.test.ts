/** What runs is compared with the same part of what is over: every figure of a range up to a time of its last day. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'
import { parseCsv } from './parse-csv.ts'
import * as reference from './reference.ts'
import { makeWorld, models, type SampleWorld } from './sample-world.ts'

let app: ApiApp
let world: SampleWorld
before(async () => {
  app = await startApiApp()
  world = await makeWorld(app, 1_200)
})
after(() => app.stop())

interface Question {
  readonly tz: string
  readonly from: string
  readonly to: string
  readonly until: string
  readonly filter: string
  readonly holds: (record: SpendRecord) => boolean
}

const all = (): boolean => true
const nameOf = (id: string | null): string => (id === null ? '(none)' : (world.names.get(id) ?? id))

const questions: readonly Question[] = [
  { tz: 'UTC', from: '2026-10-29', to: '2026-11-04', until: '14:30', filter: '', holds: all },
  { tz: 'America/New_York', from: '2026-11-01', to: '2026-11-01', until: '09:15', filter: '', holds: all },
  { tz: 'Asia/Kathmandu', from: '2026-10-30', to: '2026-11-03', until: '23:45', filter: '', holds: all },
  {
    tz: 'Europe/Berlin',
    from: '2026-10-28',
    to: '2026-11-05',
    until: '00:15',
    filter: '&team=Platform',
    holds: ({ teamId }) => nameOf(teamId) === 'Platform',
  },
  {
    tz: 'Asia/Kolkata',
    from: '2026-10-27',
    to: '2026-11-06',
    until: '17:45',
    filter: '&user=person1@example.com,person3@example.com',
    holds: ({ userId }) => ['person1@example.com', 'person3@example.com'].includes(nameOf(userId)),
  },
  {
    tz: 'America/New_York',
    from: '2026-10-31',
    to: '2026-11-03',
    until: '12:00',
    filter: `&model=${models[0]}`,
    holds: ({ model }) => model === models[0],
  },
]

/** `2026-11-03 14:29`, of the clock on the wall. */
function wallTime(tz: string): (ms: number) => string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: tz,
    dateStyle: 'short',
    timeStyle: 'short',
  })
  return (ms) => format.format(ms)
}

const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10)

for (const one of questions)
  test(`both times end at the same time of day: ${one.tz} ${one.from} to ${one.to} ${one.until}${one.filter}`, async () => {
    const wall = wallTime(one.tz)
    const within = (from: string, to: string): SpendRecord[] =>
      world.records.filter(
        (record) => one.holds(record) && wall(record.atMs) >= from && wall(record.atMs) < `${to} ${one.until}`,
      )
    const days = (Date.parse(one.to) - Date.parse(one.from)) / 86_400_000 + 1
    const now = within(one.from, one.to)
    const earlier = within(dayBefore(one.from, days), dayBefore(one.from, 1))
    const query = `from=${one.from}&to=${one.to}&tz=${one.tz}&until=${one.until}${one.filter}`
    const ask = async (name: string, more = '') => {
      const { status, body } = await app.call('GET', `/admin/analytics/org/${name}?${query}${more}`, { as: app.admin })
      assert.equal(status, 200, `${name}: ${JSON.stringify(body)}`)
      return body
    }
    const overview = await ask('overview')
    assert.equal(overview.range.until, one.until)
    for (const [found, records] of [
      [overview.totals, now],
      [overview.previous, earlier],
    ] as const) {
      const expected = reference.listTotals(records)
      for (const name of ['requests', 'active_users', 'errors', 'input_tokens', 'tool_calls'] as const)
        assert.equal(found[name], expected[name], name)
      assert.ok(Math.abs(found.spend_usd - expected.spend_usd) < 1e-6)
    }
    for (const granularity of ['hour', 'day', 'week']) {
      const { timeseries } = await ask('spend', `&granularity=${granularity}`)
      const sum = timeseries.reduce((total: number, point: { spend_usd: number }) => total + point.spend_usd, 0)
      assert.ok(Math.abs(sum - reference.usdOf(now)) < 1e-6, `${granularity}: ${sum}`)
    }
    const { heatmap } = await ask('activity')
    const calls = heatmap.reduce((sum: number, cell: { requests: number }) => sum + cell.requests, 0)
    assert.equal(calls, reference.count(now, reference.isRequest))
    const { mix, latency } = await ask('models')
    assert.equal(
      mix.reduce((sum: number, row: { requests: number }) => sum + row.requests, 0),
      reference.count(now, reference.isRequest),
    )
    for (const row of latency) {
      const answered = now.filter((record) => record.model === row.model && reference.isAnswered(record))
      const exact = reference.exactPercentile(
        answered.map(({ durationMs }) => durationMs),
        0.95,
      )
      assert.ok(exact !== null && Math.abs(row.p95_ms - exact) <= exact * 0.01 + 0.05, row.model)
    }
    const tools = await ask('tools')
    assert.equal(
      tools.totals.calls,
      reference.sum(now, (record) => record.tools.length),
    )
    const lines = parseCsv(await ask('export'))
    assert.equal(lines.length - 1, now.filter(reference.isServed).length)
  })

test('a day that is taken up to a time of it is none of the whole days of the forecast', async () => {
  const ask = async (query: string) =>
    (await app.call('GET', `/admin/analytics/org/spend?${query}`, { as: app.admin })).body.forecast.points[0]
  const cut = await ask('from=2026-10-28&to=2026-11-04&until=06:00')
  const whole = await ask('from=2026-10-28&to=2026-11-03')
  assert.deepEqual(cut, whole)
})
