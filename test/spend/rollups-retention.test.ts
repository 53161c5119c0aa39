import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { appendAudit } from '../../src/foundation/database/audit.ts'
import { newId } from '../../src/foundation/platform/ids.ts'
import { forgetOldBudgetSpend } from '../../src/modules/budgets/budget-spend.store.ts'
import { createSpendHours } from '../../src/modules/spend/spend-hours.store.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { createSpendPartitions } from '../../src/modules/spend/spend-partitions.store.ts'
import { dropOldRecords } from '../../src/modules/spend/spend-retention.loop.ts'
import { catchUpUsage } from '../../src/modules/spend/usage/usage-rollup.store.ts'
import { actor, aSpendRecord } from '../database/samples.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let own: TestDatabase
before(async () => {
  own = await createTestDatabase()
})
after(() => own.drop())

const HOUR_MS = 3_600_000
const forgetOld = [forgetOldBudgetSpend]
const DAY_MS = 24 * HOUR_MS

test('the hourly sums hold every stored record once, however often and from how many sides it is sent and counted', async () => {
  const log = createSpendLog(own.database.kysely)
  const teams = [newId(), newId(), null]
  const fromMs = Date.UTC(2026, 2, 1)
  const records = Array.from({ length: 600 }, (_, index) =>
    aSpendRecord({
      atMs: fromMs + (index % 7) * HOUR_MS + index,
      teamId: teams[index % 3] ?? null,
      userId: null,
      status: index % 10 === 0 ? 429 : 200,
      costNanoUsd: index,
      tools: index % 2 === 0 ? ['Bash', 'Read'] : [],
    }),
  )
  const count = () => catchUpUsage(own.database.kysely)
  await Promise.all([
    log.appendBatch(records),
    count(),
    log.appendBatch(records.toReversed()),
    count(),
    log.appendBatch(records).then(count),
    count(),
  ])
  const totals = await createSpendHours(own.database.kysely).totals(fromMs, fromMs + DAY_MS)
  const sum = (read: (record: (typeof records)[number]) => number): number =>
    records.reduce((total, record) => total + read(record), 0)
  assert.deepEqual(totals, {
    requests: 600,
    errors: 60,
    costNanoUsd: sum((record) => record.costNanoUsd),
    inputTokens: sum((record) => record.usage.inputTokens),
    outputTokens: sum((record) => record.usage.outputTokens),
  })
  const differences = await own.database.pool.query(`
    with log as (
      select date_trunc('hour', at, 'UTC') as hour, count(*) as requests, sum(cost_nano_usd) as cost,
        sum(coalesce(array_length(string_to_array(tools, E'\\n'), 1), 0)) as tools
      from spend_log group by 1
    ), hours as (
      select hour, sum(requests) as requests, sum(cost_nano_usd) as cost, sum(tool_calls) as tools
      from spend_hours group by 1
    )
    select * from log full join hours using (hour)
    where (log.requests, log.cost, log.tools) is distinct from (hours.requests, hours.cost, hours.tools)`)
  assert.deepEqual(differences.rows, [])
})

test('retention drops whole days and old audit rows, keeps the rest, and the sums stay', async () => {
  const { database } = own
  const log = createSpendLog(database.kysely)
  const partitions = createSpendPartitions(database.kysely)
  const nowMs = Date.UTC(2026, 9, 20, 12)
  await partitions.ensure('2026-10-10', 11)
  const young = aSpendRecord({ atMs: nowMs - 4 * DAY_MS })
  const old = aSpendRecord({ atMs: nowMs - 8 * DAY_MS })
  await log.appendBatch([young, old])
  await appendAudit(database.kysely, actor, [{ action: 'test', target: null }])
  const settings = { spend_retention_days: 5, audit_retention_days: 30 }
  const ports = { database: () => database, settings: () => settings, nowMs: () => nowMs, forgetOld }
  const [one, two] = await Promise.all([dropOldRecords(ports), dropOldRecords(ports)])
  const dropped = new Set([...one.droppedDays, ...two.droppedDays])
  assert.deepEqual([...dropped].filter((day) => day >= '2026-10-10').sort(), [
    '2026-10-10',
    '2026-10-11',
    '2026-10-12',
    '2026-10-13',
    '2026-10-14',
  ])
  assert.deepEqual([(await log.find(young.requestId)).length, (await log.find(old.requestId)).length], [1, 0])
  const day = Date.UTC(2026, 9, 12)
  assert.equal((await createSpendHours(database.kysely).totals(day, day + DAY_MS)).requests, 1)
  assert.equal((await database.pool.query('select 1 from audit_log')).rowCount, 1)
})

