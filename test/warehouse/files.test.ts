import assert from 'node:assert/strict'
import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import type { Destination } from '../../src/extensions/warehouse/destination.ts'
import { spendFileColumns } from '../../src/extensions/warehouse/spend-columns.ts'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { aSpendRecord } from '../database/samples.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { askDuckDb, fromFiles } from './duckdb.ts'
import { listFiles, makeFolder, makeWriter, readManifest, runNow } from './writers.ts'

let own: TestDatabase
before(async () => {
  own = await createTestDatabase()
})
after(() => own.drop())
beforeEach(() =>
  own.database.pool.query(`truncate spend_log, warehouse_days, warehouse_files, warehouse_late;
    update warehouse_state set held_until = now() - interval '1 second', failures = 0, failure = null, failed_at = null`),
)

const store = (records: readonly SpendRecord[]) => createSpendLog(own.database.kysely).appendBatch(records)
const atDay = (day: string, values: Partial<SpendRecord> = {}): SpendRecord =>
  aSpendRecord({ atMs: Date.parse(`${day}T12:00:00Z`), ...values })
const many = (count: number, day: string): SpendRecord[] =>
  Array.from({ length: count }, (_, index) => atDay(day, { atMs: Date.parse(`${day}T00:00:00Z`) + index * 1_000 }))

const countIn = async (folder: string) =>
  (
    await askDuckDb(`select count(*)::integer as records, count(distinct request_id || '/' || round)::integer as ids
      from ${fromFiles(folder)}`)
  )[0]

test('each complete day is one file, and the open day is not written', async (t) => {
  const folder = makeFolder(t)
  await store([...many(3, '2026-06-15'), ...many(2, '2026-06-17'), ...many(4, '2026-06-18')])
  await runNow(own.database, makeWriter(own.database, { folder, openDay: '2026-06-18' }))
  assert.deepEqual(
    listFiles(folder).map((file) => file.replace(/-[0-9a-f]{12}\.parquet$/, '-….parquet')),
    [
      'dt=2026-06-15/_manifest.json',
      'dt=2026-06-15/causeway-2026-06-15-0001-….parquet',
      'dt=2026-06-17/_manifest.json',
      'dt=2026-06-17/causeway-2026-06-17-0001-….parquet',
    ],
  )
  assert.deepEqual(
    await askDuckDb(`select dt::text as dt, count(*)::integer as n from ${fromFiles(folder)} group by 1 order by 1`),
    [
      { dt: '2026-06-15', n: 3 },
      { dt: '2026-06-17', n: 2 },
    ],
  )
})

test('a record has every value as it is stored, and costs are exact', async (t) => {
  const folder = makeFolder(t)
  const record = atDay('2026-06-15', {
    atMs: Date.parse('2026-06-15T23:59:59.987Z'),
    costNanoUsd: 9_007_199_254_740_991,
    tools: ['Bash', 'Read'],
    flags: ['estimated', 'price_estimated'],
    model: 'größe "x", y',
    firstTokenMs: null,
    webSearches: 3,
    round: 2,
  })
  await store([record])
  await runNow(own.database, makeWriter(own.database, { folder }))
  const [row = {}] = await askDuckDb(`select * from ${fromFiles(folder)}`)
  assert.deepEqual(Object.keys(row), [...spendFileColumns.map(({ name }) => name), 'dt'])
  assert.deepEqual(row, {
    request_id: record.requestId,
    round: 2,
    requested_at: '2026-06-15 23:59:59.987',
    status: 200,
    is_served: true,
    user_id: record.userId,
    user_name: null,
    team_id: record.teamId,
    team_name: null,
    key_id: record.keyId,
    key_name: null,
    endpoint_id: record.endpointId,
    endpoint_name: null,
    model: record.model,
    hosted_model: record.hostedModel,
    session_id: record.sessionId,
    agent_id: null,
    parent_agent_id: null,
    tools: 'Bash,Read',
    stop_reason: 'tool_use',
    error_type: null,
    reason_kind: null,
    streaming: true,
    input_tokens: '12',
    output_tokens: '431',
    cache_read_tokens: '48211',
    cache_write_5m_tokens: '1204',
    cache_write_1h_tokens: '0',
    web_searches: 3,
    cost_nano_usd: '9007199254740991',
    cost_usd: '9007199.254740991',
    rate_input_usd: '3.000000000',
    rate_output_usd: '15.000000000',
    rate_cache_read_usd: '0.300000000',
    rate_cache_write_5m_usd: '3.750000000',
    rate_cache_write_1h_usd: '6.000000000',
    duration_ms: '8312',
    first_token_ms: null,
    is_estimated: true,
    is_aborted: false,
    is_unpriced: true,
    is_price_estimated: true,
    is_probe: false,
    is_clamped: false,
    dt: '2026-06-15',
  })
})

