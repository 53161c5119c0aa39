import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { failureKinds } from '../../src/foundation/domain/failure-reason.ts'
import { type SpendRecord, spendFlags } from '../../src/foundation/domain/spend-record.ts'
import { newId, newRequestId } from '../../src/foundation/platform/ids.ts'
import { createSpendLog, type SpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { aSpendRecord } from '../database/samples.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let own: TestDatabase
let log: SpendLog
before(async () => {
  own = await createTestDatabase()
  log = createSpendLog(own.database.kysely)
})
after(() => own.drop())

async function storedOf(record: SpendRecord): Promise<SpendRecord> {
  const [stored] = await log.find(record.requestId)
  assert.ok(stored, 'the record was not stored')
  return stored
}

async function countRows(): Promise<{ rows: number; cost: number }> {
  const { rows } = await sql<{ rows: number; cost: number }>`
    select count(*) as rows, coalesce(sum(cost_nano_usd), 0) as cost from spend_log`.execute(own.database.kysely)
  return rows[0] ?? { rows: 0, cost: 0 }
}

test('a record comes back as it was written', async () => {
  const first = newId()
  const second = newId()
  const records = [
    aSpendRecord(),
    aSpendRecord({
      status: 529,
      errorType: 'overloaded_error',
      reason: {
        kind: 'budget',
        code: 'budget_exceeded',
        message: 'The budget of "Ada\\Grace" is used up.',
        limit: {
          scope: 'team',
          id: first,
          name: 'platform',
          limit: 5,
          used: 5.25,
          unit: 'usd',
          resetsAtMs: 1_800_000_000_000,
        },
      },
      stopReason: null,
      endpointId: second,
      streaming: false,
      // An estimated price takes the place of none.
      flags: spendFlags.filter((flag) => flag !== 'unpriced'),
      rates: null,
      firstTokenMs: null,
      webSearches: 3,
      agentId: 'agent-7',
      parentAgentId: 'agent-1',
      tools: ['Bash', 'mcp__server__tool', 'quote"back\\slash'],
      repairs: ['removed an empty text block'],
      attempts: [
        {
          endpointId: first,
          hostedModel: 'us.model',
          status: 429,
          error: 'ThrottlingException',
          durationMs: 12,
          reason: { kind: 'throttled_by_aws', code: 'ThrottlingException', message: null, limit: null },
        },
        { endpointId: second, hostedModel: 'eu.model', status: 529, error: 'overloaded', durationMs: 40 },
      ],
    }),
    aSpendRecord({
      hostedModel: null,
      keyId: null,
      userId: null,
      teamId: null,
      attempts: [],
      sessionId: null,
      tools: [],
      betasSent: [],
      betasStripped: [],
      routing: null,
      flags: ['probe'],
    }),
    aSpendRecord({ requestId: 'req_from-elsewhere', sessionId: 'a session of another client', keyId: 'local' }),
  ]
  const result = await log.appendBatch(records)
  assert.deepEqual(result, { stored: records.length, duplicates: 0, sanitised: 0, rejected: [] })
  for (const record of records) assert.deepEqual(await storedOf(record), record)
})

test('any record is stored, and its money with it', async () => {
  const anyText = fc
    .string({ unit: 'binary', maxLength: 30, size: 'max' })
    .map((text) => `${text}\0\ud800`.slice(0, 30))
  const anyNumber = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(Number.MAX_VALUE, -1, Number.NaN))
  const anyRecord = fc
    .record({
      model: anyText,
      hostedModel: fc.option(anyText),
      errorType: fc.option(anyText),
      reason: fc.option(
        fc.record({
          kind: fc.constantFrom(...failureKinds),
          code: anyText,
          message: fc.option(anyText),
          limit: fc.constant(null),
        }),
      ),
      stopReason: fc.option(anyText),
      agentId: fc.option(anyText),
      sessionId: fc.option(anyText),
      keyId: fc.option(anyText),
      routing: fc.option(anyText),
      tools: fc.array(anyText),
      betasSent: fc.array(anyText),
      repairs: fc.array(anyText),
      durationMs: anyNumber,
      status: anyNumber,
      atMs: anyNumber,
      inputTokens: anyNumber,
      costNanoUsd: fc.integer({ min: 0 }),
    })
    .map(({ inputTokens, ...values }) => aSpendRecord({ ...values, usage: { ...aSpendRecord().usage, inputTokens } }))
  await fc.assert(
    fc.asyncProperty(fc.array(anyRecord, { minLength: 1, maxLength: 20, size: 'max' }), async (records) => {
      const earlier = await countRows()
      const result = await log.appendBatch(records)
      const later = await countRows()
      assert.equal(result.rejected.length, 0)
      assert.equal(later.rows - earlier.rows, records.length)
      assert.equal(
        later.cost - earlier.cost,
        records.reduce((sum, record) => sum + record.costNanoUsd, 0),
      )
    }),
    { numRuns: 40 },
  )
})