test('the sums of budgets go with the records, but never those that a running period needs', async () => {
  const { database } = own
  const nowMs = Date.UTC(2028, 2, 31, 12)
  const userId = newId()
  const daysAgo = [0, 31, 33, 90]
  await createSpendLog(database.kysely).appendBatch(
    daysAgo.map((days) => aSpendRecord({ userId, atMs: nowMs - days * DAY_MS })),
  )
  const keptWith = async (retentionDays: number) => {
    const settings = () => ({ spend_retention_days: retentionDays, audit_retention_days: 3_650 })
    await dropOldRecords({ database: () => database, settings, nowMs: () => nowMs, forgetOld })
    const query = `select day::text from spend_days where scope = 'user' and subject_id = $1 order by day`
    return (await database.pool.query(query, [userId])).rows.map(({ day }) => day)
  }
  assert.deepEqual(await keptWith(60), ['2028-02-27', '2028-02-29', '2028-03-31'])
  assert.deepEqual(await keptWith(1), ['2028-02-29', '2028-03-31'])
})

test('sessions go after the longest range, sums of charts after the one before it', async () => {
  const { database, drop } = await createTestDatabase()
  const nowMs = Date.UTC(2028, 2, 31, 12)
  const daysAgo = [399, 401, 800, 802]
  await createSpendLog(database.kysely).appendBatch(
    daysAgo.map((days) => aSpendRecord({ sessionId: newId(), atMs: nowMs - days * DAY_MS })),
  )
  const settings = () => ({ spend_retention_days: 30, audit_retention_days: 30 })
  await dropOldRecords({ database: () => database, settings, nowMs: () => nowMs, forgetOld })
  const { rows } = await database.pool.query(
    'select (select count(*) from spend_sessions) as sessions, (select count(*) from org_days) as days',
  )
  assert.deepEqual(rows, [{ sessions: 1, days: 3 }])
  await drop()
})

test('what takes longer than a statement may take is dropped all the same', async () => {
  const { database, drop } = await createTestDatabase({ statementTimeoutMs: 1_000 })
  const { pool } = database
  await pool.query(`insert into audit_log (id, at, actor, action)
    values (gen_random_uuid(), now() - interval '400 days', 'admin', 'test')`)
  await pool.query(`create function take_long() returns trigger language plpgsql as $$
    begin perform pg_sleep(1.5); return null; end $$`)
  await pool.query('create trigger takes_long before delete on audit_log execute function take_long()')
  const settings = () => ({ spend_retention_days: 400, audit_retention_days: 365 })
  const { auditRows } = await dropOldRecords({ database: () => database, settings, nowMs: Date.now, forgetOld })
  assert.equal(auditRows, 1)
  await drop()
})

test('the rounds of one request are records of their own, with their searches in every sum, however often they are written', async () => {
  const { database } = own
  const log = createSpendLog(database.kysely)
  const first = aSpendRecord({ atMs: Date.UTC(2028, 5, 1, 9), model: 'claude-with-search' })
  const rounds = [0, 1, 2].map((round) => ({ ...first, round, webSearches: 3 - round, costNanoUsd: 10 }))
  await log.appendBatch(rounds)
  await log.appendBatch(rounds)
  const stored = await log.find(first.requestId)
  assert.deepEqual(stored.map(({ round, webSearches }) => [round, webSearches]).sort(), [
    [0, 3],
    [1, 2],
    [2, 1],
  ])
  await catchUpUsage(database.kysely)
  const { rows } = await database.pool.query(
    `select web_searches, cost_nano_usd from spend_hours join spend_facets on spend_facets.id = facet_id
     where model = 'claude-with-search'`,
  )
  assert.deepEqual(rows, [{ web_searches: 6, cost_nano_usd: 30 }])
})

test('without a database there is nothing to drop', async () => {
  const settings = () => ({ spend_retention_days: 1, audit_retention_days: 1 })
  const result = await dropOldRecords({ database: () => undefined, settings, nowMs: Date.now, forgetOld })
  assert.deepEqual(result, { droppedDays: [], auditRows: 0 })
})
