import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { change } from '../../src/foundation/database/change.ts'
import { costAt, type Rates } from '../../src/foundation/domain/price.ts'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import { noUsage } from '../../src/foundation/domain/usage.ts'
import { createEndpointStore } from '../../src/modules/endpoints/endpoints.store.ts'
import { createModelMappingStore, type NewMapping } from '../../src/modules/models/model-mappings.store.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { deleteUsageBefore } from '../../src/modules/spend/usage/usage-retention.store.ts'
import { catchUpUsage } from '../../src/modules/spend/usage/usage-rollup.store.ts'
import { createWallClock } from '../analytics/reference.ts'
import { createRandom } from '../analytics/sample-world.ts'
import { actor, anEndpoint, aSpendRecord } from '../database/samples.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'

const rates = (input: number): Rates => ({
  input,
  output: input * 5,
  cacheRead: input / 10,
  cacheWrite5m: input * 1.25,
  cacheWrite1h: input * 2,
})
/** What the calls cost when they were made; the price in force now is another one. */
const paid = rates(8)
const opus = rates(6)
const sonnet = { global: rates(2), geo: rates(2.2) }
const haiku = { short: rates(0.4), long: rates(2) }

let app: ApiApp
let records: readonly SpendRecord[]
let teamId: string
before(async () => {
  app = await startApiApp()
  const endpoints = createEndpointStore(app.database.kysely)
  const commercial = (await endpoints.insert(anEndpoint({ name: 'us' }))).id
  const gov = (await endpoints.insert(anEndpoint({ name: 'gov', region: 'us-gov-west-1', routingPrefix: 'us-gov' }))).id
  teamId = await app.addTeam('Platform')
  const mappings: NewMapping[] = []
  for (const [id, name] of [
    ['opus-5', 'Opus 5'],
    ['opus-4', 'Opus 4'],
    ['sonnet-4-5', 'Sonnet 4.5'],
    ['sonnet-5', 'Sonnet 5'],
    ['haiku-5', 'Haiku 5'],
    ['free', 'Free'],
  ] as const)
    mappings.push({
      vendorPrefix: `claude-${id}`,
      hostedModelId: `anthropic.claude-${id}`,
      displayName: `Claude ${name}`,
      contextWindow: null,
      maxOutputTokens: null,
      source: 'seed',
    })
  await change(app.database, { sections: ['mappings', 'endpoints'], actor }, ({ tx }) =>
    createModelMappingStore(tx).insertUnlessPresent(mappings),
  )
  await price('opus-5', opus)
  await price('opus-4', rates(5))
  await price('sonnet-4-5', sonnet.global)
  await price('sonnet-5', sonnet.global, { scope: 'global' })
  await price('sonnet-5', sonnet.geo, { scope: 'geo' })
  await price('haiku-5', haiku.short, { long_context: { above_prompt_tokens: 100_000, ...named(haiku.long) } })
  records = makeRecords({ commercial, gov })
  await createSpendLog(app.database.kysely).appendBatch(records)
})
after(() => app.stop())

const named = (table: Rates) => ({
  input_usd_per_mtok: table.input,
  output_usd_per_mtok: table.output,
  cache_read_usd_per_mtok: table.cacheRead,
  cache_write_5m_usd_per_mtok: table.cacheWrite5m,
  cache_write_1h_usd_per_mtok: table.cacheWrite1h,
})

async function price(id: string, table: Rates, more: object = {}): Promise<void> {
  const body = { ...named(table), ...more }
  const answer = await app.call('PUT', `/admin/pricing/anthropic.claude-${id}`, { as: app.admin, body })
  assert.equal(answer.status, 200, id)
}

const FIRST_MS = Date.UTC(2026, 9, 1)
const SEARCH_NANO_USD = 10_000_000

