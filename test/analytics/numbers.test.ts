import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { forecast } from '../../src/foundation/domain/forecast.ts'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { closeUsageBlocks } from '../../src/modules/spend/usage/usage-rollup.store.ts'
import { aSpendRecord } from '../database/samples.ts'
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
  readonly granularity: string
  /** As sent, and what it means. */
  readonly filter: string
  readonly holds: (record: SpendRecord) => boolean
}

const nameOf = (id: string | null): string => (id === null ? '(none)' : (world.names.get(id) ?? id))
const all = (): boolean => true
const ofPeople = (...numbers: number[]) => {
  const subjects = numbers.map((number) => `person${number}@example.com`)
  return {
    filter: `&user=${subjects.join(',')}`,
    holds: ({ userId }: SpendRecord) => subjects.includes(nameOf(userId)),
  }
}
const winter = { from: '2026-10-28', to: '2026-11-05' }

/** Long enough for whole blocks of eight days, with days, hours and records around them. */
const autumn = { from: '2026-10-21', to: '2026-11-12' }

const questions: readonly Question[] = [
  { tz: 'UTC', ...autumn, granularity: 'day', filter: '', holds: all },
  { tz: 'Asia/Kolkata', ...autumn, granularity: 'week', filter: '', holds: all },
  // A name that Postgres takes for an offset without summer time.
  { tz: 'CET', ...autumn, granularity: 'day', filter: '', holds: all },
  { tz: 'Europe/Berlin', ...autumn, granularity: 'day', ...ofPeople(1, 3) },
  {
    tz: 'America/New_York',
    ...autumn,
    granularity: 'week',
    filter: '&team=Platform,(none)',
    holds: ({ teamId }) => ['Platform', '(none)'].includes(nameOf(teamId)),
  },
  {
    tz: 'UTC',
    ...autumn,
    granularity: 'day',
    filter: `&model=${models[0]},${models[2]}&endpoint=eu`,
    holds: ({ model, endpointId }) => [models[0], models[2]].includes(model) && nameOf(endpointId) === 'eu',
  },
  { tz: 'UTC', ...winter, granularity: 'day', filter: '', holds: all },
  { tz: 'America/New_York', ...winter, granularity: 'day', filter: '', holds: all },
  { tz: 'America/New_York', from: '2026-10-31', to: '2026-11-01', granularity: 'hour', filter: '', holds: all },
  { tz: 'America/New_York', from: '2026-03-07', to: '2026-03-09', granularity: 'hour', filter: '', holds: all },
  { tz: 'Asia/Kolkata', ...winter, granularity: 'week', filter: '', holds: all },
  { tz: 'Asia/Kathmandu', from: '2026-11-01', to: '2026-11-02', granularity: 'hour', filter: '', holds: all },
  { tz: 'Europe/Berlin', ...winter, granularity: 'day', ...ofPeople(1, 5) },
  { tz: 'Asia/Kolkata', ...winter, granularity: 'day', ...ofPeople(2) },
  {
    tz: 'America/New_York',
    ...winter,
    granularity: 'day',
    filter: '&team=Platform,(none)',
    holds: ({ teamId }) => ['Platform', '(none)'].includes(nameOf(teamId)),
  },
  {
    tz: 'Australia/Lord_Howe',
    ...winter,
    granularity: 'day',
    filter: `&model=${models[0]},${models[2]}&endpoint=eu`,
    holds: ({ model, endpointId }) => [models[0], models[2]].includes(model) && nameOf(endpointId) === 'eu',
  },
]

const titleOf = (one: Question): string => `${one.tz} ${one.from} ${one.granularity}${one.filter}`

async function ask(name: string, one: Question) {
  const query = `from=${one.from}&to=${one.to}&tz=${one.tz}&granularity=${one.granularity}${one.filter}`
  const { status, body } = await app.call('GET', `/admin/analytics/org/${name}?${query}`, { as: app.admin })
  assert.equal(status, 200, `${name} ${titleOf(one)}`)
  return body
}

/** Records of the range by the clock on the wall, and of as many days before. */
function selected(one: Question) {
  const clockAt = reference.createWallClock(one.tz)
  const days = (Date.parse(one.to) - Date.parse(one.from)) / 86_400_000 + 1
  const earliest = new Date(Date.parse(one.from) - days * 86_400_000).toISOString().slice(0, 10)
  const dated = world.records.map((record) => ({ record, clock: clockAt(record.atMs) }))
  const inRange = dated.filter(({ clock }) => clock.date >= one.from && clock.date <= one.to)
  const before = dated.filter(({ clock }) => clock.date >= earliest && clock.date < one.from)
  return {
    clockAt,
    dated: inRange.filter(({ record }) => one.holds(record)),
    records: inRange.map(({ record }) => record).filter(one.holds),
    before: before.map(({ record }) => record).filter(one.holds),
  }
}

