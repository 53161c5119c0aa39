import assert from 'node:assert/strict'
import { test } from 'node:test'
import { untilTrue } from '../../message-path/path-client.ts'
import { promtool, samplesOf, totalOf } from '../../operations/scraped.ts'
import { createTestDatabase } from '../../support/database.ts'
import { untilReady } from '../../support/gateway.ts'
import { spawnGateway } from '../../support/gateway-process.ts'

test('a scrape shows all workers of a port, whichever it reaches', async () => {
  const database = await createTestDatabase()
  const gateway = spawnGateway({ WORKERS: '2', DATABASE_URL: database.url, PROXY_PORT: '0' })
  try {
    const url = `http://127.0.0.1:${await gateway.listening()}`
    await untilReady(url, 60_000)
    const scrape = async () => {
      // A connection of its own for each, so that different workers are reached.
      const text = await (await fetch(`${url}/metrics`, { headers: { connection: 'close' } })).text()
      return { text, samples: samplesOf(text) }
    }
    const workersIn = (samples: ReturnType<typeof samplesOf>) =>
      new Set(samples.filter(({ name }) => name === 'gateway_build_info').map(({ labels }) => labels['worker']))
    await untilTrue(async () => workersIn((await scrape()).samples).size === 2, 60_000)
    const calls = 40
    for (let call = 0; call < calls; call += 1)
      await fetch(`${url}/v1/messages`, { method: 'POST', headers: { connection: 'close' } })
    for (let round = 0; round < 10; round += 1) {
      const { text, samples } = await scrape()
      assert.deepEqual([...workersIn(samples)].sort(), ['1', '2'])
      assert.equal(totalOf(samples, 'gateway_requests_total'), calls)
      assert.deepEqual(promtool(['check', 'metrics'], text), { ok: true, output: '' })
    }
  } finally {
    gateway.kill('SIGTERM')
    await gateway.exited
    await database.drop()
  }
})
