import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { asEvent, hello, post, requestIdOf } from '../../message-path/path-client.ts'
import { addKey, startGateway, type TestGateway } from '../../support/gateway.ts'

let gateway: TestGateway
let key = ''
before(async () => {
  gateway = await startGateway({
    prepare: async (database) => {
      key = (await addKey(database)).key
    },
  })
})
after(() => gateway.stop())

test('records that cannot be stored as they came are told, once a minute however many there are', async () => {
  const told = () => gateway.logLines.filter((line) => line.includes('not as they came'))
  await asEvent(gateway, requestIdOf(await post(gateway, key, hello)))
  assert.deepEqual(told(), [])
  for (let call = 0; call < 3; call += 1) {
    const refused = await post(gateway, key, { ...hello, model: 'claude-\0-none' })
    assert.equal(refused.status, 404)
    assert.equal((await asEvent(gateway, requestIdOf(refused))).model, 'claude-\u{fffd}-none')
  }
  assert.equal(told().length, 1)
  assert.equal(JSON.parse(told()[0] ?? '{}').records, 1)
})