function assertNear(actual: unknown, expected: unknown, title: string): void {
  if (typeof expected === 'number' && typeof actual === 'number') {
    assert.ok(
      Math.abs(actual - expected) <= Math.max(1e-6, Math.abs(expected) * 1e-9),
      `${title}: ${actual}, ${expected}`,
    )
    return
  }
  if (typeof expected !== 'object' || expected === null) {
    assert.deepEqual(actual, expected, title)
    return
  }
  const [one, other] = [actual, expected] as [Record<string, unknown>, Record<string, unknown>]
  assert.deepEqual(Object.keys(one).sort(), Object.keys(other).sort(), title)
  for (const key of Object.keys(other)) assertNear(one[key], other[key], `${title} ${key}`)
}

for (const [index, one] of questions.entries())
  test(`every number is what the records say: ${titleOf(one)}`, async () => {
    const { records, before, dated, clockAt } = selected(one)
    assert.ok(records.length > 3, `only ${records.length} records`)
    const bucketOf = (startMs: number): string => reference.bucketName(clockAt(startMs), one.granularity, one.from)
    const byBucket = Map.groupBy(dated, ({ clock }) => reference.bucketName(clock, one.granularity, one.from))
    const recordsIn = (startMs: number): SpendRecord[] =>
      (byBucket.get(bucketOf(startMs)) ?? []).map(({ record }) => record)

    const overview = await ask('overview', one)
    assertNear(overview.totals, reference.listTotals(records), 'totals')
    assertNear(overview.previous, reference.listTotals(before), 'previous')
    assert.deepEqual(overview.filters.teams.toSorted(), world.teamNames.toSorted())
    assert.deepEqual(overview.filters.users.toSorted(), world.subjects.toSorted())
    assert.deepEqual(overview.filters.models.toSorted(), models.toSorted())
    assert.deepEqual(overview.filters.endpoints.toSorted(), world.endpointNames.toSorted())

    const spend = await ask('spend', one)
    assert.equal(
      new Set(spend.timeseries.map(({ bucket }: Bucket) => bucketOf(Date.parse(bucket)))).size,
      spend.timeseries.length,
    )
    for (const { bucket, spend_usd, by } of spend.timeseries) {
      const own = recordsIn(Date.parse(bucket))
      assertNear(spend_usd, reference.usdOf(own), `spend in ${bucket}`)
      const teams = reference.byName(own, world, ({ teamId }) => teamId)
      assertNear(
        by,
        Object.fromEntries([...teams].map(([name, list]) => [name, reference.usdOf(list)])),
        `by team in ${bucket}`,
      )
    }
    for (const [field, read] of [
      ['by_team', ({ teamId }: SpendRecord) => teamId],
      ['by_user', ({ userId }: SpendRecord) => userId],
      ['by_model', ({ model }: SpendRecord) => model],
    ] as const) {
      const groups = reference.byName(records, world, read)
      assert.deepEqual(spend[field].map(({ name }: Named) => name).sort(), [...groups.keys()].sort())
      for (const { name, ...row } of spend[field]) {
        const list = groups.get(name) ?? []
        const requests = reference.count(list, reference.isRequest)
        const tokens = reference.sum(list, reference.tokensOf)
        const { unpriced_requests } = reference.listTotals(list)
        const unpriced = field === 'by_model' ? { unpriced_requests } : {}
        assertNear(row, { spend_usd: reference.usdOf(list), requests, tokens, ...unpriced }, `${field} ${name}`)
      }
      const costs = spend[field].map(({ spend_usd }: Named) => spend_usd)
      assert.deepEqual(
        costs,
        costs.toSorted((a: number, b: number) => b - a),
      )
    }
    assertForecast(spend.forecast, one, dated)
    await assertActivity(one, dated, recordsIn)
    await assertModels(one, records, recordsIn)
    await assertTools(one, records)
    if (index < 3 || index > 7) await assertExport(one, records)
  })

interface Bucket {
  readonly bucket: string
}

interface Named {
  readonly name: string
  readonly spend_usd: number
}