/** A fortnight of calls through three kinds of profiles, with everything that must not move among them. */
function makeRecords({ commercial, gov }: { readonly commercial: string; readonly gov: string }): SpendRecord[] {
  const random = createRandom(77)
  return Array.from({ length: 400 }, (_, index): SpendRecord => {
    const [hostedModel, endpointId] = random.pick([
      ['us.anthropic.claude-opus-5', commercial],
      ['global.anthropic.claude-opus-5', commercial],
      ['arn:aws:bedrock:us-east-1:111122223333:inference-profile/global.anthropic.claude-opus-5', commercial],
      ['anthropic.claude-opus-5', gov],
    ] as const)
    const usage = {
      inputTokens: random.below(3_000),
      outputTokens: random.below(2_000),
      // Around the length from which on some prices are higher.
      cacheReadTokens: random.pick([0, 40_000, 97_500, 100_000, 150_000, 230_000]),
      cacheWrite5mTokens: random.below(2_000),
      cacheWrite1hTokens: random.below(3) === 0 ? random.below(5_000) : 0,
    }
    const webSearches = index % 9 === 0 ? 2 : 0
    const record = aSpendRecord({
      atMs: FIRST_MS + random.below(14 * 86_400_000),
      model: index % 5 === 0 ? 'claude-sonnet-5' : 'claude-opus-5',
      teamId: index % 2 === 0 ? teamId : null,
      hostedModel,
      endpointId,
      usage,
      webSearches,
      rates: paid,
      costNanoUsd: costAt(usage, paid) + webSearches * SEARCH_NANO_USD,
      flags: [],
      attempts: [],
    })
    if (index % 23 === 1) return { ...record, costNanoUsd: 0, rates: null, flags: ['unpriced'] }
    if (index % 29 === 1) return { ...record, userId: null, teamId: null, keyId: null, flags: ['probe'] }
    if (index % 31 === 1)
      return {
        ...record,
        status: 529,
        errorType: 'overloaded_error',
        usage: noUsage,
        rates: null,
        costNanoUsd: 0,
        webSearches: 0,
      }
    return record
  })
}

const ask = async (query: string, as = app.admin) => {
  const { status, body } = await app.call('GET', `/admin/analytics/what-if?${query}`, { as })
  assert.equal(status, 200, `${query}: ${JSON.stringify(body)}`)
  return body
}
const refused = async (query: string): Promise<string> => {
  const { status, body } = await app.call('GET', `/admin/analytics/what-if?${query}`, { as: app.admin })
  assert.equal(status, 400, query)
  return body.error.message
}
const nano = (usd: number): number => Math.round(usd * 1e9)

const promptOf = ({ usage }: SpendRecord): number =>
  usage.inputTokens + usage.cacheReadTokens + usage.cacheWrite5mTokens + usage.cacheWrite1hTokens

/** Nano-dollars by hand: whole ones for each token, so that no order of adding can matter. */
function byHand({ usage, webSearches }: SpendRecord, table: Rates): bigint {
  const each = (count: number, rate: number | null): bigint => BigInt(count) * BigInt(Math.round((rate ?? 0) * 1_000))
  return (
    each(usage.inputTokens, table.input) +
    each(usage.outputTokens, table.output) +
    each(usage.cacheReadTokens, table.cacheRead) +
    each(usage.cacheWrite5mTokens, table.cacheWrite5m) +
    each(usage.cacheWrite1hTokens, table.cacheWrite1h) +
    BigInt(webSearches * SEARCH_NANO_USD)
  )
}

const total = (list: readonly SpendRecord[], read: (record: SpendRecord) => bigint): bigint =>
  list.reduce((sum, record) => sum + read(record), 0n)
const costs = (list: readonly SpendRecord[]): bigint => total(list, ({ costNanoUsd }) => BigInt(costNanoUsd))
const isMoved = ({ model, rates: table, flags }: SpendRecord): boolean =>
  model === 'claude-opus-5' && table !== null && !flags.includes('probe')
const percent = (amount: bigint, share: number): bigint => (amount * BigInt(share) + 50n) / 100n

