import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pino from 'pino'
import { createUsageFollower } from '../../src/loops/follow-usage.ts'
import { createSpendHours } from '../../src/stores/spend-hours.ts'
import { createSpendLog } from '../../src/stores/spend-log.ts'
import { catchUpUsage, countUncounted } from '../../src/stores/usage-rollup.ts'
import { aSpendRecord } from '../stores/samples.ts'
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
const requestsOn = async (dayMs: number): Promise<number> =>
  (await createSpendHours(own.database.kysely).totals(dayMs, dayMs + DAY_MS)).requests

test('records whose sums the database refuses are set aside, and all others are counted, once, from several sides at once', async () => {
  const { kysely, pool } = own.database
  const log = createSpendLog(kysely)
  const bad = Array.from({ length: FITTING + 3 }, dear)
  // Ordered by id when they are stored, so the bad ones stand between the good ones in every batch.
  await log.appendBatch([...bad, ...Array.from({ length: 300 }, (_, index) => ordinary(index))])
  await Promise.all([catchUpUsage(kysely), catchUpUsage(kysely), catchUpUsage(kysely)])
  assert.equal(await countUncounted(kysely), 3)
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
  const before = await countUncounted(kysely)
  await createSpendLog(kysely).appendBatch([ordinary(302)])
  await pool.query('alter function roll_up_usage(integer) rename to roll_up_usage_away')
  await assert.rejects(catchUpUsage(kysely), { code: '42883' })
  await pool.query('alter function roll_up_usage_away(integer) rename to roll_up_usage')
  await catchUpUsage(kysely)
  assert.deepEqual([await countUncounted(kysely), await requestsOn(goodDayMs)], [before, 302])
})