test('a day of several pieces and row groups has every record once', async (t) => {
  const folder = makeFolder(t)
  await store(many(11_003, '2026-06-15'))
  await runNow(own.database, makeWriter(own.database, { folder }))
  assert.deepEqual(await countIn(folder), { records: 11_003, ids: 11_003 })
  const groups = await askDuckDb(
    `select row_group_num_rows::integer as n from parquet_metadata('${folder}/dt=*/*.parquet') group by row_group_id, 1 order by row_group_id`,
  )
  assert.deepEqual(
    groups.map(({ n }) => n),
    [3_000, 3_000, 3_000, 2_003],
  )
})

test('records that come late are in a later file of their day, and repetitions in none', async (t) => {
  const folder = makeFolder(t)
  const writer = makeWriter(own.database, { folder })
  const first = many(3, '2026-06-15')
  await store(first)
  await runNow(own.database, writer)
  const late = [...many(2, '2026-06-15'), ...many(1, '2026-06-14')]
  await store([...first, ...late])
  await store(late)
  await runNow(own.database, writer)
  await runNow(own.database, writer)
  assert.deepEqual(await countIn(folder), { records: 6, ids: 6 })
  assert.equal(listFiles(folder).filter((file) => file.endsWith('.parquet')).length, 3)
  const manifest = readManifest(folder, '2026-06-15')
  assert.deepEqual(
    manifest.files.map(({ part, records }) => [part, records]),
    [
      [1, 3],
      [2, 2],
    ],
  )
  assert.equal(manifest.records, 5)
  assert.equal(manifest.cost_nano_usd, String(5 * 25_479_300))
})

/** Fails or breaks off as often as it is told. */
function breakAt(step: 'before' | 'after' | 'manifest', times: number): (destination: Destination) => Destination {
  let left = times
  const fail = (): void => {
    left -= 1
    if (left >= 0) throw new Error('the place is away')
  }
  return (destination) => ({
    ...destination,
    publish: async (from, folder, name) => {
      if (step === 'before') fail()
      await destination.publish(from, folder, name)
      if (step === 'after') fail()
    },
    publishText: async (text, folder, name) => {
      if (step === 'manifest') fail()
      await destination.publishText(text, folder, name)
    },
  })
}

for (const step of ['before', 'after', 'manifest'] as const)
  test(`a run that fails ${step === 'manifest' ? 'at the manifest' : `${step} the file is in place`} is repeated by another instance without doubling a record`, async (t) => {
    const folder = makeFolder(t)
    await store([...many(3, '2026-06-15'), ...many(2, '2026-06-16')])
    const broken = makeWriter(own.database, { folder, wrap: breakAt(step, 1) })
    await runNow(own.database, broken)
    const failed = await own.database.pool.query('select failures from warehouse_state')
    assert.deepEqual(failed.rows, [{ failures: 1 }])
    const planned = await own.database.pool.query('select name from warehouse_files')
    // Comes between the two tries, and must be in a file of its own.
    await store(many(4, '2026-06-15'))
    await runNow(own.database, makeWriter(own.database, { folder }))
    assert.deepEqual(await countIn(folder), { records: 9, ids: 9 })
    assert.equal(listFiles(folder).filter((file) => file.endsWith('.parquet')).length, 3)
    assert.ok(listFiles(folder).some((file) => file.endsWith(planned.rows[0].name)))
    assert.deepEqual(
      readManifest(folder, '2026-06-15').files.map(({ records }) => records),
      [3, 4],
    )
  })

test('a failure is logged and noted, and the next try waits longer each time', async (t) => {
  const folder = makeFolder(t)
  const lines: string[] = []
  await store(many(1, '2026-06-15'))
  const writer = makeWriter(own.database, { folder, wrap: breakAt('before', 3), lines })
  const waits: number[] = []
  for (let tries = 0; tries < 3; tries++) {
    await runNow(own.database, writer)
    const { rows } = await own.database.pool.query(
      'select failures, failure, round(extract(epoch from next_run_at - failed_at) / 60) as minutes from warehouse_state',
    )
    assert.equal(rows[0].failure, 'the place is away')
    waits.push(Number(rows[0].minutes))
  }
  assert.deepEqual(waits, [1, 2, 4])
  assert.equal(lines.filter((line) => line.includes('could not be written')).length, 3)
  await runNow(own.database, writer)
  const { rows } = await own.database.pool.query('select failures, caught_up_at from warehouse_state')
  assert.equal(rows[0].failures, 0)
  assert.ok(rows[0].caught_up_at)
})

