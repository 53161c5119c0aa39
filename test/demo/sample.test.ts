import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPriceScope } from '../../src/foundation/domain/model-id.ts'
import { usdFromNano } from '../../src/foundation/domain/money.ts'
import { calculateCost } from '../../src/foundation/domain/price.ts'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import modelSeed from '../../src/modules/models/model-seed.json' with { type: 'json' }
import { sampleEndpoints, samplePeople, sampleTeams } from '../../tools/demo/sample/organization.ts'
import { createRandom } from '../../tools/demo/sample/random.ts'
import { DAY_MS, SAMPLE_DAYS } from '../../tools/demo/sample/rhythm.ts'
import { createTally, periodStartMs, sampleBudgets, toBudget } from '../../tools/demo/sample/sample-budgets.ts'
import { DEMO_KEY_NAME, sampleKeys } from '../../tools/demo/sample/sample-keys.ts'
import { spendBetween } from '../../tools/demo/sample/spend.ts'
import { createWorld, keyLabel, type World } from '../../tools/demo/sample/world.ts'

const nowMs = Date.UTC(2026, 10, 18, 15, 30)

/** Everything has its own name as id. */
function worldAt(anchorMs: number): World {
  const ids = (names: readonly string[]) => new Map(names.map((name) => [name, name]))
  return createWorld(anchorMs, modelSeed, {
    endpoints: ids(sampleEndpoints.map((endpoint) => endpoint.name)),
    teams: ids(sampleTeams.map((team) => team.name)),
    people: ids(samplePeople.map((person) => person.subject)),
    keys: ids(sampleKeys.map(keyLabel)),
  })
}

function recordsBetween(world: World, fromMs: number, toMs: number): SpendRecord[] {
  return [...spendBetween(world, fromMs, toMs)].flatMap((day) => day.records)
}

const world = worldAt(nowMs)
const fromMs = nowMs - SAMPLE_DAYS * DAY_MS
const sample = recordsBetween(world, fromMs, nowMs)
const served = sample.filter((record) => record.status === 200)
const share = (part: readonly unknown[]): number => part.length / sample.length

test('the same name gives the same random numbers, another name gives others', () => {
  const draw = (name: string): number[] => {
    const random = createRandom(name)
    return Array.from({ length: 100 }, random.next)
  }
  assert.deepEqual(draw('a'), draw('a'))
  assert.notDeepEqual(draw('a'), draw('b'))
  assert.ok(draw('a').every((value) => value >= 0 && value < 1))
})

test('the sample is the same each time and no request id stands twice', () => {
  const lastWeek = nowMs - 7 * DAY_MS
  assert.deepEqual(
    recordsBetween(worldAt(nowMs), lastWeek, nowMs),
    sample.filter((record) => record.atMs >= lastWeek),
  )
  assert.equal(new Set(sample.map((record) => record.requestId)).size, sample.length)
  for (const { requestId } of sample) assert.match(requestId, /^req_[0-9a-f]{32}$/)
})

test('two parts of a range hold exactly what the whole holds, so that a gap can be filled later', () => {
  const cutMs = nowMs - 3 * DAY_MS - 12_345
  const parts = [...recordsBetween(world, nowMs - 5 * DAY_MS, cutMs), ...recordsBetween(world, cutMs, nowMs)]
  const ids = (records: readonly SpendRecord[]) => records.map((record) => record.requestId).sort()
  assert.deepEqual(ids(parts), ids(sample.filter((record) => record.atMs >= nowMs - 5 * DAY_MS)))
})

for (const days of [0, 5, 61, 300])
  test(`a first start ${days} days later still has between 50,000 and 80,000 records`, () => {
    const anchorMs = nowMs + days * DAY_MS
    let count = 0
    for (const { records } of spendBetween(worldAt(anchorMs), anchorMs - SAMPLE_DAYS * DAY_MS, anchorMs))
      count += records.length
    assert.ok(count >= 50_000 && count <= 80_000, String(count))
  })

