/** Callers whose token is checked slowly: its provider has to be asked for its keys first. */
import assert from 'node:assert/strict'
import net from 'node:net'
import { after, before, test } from 'node:test'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { joinedSpend } from '../../src/modules/spend/spend-log.store.ts'
import { startGateway, type TestGateway } from '../support/gateway.ts'
import { gaugeOf, hello, post, untilTrue } from './path-client.ts'

/** Long enough for everybody to arrive and to leave, below the limit of the gateway for such a question. */
const KEYS_AFTER_MS = 2_000

let gateway: TestGateway
let simulator: Simulator
let token = ''

before(async () => {
  simulator = await startSimulator()
  gateway = await startGateway({ simulator, env: { OIDC_ISSUER: simulator.oidcUrl, OIDC_AUDIENCE: 'causeway' } })
  await gateway.control.setOidcMode({ mode: 'slow', target: 'jwks', ms: KEYS_AFTER_MS })
  token = await gateway.control.mintToken({
    claims: { sub: 'user-alice', email: 'alice@example.com', email_verified: true },
  })
})

after(async () => {
  await gateway.stop()
  await simulator.close()
})

const body = JSON.stringify(hello)
/** Of these the gateway takes on 24 at once. */
const LARGE_BYTES = 32 * 1024 * 1024 - 4_096

/** Begins a call, and gives back how its client leaves. */
function call(announcedBytes: number, sent: string): Promise<() => void> {
  return new Promise((resolve) => {
    const socket = net.connect(gateway.port, '127.0.0.1', () => {
      socket.write(
        `POST /v1/messages HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${announcedBytes}\r\n\r\n${sent}`,
      )
      resolve(() => void socket.resetAndDestroy())
    })
    socket.on('error', () => undefined)
  })
}

async function storedRecords() {
  const { database } = gateway
  if (database === undefined) throw new Error('no database')
  return await joinedSpend(database.kysely).execute()
}

test('clients that leave while their token is checked give their places back, with one record of a refusal each', async () => {
  const leaves = await Promise.all([
    ...Array.from({ length: 6 }, () => call(body.length, body)),
    ...Array.from({ length: 12 }, () => call(LARGE_BYTES, body)),
    ...Array.from({ length: 12 }, () => call(LARGE_BYTES, '')),
  ])
  await untilTrue(async () => (await gaugeOf(gateway, 'gateway_in_flight')) === leaves.length)
  for (const leave of leaves) leave()
  await untilTrue(async () => (await gaugeOf(gateway, 'gateway_in_flight')) === 0, 5 * KEYS_AFTER_MS)
  await untilTrue(async () => (await storedRecords()).length === leaves.length)
  for (const { status, cost_nano_usd } of await storedRecords())
    assert.deepEqual([status, Number(cost_nano_usd)], [400, 0])
  const invoked = (await gateway.control.ledger()).filter(({ operation }) => operation.startsWith('InvokeModel'))
  assert.deepEqual(invoked, [])
})

test('later callers are served, also those with a large body', async () => {
  const large = { ...hello, messages: [{ role: 'user', content: 'word '.repeat(40_000) }] }
  assert.equal((await post(gateway, token, large)).status, 200)
})