interface Dated {
  readonly record: SpendRecord
  readonly clock: reference.Clock
}

/** The line itself has tests of its own; here it is about which days go into it and which it speaks of. */
function assertForecast(
  actual: { points: { bucket: string; spend_usd: number }[]; month_end_usd: number },
  one: Question,
  dated: readonly Dated[],
): void {
  const days = (Date.parse(one.to) - Date.parse(one.from)) / 86_400_000 + 1
  if (days < 3) {
    assert.deepEqual([actual.points, actual.month_end_usd], [[], null])
    return
  }
  const daily = Array.from({ length: days }, (_, index) => {
    const date = new Date(Date.parse(one.from) + index * 86_400_000).toISOString().slice(0, 10)
    return reference.usdOf(dated.filter(({ clock }) => clock.date === date).map(({ record }) => record))
  })
  const next = new Date(Date.parse(one.to) + 86_400_000)
  const monthEnd = new Date(Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1, 0))
  const ahead = Math.max(7, (monthEnd.getTime() - next.getTime()) / 86_400_000 + 1)
  const expected = forecast(daily, ahead)
  assert.equal(actual.points.length, ahead)
  const clockAt = reference.createWallClock(one.tz)
  for (const [index, point] of actual.points.entries()) {
    const date = new Date(next.getTime() + index * 86_400_000).toISOString().slice(0, 10)
    const { clock, hour } = {
      clock: clockAt(Date.parse(point.bucket)).date,
      hour: clockAt(Date.parse(point.bucket)).hour,
    }
    assert.deepEqual([clock, hour], [date, 0])
    assert.ok(Math.abs(point.spend_usd - (expected[index]?.value ?? 0)) < 1e-6)
  }
  const month = next.toISOString().slice(0, 7)
  const nextDate = next.toISOString().slice(0, 10)
  const ofMonth = world.records
    .filter(one.holds)
    .map((record) => ({ record, clock: clockAt(record.atMs) }))
    .filter(({ clock }) => clock.date.startsWith(month))
  const spent = reference.usdOf(ofMonth.filter(({ clock }) => clock.date < nextDate).map(({ record }) => record))
  const running = reference.usdOf(ofMonth.filter(({ clock }) => clock.date === nextDate).map(({ record }) => record))
  const rest = expected.slice(0, monthEnd.getUTCDate() - next.getUTCDate() + 1).map(({ value }) => value)
  const total = spent + Math.max(rest[0] ?? 0, running) + rest.slice(1).reduce((sum, value) => sum + value, 0)
  assert.ok(Math.abs(actual.month_end_usd - total) < 1e-5, `${actual.month_end_usd} is not ${total}`)
}

async function assertActivity(one: Question, dated: readonly Dated[], recordsIn: (startMs: number) => SpendRecord[]) {
  const { active_users: buckets, heatmap } = await ask('activity', one)
  const firstCalls = new Map<string, number>()
  for (const { userId, atMs } of world.records)
    if (userId !== null) firstCalls.set(userId, Math.min(atMs, firstCalls.get(userId) ?? Number.POSITIVE_INFINITY))
  for (const { bucket, ...row } of buckets) {
    const own = recordsIn(Date.parse(bucket))
    const active = reference.people(own)
    const moments = new Set(own.map(({ atMs }) => atMs))
    const fresh = [...active].filter((id) => moments.has(firstCalls.get(id) ?? 0)).length
    assert.deepEqual(row, { active: active.size, new: fresh, returning: active.size - fresh }, bucket)
  }
  assert.equal(heatmap.length, 168)
  for (const { weekday, hour, requests } of heatmap) {
    const own = dated.filter(({ clock }) => clock.weekday === weekday && clock.hour === hour)
    assert.equal(requests, own.filter(({ record }) => reference.isRequest(record)).length, `${weekday} ${hour}`)
  }
}

