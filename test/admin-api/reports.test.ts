/** The vendor's two reports against what the records say. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { exactCents } from '../../src/extensions/admin-api/cents.ts'
import { bucketsAsked, fillReport } from '../../src/extensions/admin-api/report-buckets.fields.ts'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import { newId } from '../../src/foundation/platform/ids.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { makeWorld, models, type SampleWorld } from '../analytics/sample-world.ts'
import { aSpendRecord } from '../database/samples.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const widthMs = { '1d': DAY_MS, '1h': HOUR_MS, '1m': 60_000 } as const
type Width = keyof typeof widthMs

let app: ApiApp
let admin: string
let world: SampleWorld
before(async () => {
  app = await startApiApp()
  // The records are of 2026, and nothing is reported of times that have not come.
  app.advance(Math.max(0, Date.UTC(2026, 11, 1) - Date.now()))
  admin = app.sessionOf(app.adminUser)
  world = await makeWorld(app, 1_200)
})
after(() => app.stop())

const usagePath = '/v1/organizations/usage_report/messages'
const costPath = '/v1/organizations/cost_report'
const ask = (path: string, query: string, as = admin) => app.call('GET', `${path}?${query}`, { as })

interface Result {
  readonly [name: string]: unknown
  readonly workspace_id: string | null
  readonly amount: string
}

interface Bucket {
  readonly starting_at: string
  readonly ending_at: string
  readonly results: readonly Result[]
}

async function report(path: string, query: string): Promise<readonly Bucket[]> {
  const { status, body } = await ask(path, query)
  assert.equal(status, 200, `${query}: ${JSON.stringify(body)}`)
  return body.data
}

const nameGroup: Readonly<Record<string, (record: SpendRecord) => string | null>> = {
  workspace_id: ({ teamId }) => teamId,
  api_key_id: ({ keyId }) => keyId,
  account_id: ({ userId }) => userId,
  model: ({ model }) => model,
  service_tier: () => 'standard',
  speed: () => 'standard',
  inference_geo: () => 'not_available',
}

const sum = (records: readonly SpendRecord[], read: (record: SpendRecord) => number): number =>
  records.reduce((total, record) => total + read(record), 0)

/** One result of a report by its groups, as the records say. */
function resultOf(records: readonly SpendRecord[], groups: readonly string[]): object {
  const [first] = records
  const name = (group: string): string | null =>
    groups.includes(group) && first !== undefined ? (nameGroup[group]?.(first) ?? null) : null
  return {
    uncached_input_tokens: sum(records, ({ usage }) => usage.inputTokens),
    cache_creation: {
      ephemeral_1h_input_tokens: sum(records, ({ usage }) => usage.cacheWrite1hTokens),
      ephemeral_5m_input_tokens: sum(records, ({ usage }) => usage.cacheWrite5mTokens),
    },
    cache_read_input_tokens: sum(records, ({ usage }) => usage.cacheReadTokens),
    output_tokens: sum(records, ({ usage }) => usage.outputTokens),
    server_tool_use: { web_search_requests: sum(records, ({ webSearches }) => webSearches) },
    api_key_id: name('api_key_id'),
    workspace_id: name('workspace_id'),
    account_id: name('account_id'),
    service_account_id: null,
    model: name('model'),
    service_tier: name('service_tier'),
    context_window: null,
    inference_geo: name('inference_geo'),
    speed: name('speed'),
  }
}

const hasUse = ({ usage, webSearches }: SpendRecord): boolean =>
  Object.values(usage).some((tokens) => tokens > 0) || webSearches > 0

