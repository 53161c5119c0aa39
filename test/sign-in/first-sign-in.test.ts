/** A person whom nobody has seen before calls with a token of their provider while the database is away. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { createTestSigner } from '../../src/modules/sign-in/jwt.fixture.ts'
import { hello, post, toErrorContent, untilTrue } from '../message-path/path-client.ts'
import { type ChaosProxy, startChaosProxy } from '../support/chaos-proxy.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { addKey, startGateway, type TestGateway } from '../support/gateway.ts'

const signer = createTestSigner('one')
const provider = createServer((request, response) => {
  const isDiscovery = request.url === '/.well-known/openid-configuration'
  response.end(JSON.stringify(isDiscovery ? { issuer, jwks_uri: `${issuer}/keys` } : { keys: [signer.jwk] }))
})
let issuer = ''
let direct: TestDatabase
let proxy: ChaosProxy
let gateway: TestGateway
let key = ''

before(async () => {
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  direct = await createTestDatabase()
  proxy = await startChaosProxy(direct.url)
  gateway = await startGateway({
    database: { ...direct, url: proxy.url },
    env: { OIDC_ISSUER: issuer, OIDC_AUDIENCE: 'causeway' },
    prepare: async (database) => {
      key = (await addKey(database)).key
    },
  })
})

after(async () => {
  proxy.set('pass')
  await gateway.stop()
  await gateway.simulator.close()
  await proxy.close()
  await direct.drop()
  provider.closeAllConnections()
  provider.close()
})

function toToken(name: string): string {
  return signer.sign({ iss: issuer, sub: name, email: name, aud: 'causeway', exp: Date.now() / 1000 + 3_600 })
}

test('they are told to come back, a valid key beside the token counts, and later they are let in', async () => {
  assert.equal((await post(gateway, toToken('ann@example.com'), hello)).status, 200)
  proxy.set('refuse')
  const token = toToken('ben@example.com')
  const refused = await post(gateway, token, hello)
  assert.equal(refused.status, 503)
  assert.equal((await toErrorContent(refused)).error.code, 'database_unavailable')
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
  assert.equal((await post(gateway, token, hello, { headers: { 'x-api-key': key } })).status, 200)
  proxy.set('pass')
  await untilTrue(async () => (await post(gateway, token, hello)).status === 200)
})
