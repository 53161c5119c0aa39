import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hello, post, toErrorContent } from '../../message-path/path-client.ts'
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

const start = JSON.stringify(hello).slice(0, -1)

test('lists inside lists do not keep the process from other calls', async () => {
  const inner = `{"strict":true,"defer_loading":true}${',0'.repeat(500_000)}`
  const body = `${start},"tools":${'['.repeat(500)}${inner}${']'.repeat(500)}}`
  const before = process.cpuUsage()
  assert.equal((await post(gateway, key, body)).status, 400)
  // Each level was read again for every field that is looked for: 12 seconds of the only thread.
  assert.ok(process.cpuUsage(before).user < 5_000_000)
})

test('a body of very many members is refused: what is noted of them would fill the process', async () => {
  const response = await post(gateway, key, `${start}${',"a":1'.repeat(20_000)}}`)
  assert.equal(response.status, 400)
  assert.match((await toErrorContent(response)).error.message, /more than 10000 members/)
})
