import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { change } from '../../../src/foundation/database/change.ts'
import { createKeyStore } from '../../../src/modules/keys/keys.store.ts'
import { createSpendLog } from '../../../src/modules/spend/spend-log.store.ts'
import { gaugeOf, untilTrue } from '../../message-path/path-client.ts'
import { type ChaosProxy, startChaosProxy } from '../../support/chaos-proxy.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { addKey, login, startGateway, type TestGateway } from '../../support/gateway.ts'

let direct: TestDatabase
let proxy: ChaosProxy
let gateway: TestGateway
let first: { key: string; id: string }
let second: { key: string; id: string }

before(async () => {
  direct = await createTestDatabase()
  first = await addKey(direct.database)
  second = await addKey(direct.database)
  proxy = await startChaosProxy(direct.url)
  gateway = await startGateway({
    database: { ...direct, url: proxy.url },
    simulatorSettings: { tokenMode: 'fingerprint' },
  })
})

after(async () => {
  proxy.set('pass')
  await gateway.stop()
  await gateway.simulator.close()
  await proxy.close()
  await direct.drop()
})

const call = (key: string): Promise<Response> =>
  fetch(`${gateway.url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: 'claude-sonnet-5', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] }),
  })

for (const mode of ['refuse', 'hang'] as const) {
  test(`with a database that will ${mode}, health answers, known keys work and the password opens the door`, async () => {
    proxy.set(mode)
    // A request to a database that hangs would not be answered, so this also shows that none is made.
    assert.equal((await fetch(`${gateway.url}/health`)).status, 200)
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(first.key)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    const token = await login(gateway.url)
    const list = await fetch(`${gateway.url}/admin/teams`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ name: `team ${mode}` }),
    })
    assert.equal(list.status, 503)
    assert.equal(((await list.json()) as { error: { code: string } }).error.code, 'database_unavailable')

    proxy.set('refuse')
    proxy.set('pass')
    const ids = answers.map((answer) => answer.headers.get('request-id') ?? '')
    const log = createSpendLog(direct.database.kysely)
    await untilTrue(async () => (await Promise.all(ids.map((id) => log.find(id)))).every((found) => found.length === 1))
  })
}

test('a key revoked while this instance cannot read is refused when the database answers again', async () => {
  assert.equal((await call(second.key)).status, 200)
  proxy.set('hang')
  await change(
    direct.database,
    { sections: ['keys'], actor: { name: 'test', sourceAddress: null, requestId: null } },
    ({ tx }) => createKeyStore(tx).revoke(second.id, Date.now()),
  )
  const failedPolls = (): Promise<number> =>
    gaugeOf(gateway, 'gateway_loop_errors_total\\{[^}]*"snapshot-poll"[^}]*\\}')
  const earlier = (await failedPolls()) || 0
  await untilTrue(async () => (await failedPolls()) > earlier)
  assert.equal((await call(second.key)).status, 200)
  proxy.set('refuse')
  proxy.set('pass')
  await untilTrue(async () => (await call(second.key)).status === 401)
  assert.equal((await call(first.key)).status, 200)
})

test('a revocation is seen also while every answer of the database takes longer than a second', async () => {
  const { key, id } = await addKey(direct.database)
  await untilTrue(async () => (await call(key)).status === 200)
  proxy.delayAnswers(1_200)
  await change(
    direct.database,
    { sections: ['keys'], actor: { name: 'test', sourceAddress: null, requestId: null } },
    ({ tx }) => createKeyStore(tx).revoke(id, Date.now()),
  )
  await untilTrue(async () => (await call(key)).status === 401)
  proxy.delayAnswers(0)
  assert.equal((await call(first.key)).status, 200)
})
