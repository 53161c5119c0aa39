import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createSpendLog } from '../../../src/modules/spend/spend-log.store.ts'
import { createRandom } from '../../analytics/sample-world.ts'
import { aSpendRecord } from '../../database/samples.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { spawnGateway } from '../../support/gateway-process.ts'
import { askDuckDb, fromFiles } from '../../warehouse/duckdb.ts'
import { listFiles, makeFolder, makeWriter, readManifest, runNow } from '../../warehouse/writers.ts'

let own: TestDatabase
before(async () => {
  own = await createTestDatabase()
})
after(() => own.drop())

const days = ['2026-06-12', '2026-06-13', '2026-06-14', '2026-06-15']

async function store(count: number): Promise<void> {
  for (const day of days)
    await createSpendLog(own.database.kysely).appendBatch(
      Array.from({ length: count }, (_, index) =>
        aSpendRecord({ atMs: Date.parse(`${day}T00:00:00Z`) + index * 4, costNanoUsd: 1_000_003 }),
      ),
    )
}

/** What the time would do: nobody waits two minutes for the right of a killed process to run out. */
const letRightRunOut = () =>
  own.database.pool.query(`update warehouse_state set next_run_at = now(), held_until = now() - interval '1 second'`)

test('writers that are killed at any moment, two at a time, leave each record in exactly one file', async (t) => {
  const folder = makeFolder(t)
  const random = createRandom(7)
  await store(6_000)
  const start = () => {
    const child = spawn(process.execPath, ['test/warehouse/programs/write-files.ts', own.url, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    return { child, ready: once(child.stdout, 'data') }
  }
  let killedWhileWriting = 0
  for (let round = 0; round < 8; round++) {
    await letRightRunOut()
    const writers = [start(), start()]
    await Promise.all(writers.map(({ ready }) => ready))
    await store(50)
    await delay(200 + random.below(2_500))
    for (const { child } of writers) child.kill('SIGKILL')
    await Promise.all(writers.map(({ child }) => once(child, 'exit')))
    if (listFiles(folder).some((file) => file.includes('/.'))) killedWhileWriting += 1
  }
  assert.ok(killedWhileWriting > 0, 'no writer was killed in the middle of a file')
  await letRightRunOut()
  await runNow(own.database, makeWriter(own.database, { folder }))
  const { rows } = await own.database.pool.query(
    'select count(*) as records, sum(cost_nano_usd) as cost from spend_log',
  )
  assert.deepEqual(
    await askDuckDb(
      `select count(*)::integer as records, count(distinct request_id)::integer as ids, sum(cost_nano_usd)::bigint as cost from ${fromFiles(folder)}`,
    ),
    [{ records: rows[0].records, ids: rows[0].records, cost: String(rows[0].cost) }],
  )
  assert.deepEqual(
    listFiles(folder).filter((file) => file.includes('/.')),
    [],
  )
  for (const day of days) {
    const listed = readManifest(folder, day).files.map(({ name }) => `dt=${day}/${name}`)
    assert.deepEqual(
      listed.sort(),
      listFiles(folder).filter((file) => file.startsWith(`dt=${day}/causeway`)),
    )
  }
})

test('a gateway with WAREHOUSE_URL writes the complete days by itself', async (t) => {
  const folder = makeFolder(t)
  await own.database.pool.query('truncate spend_log, warehouse_days, warehouse_files, warehouse_late')
  await letRightRunOut()
  const daysAgo = (count: number): number => Date.now() - count * 86_400_000
  await createSpendLog(own.database.kysely).appendBatch(
    [daysAgo(3), daysAgo(2), Date.now()].map((atMs) => aSpendRecord({ atMs })),
  )
  const gateway = spawnGateway({ DATABASE_URL: own.url, WAREHOUSE_URL: `file://${folder}`, ADMIN_PASSWORD: 'x' })
  t.after(() => gateway.kill('SIGKILL'))
  await gateway.listening()
  const giveUpMs = performance.now() + 240_000
  while (listFiles(folder).filter((file) => file.endsWith('_manifest.json')).length < 2) {
    assert.ok(performance.now() < giveUpMs, gateway.output())
    await delay(500)
  }
  assert.deepEqual(await askDuckDb(`select count(*)::integer as n from ${fromFiles(folder)}`), [{ n: 2 }])
  gateway.kill('SIGTERM')
  assert.equal(await gateway.exited, 0)
})
