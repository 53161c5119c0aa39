import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { createUsageTools } from '../../src/modules/analytics/usage-tools.store.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { readUsage } from '../../src/modules/spend/usage/usage-reader.store.ts'
import { closeUsageBlocks } from '../../src/modules/spend/usage/usage-rollup.store.ts'
import type { UsageFilter } from '../../src/modules/spend/usage/usage-source.store.ts'
import { aSpendRecord } from '../database/samples.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let own: TestDatabase
before(async () => {
  own = await createTestDatabase()
})
after(() => own.drop())

const DAY_MS = 86_400_000
const firstMs = Date.UTC(2026, 1, 2, 12)
const range = { startMs: firstMs - 5 * DAY_MS, endMs: firstMs + 20 * DAY_MS }
const [platform, mobile] = [randomUUID(), randomUUID()]
/** More than have a bit in one row. */
const people = Array.from({ length: 2_100 }, () => randomUUID())

const usersOf = (filter: UsageFilter, span = range) =>
  readUsage(own.database.kysely, async (reader) => {
    const { tools, servers } = await createUsageTools(reader).usage(span, filter)
    return [
      ...tools.map(({ tool, calls, users }) => [tool, calls, users]),
      ...servers.map(({ server, calls, users }) => [server, calls, users]),
    ].sort()
  })

test('people who called a tool are counted once each, however many they are and on however many days they called', async () => {
  const log = createSpendLog(own.database.kysely)
  const called = (userId: string | null, day: number, teamId: string | null, tools: readonly string[]) =>
    aSpendRecord({ atMs: firstMs + day * DAY_MS, userId, teamId, tools })
  await log.appendBatch(people.map((id) => called(id, 0, platform, ['Read', 'mcp__jira__get'])))
  await log.appendBatch(people.slice(0, 1_500).map((id) => called(id, 3, mobile, ['Read', 'mcp__jira__put'])))
  await log.appendBatch([called(null, 3, null, ['Read', 'Read'])])
  const everybody = [
    ['Read', 3_602, 2_100],
    ['jira', 3_600, 2_100],
    ['mcp__jira__get', 2_100, 2_100],
    ['mcp__jira__put', 1_500, 1_500],
  ]
  const ofMobile = [
    ['Read', 1_500, 1_500],
    ['jira', 1_500, 1_500],
    ['mcp__jira__put', 1_500, 1_500],
  ]
  const firstHalfDay = { startMs: range.startMs, endMs: firstMs + DAY_MS / 4 }
  const check = async (): Promise<void> => {
    assert.deepEqual(await usersOf({}), everybody)
    assert.deepEqual(await usersOf({ teamIds: [mobile] }), ofMobile)
    assert.deepEqual(await usersOf({ teamIds: [platform, mobile], userIds: people.slice(1_490, 1_510) }), [
      ['Read', 30, 20],
      ['jira', 30, 20],
      ['mcp__jira__get', 20, 20],
      ['mcp__jira__put', 10, 10],
    ])
    assert.deepEqual(await usersOf({ models: ['no such model'] }), [])
    assert.deepEqual((await usersOf({}, firstHalfDay))[0], ['Read', 2_100, 2_100])
  }
  await check()
  await closeUsageBlocks(own.database.kysely, firstMs + 30 * DAY_MS)
  await check()
})