function expectedUsage(
  records: readonly SpendRecord[],
  width: Width,
  range: readonly [number, number],
  groups: readonly string[],
): readonly Bucket[] {
  const step = widthMs[width]
  const buckets: Bucket[] = []
  for (let startMs = range[0]; startMs < range[1]; startMs += step) {
    const own = records.filter((record) => record.atMs >= startMs && record.atMs < startMs + step).filter(hasUse)
    const divided = Map.groupBy(own, (record) => JSON.stringify(groups.map((group) => nameGroup[group]?.(record))))
    buckets.push({
      starting_at: toTime(startMs),
      ending_at: toTime(startMs + step),
      results: [...divided.values()].map((list) => resultOf(list, groups)) as Result[],
    })
  }
  return buckets
}

const toTime = (ms: number): string => new Date(ms).toISOString().replace('.000', '')
const readQuery = (width: Width, [fromMs, toMs]: readonly [number, number]): string =>
  `bucket_width=${width}&limit=${(toMs - fromMs) / widthMs[width]}&starting_at=${toTime(fromMs)}&ending_at=${toTime(toMs)}`

/** Results have an order, but the one in which the records came is as good. */
function sorted(buckets: readonly Bucket[]): readonly Bucket[] {
  const text = (result: object): string => JSON.stringify(Object.entries(result).sort())
  return buckets.map((bucket) => ({
    ...bucket,
    results: bucket.results.toSorted((a, b) => (text(a) < text(b) ? -1 : 1)),
  }))
}

const autumn = [Date.UTC(2026, 9, 21), Date.UTC(2026, 10, 12)] as const
const twoDays = [Date.UTC(2026, 9, 31), Date.UTC(2026, 10, 2)] as const
const sixHours = [Date.UTC(2026, 10, 1, 6), Date.UTC(2026, 10, 1, 12)] as const

const groupings = [
  [],
  ['model'],
  ['workspace_id'],
  ['workspace_id', 'model', 'service_tier', 'inference_geo', 'speed'],
  ['api_key_id'],
  ['account_id', 'model'],
  ['api_key_id', 'workspace_id', 'account_id', 'model'],
]

for (const groups of groupings)
  test(`usage is what the records say, by ${groups.join(', ') || 'nothing'}`, async () => {
    for (const [width, range] of [
      ['1d', autumn],
      ['1h', twoDays],
      ['1m', sixHours],
    ] as const) {
      const wanted = expectedUsage(world.records, width, range, groups)
      assert.ok(wanted.some(({ results }) => results.length > 0))
      assert.ok(wanted.some(({ results }) => results.length === 0) || width === '1h')
      const grouped = groups.map((group) => `&group_by[]=${group}`).join('')
      const found = await report(usagePath, `${readQuery(width, range)}${grouped}`)
      assert.deepEqual(sorted(found), sorted(wanted), width)
    }
  })

test('usage can be narrowed to keys, teams, people and models, and ids of nothing match nothing', async () => {
  const teamId = world.records.find((record) => record.teamId !== null && hasUse(record))?.teamId ?? ''
  const userId = world.records.find((record) => record.userId !== null && hasUse(record))?.userId ?? ''
  const keyId = world.records.find((record) => record.keyId !== null && hasUse(record))?.keyId ?? ''
  const filters: readonly (readonly [query: string, holds: (record: SpendRecord) => boolean])[] = [
    [`workspace_ids[]=${teamId.toUpperCase()}`, (record) => record.teamId === teamId],
    [`workspace_ids=${teamId}&workspace_ids=${newId()}`, (record) => record.teamId === teamId],
    [`account_ids[]=${userId}`, (record) => record.userId === userId],
    [`api_key_ids[]=${keyId}&models[]=${models[1]}`, ({ keyId: own, model }) => own === keyId && model === models[1]],
    [`models[]=${models[0]}&models[]=${models[2]}`, ({ model }) => model === models[0] || model === models[2]],
    [`models=${models[0]}&group_by=model`, ({ model }) => model === models[0]],
    ['service_tiers[]=standard&service_tiers[]=batch&speeds[]=standard&inference_geos[]=not_available', () => true],
    ['service_tiers[]=batch', () => false],
    ['speeds=fast', () => false],
    ['inference_geos[]=us', () => false],
    ['service_account_ids[]=svac_1', () => false],
    ['workspace_ids[]=wrkspc_01JwQvzr7rXLA5AGx3HKfFUJ', () => false],
    [`api_key_ids[]=${newId()}`, () => false],
    ['models[]=nobody', () => false],
  ]
  for (const [filter, holds] of filters)
    for (const [width, range] of [
      ['1d', autumn],
      ['1h', twoDays],
    ] as const) {
      const groups = filter.includes('group_by') ? ['model'] : []
      const wanted = expectedUsage(world.records.filter(holds), width, range, groups)
      assert.deepEqual(await report(usagePath, `${readQuery(width, range)}&${filter}`), wanted, `${width} ${filter}`)
    }
})