test('every served call costs what the price list says, else an estimate, and only failed ones cost nothing', () => {
  for (const record of served) {
    const seed = world.models.get(record.model.replace('[1m]', ''))
    const price = world.prices.get(`${findPriceScope(record.hostedModel ?? '')}:${seed?.hosted_model_id}`)
    if (price !== undefined) assert.equal(record.costNanoUsd, calculateCost(record.usage, price))
    assert.ok(record.costNanoUsd > 0 && record.rates !== null)
    assert.equal(record.flags.includes('price_estimated'), price === undefined)
  }
  for (const record of sample.filter((one) => one.status !== 200)) assert.equal(record.costNanoUsd, 0)
  const perCallUsd = usdFromNano(served.reduce((sum, record) => sum + record.costNanoUsd, 0)) / served.length
  assert.ok(perCallUsd > 0.02 && perCallUsd < 0.2, String(perCallUsd))
})

test('about one call in a hundred fails, some fail over, a few have no price or are broken off', () => {
  const failed = share(sample.filter((record) => record.status >= 400))
  assert.ok(failed > 0.007 && failed < 0.014, String(failed))
  const moved = served.filter((record) => record.attempts.length > 1)
  assert.ok(moved.length > 100)
  for (const { attempts, endpointId } of moved) {
    assert.equal(attempts[0]?.error, 'ThrottlingException')
    assert.equal(attempts.at(-1)?.endpointId, endpointId)
  }
  const estimated = sample.filter((record) => record.flags.includes('price_estimated'))
  assert.ok(estimated.length > 0 && share(estimated) < 0.01)
  assert.ok(served.some((record) => record.flags.includes('aborted')))
})

test('people work on weekdays, in the day, and more towards the end', () => {
  const countOn = (days: readonly number[]): number =>
    sample.filter((record) => days.includes(new Date(record.atMs).getUTCDay())).length / days.length
  assert.ok(countOn([1, 2, 3, 4, 5]) > 6 * countOn([0, 6]))
  const office = sample.filter((record) => record.teamId === 'Platform' && record.userId !== null)
  const daytime = office.filter((record) => {
    const localHour = (new Date(record.atMs).getUTCHours() + 1) % 24
    return localHour >= 7 && localHour < 20
  })
  assert.ok(daytime.length / office.length > 0.85)
  const month = (fromDay: number): number =>
    sample.filter(({ atMs }) => atMs >= nowMs - fromDay * DAY_MS && atMs < nowMs - (fromDay - 30) * DAY_MS).length
  assert.ok(month(30) > 1.25 * month(90))
})

test('usage looks like that of coding assistants: mostly cache reads, sessions, sub-agents and tools of servers', () => {
  const sum = (read: (record: SpendRecord) => number): number => served.reduce((total, one) => total + read(one), 0)
  const cacheRead = sum((record) => record.usage.cacheReadTokens)
  const prompt = cacheRead + sum(({ usage }) => usage.inputTokens + usage.cacheWrite5mTokens + usage.cacheWrite1hTokens)
  assert.ok(cacheRead / prompt > 0.8)
  assert.ok(sum((record) => record.usage.cacheWrite1hTokens) > 0)
  assert.ok(sum((record) => record.webSearches) > 0)
  const agents = sample.filter((record) => record.agentId !== null)
  assert.ok(share(agents) > 0.03 && agents.every((record) => record.sessionId !== null))
  const tools = new Set(served.flatMap((record) => record.tools))
  for (const tool of ['Read', 'Task', 'WebSearch', 'mcp__github__search_code', 'mcp__figma__get_file'])
    assert.ok(tools.has(tool), tool)
  for (const { usage, durationMs, firstTokenMs } of served) {
    for (const tokens of Object.values(usage)) assert.ok(Number.isInteger(tokens) && tokens >= 0)
    assert.ok(durationMs > 0 && (firstTokenMs === null || firstTokenMs <= durationMs))
  }
})

