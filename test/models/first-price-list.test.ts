import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { login, startGateway } from '../support/gateway.ts'

test('a price list that cannot be read at the start is a failed run of its loop, which comes again soon', async () => {
  const list = createServer((_, response) => response.writeHead(503).end())
  await new Promise<void>((resolve) => list.listen(0, '127.0.0.1', resolve))
  const { port } = list.address() as AddressInfo
  const env = { PRICE_LIST_URL: `http://127.0.0.1:${port}` }
  const gateway = await startGateway({ env, probes: true })
  const headers = { authorization: `Bearer ${await login(gateway.url)}` }
  const readLoop = async () => {
    const status = (await (await fetch(`${gateway.url}/admin/status`, { headers })).json()) as {
      readonly loops: readonly { readonly name: string; readonly last_error: string | null }[]
    }
    return status.loops.find(({ name }) => name === 'price-refresh')
  }
  const deadline = performance.now() + 120_000
  while ((await readLoop())?.last_error == null && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 50))
  assert.match(String((await readLoop())?.last_error), /status 503/)
  await gateway.stop()
  list.close()
})