const nanoOf = (amount: string): number => {
  const [whole = '', fraction = ''] = amount.split('.')
  return Number(`${whole}${fraction.padEnd(7, '0')}`)
}

test('cost is that of the ledger and of the charts, to the nano-dollar, however it is grouped', async () => {
  const spend = await app.call('GET', '/admin/analytics/org/spend?from=2026-10-21&to=2026-11-11&granularity=day', {
    as: admin,
  })
  const query = `starting_at=${toTime(autumn[0])}&ending_at=${toTime(autumn[1])}&limit=31`
  for (const grouped of [
    '',
    '&group_by[]=workspace_id',
    '&group_by[]=description',
    '&group_by=workspace_id&group_by=description',
  ]) {
    const days = await report(costPath, `${query}${grouped}`)
    assert.equal(days.length, 22)
    for (const [index, day] of days.entries()) {
      const fromMs = Date.parse(day.starting_at)
      const records = world.records.filter(({ atMs }) => atMs >= fromMs && atMs < Date.parse(day.ending_at))
      const nano = day.results.reduce((total, { amount }) => total + nanoOf(amount), 0)
      assert.equal(
        nano,
        sum(records, ({ costNanoUsd }) => costNanoUsd),
        day.starting_at,
      )
      assert.equal(spend.body.timeseries[index].spend_usd, nano / 1e9)
      const keys = day.results.map((result) => `${result.workspace_id} ${result['description']}`)
      assert.equal(new Set(keys).size, keys.length)
      const teams = new Set(records.filter((record) => record.costNanoUsd > 0).map(({ teamId }) => teamId))
      if (grouped.includes('workspace_id'))
        assert.deepEqual(new Set(day.results.map((result) => result.workspace_id)), teams)
      if (grouped === '&group_by[]=workspace_id')
        for (const result of day.results)
          assert.equal(
            nanoOf(result.amount),
            sum(records, ({ teamId, costNanoUsd }) => (teamId === result.workspace_id ? costNanoUsd : 0)),
          )
    }
    assert.ok(days.some(({ results }) => results.length === 0))
  }
})

