import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pino from 'pino'
import { createUsageFollower } from '../../src/modules/spend/follow-usage.loop.ts'
import { createSpendHours } from '../../src/modules/spend/spend-hours.store.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import {
  catchUpUsage,
  closeUsageBlocks,
  countSetAside,
  takeBackSetAside,
} from '../../src/modules/spend/usage/usage-rollup.store.ts'
import { aSpendRecord } from '../database/samples.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let own: TestDatabase
before(async () => {
  own = await createTestDatabase()
})
after(() => own.drop())

const DAY_MS = 86_400_000
const nobody = { userId: null, teamId: null, keyId: null, sessionId: null }
/** So many of the largest cost that can be stored fit into a sum; with one more it is too large for its column. */
const FITTING = 1_024
const badDayMs = Date.UTC(2026, 1, 3, 12)
const goodDayMs = Date.UTC(2026, 1, 5)
const dear = () => aSpendRecord({ ...nobody, atMs: badDayMs, costNanoUsd: Number.MAX_SAFE_INTEGER })
const ordinary = (index: number) => aSpendRecord({ atMs: goodDayMs + index, costNanoUsd: 7 })
const countUncounted = async () => (await countSetAside(own.database.kysely)).records
const requestsOn = async (dayMs: number): Promise<number> =>
  (await createSpendHours(own.database.kysely).totals(dayMs, dayMs + DAY_MS)).requests

test('records whose sums the database refuses are set aside, and all others are counted, once, from several sides at once', async () => {
  const { kysely, pool } = own.database
  const log = createSpendLog(kysely)
  const bad = Array.from({ length: FITTING + 3 }, dear)
  // Ordered by id when they are stored, so the bad ones stand between the good ones in every batch.
  await log.appendBatch([...bad, ...Array.from({ length: 300 }, (_, index) => ordinary(index))])
  await Promise.all([catchUpUsage(kysely), catchUpUsage(kysely), catchUpUsage(kysely)])
  assert.equal(await countUncounted(), 3)
  assert.deepEqual([await requestsOn(goodDayMs), await requestsOn(badDayMs - DAY_MS / 2)], [300, FITTING])
  const { rows } = await pool.query(`select code, reason, (select count(*) from spend_batches) as waiting,
    (select count(*) from spend_log) as stored from uncounted_records`)
  const expected = { code: '22003', reason: 'bigint out of range', waiting: 0, stored: bad.length + 300 }
  assert.deepEqual(rows, [expected, expected, expected])
  await log.appendBatch([ordinary(301)])
  await catchUpUsage(kysely)
  assert.equal(await requestsOn(goodDayMs), 301)
})

test('what is not counted is logged once, as an error, by whoever follows the log', async () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const follower = createUsageFollower({ database: () => own.database, log })
  await follower.follow()
  await follower.follow()
  assert.equal(follower.uncounted(), 3)
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)).map(({ level, records, added }) => [level, records, added]),
    [[50, 3, 3]],
  )
  await createSpendLog(own.database.kysely).appendBatch([dear()])
  await follower.follow()
  assert.deepEqual([lines.length, follower.uncounted()], [2, 4])
})

test('an outage is no refusal: nothing is set aside, and the next look counts', async () => {
  const { kysely, pool } = own.database
  const before = await countUncounted()
  await createSpendLog(kysely).appendBatch([ordinary(302)])
  await pool.query('alter function roll_up_usage(integer) rename to roll_up_usage_away')
  await assert.rejects(catchUpUsage(kysely), { code: '42883' })
  await pool.query('alter function roll_up_usage_away(integer) rename to roll_up_usage')
  await catchUpUsage(kysely)
  assert.deepEqual([await countUncounted(), await requestsOn(goodDayMs)], [before, 302])
})

test('after the cause is mended, what was set aside is counted again, once, and what is still refused is set aside again', async () => {
  const { kysely, pool } = own.database
  const aside = await countUncounted()
  const counted = await requestsOn(badDayMs - DAY_MS / 2)
  assert.equal(await takeBackSetAside(kysely), aside)
  await catchUpUsage(kysely)
  assert.deepEqual([await countUncounted(), await requestsOn(badDayMs - DAY_MS / 2)], [aside, counted])
  // The sums that were full have room again.
  for (const table of [
    'spend_days',
    'usage_days',
    'person_days',
    'org_days',
    'spend_hours',
    'org_hours',
    'spend_quarters',
    'team_hours',
    'team_quarters',
  ])
    await pool.query(`update ${table} set ${table === 'spend_days' ? 'spent_nano_usd' : 'cost_nano_usd'} = 0`)
  await Promise.all([takeBackSetAside(kysely), takeBackSetAside(kysely)])
  await Promise.all([catchUpUsage(kysely), catchUpUsage(kysely)])
  assert.deepEqual([await countUncounted(), await requestsOn(badDayMs - DAY_MS / 2)], [0, counted + aside])
  assert.equal(await takeBackSetAside(kysely), 0)
})

test('a block whose sums are too large is set aside and told, later blocks are put together, and it is tried again when asked for', async () => {
  const { kysely, pool } = own.database
  const log = createSpendLog(kysely)
  // Blocks are counted from here.
  const firstMs = Date.UTC(2000, 0, 1) + 1_203 * 8 * DAY_MS
  for (const day of [0, 1, 8, 16])
    await log.appendBatch([aSpendRecord({ ...nobody, endpointId: null, attempts: [], atMs: firstMs + day * DAY_MS })])
  await catchUpUsage(kysely)
  const block = `day - (day - date '2000-01-01') % 8`
  const { rows: before } = await pool.query(
    `select distinct (${block})::text as block from org_days where day >= '2026-05-01' order by 1`,
  )
  const [full] = before.map(({ block: one }) => one as string)
  // Two days with as many calls as a column can hold: what is refused is the sum.
  await pool.query(`update org_days set requests = 2147483647 where ${block} = $1`, [full])
  const closed = async () => {
    const { rows } = await pool.query(`select block::text from closed_blocks where block >= '2026-05-01' order by 1`)
    return rows.map(({ block: one }) => one as string)
  }
  const lines: string[] = []
  const follower = createUsageFollower({
    database: () => own.database,
    log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
  })
  for (let round = 0; round < 2; round += 1) await closeUsageBlocks(kysely, firstMs + 60 * DAY_MS)
  await follower.follow()
  assert.equal(follower.unclosed(), 1)
  assert.equal(JSON.parse(lines.at(-1) ?? '{}').periods, 1)
  assert.deepEqual(
    await closed(),
    before.slice(1).map(({ block: one }) => one),
  )
  const { rows } = await pool.query('select kind, first_day::text, code, reason from unclosed_periods')
  assert.deepEqual(rows, [{ kind: 'block', first_day: full, code: '22003', reason: 'integer out of range' }])
  await pool.query(`update org_days set requests = 1 where ${block} = $1`, [full])
  await takeBackSetAside(kysely)
  await closeUsageBlocks(kysely, firstMs + 60 * DAY_MS)
  assert.deepEqual([await closed(), (await countSetAside(kysely)).periods], [before.map(({ block: one }) => one), 0])
})