const ranges = [
  { tz: 'UTC', from: '2026-10-01', to: '2026-10-14' },
  { tz: 'America/New_York', from: '2026-10-02', to: '2026-10-11' },
  { tz: 'Asia/Kolkata', from: '2026-10-03', to: '2026-10-09' },
]

for (const { tz, from, to } of ranges)
  test(`the same tokens at the prices of another model, to the nano-dollar: ${tz}`, async () => {
    const clockAt = createWallClock(tz)
    const held = records.filter(({ atMs }) => clockAt(atMs).date >= from && clockAt(atMs).date <= to)
    const moved = held.filter(isMoved)
    assert.ok(moved.length > 100)
    const range = `tz=${tz}&from=${from}&to=${to}&from_model=claude-opus-5`

    const toSonnet = await ask(`${range}&to_model=claude-sonnet-5&share=37`)
    const inGlobal = ({ hostedModel, endpointId }: SpendRecord): boolean =>
      hostedModel?.includes('global.') === true && endpointId !== null
    const would = total(moved, (one) => byHand(one, inGlobal(one) ? sonnet.global : sonnet.geo))
    const { what_if: answer } = toSonnet
    assert.equal(nano(toSonnet.spend_usd), Number(costs(held)))
    assert.equal(answer.from.calls, moved.length)
    assert.equal(nano(answer.from.spend_usd), Number(costs(moved)))
    assert.equal(nano(answer.moved.spend_usd), Number(percent(costs(moved), 37)))
    assert.equal(nano(answer.moved.would_cost_usd), Number(percent(would, 37)))
    assert.equal(nano(answer.difference_usd), Number(percent(would, 37) - percent(costs(moved), 37)))
    assert.equal(nano(answer.would_spend_usd), Number(costs(held) + percent(would, 37) - percent(costs(moved), 37)))
    assert.equal(
      answer.from.unpriced_calls,
      held.filter((one) => one.model === 'claude-opus-5' && one.flags.includes('unpriced')).length,
    )
    const kind = (name: keyof SpendRecord['usage']): number => moved.reduce((sum, { usage }) => sum + usage[name], 0)
    assert.deepEqual(answer.tokens, {
      input: kind('inputTokens'),
      output: kind('outputTokens'),
      cache_read: kind('cacheReadTokens'),
      cache_write_5m: kind('cacheWrite5mTokens'),
      cache_write_1h: kind('cacheWrite1hTokens'),
    })
    assert.deepEqual(
      answer.parts.map(({ scope, to_rates }: { scope: string; to_rates: object }) => [scope, to_rates]),
      [
        ['global', named(sonnet.global)],
        ['geo', named(sonnet.geo)],
        ['us-gov', named(sonnet.geo)],
      ],
    )
    assert.deepEqual(answer.parts[0].from_rates, named(opus))

    const toHaiku = await ask(`${range}&to_model=claude-haiku-5&share=100`)
    const withTiers = total(moved, (one) => byHand(one, promptOf(one) > 100_000 ? haiku.long : haiku.short))
    assert.equal(nano(toHaiku.what_if.moved.would_cost_usd), Number(withTiers))
    assert.ok(toHaiku.what_if.parts.some((part: { long_context: boolean }) => part.long_context))
  })

test('a length that no sum is kept by has the records read, and is as exact', async () => {
  await price('sonnet-4-5', haiku.short, { long_context: { above_prompt_tokens: 98_765, ...named(haiku.long) } })
  const range = 'from=2026-10-01&to=2026-10-14'
  const { what_if: answer } = await ask(`${range}&from_model=claude-opus-5&to_model=claude-sonnet-4-5&share=100`)
  const would = total(records.filter(isMoved), (one) => byHand(one, promptOf(one) > 98_765 ? haiku.long : haiku.short))
  assert.equal(nano(answer.moved.would_cost_usd), Number(would))
  await price('sonnet-4-5', sonnet.global)
})