test('a record of a journal that knew no reasons is stored without one', async () => {
  const { reason: _reason, ...old } = aSpendRecord({ status: 500, errorType: 'api_error' })
  assert.equal((await log.appendBatch([old as SpendRecord])).stored, 1)
  assert.equal((await log.find(old.requestId))[0]?.reason, null)
})

test('sending a batch again, or twice at the same time, stores nothing twice', async () => {
  const records = Array.from({ length: 300 }, () => aSpendRecord())
  const both = await Promise.all([log.appendBatch(records), log.appendBatch(records.toReversed())])
  assert.equal(both[0].stored + both[1].stored, 300)
  assert.equal(both[0].duplicates + both[1].duplicates, 300)
  const again = await log.appendBatch(records)
  assert.deepEqual([again.stored, again.duplicates], [0, 300])
})

test('rounds of one request are different records', async () => {
  const requestId = newRequestId()
  const rounds = [0, 1, 2].map((round) => aSpendRecord({ requestId, round, atMs: Date.UTC(2026, 5, 15) + round }))
  assert.equal((await log.appendBatch(rounds)).stored, 3)
  assert.deepEqual(
    (await log.find(requestId)).map((record) => record.round),
    [0, 1, 2],
  )
})

test('absurd counts are clamped and flagged, never wrapped', async () => {
  const usage = {
    inputTokens: 2 ** 40,
    outputTokens: -5,
    cacheReadTokens: Number.NaN,
    cacheWrite5mTokens: Number.POSITIVE_INFINITY,
    cacheWrite1hTokens: 7,
  }
  const record = aSpendRecord({ usage, costNanoUsd: 1e300, round: 99_999, flags: ['estimated'] })
  const result = await log.appendBatch([record])
  assert.deepEqual([result.stored, result.sanitised], [1, 1])
  const stored = await storedOf(record)
  assert.deepEqual(stored.usage, {
    inputTokens: 2_147_483_647,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWrite5mTokens: 2_147_483_647,
    cacheWrite1hTokens: 7,
  })
  assert.equal(stored.costNanoUsd, Number.MAX_SAFE_INTEGER)
  assert.deepEqual(stored.flags, ['estimated', 'clamped'])
})

