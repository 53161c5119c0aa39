import assert from 'node:assert/strict'
import { test } from 'node:test'
import { controlClient } from '../../../simulator/control-client.ts'
import { startSimulator } from '../../../simulator/simulator.ts'
import { faultsOf, runKillRounds } from '../../spend/kill-rounds.ts'
import { makeFolder } from '../../spend/ledger-parts.ts'
import { createTestDatabase } from '../../support/database.ts'
import { untilReady } from '../../support/gateway.ts'
import { spawnGateway } from '../../support/gateway-process.ts'

test('a process that is killed six times under load has exactly one row for every served call', async (context) => {
  const report = await runKillRounds(6)
  context.diagnostic(JSON.stringify(report))
  assert.ok(report.served > 20)
  assert.deepEqual(faultsOf(report), [])
})

test("a probe that was running when the process was killed is charged as one of the gateway's own calls", async () => {
  const simulator = await startSimulator()
  const control = controlClient(simulator.controlUrl)
  await control.script({
    match: { operation: 'InvokeModel' },
    times: null,
    behaviour: { delayMs: 60_000 },
  })
  const database = await createTestDatabase()
  const folder = await makeFolder()
  const start = () =>
    spawnGateway({
      DATABASE_URL: database.url,
      SPEND_JOURNAL_DIR: folder.path,
      AWS_ENDPOINT_URL: simulator.url,
      AWS_ACCESS_KEY_ID: simulator.accessKey,
      AWS_SECRET_ACCESS_KEY: simulator.secretKey,
      PRICING_REFRESH_ENABLED: 'false',
      ADMIN_PASSWORD: 'x',
    })
  const begun = async () => (await control.ledger()).filter(({ operation }) => operation === 'InvokeModel')
  const first = start()
  await untilReady(`http://127.0.0.1:${await first.listening()}`)
  while ((await begun()).length === 0) await new Promise((resolve) => setTimeout(resolve, 50))
  first.kill('SIGKILL')
  await first.exited
  // What was sent a moment before the end is read by the simulator a moment later.
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  const probed = new Set((await begun()).map(({ modelId }) => modelId))
  const second = start()
  try {
    await untilReady(`http://127.0.0.1:${await second.listening()}`)
    const read = async (): Promise<readonly { hosted_model: string; flags: number; cost_nano_usd: number }[]> =>
      (
        await database.database.pool.query(
          `select hosted_model, flags, cost_nano_usd from spend_log join spend_contexts on id = context_id
           where user_id is null and key_id is null`,
        )
      ).rows
    let rows = await read()
    for (; rows.length < probed.size; rows = await read()) await new Promise((resolve) => setTimeout(resolve, 50))
    assert.deepEqual(new Set(rows.map(({ hosted_model }) => hosted_model)), probed)
    // Estimated, aborted, probe; and not free.
    for (const row of rows) assert.ok(row.flags === 1 + 2 + 8 && row.cost_nano_usd > 0, JSON.stringify(row))
  } finally {
    second.kill('SIGKILL')
    await second.exited
    await database.drop()
    await simulator.close()
    await folder.remove()
  }
})