test('calls go only where their team may go and where the model exists', () => {
  for (const record of served) {
    const team = sampleTeams.find((one) => one.name === record.teamId)
    assert.ok((team?.routing?.endpoints ?? ['us-east-1']).includes(record.endpointId ?? ''))
    const prefix = sampleEndpoints.find((endpoint) => endpoint.name === record.endpointId)?.routingPrefix
    assert.equal(record.hostedModel?.split('.')[0], prefix)
  }
})

test('revoked and expired keys are not used after their end', () => {
  for (const key of sampleKeys) {
    const endedDaysAgo =
      key.revokedDaysAgo ?? (key.expiresInDays !== null && key.expiresInDays < 0 ? -key.expiresInDays : 0)
    const uses = sample.filter((record) => record.keyId === keyLabel(key)).map((record) => record.atMs)
    // A session that has begun may run on for a while.
    assert.ok(
      uses.every((atMs) => atMs < nowMs - endedDaysAgo * DAY_MS + DAY_MS / 4),
      keyLabel(key),
    )
  }
})

test('people and keys that were removed spend nothing', () => {
  const smaller: World = { ...world, people: new Map([['alice@example.com', 'alice']]), keys: new Map() }
  const records = recordsBetween(smaller, nowMs - 30 * DAY_MS, nowMs)
  assert.deepEqual([...new Set(records.map((record) => record.userId))], ['alice'])
})

test('names of the company fit together', () => {
  const teams = new Set(sampleTeams.map((team) => team.name))
  const subjects = new Set(samplePeople.map((person) => person.subject))
  assert.equal(subjects.size, samplePeople.length)
  assert.ok(samplePeople.every((person) => person.team === null || teams.has(person.team)))
  assert.ok(samplePeople.every((person) => person.subject.endsWith('@example.com')))
  assert.ok(sampleKeys.every((key) => (key.owner === null) !== (key.team === null)))
  assert.ok(sampleKeys.every((key) => subjects.has(key.owner ?? '') || teams.has(key.team ?? '')))
  assert.equal(new Set(sampleKeys.map(keyLabel)).size, sampleKeys.length)
  assert.ok(sampleBudgets.every((budget) => subjects.has(budget.subject) || teams.has(budget.subject)))
})

test('some budgets are near or over their limit, and those of the printed key have room', () => {
  const tally = createTally()
  for (const record of sample) tally.add(record)
  const percents = new Map(
    sampleBudgets.map((one) => {
      const budget = toBudget(one, one.subject, tally, nowMs)
      const spent = tally.between(one.subject, periodStartMs(one.period, nowMs), nowMs)
      return [one.subject, (spent / budget.limitNanoUsd) * 100]
    }),
  )
  const inRange = (low: number, high: number) => [...percents.values()].filter((one) => one >= low && one < high).length
  assert.ok(inRange(85, 100) >= 2, JSON.stringify([...percents]))
  assert.ok(inRange(100, 150) >= 2, JSON.stringify([...percents]))
  const owner = sampleKeys.find((key) => key.name === DEMO_KEY_NAME)?.owner ?? ''
  const team = samplePeople.find((person) => person.subject === owner)?.team ?? ''
  assert.ok((percents.get(team) ?? 100) < 60)
  assert.equal(percents.has(owner), false)
})

test('periods begin at midnight UTC, on Monday and on the first', () => {
  const wednesday = Date.UTC(2026, 10, 18, 15, 30)
  assert.equal(periodStartMs('daily', wednesday), Date.UTC(2026, 10, 18))
  assert.equal(periodStartMs('weekly', wednesday), Date.UTC(2026, 10, 16))
  assert.equal(periodStartMs('weekly', Date.UTC(2026, 10, 15, 1)), Date.UTC(2026, 10, 9))
  assert.equal(periodStartMs('monthly', wednesday), Date.UTC(2026, 10, 1))
})
