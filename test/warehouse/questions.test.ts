import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { spendFileColumns } from '../../src/extensions/warehouse/spend-columns.ts'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import { makeWorld, type SampleWorld } from '../analytics/sample-world.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'
import { askDuckDb, type Row } from './duckdb.ts'
import { makeWriter, runNow } from './writers.ts'

const folder = 'docs/guides/warehouse'
const read = (name: string): string => readFileSync(`${folder}/${name}.sql`, 'utf8')
/** By their numbers. */
const questions = new Map(
  read('questions')
    .split(/^-- (?=\d+\. )/m)
    .slice(1)
    .map((text) => [Number.parseInt(text, 10), text.slice(text.indexOf('\n')).trim().replace(/;$/, '')]),
)

let app: ApiApp
let world: SampleWorld
let autumn: readonly SpendRecord[]
let ask: (question: number) => Promise<readonly Row[]>
const place = mkdtempSync(path.join(tmpdir(), 'warehouse-'))
before(async () => {
  app = await startApiApp()
  world = await makeWorld(app, 1_500)
  autumn = world.records.filter(({ atMs }) => atMs >= Date.UTC(2026, 9, 1) && atMs < Date.UTC(2026, 11, 1))
  await runNow(app.database, makeWriter(app.database, { folder: place }))
  const view = read('duckdb').replaceAll('PLACE', place)
  ask = (question) => askDuckDb(questions.get(question) ?? '', view)
})
after(async () => {
  rmSync(place, { recursive: true, force: true })
  await app.stop()
})

/** Dollars with nine decimals, without a float on the way. */
function usd(records: readonly SpendRecord[]): string {
  const nano = records.reduce((sum, { costNanoUsd }) => sum + BigInt(costNanoUsd), 0n)
  return `${nano / 1_000_000_000n}.${String(nano % 1_000_000_000n).padStart(9, '0')}`
}

const nameOf = (id: string | null): string => (id === null ? '(none)' : (world.names.get(id) ?? id))
const dayOf = ({ atMs }: SpendRecord): string => new Date(atMs).toISOString().slice(0, 10)
const isProbe = ({ flags }: SpendRecord): boolean => flags.includes('probe')
const group = (records: readonly SpendRecord[], by: (record: SpendRecord) => string) => [...Map.groupBy(records, by)]
const sorted = (rows: readonly (readonly unknown[])[]) => rows.map((row) => JSON.stringify(row)).sort()

async function assertAnswer(question: number, expected: readonly (readonly unknown[])[]): Promise<void> {
  const rows = await ask(question)
  assert.ok(expected.length > 0)
  assert.deepEqual(sorted(rows.map((row) => Object.values(row))), sorted(expected))
}

test('there are ten questions', () => assert.deepEqual([...questions.keys()], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]))

test('1: cost by team and month', async () => {
  const expected = group(autumn, (one) => `${dayOf(one).slice(0, 7)} ${nameOf(one.teamId)}`)
  await assertAnswer(
    1,
    expected.map(([key, records]) => [key.slice(0, 7), key.slice(8), usd(records)]),
  )
})

test('2: users by cost', async () => {
  const rows = await ask(2)
  const expected = group(autumn, ({ userId }) => nameOf(userId)).map(([name, records]) => [
    name,
    usd(records),
    String(records.filter((one) => one.round === 0 && !isProbe(one)).length),
  ])
  assert.deepEqual(sorted(rows.map((row) => Object.values(row))), sorted(expected))
  const costs = rows.map(({ cost }) => Number(cost))
  assert.deepEqual(
    costs,
    costs.toSorted((a, b) => b - a),
  )
})

test('3: models with their tokens', async () => {
  const total = (records: readonly SpendRecord[], read: (usage: SpendRecord['usage']) => number): string =>
    String(records.reduce((sum, { usage }) => sum + read(usage), 0))
  await assertAnswer(
    3,
    group(autumn, ({ model }) => model).map(([model, records]) => [
      model,
      usd(records),
      total(records, ({ outputTokens }) => outputTokens),
      total(
        records,
        ({ inputTokens, cacheReadTokens, cacheWrite5mTokens, cacheWrite1hTokens }) =>
          inputTokens + cacheReadTokens + cacheWrite5mTokens + cacheWrite1hTokens,
      ),
    ]),
  )
})