test('10,000 good records with 1,200 poisonous ones among them are all stored', async (context) => {
  const poison: ((good: SpendRecord) => Partial<SpendRecord>)[] = [
    () => ({ model: 'nul\0' }),
    () => ({ model: '\ud800 half a pair' }),
    () => ({ tools: ['x'.repeat(1_000_000)] }),
    () => ({ keyId: newId(), userId: newId(), teamId: newId() }),
    (good) => ({ usage: { ...good.usage, inputTokens: 1e18 } }),
    () => ({ costNanoUsd: Number.NaN }),
    () => ({ model: '' }),
    () => ({ sessionId: '\0' }),
    () => ({ atMs: 1e17 }),
    () => ({ routing: '{"a\\u0000": "\udfff"}' }),
    () => ({ endpointId: 'not-a-uuid', attempts: [] }),
    () => ({ betasSent: Array.from({ length: 10_000 }, () => 'beta') }),
  ]
  const records = Array.from({ length: 11_200 }, (_, index) => {
    const good = aSpendRecord()
    const kind = index % 28 < 3 ? poison[(Math.floor(index / 28) * 3 + (index % 28)) % poison.length] : undefined
    return kind === undefined ? good : { ...good, ...kind(good) }
  })
  const earlier = await countRows()
  const startedMs = performance.now()
  const result = await log.appendBatch(records)
  context.diagnostic(`${records.length} records in ${(performance.now() - startedMs).toFixed(0)} ms`)
  assert.equal(result.stored, records.length)
  assert.equal(result.rejected.length, 0)
  // Nine of the twelve kinds hold something that has to change; the other three are strange, but storable.
  assert.equal(result.sanitised, 900)
  assert.equal((await countRows()).rows - earlier.rows, records.length)
})

test('a batch with more values than a statement may bind is stored, 500 rows or more with a statement', async () => {
  let statements = 0
  const counted = own.database.kysely.withPlugin({
    transformQuery: ({ node }) => {
      statements += 1
      return node
    },
    transformResult: async ({ result }) => result,
  })
  // 29 columns: one statement with a bind for each value would end at 2,259 rows.
  const records = Array.from({ length: 5_000 }, () => aSpendRecord())
  assert.equal((await createSpendLog(counted).appendBatch(records)).stored, 5_000)
  assert.ok(statements <= 10, `${statements} statements`)
})

test('a row that the database itself refuses is stored in its barest form; its neighbours are untouched', async () => {
  const { kysely } = own.database
  await sql`alter table spend_log add constraint no_poison check (model <> 'poison') not valid`.execute(kysely)
  try {
    const records = Array.from({ length: 50 }, (_, index) => aSpendRecord(index === 17 ? { model: 'poison' } : {}))
    const result = await log.appendBatch(records)
    assert.deepEqual([result.stored, result.sanitised, result.rejected.length], [50, 1, 0])
    const refused = records[17] as SpendRecord
    const stored = await storedOf(refused)
    assert.equal(stored.model, 'unreadable')
    assert.equal(stored.costNanoUsd, refused.costNanoUsd)
    assert.equal(stored.userId, refused.userId)
    assert.deepEqual(await storedOf(records[18] as SpendRecord), records[18])
  } finally {
    await sql`alter table spend_log drop constraint no_poison`.execute(kysely)
  }
})

test('a row that is refused in every form is handed back, and the others are stored', async () => {
  const { kysely } = own.database
  const cursed = newId()
  await sql`alter table spend_log add constraint no_user check (user_id <> ${sql.lit(cursed)}::uuid) not valid`.execute(
    kysely,
  )
  try {
    const records = [aSpendRecord(), aSpendRecord({ userId: cursed }), aSpendRecord()]
    const result = await log.appendBatch(records)
    assert.deepEqual(result, { stored: 2, duplicates: 0, sanitised: 0, rejected: [records[1]] })
  } finally {
    await sql`alter table spend_log drop constraint no_user`.execute(kysely)
  }
})

test('a typical row takes less than 250 bytes', async (context) => {
  const record = aSpendRecord()
  await log.appendBatch([record])
  const { rows } = await sql<{ size: number }>`
    select pg_column_size(spend_log.*) as size from spend_log
    where request_id = ${record.requestId.slice(4)}::uuid`.execute(own.database.kysely)
  context.diagnostic(`${rows[0]?.size} bytes`)
  assert.ok((rows[0]?.size ?? 1_000) < 250, `${rows[0]?.size}`)
})