test('by description a model has one result and searches have one of their own', async () => {
  const teamId = await app.addTeam('Searchers')
  const usage = {
    inputTokens: 1_000,
    outputTokens: 100,
    cacheReadTokens: 0,
    cacheWrite5mTokens: 0,
    cacheWrite1hTokens: 0,
  }
  const atMs = Date.UTC(2026, 5, 3, 23, 59, 59, 999)
  await createSpendLog(app.database.kysely).appendBatch([
    aSpendRecord({
      atMs,
      teamId,
      model: 'claude-sonnet-5',
      usage,
      costNanoUsd: 4_500_000 + 20_000_000,
      webSearches: 2,
    }),
    aSpendRecord({ atMs, teamId: null, model: 'house-model', usage, costNanoUsd: 4_500_001 }),
    aSpendRecord({ atMs, teamId: null, model: 'house-model', usage, costNanoUsd: 0, status: 500 }),
  ])
  const [day] = await report(
    costPath,
    'starting_at=2026-06-03T12:00:00Z&ending_at=2026-06-04T00:00:00Z&group_by[]=workspace_id&group_by[]=description',
  )
  const shared = { currency: 'USD', token_type: null, context_window: null }
  const ofTokens = { ...shared, cost_type: 'tokens', service_tier: 'standard', inference_geo: 'not_available' }
  const named = (model: string) => app.ports.snapshot().mappings.get(model)?.displayName ?? model
  assert.deepEqual(day, {
    starting_at: '2026-06-03T00:00:00Z',
    ending_at: '2026-06-04T00:00:00Z',
    results: [
      {
        ...ofTokens,
        amount: '0.45',
        workspace_id: teamId,
        description: `${named('claude-sonnet-5')} usage`,
        model: 'claude-sonnet-5',
      },
      {
        ...shared,
        amount: '2',
        workspace_id: teamId,
        description: 'Web search usage',
        cost_type: 'web_search',
        model: null,
        service_tier: null,
        inference_geo: null,
      },
      { ...ofTokens, amount: '0.4500001', workspace_id: null, description: 'house-model usage', model: 'house-model' },
    ],
  })
})

test('cents are written without rounding', () => {
  for (const [nano, cents] of [
    [1, '0.0000001'],
    [10_000_000, '1'],
    [12_345_678, '1.2345678'],
    [1_237_891_200, '123.78912'],
    [Number.MAX_SAFE_INTEGER, '900719925.4740991'],
  ] as const)
    assert.equal(exactCents(nano), cents)
})

test('pages follow each other without a gap, and the last one says so', async () => {
  for (const [path, extra, range, limit] of [
    [usagePath, 'group_by[]=model', autumn, 5],
    [usagePath, 'bucket_width=1h&group_by[]=api_key_id', twoDays, 7],
    [costPath, 'group_by[]=workspace_id', autumn, 11],
  ] as const) {
    const span = `starting_at=${toTime(range[0])}&ending_at=${toTime(range[1])}&${extra}`
    const whole = await ask(path, `${span}&limit=${extra.includes('1h') ? 48 : 31}`)
    assert.deepEqual([whole.body.has_more, whole.body.next_page], [false, null])
    const pages: Bucket[] = []
    let page = ''
    do {
      const { body } = await ask(path, `${span}&limit=${limit}${page && `&page=${encodeURIComponent(page)}`}`)
      assert.ok(body.data.length <= limit)
      assert.equal(body.has_more, body.next_page !== null)
      pages.push(...body.data)
      page = body.next_page
    } while (page !== null)
    assert.deepEqual(pages, whole.body.data)
  }
})

test('a page with very many results ends early, with the rest on the next one', async () => {
  const read = async ({ startMs }: { readonly startMs: number }) => Array.from({ length: 9_000 }, () => ({ startMs }))
  const ask = (page?: string) =>
    fillReport(bucketsAsked({ starting_at: 0, ending_at: 5 * DAY_MS, page }, '1d', 9 * DAY_MS), read, (row) => row)
  const first = await ask()
  assert.deepEqual([first.data.length, first.has_more], [3, true])
  const second = await ask(first.next_page ?? '')
  assert.deepEqual([second.data.length, second.has_more, second.next_page], [2, false, null])
})

