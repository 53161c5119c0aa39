import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startGateway, type TestGateway } from '../support/gateway.ts'

let gateway: TestGateway
before(async () => {
  gateway = await startGateway({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
})
after(() => gateway.stop())

for (const [method, path] of [
  ['GET', '/auth/cli/login'],
  ['POST', '/oauth/device_authorization'],
] as const) {
  test(`${path}: all addresses of one IPv6 network have the starts of one, and its neighbour has its own`, async () => {
    const begin = async (address: string): Promise<number> =>
      (await fetch(`${gateway.url}${path}`, { method, headers: { 'x-forwarded-for': address } })).status
    const own = await Promise.all(Array.from({ length: 40 }, (_, index) => begin(`2001:db8::${index.toString(16)}`)))
    assert.deepEqual([own.filter((status) => status === 200).length, new Set(own).has(429)], [30, true])
    assert.equal(await begin('2001:db8:0:1::1'), 200)
    assert.equal(await begin('192.0.2.1'), 200)
  })
}