test('without names, the dearest model is compared with the newest of the next cheaper family', async () => {
  const body = await ask('from=2026-10-01&to=2026-10-14')
  assert.deepEqual(
    [body.share, body.what_if.from.model, body.what_if.to.model],
    [30, 'claude-opus-5', 'claude-sonnet-5'],
  )
  assert.deepEqual(body.what_if.to, { model: 'claude-sonnet-5', name: 'Claude Sonnet 5' })
  assert.deepEqual(
    body.choices.from.map(({ model }: { model: string }) => model),
    ['claude-opus-5', 'claude-sonnet-5'],
  )
  assert.ok(!body.choices.to.some(({ model }: { model: string }) => model === 'claude-free'))
  assert.ok(body.assumptions.length >= 3)
})

test('a filter holds for the whole and for what moves, and a lead is told of the own team alone', async () => {
  const ofTeam = records.filter((one) => one.teamId === teamId)
  const range = 'from=2026-10-01&to=2026-10-14&from_model=claude-opus-5&to_model=claude-sonnet-5&share=100'
  const expected = [Number(costs(ofTeam)), Number(costs(ofTeam.filter(isMoved)))]
  const told = ({ spend_usd, what_if }: { spend_usd: number; what_if: { moved: { spend_usd: number } } }) => [
    nano(spend_usd),
    nano(what_if.moved.spend_usd),
  ]
  assert.deepEqual(told(await ask(`${range}&team=Platform`)), expected)
  const lead = await app.addUser({ subject: 'lead@example.com', teamId, grants: ['team:lead'] })
  assert.deepEqual(told(await ask(range, app.sessionOf(lead))), expected)
  const [someone] = ofTeam.filter(isMoved)
  const ofOne = records.filter(({ userId }) => userId === someone?.userId)
  assert.deepEqual(told(await ask(`${range}&user=${someone?.userId}`)), [
    Number(costs(ofOne)),
    Number(costs(ofOne.filter(isMoved))),
  ])
  const none = await ask(`${range}&model=claude-sonnet-5`)
  assert.deepEqual([none.what_if.from.calls, none.what_if.difference_usd], [0, 0])
})

test('what cannot be compared says why and what to do', async () => {
  const range = 'from=2026-10-01&to=2026-10-14&from_model=claude-opus-5'
  assert.match(
    await refused(`${range}&to_model=claude-free`),
    /^to_model: claude-free has no price.*PUT \/admin\/pricing\/anthropic\.claude-free/,
  )
  assert.match(
    await refused(`${range}&to_model=gpt`),
    /^to_model: gpt is no model that the gateway knows\..*GET \/admin\/pricing/,
  )
  assert.match(await refused(`${range}&to_model=claude-opus-5`), /^to_model: must be another model/)
  for (const share of ['-1', '0', '', '101', '30.5', 'x']) assert.match(await refused(`share=${share}`), /^share/)
  await price('free', sonnet.global, { scope: 'global' })
  assert.match(
    await refused(`${range}&to_model=claude-free`),
    /has no price for geo profiles, which the calls went through/,
  )
  const empty = await ask('from=2025-01-01&to=2025-01-02')
  assert.deepEqual([empty.what_if, empty.reason, empty.spend_usd], [null, 'no_calls', 0])
  const cheapest = await ask(`from=2026-10-01&to=2026-10-14&from_model=claude-haiku-5`)
  assert.deepEqual([cheapest.what_if, cheapest.reason], [null, 'no_other_model'])
})

test('sums outlive the records, and go when no range can reach them', async () => {
  await catchUpUsage(app.database.kysely)
  const range = 'from=2026-10-01&to=2026-10-14&from_model=claude-opus-5&to_model=claude-sonnet-5'
  const before = await ask(range)
  await app.database.pool.query(`delete from spend_log where at < '2026-10-15'`)
  assert.deepEqual(await ask(range), before)
  await deleteUsageBefore(app.database.kysely, Date.UTC(2026, 9, 15), Date.UTC(2026, 9, 15))
  const { rows } = await app.database.pool.query('select count(*)::integer as rows from charged_days')
  assert.equal(rows[0].rows, 0)
})