test('buckets begin with the one of starting_at and end with the running one, and 7, 24 or 60 are a page', async () => {
  const nowMs = app.ports.clock.nowMs()
  const dayMs = Math.floor(nowMs / DAY_MS) * DAY_MS
  const { body } = await ask(usagePath, `starting_at=${toTime(dayMs - 2 * DAY_MS + 5_000)}`)
  assert.deepEqual(
    body.data.map((bucket: Bucket) => bucket.starting_at),
    [2, 1, 0].map((days) => toTime(dayMs - days * DAY_MS)),
  )
  assert.equal(body.has_more, false)
  const later = await ask(costPath, 'starting_at=2098-01-01T00:00:00Z')
  assert.deepEqual(later.body, { data: [], has_more: false, next_page: null })
  const part = await ask(usagePath, 'starting_at=2026-11-01T03:00:00Z&ending_at=2026-11-01T20:00:00Z')
  assert.deepEqual(part.body.data, [])
  for (const [width, count] of [
    ['1d', 7],
    ['1h', 24],
    ['1m', 60],
  ] as const) {
    const first = await ask(usagePath, `starting_at=2026-10-01T00:00:00%2B02:00&bucket_width=${width}`)
    assert.deepEqual([first.body.data.length, first.body.has_more], [count, true])
    assert.equal(first.body.data[0].starting_at, width === '1d' ? '2026-09-30T00:00:00Z' : '2026-09-30T22:00:00Z')
  }
})

test('what was called a moment ago is in both reports', async () => {
  const atMs = app.ports.clock.nowMs()
  await createSpendLog(app.database.kysely).appendBatch([aSpendRecord({ atMs, model: 'just-now' })])
  const query = `starting_at=${toTime(Math.floor(atMs / DAY_MS) * DAY_MS)}`
  const [usage] = await report(usagePath, `${query}&models[]=just-now`)
  assert.equal(usage?.results[0]?.['output_tokens'], 431)
  const [cost] = await report(costPath, query)
  assert.equal(cost?.results[0]?.amount, '2.54793')
})

test('parameters that make no sense are 400 with a message that names them', async () => {
  const start = 'starting_at=2026-01-01T00:00:00Z'
  const everywhere: readonly (readonly [query: string, message: string])[] = [
    ['', 'starting_at: must be a time such as 2027-01-31T00:00:00Z'],
    ['starting_at=', 'starting_at: must be a time such as 2027-01-31T00:00:00Z'],
    ['starting_at=2026-01-01', 'starting_at: must be a time such as 2027-01-31T00:00:00Z'],
    [`${start}&${start}`, 'starting_at: must be a time such as 2027-01-31T00:00:00Z'],
    [`${start}&ending_at=2026-01-01T00:00:00Z`, 'ending_at: must be after starting_at.'],
    [`${start}&ending_at=yesterday`, 'ending_at: must be a time such as 2027-01-31T00:00:00Z'],
    [`${start}&limit=0`, 'limit: must be at least 1'],
    [`${start}&limit=1.5`, 'limit: must be a whole number'],
    [`${start}&limit=32`, 'limit: must be at most 31 with bucket_width 1d.'],
    [`${start}&page=`, 'page: is not one that this report has given out for these buckets.'],
    [`${start}&page=page_1`, 'page: is not one that this report has given out for these buckets.'],
    // One of an hour, and one of a day before the first.
    [
      `${start}&page=page_${btoa('2026-01-02T01:00:00Z')}`,
      'page: is not one that this report has given out for these buckets.',
    ],
    [
      `${start}&page=page_${btoa('2025-12-31T00:00:00Z')}`,
      'page: is not one that this report has given out for these buckets.',
    ],
    [`${start}&nope=1`, 'nope: There is no such field here.'],
    [`${start}&group_by[]=`, 'group_by[]: must be one of'],
    [`${start}&group_by=team`, 'group_by: must be one of'],
    [`${start}&group_by[]=model&group_by[]=%00`, 'group_by[]'],
  ]
  const ofUsage: typeof everywhere = [
    [`${start}&bucket_width=1w`, 'bucket_width: must be one of 1d, 1h, 1m'],
    [`${start}&bucket_width=1h&limit=169`, 'limit: must be at most 168 with bucket_width 1h.'],
    [`${start}&bucket_width=1m&limit=1441`, 'limit: must be at most 1440 with bucket_width 1m.'],
    [`${start}&models[]=`, 'models[]: must have 1 to 256 characters and no control characters'],
    [`${start}&workspace_ids[]=%07`, 'workspace_ids[]: must have 1 to 200 characters and no control characters'],
    [
      `${start}&api_key_ids[]=a&api_key_ids[]=`,
      'api_key_ids[].1: must have 1 to 200 characters and no control characters',
    ],
    [`${start}${'&models[]=a'.repeat(101)}`, 'models[]'],
    [
      `${start}&context_window[]=0-200k`,
      'context_window[]: is not kept here, so nothing can be chosen by it. Leave it out.',
    ],
    [`${start}&service_tiers[]=gold`, 'service_tiers[]: must be one of standard'],
  ]
  const ofCost: typeof everywhere = [
    [`${start}&bucket_width=1h`, 'bucket_width: must be 1d'],
    [`${start}&group_by[]=model`, 'group_by[]: must be one of workspace_id, description'],
  ]
  for (const [path, mistakes] of [
    [usagePath, [...everywhere, ...ofUsage]],
    [costPath, [...everywhere, ...ofCost]],
  ] as const)
    for (const [query, message] of mistakes) {
      const { status, body } = await ask(path, query)
      assert.deepEqual([status, body.error?.type], [400, 'invalid_request_error'], `${path}?${query}`)
      assert.ok(body.error.message.startsWith(message), `${query}: ${body.error.message}`)
    }
})