test('4: the running total of November', async () => {
  const november = autumn.filter((one) => dayOf(one) >= '2026-11-01').toSorted((a, b) => a.atMs - b.atMs)
  await assertAnswer(
    4,
    group(november, dayOf).map(([day, records]) => [
      day,
      usd(records),
      usd(november.filter((one) => dayOf(one) <= day)),
    ]),
  )
})

test('5: shares of teams', async () => {
  const rows = await ask(5)
  const teams = new Map(group(autumn, ({ teamId }) => nameOf(teamId)))
  assert.equal(rows.length, teams.size)
  for (const { team, cost, percent } of rows) {
    assert.equal(cost, usd(teams.get(String(team)) ?? []))
    assert.ok(Math.abs(Number(percent) - (100 * Number(cost)) / Number(usd(autumn))) < 1e-9)
  }
})

test('6: savings of the prompt cache', async () => {
  const { body } = await app.call('GET', '/admin/analytics/org/overview?from=2026-10-01&to=2026-11-30&tz=UTC', {
    as: app.admin,
  })
  const [row = {}] = await ask(6)
  // The analytics round the saving of each record to a nano-dollar.
  assert.ok(body.totals.cache_savings_usd > 1)
  assert.ok(Math.abs(Number(row['saved']) - body.totals.cache_savings_usd) < 1e-5)
})

test('7: failed and abandoned requests', async () => {
  const toFate = ({ status, flags }: SpendRecord): string =>
    status >= 400 ? 'failed' : flags.includes('aborted') ? 'left' : 'complete'
  await assertAnswer(
    7,
    group(
      autumn.filter((one) => !isProbe(one)),
      toFate,
    ).map(([fate, records]) => [fate, usd(records), String(records.length)]),
  )
})

test('8: keys without a user', async () => {
  const records = autumn.filter(({ userId, keyId }) => userId === null && keyId !== null)
  await assertAnswer(
    8,
    group(records, ({ keyId }) => nameOf(keyId)).map(([name, own]) => [name, usd(own)]),
  )
})

test('9: sessions by cost', async () => {
  const sessions = group(
    autumn.filter(({ sessionId }) => sessionId !== null),
    ({ sessionId, userId }) => `${sessionId} ${nameOf(userId)}`,
  )
    .map(([key, records]) => [key.slice(0, 36), key.slice(37), usd(records)] as const)
    .toSorted((a, b) => Number(b[2]) - Number(a[2]) || (a[0] < b[0] ? -1 : 1))
  await assertAnswer(9, sessions.slice(0, 10))
})

test('10: how much is an estimate', async () => {
  const isEstimate = ({ flags }: SpendRecord) => flags.includes('estimated') || flags.includes('price_estimated')
  await assertAnswer(
    10,
    [...Map.groupBy(autumn, isEstimate)].map(([is, records]) => [is, usd(records), String(records.length)]),
  )
})

test('the table for Athena has the columns of the files with their types', () => {
  const types = {
    text: 'string',
    whole: 'int',
    big: 'bigint',
    flag: 'boolean',
    time: 'timestamp',
    usd: 'decimal(18,9)',
  } as const
  const columns = [...read('athena').matchAll(/^ {2}([a-z_0-9]+) (.+?),?$/gm)].map(
    ([, name, type]) => `${name} ${type}`,
  )
  assert.deepEqual(
    columns,
    spendFileColumns.map(({ name, kind }) => `${name} ${types[kind]}`),
  )
})

test('the guide has the columns of the files with their meaning', () => {
  const guide = readFileSync('docs/guides/warehouse.md', 'utf8')
  const missing = spendFileColumns.filter(
    ({ name, text }) =>
      !new RegExp(`^\\| \`${name}\` \\| .* \\| ${text.replace(/[().]/g, '\\$&')} \\|$`, 'm').test(guide),
  )
  assert.deepEqual(missing, [])
})
