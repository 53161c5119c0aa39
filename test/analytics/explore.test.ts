/** One measure by one thing: every value is what the records say, and together they are what the overview says. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'
import * as reference from './reference.ts'
import { makeWorld, models, type SampleWorld } from './sample-world.ts'

let app: ApiApp
let world: SampleWorld
before(async () => {
  app = await startApiApp()
  world = await makeWorld(app, 1_200)
})
after(() => app.stop())

interface Explored {
  readonly unit: string
  readonly total: number | null
  readonly rows: readonly { readonly name: string; readonly value: number | null }[]
  readonly others: { readonly groups: number; readonly value: number | null } | null
}

async function explore(query: string): Promise<Explored> {
  const { status, body } = await app.call('GET', `/admin/analytics/explore?${query}`, { as: app.admin })
  assert.equal(status, 200, `${query}: ${JSON.stringify(body)}`)
  return body
}

const nameOf = (id: string | null): string => (id === null ? '(none)' : (world.names.get(id) ?? id))

const filters = [
  { query: '', holds: (): boolean => true },
  {
    query: '&team=Platform,(none)',
    holds: ({ teamId }: SpendRecord) => ['Platform', '(none)'].includes(nameOf(teamId)),
  },
  { query: '&user=person2@example.com', holds: ({ userId }: SpendRecord) => nameOf(userId) === 'person2@example.com' },
  {
    query: `&model=${models[1]}&endpoint=us`,
    holds: ({ model, endpointId }: SpendRecord) => model === models[1] && nameOf(endpointId) === 'us',
  },
]

const measures: Readonly<Record<string, (records: readonly SpendRecord[]) => number | null>> = {
  spend: reference.usdOf,
  requests: (records) => reference.count(records, reference.isRequest),
  errors: (records) => reference.count(records, reference.isError),
  tokens: (records) => reference.sum(records, reference.tokensOf),
  input_tokens: (records) => reference.sum(records, ({ usage }) => usage.inputTokens),
  output_tokens: (records) => reference.sum(records, ({ usage }) => usage.outputTokens),
  cache_read_tokens: (records) => reference.sum(records, ({ usage }) => usage.cacheReadTokens),
  cache_write_tokens: (records) => reference.sum(records, reference.written),
  cache_share: (records) => (reference.promptTokens(records) === 0 ? null : reference.hitRate(records)),
}

const ofGroup: Readonly<Record<string, (record: SpendRecord) => string>> = {
  team: ({ teamId }) => nameOf(teamId),
  user: ({ userId }) => nameOf(userId),
  model: ({ model }) => model,
  endpoint: ({ endpointId }) => nameOf(endpointId),
}

const near = (actual: number | null, expected: number | null, title: string): void => {
  if (actual === null || expected === null) assert.equal(actual, expected, title)
  else assert.ok(Math.abs(actual - expected) < 1e-6, `${title}: ${actual}, ${expected}`)
}

function recordsIn(tz: string, from: string, to: string, holds: (record: SpendRecord) => boolean): SpendRecord[] {
  const clockAt = reference.createWallClock(tz)
  return world.records.filter((record) => {
    const { date } = clockAt(record.atMs)
    return date >= from && date <= to && holds(record)
  })
}

for (const [by, read] of Object.entries(ofGroup))
  test(`by ${by} every measure has the values of its groups, the highest first`, async () => {
    for (const [tz, from, to] of [
      ['UTC', '2026-10-21', '2026-11-12'],
      ['Asia/Kathmandu', '2026-10-29', '2026-11-03'],
    ] as const)
      for (const { query, holds } of filters) {
        const records = recordsIn(tz, from, to, holds)
        const groups = Map.groupBy(records, read)
        for (const [measure, valueIn] of Object.entries(measures).filter(
          ([name]) => tz === 'UTC' || name === 'tokens',
        )) {
          const title = `${measure} by ${by} ${tz}${query}`
          const { rows, others, total } = await explore(
            `measure=${measure}&by=${by}&top=100&from=${from}&to=${to}&tz=${tz}${query}`,
          )
          assert.equal(others, null, title)
          assert.deepEqual(rows.map(({ name }) => name).toSorted(), [...groups.keys()].toSorted(), title)
          for (const { name, value } of rows) near(value, valueIn(groups.get(name) ?? []), `${title} ${name}`)
          near(total, valueIn(records), title)
          const values = rows.map(({ value }) => value ?? -1)
          assert.deepEqual(
            values,
            values.toSorted((a, b) => b - a),
            title,
          )
        }
      }
  })

test('the sums are those of the overview for the same range and filter', async () => {
  const fields = {
    spend: 'spend_usd',
    requests: 'requests',
    errors: 'errors',
    input_tokens: 'input_tokens',
    output_tokens: 'output_tokens',
    cache_read_tokens: 'cache_read_tokens',
    cache_write_tokens: 'cache_write_tokens',
    cache_share: 'cache_hit_rate',
  } as const
  for (const { query } of filters)
    for (const range of [
      'from=2026-10-21&to=2026-11-12&tz=Europe/Berlin',
      'from=2026-10-30&to=2026-11-02&until=14:15',
    ]) {
      const asked = `${range}${query}`
      const { body } = await app.call('GET', `/admin/analytics/org/overview?${asked}`, { as: app.admin })
      for (const [measure, field] of Object.entries(fields))
        for (const by of field === 'spend_usd' ? ['team', 'user', 'model', 'endpoint', 'time'] : ['user', 'time']) {
          const { total, rows, others } = await explore(`measure=${measure}&by=${by}&top=2&${asked}`)
          near(total, body.totals[field], `${measure} by ${by} ${asked}`)
          if (measure === 'cache_share') continue
          const sum = rows.reduce((all, { value }) => all + (value ?? 0), others?.value ?? 0)
          near(sum, body.totals[field], `rows of ${measure} by ${by} ${asked}`)
        }
    }
})

test('beyond the top the rest stands together, with how many they are', async () => {
  const asked = 'measure=requests&by=user&from=2026-10-21&to=2026-11-12'
  const all = await explore(`${asked}&top=100`)
  const some = await explore(`${asked}&top=3`)
  assert.deepEqual(some.rows, all.rows.slice(0, 3))
  const rest = all.rows.slice(3)
  assert.deepEqual(some.others, {
    groups: rest.length,
    value: rest.reduce((sum, { value }) => sum + (value ?? 0), 0),
  })
})

test('over time every bucket has its value, in hours, days and weeks of the zone', async () => {
  for (const [tz, granularity] of [
    ['UTC', 'day'],
    ['America/New_York', 'hour'],
    ['America/New_York', 'week'],
    ['Europe/Berlin', 'day'],
    ['Asia/Kolkata', 'hour'],
  ] as const)
    for (const { query, holds } of filters) {
      const isInside = tz === 'Asia/Kolkata'
      if (isInside && query.includes('user=')) continue
      const clockAt = reference.createWallClock(tz)
      const [from, to] = ['2026-10-30', '2026-11-04']
      const bucketOf = (ms: number): string => reference.bucketName(clockAt(ms), granularity, from)
      const buckets = Map.groupBy(recordsIn(tz, from, to, holds), ({ atMs }) => bucketOf(atMs))
      for (const measure of ['spend', isInside ? 'requests' : 'output_tokens', 'errors', 'cache_share']) {
        const { rows } = await explore(
          `measure=${measure}&by=time&from=${from}&to=${to}&tz=${tz}&granularity=${granularity}${query}`,
        )
        for (const { name, value } of rows) {
          const own = buckets.get(bucketOf(Date.parse(name))) ?? []
          near(value, measures[measure]?.(own) ?? null, `${measure} ${tz} ${granularity} ${name}${query}`)
        }
      }
    }
})

test('percentiles are those of the answered calls, by model and by endpoint', async () => {
  for (const by of ['model', 'endpoint'])
    for (const { query, holds } of filters) {
      const records = recordsIn('UTC', '2026-10-26', '2026-11-05', holds).filter(reference.isAnswered)
      const groups = Map.groupBy(records, ofGroup[by] ?? nameOf.bind(null, null))
      const asked = `by=${by}&from=2026-10-26&to=2026-11-05${query}`
      for (const [measure, share] of [
        ['p50', 0.5],
        ['p95', 0.95],
      ] as const) {
        const { rows, unit, total } = await explore(`measure=${measure}&${asked}`)
        assert.equal(unit, 'ms')
        assert.equal(rows.length, groups.size)
        const exactly = (list: readonly SpendRecord[]) =>
          reference.exactPercentile(
            list.map(({ durationMs }) => durationMs),
            share,
          ) ?? 0
        for (const { name, value } of [...rows, { name: 'all', value: total }]) {
          const exact = exactly(name === 'all' ? records : (groups.get(name) ?? []))
          assert.ok(Math.abs((value ?? 0) - exact) <= exact * 0.01 + 0.05, `${measure} ${asked} ${name}`)
        }
      }
      const first = await explore(`measure=first_token_p95&${asked}&top=1`)
      assert.equal(first.rows.length, 1)
    }
})

test('what cannot be answered is refused by name', async () => {
  for (const [query, parameter] of [
    ['measure=joy', 'measure'],
    ['by=key', 'by'],
    ['by=team&measure=p95', 'by'],
    ['by=time&measure=first_token_p50', 'by'],
    ['top=0', 'top'],
    ['top=1001', 'top'],
    ['top=abc', 'top'],
    ['nope=1', 'nope'],
    ['days=2', 'days'],
    ['by=time&tz=Asia/Kolkata&granularity=day&measure=output_tokens', 'tz'],
    ['by=time&tz=Asia/Kolkata&granularity=day&user=person1@example.com', 'tz'],
  ] as const) {
    const { status, body } = await app.call('GET', `/admin/analytics/explore?${query}`, { as: app.admin })
    assert.equal(status, 400, query)
    assert.ok(body.error.message.startsWith(parameter), `${query}: ${body.error.message}`)
  }
})