test('the grant billing:read is enough; members, other grants and keys are refused', async () => {
  const biller = app.sessionOf(await app.addUser({ grants: ['billing:read'] }))
  const lead = app.sessionOf(await app.addUser({ grants: ['team:lead'], teamId: await app.addTeam() }))
  const member = app.sessionOf(await app.addUser())
  const { key } = await app.addKey({ userId: app.adminUser.id })
  for (const path of [usagePath, costPath]) {
    const query = 'starting_at=2026-11-01T00:00:00Z'
    assert.equal((await ask(path, query, biller)).status, 200)
    // As the vendor's programs send what they have.
    const asKey = await app.call('GET', `${path}?${query}`, { headers: { 'x-api-key': biller } })
    assert.equal(asKey.status, 200)
    for (const refused of [lead, member, key]) assert.equal((await ask(path, query, refused)).status, 403)
  }
})

test('of days whose records are gone teams and models are still known, and whatever is not is refused', async () => {
  const atMs = Date.UTC(2026, 4, 5, 10)
  const usage = { inputTokens: 5, outputTokens: 6, cacheReadTokens: 7, cacheWrite5mTokens: 8, cacheWrite1hTokens: 9 }
  await createSpendLog(app.database.kysely).appendBatch([
    aSpendRecord({ atMs, usage, model: 'priced' }),
    aSpendRecord({ atMs, usage, model: 'unpriced', rates: null, costNanoUsd: 0, flags: ['unpriced'] }),
  ])
  const query = 'starting_at=2026-05-05T00:00:00Z&limit=1&group_by[]=model'
  const writes = async () =>
    (await report(usagePath, query))[0]?.results.map((result) => [result['model'], result['cache_creation']])
  const split = { ephemeral_1h_input_tokens: 9, ephemeral_5m_input_tokens: 8 }
  assert.deepEqual(await writes(), [
    ['priced', split],
    ['unpriced', split],
  ])
  await app.database.pool.query(`delete from spend_log where at >= '2026-05-05' and at < '2026-05-06'`)
  assert.deepEqual(await writes(), [
    ['priced', split],
    ['unpriced', { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 17 }],
  ])
  for (const more of ['&group_by[]=api_key_id', '&bucket_width=1h', `&account_ids[]=${newId()}`]) {
    const { status, body } = await ask(usagePath, `starting_at=2026-05-05T00:00:00Z&limit=1${more}`)
    assert.equal(status, 400, more)
    assert.match(body.error.message, /^starting_at: the single records of 2026-05-05 are not kept any more\./)
  }
})
