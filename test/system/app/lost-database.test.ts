import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gaugeOf, untilTrue } from '../../message-path/path-client.ts'
import { startChaosProxy } from '../../support/chaos-proxy.ts'
import { createTestDatabase } from '../../support/database.ts'
import { untilReady } from '../../support/gateway.ts'
import { type GatewayProcess, spawnGateway } from '../../support/gateway-process.ts'

async function started(databaseUrl: string): Promise<GatewayProcess> {
  const gateway = spawnGateway({ DATABASE_URL: databaseUrl })
  await untilReady(`http://127.0.0.1:${await gateway.listening()}`)
  return gateway
}

for (const [step, text] of [
  ['opens its journal', 'ledger-id'],
  ['reads the first snapshot', 'repeatable read'],
] as const)
  test(`a database that is lost while the gateway ${step} is waited for`, async () => {
    const direct = await createTestDatabase()
    const proxy = await startChaosProxy(direct.url)
    proxy.swallowNextAnswerTo(text)
    const gateway = await started(proxy.url)
    assert.equal(proxy.swallowed(), 1)
    gateway.kill('SIGTERM')
    assert.equal(await gateway.exited, 0)
    await proxy.close()
    await direct.drop()
  })

test('a database that hangs does not hold up the end', async () => {
  const direct = await createTestDatabase()
  const proxy = await startChaosProxy(direct.url)
  const gateway = await started(proxy.url)
  proxy.set('hang')
  const url = `http://127.0.0.1:${await gateway.listening()}`
  // Until a loop has waited for it in vain.
  await untilTrue(async () => (await gaugeOf({ url }, 'gateway_loop_errors_total\\{[^}]*"snapshot-poll"[^}]*\\}')) > 0)
  gateway.kill('SIGTERM')
  assert.equal(await gateway.exited, 0)
  await proxy.close()
  await direct.drop()
})