async function assertModels(
  one: Question,
  records: readonly SpendRecord[],
  recordsIn: (startMs: number) => SpendRecord[],
) {
  const body = await ask('models', one)
  const byModel = Map.groupBy(records, ({ model }) => model)
  const requests = reference.count(records, reference.isRequest)
  assert.equal(body.mix.length, byModel.size)
  for (const { model, ...row } of body.mix) {
    const list = byModel.get(model) ?? []
    const own = reference.count(list, reference.isRequest)
    const { unpriced_requests } = reference.listTotals(list)
    assertNear(
      row,
      { requests: own, unpriced_requests, spend_usd: reference.usdOf(list), share: own / requests },
      model,
    )
  }
  for (const { model, ...row } of body.tokens) {
    const { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens } = reference.listTotals(
      byModel.get(model) ?? [],
    )
    const expected = {
      input: input_tokens,
      output: output_tokens,
      cache_read: cache_read_tokens,
      cache_write: cache_write_tokens,
    }
    assert.deepEqual(row, expected, model)
  }
  for (const { bucket, hit_rate, prompt_tokens } of body.cache) {
    const records = recordsIn(Date.parse(bucket))
    assertNear(hit_rate, reference.hitRate(records), bucket)
    assert.equal(prompt_tokens, reference.promptTokens(records), bucket)
  }
  for (const { model, ...row } of body.latency) {
    const answered = (byModel.get(model) ?? []).filter(reference.isAnswered)
    const durations = answered.map(({ durationMs }) => durationMs)
    const firstTokens = answered.flatMap(({ firstTokenMs }) => firstTokenMs ?? [])
    for (const [name, values, share] of [
      ['p50_ms', durations, 0.5],
      ['p95_ms', durations, 0.95],
      ['p99_ms', durations, 0.99],
      ['first_token_p50_ms', firstTokens, 0.5],
      ['first_token_p95_ms', firstTokens, 0.95],
    ] as const) {
      const exact = reference.exactPercentile(values, share)
      if (exact === null) assert.equal(row[name], null)
      else assert.ok(Math.abs(row[name] - exact) <= exact * 0.01 + 0.05, `${model} ${name}: ${row[name]}, ${exact}`)
    }
  }
  for (const { endpoint, ...row } of body.endpoints) {
    const list = records.filter(({ endpointId }) => nameOf(endpointId) === endpoint)
    const tries = world.records.filter((record) => isTried(one, record)).filter((record) => !reference.isProbe(record))
    const own = reference.count(list, reference.isRequest)
    const expected = {
      requests: own,
      errors: reference.count(list, reference.isError),
      throttles: reference.sum(
        tries,
        ({ attempts }) => attempts.filter((at) => nameOf(at.endpointId) === endpoint && at.status === 429).length,
      ),
      failovers: reference.sum(
        tries,
        ({ attempts }) =>
          attempts.filter((at, index) => {
            const next = attempts[index + 1]
            return next !== undefined && nameOf(at.endpointId) === endpoint && next.endpointId !== at.endpointId
          }).length,
      ),
      spend_usd: reference.usdOf(list),
      share: own / requests,
    }
    assertNear(row, expected, endpoint)
  }
}

/** A try counts at the endpoint that was tried, so a filter by endpoint looks at the try and not at who served. */
function isTried(one: Question, record: SpendRecord): boolean {
  const { date } = reference.createWallClock(one.tz)(record.atMs)
  if (date < one.from || date > one.to) return false
  return record.attempts.some(({ endpointId }) => one.holds({ ...record, endpointId }))
}

async function assertTools(one: Question, records: readonly SpendRecord[]) {
  const body = await ask('tools', one)
  const calls = records.flatMap(({ tools, userId }) => tools.map((tool) => ({ tool, userId, server: serverOf(tool) })))
  const users = (list: typeof calls): number => new Set(list.flatMap(({ userId }) => userId ?? [])).size
  const byTool = Map.groupBy(calls, ({ tool }) => tool)
  assert.equal(body.top_tools.length, byTool.size)
  for (const { tool, ...row } of body.top_tools) {
    const list = byTool.get(tool) ?? []
    assert.deepEqual(row, { server: serverOf(tool), calls: list.length, users: users(list) }, tool)
  }
  const onServers = calls.filter(({ server }) => server !== null)
  const byServer = Map.groupBy(onServers, ({ server }) => server)
  assert.equal(body.servers.length, byServer.size)
  for (const { server, ...row } of body.servers) {
    const list = byServer.get(server) ?? []
    const tools = new Set(list.map(({ tool }) => tool)).size
    assert.deepEqual(row, { tools, calls: list.length, users: users(list) }, server)
  }
  assert.deepEqual(body.totals, {
    calls: calls.length,
    server_calls: onServers.length,
    web_searches: reference.sum(records, ({ webSearches }) => webSearches),
    tools: byTool.size,
    servers: byServer.size,
  })
}

function serverOf(tool: string): string | null {
  const [prefix, server, ...rest] = tool.split('__')
  return prefix === 'mcp' && server !== undefined && rest.join('__') !== '' ? server : null
}