test('nothing is done before a run is due, and only one instance has the run', async (t) => {
  const folder = makeFolder(t)
  const writer = makeWriter(own.database, { folder })
  await store(many(1, '2026-06-15'))
  await own.database.pool.query(`update warehouse_state set next_run_at = now() + interval '1 minute'`)
  await writer.run(new AbortController().signal)
  await own.database.pool.query(
    `update warehouse_state set held_until = now() + interval '1 minute', holder = 'another'`,
  )
  await runNow(own.database, writer)
  assert.deepEqual(listFiles(folder), [])
})

test('an instance that was thought dead does not note what it wrote', async (t) => {
  const folder = makeFolder(t)
  await store(many(1, '2026-06-15'))
  const takenOver = (destination: Destination): Destination => ({
    ...destination,
    publish: async (from, home, name) => {
      await own.database.pool.query(`update warehouse_state set holder = 'another'`)
      await destination.publish(from, home, name)
    },
  })
  const writer = makeWriter(own.database, { folder, wrap: takenOver })
  await runNow(own.database, writer)
  const { rows } = await own.database.pool.query('select written_at from warehouse_files')
  assert.deepEqual(rows, [{ written_at: null }])
})

test('records that are stored while several instances write are in exactly one file', async (t) => {
  const folder = makeFolder(t)
  const days = ['2026-06-13', '2026-06-14', '2026-06-15']
  let stored = 0
  let isStoring = true
  const storing = (async () => {
    for (let round = 0; round < 60; round++) {
      const records = days.flatMap((day) => many(5, day))
      stored += (await store(records)).stored
    }
    isStoring = false
  })()
  const writers = [makeWriter(own.database, { folder }), makeWriter(own.database, { folder })]
  // Several at once on purpose, as after a restart of all instances.
  while (isStoring) await Promise.all(writers.map((writer) => runNow(own.database, writer)))
  await storing
  await runNow(own.database, writers[0] as (typeof writers)[number])
  assert.deepEqual(await countIn(folder), { records: stored, ids: stored })
})

test('a record whose transaction is open while its day is closed is waited for', async (t) => {
  const folder = makeFolder(t)
  await store(many(1, '2026-06-15'))
  const open = Promise.withResolvers<void>()
  const storing = own.database.kysely.transaction().execute(async (tx) => {
    await createSpendLog(tx).appendBatch(many(2, '2026-06-15'))
    await open.promise
  })
  const waits = async () =>
    (await own.database.pool.query(`select from pg_locks where locktype = 'advisory' and not granted`)).rowCount
  const writing = runNow(own.database, makeWriter(own.database, { folder }))
  let isWritten = false
  void writing.then(() => {
    isWritten = true
  })
  while ((await waits()) === 0 && !isWritten) await new Promise((resolve) => setTimeout(resolve, 10))
  open.resolve()
  await Promise.all([storing, writing])
  assert.deepEqual(await countIn(folder), { records: 3, ids: 3 })
  assert.deepEqual(readManifest(folder, '2026-06-15').records, 3)
})

test('a day whose records were dropped before they could be written leaves no file', async (t) => {
  const folder = makeFolder(t)
  await store(many(1, '2026-06-15'))
  await runNow(own.database, makeWriter(own.database, { folder, wrap: breakAt('before', 1) }))
  await own.database.pool.query('truncate spend_log')
  await runNow(own.database, makeWriter(own.database, { folder }))
  assert.deepEqual(listFiles(folder), ['dt=2026-06-15/_manifest.json'])
  assert.deepEqual(readManifest(folder, '2026-06-15').files, [])
})

test('what a killed instance left behind is removed with the next try', async (t) => {
  const folder = makeFolder(t)
  await store(many(1, '2026-06-15'))
  const killed = (destination: Destination): Destination => ({
    ...destination,
    prepare: async (home, name) => {
      const temporary = await destination.prepare(home, name)
      await import('node:fs/promises').then(({ writeFile }) => writeFile(temporary, 'half a file'))
      throw new Error('killed')
    },
  })
  await runNow(own.database, makeWriter(own.database, { folder, wrap: killed }))
  const home = path.join(folder, 'dt=2026-06-15')
  assert.equal(readdirSync(home).length, 1)
  await runNow(own.database, makeWriter(own.database, { folder }))
  assert.deepEqual(
    readdirSync(home).filter((name) => name.startsWith('.')),
    [],
  )
  assert.deepEqual(await countIn(folder), { records: 1, ids: 1 })
  rmSync(folder, { recursive: true })
})
