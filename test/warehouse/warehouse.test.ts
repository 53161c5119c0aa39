import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { makeWorld, type SampleWorld } from '../analytics/sample-world.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'
import { isOwnStatus } from '../support/api-coverage.ts'
import { askDuckDb, fromFiles, type Row } from './duckdb.ts'
import { makeFolder, makeWriter, runNow } from './writers.ts'

const url = 'file:///srv/warehouse'

let app: ApiApp
let world: SampleWorld
before(async () => {
  app = await startApiApp({ ports: { warehouseUrl: url } })
  world = await makeWorld(app, 1_500)
})
after(() => app.stop())

const get = async (path: string) => {
  const { status, body } = await app.call('GET', path, { as: app.admin })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

const ranges = [
  ['2026-03-06', '2026-03-10'],
  ['2026-10-25', '2026-11-07'],
  ['2026-10-31', '2026-10-31'],
] as const

/** As the analytics count them: requests and errors without our own probes, money and tokens of everything. */
const sums = `
  count(*) filter (round = 0 and not is_probe)::integer as requests,
  count(distinct user_id) filter (round = 0 and not is_probe)::integer as active_users,
  sum(cost_nano_usd)::bigint as cost_nano_usd, sum(cost_usd)::varchar as cost_usd,
  sum(input_tokens)::bigint as input_tokens, sum(output_tokens)::bigint as output_tokens,
  sum(cache_read_tokens)::bigint as cache_read_tokens,
  sum(cache_write_5m_tokens + cache_write_1h_tokens)::bigint as cache_write_tokens,
  count(*) filter (not is_probe and (status >= 400 or (error_type is not null and not is_aborted)))::integer as errors,
  count(*) filter (is_unpriced)::integer as unpriced_requests,
  sum(duration_ms) filter (is_served and not is_probe and status < 400)::bigint as duration_ms,
  count(*) filter (is_served and not is_probe and status < 400)::integer as calls,
  coalesce(sum(len(string_split(tools, ','))), 0)::integer as tool_calls`

const toNano = (usd: number): string => String(Math.round(usd * 1e9))

async function writeAll(t: TestContext): Promise<string> {
  const folder = makeFolder(t)
  await app.database.pool.query('truncate warehouse_days, warehouse_files, warehouse_late')
  await runNow(app.database, makeWriter(app.database, { folder }))
  return folder
}

test('every sum over the files is that of the analytics, to the last nano-dollar', async (t) => {
  const folder = await writeAll(t)
  for (const [from, to] of ranges) {
    const within = `from ${fromFiles(folder)} where dt between '${from}' and '${to}'`
    const { totals } = await get(`/admin/analytics/org/overview?from=${from}&to=${to}&tz=UTC`)
    const [own = {}] = await askDuckDb(`select ${sums} ${within}`)
    assert.ok(totals.requests > 0)
    assert.deepEqual(
      { ...own, duration_ms: undefined, calls: undefined },
      {
        requests: totals.requests,
        active_users: totals.active_users,
        cost_nano_usd: toNano(totals.spend_usd),
        cost_usd: totals.spend_usd.toFixed(9),
        input_tokens: String(totals.input_tokens),
        output_tokens: String(totals.output_tokens),
        cache_read_tokens: String(totals.cache_read_tokens),
        cache_write_tokens: String(totals.cache_write_tokens),
        errors: totals.errors,
        unpriced_requests: totals.unpriced_requests,
        tool_calls: totals.tool_calls,
        duration_ms: undefined,
        calls: undefined,
      },
    )
    assert.equal(Number(own['duration_ms']) / Number(own['calls']), totals.avg_duration_ms)
  }
})

test('spend by person, team and model is that of the analytics, under the same names', async (t) => {
  const folder = await writeAll(t)
  const columns = { by_user: 'user_name', by_team: 'team_name', by_model: 'model' } as const
  for (const [from, to] of ranges) {
    const spend = await get(`/admin/analytics/org/spend?from=${from}&to=${to}&tz=UTC`)
    for (const [list, column] of Object.entries(columns) as [keyof typeof columns, string][]) {
      const rows = await askDuckDb(`select coalesce(${column}, '(none)') as name, ${sums} from ${fromFiles(folder)}
        where dt between '${from}' and '${to}' group by 1`)
      const toTriple = (row: Row) => [row['name'], row['cost_nano_usd'], row['requests']]
      const known = spend[list].map((row: Row) => [
        row['name'] ?? row['model'],
        toNano(Number(row['spend_usd'])),
        row['requests'],
      ])
      const files = rows.map(toTriple).filter(([, cost, requests]) => cost !== '0' || requests !== 0)
      assert.deepEqual(files.toSorted(), known.toSorted(), `${list} from ${from}`)
    }
  }
})

test('every record of the log is in the files once, with the name of its person', async (t) => {
  const folder = await writeAll(t)
  const rows = await askDuckDb(
    `select request_id, round, cost_nano_usd, user_name, epoch_ms(requested_at) as at, dt::varchar as dt from ${fromFiles(folder)}`,
  )
  const toText = (parts: readonly unknown[]): string => JSON.stringify(parts)
  assert.deepEqual(
    rows
      .map(({ request_id, round, cost_nano_usd, user_name, at, dt }) =>
        toText([request_id, round, cost_nano_usd, user_name, at, dt]),
      )
      .sort(),
    world.records
      .map((one) =>
        toText([
          one.requestId,
          one.round,
          String(one.costNanoUsd),
          one.userId === null ? null : world.names.get(one.userId),
          String(one.atMs),
          new Date(one.atMs).toISOString().slice(0, 10),
        ]),
      )
      .sort(),
  )
})

test('the route shows the last file, the records, what waits and the last failure', async (t) => {
  const folder = await writeAll(t)
  const state = await get('/admin/warehouse')
  assert.equal(state.is_on, true)
  assert.equal(state.url, url)
  assert.equal(state.records, world.records.length)
  assert.equal(state.files, 19)
  assert.equal(state.unfinished_files, 0)
  assert.equal(state.late_records, 0)
  assert.equal(state.last_file.day, '2026-11-07')
  assert.ok(state.caught_up_at !== null && state.next_run_at !== null)
  const [last = {}] = await askDuckDb(
    `select count(*)::integer as n from '${folder}/dt=2026-11-07/${state.last_file.name}'`,
  )
  assert.equal(last['n'], state.last_file.records)
  const broken = makeWriter(app.database, {
    folder,
    wrap: (destination) => ({ ...destination, prepare: () => Promise.reject(new Error('no space left')) }),
  })
  await app.database.pool.query(
    `update warehouse_files set written_at = null, listed_at = null where day = '2026-11-07'`,
  )
  await runNow(app.database, broken)
  const failed = await get('/admin/warehouse')
  assert.equal(failed.unfinished_files, 1)
  assert.equal(failed.failures, 1)
  assert.equal(failed.last_failure.reason, 'no space left')
})

test('whoever asks for a run ends the wait, and the audit trail has it', async () => {
  await app.database.pool.query(`update warehouse_state set next_run_at = now() + interval '1 hour'`)
  const { body } = await app.call('POST', '/admin/warehouse/export', { as: app.admin, body: {} })
  assert.deepEqual(body, { is_on: true })
  const { rows } = await app.database.pool.query('select next_run_at <= now() as due from warehouse_state')
  assert.equal(rows[0].due, true)
  const audit = await get('/admin/audit?action=warehouse.export')
  assert.equal(audit.data.length, 1)
  assert.equal((await app.call('POST', '/admin/warehouse/export', { as: app.admin, body: { day: 1 } })).status, 400)
})

test('every declared answer of the warehouse was exercised', () => app.assertCovered('Warehouse', isOwnStatus))