async function assertExport(one: Question, records: readonly SpendRecord[]) {
  const served = records
    .filter(reference.isServed)
    .sort((a, b) => a.atMs - b.atMs || (a.requestId < b.requestId ? -1 : 1) || a.round - b.round)
  const [header = [], ...rows] = parseCsv(await ask('export', one))
  assert.equal(rows.length, served.length)
  const lines = rows.map((row) => Object.fromEntries(header.map((name, column) => [name, row[column] ?? ''])))
  const byId = new Map(lines.map((line) => [`${line['request_id']} ${line['round']}`, line]))
  for (const record of served) {
    assert.deepEqual(byId.get(`${record.requestId} ${record.round}`), {
      time: new Date(record.atMs).toISOString(),
      request_id: record.requestId,
      round: String(record.round),
      user: record.userId === null ? '' : nameOf(record.userId),
      team: record.teamId === null ? '' : neutral(nameOf(record.teamId)),
      key: record.keyId === null ? '' : neutral(nameOf(record.keyId)),
      model: record.model,
      hosted_model: record.hostedModel,
      endpoint: nameOf(record.endpointId),
      status: String(record.status),
      input_tokens: String(record.usage.inputTokens),
      output_tokens: String(record.usage.outputTokens),
      cache_read_tokens: String(record.usage.cacheReadTokens),
      cache_write_5m_tokens: String(record.usage.cacheWrite5mTokens),
      cache_write_1h_tokens: String(record.usage.cacheWrite1hTokens),
      web_searches: String(record.webSearches),
      cost_usd: String(record.costNanoUsd / 1e9),
      duration_ms: String(record.durationMs),
      session_id: record.sessionId ?? '',
    })
  }
  const times = lines.map((line) => line['time'] ?? '')
  assert.deepEqual(times, times.toSorted())
  // What the charts say is the sum of what the file says.
  const { totals } = await ask('overview', one)
  const column = (name: string): number => lines.reduce((total, line) => total + Number(line[name]), 0)
  assertNear(totals.spend_usd, column('cost_usd'), 'spend')
  assert.equal(totals.output_tokens, column('output_tokens'))
}

function neutral(text: string): string {
  return /^[=+@-]/.test(text) ? `'${text}` : text
}

test('a record that comes after its days were put together is in the next answer, and stays when they are put together anew', async () => {
  const range = `from=${autumn.from}&to=${autumn.to}`
  const ask = async () => {
    const { body } = await app.call('GET', `/admin/analytics/org/overview?${range}`, { as: app.admin })
    return body.totals.requests
  }
  const closed = async () =>
    (await app.database.pool.query<{ block: string }>('select block::text from closed_blocks order by 1')).rows.map(
      ({ block }) => block,
    )
  const [known, blocks] = [await ask(), await closed()]
  assert.ok(blocks.includes('2026-10-31'))
  await createSpendLog(app.database.kysely).appendBatch([aSpendRecord({ atMs: Date.UTC(2026, 10, 2, 9) })])
  assert.equal(await ask(), known + 1)
  assert.deepEqual(
    await closed(),
    blocks.filter((block) => block !== '2026-10-31'),
  )
  await closeUsageBlocks(app.database.kysely, Date.UTC(2027, 0, 1))
  assert.deepEqual([await ask(), await closed()], [known + 1, blocks])
})

test('two teams that had one name after each other are one name, in the series as in the sums', async () => {
  const team = { atMs: Date.UTC(2026, 4, 5, 12), userId: null, keyId: null, endpointId: null }
  const former = await app.addTeam('Phoenix')
  await app.call('DELETE', `/admin/teams/${former}`, { as: app.admin })
  const present = await app.addTeam('Phoenix')
  await createSpendLog(app.database.kysely).appendBatch([
    aSpendRecord({ ...team, teamId: former, costNanoUsd: 1_000_000_000 }),
    aSpendRecord({ ...team, teamId: present, costNanoUsd: 2_000_000_000 }),
  ])
  const { body } = await app.call('GET', '/admin/analytics/org/spend?from=2026-05-05&to=2026-05-05&granularity=day', {
    as: app.admin,
  })
  assert.deepEqual(body.timeseries, [{ bucket: '2026-05-05T00:00:00.000Z', spend_usd: 3, by: { Phoenix: 3 } }])
  assert.deepEqual(
    body.by_team.map(({ name, spend_usd }: { name: string; spend_usd: number }) => [name, spend_usd]),
    [['Phoenix', 3]],
  )
})
