import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { startGateway, type TestGateway } from '../support/gateway.ts'
import { asAdmin } from './login-app.ts'

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

test('a flood of sign-ins through a provider asks it once, and is refused before others of its users are (T09)', async () => {
  let asked = 0
  const provider = createServer((request, response) => {
    asked += 1
    const issuer = `http://${request.headers.host}`
    const addresses = { authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` }
    setTimeout(() => response.end(JSON.stringify({ issuer, ...addresses })), 500)
  })
  provider.listen(0, '127.0.0.1')
  await once(provider, 'listening')
  try {
    const issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
    const values = { name: 'Counting', issuer_url: issuer, audience: 'causeway' }
    const { id } = (await (await asAdmin(gateway, 'POST', '/admin/idps', values)).json()) as { id: string }
    const begin = async (address: string): Promise<number> => {
      const headers = { 'x-forwarded-for': address }
      return (await fetch(`${gateway.url}/auth/sso/${id}/start`, { headers, redirect: 'manual' })).status
    }
    const before = asked
    const flood = await Promise.all(Array.from({ length: 250 }, () => begin('192.0.2.2')))
    const count = (wanted: number): number => flood.filter((status) => status === wanted).length
    assert.deepEqual([asked - before, count(302), count(429)], [1, 200, 50])
    assert.equal(await begin('192.0.2.3'), 302)
  } finally {
    provider.close()
  }
})
