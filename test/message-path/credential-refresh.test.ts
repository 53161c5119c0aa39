/** A gateway whose AWS credentials come from its container: they expire, and the container stops giving them. */
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { addKey, startGateway, type TestGateway } from '../support/gateway.ts'
import { hello, post } from './path-client.ts'

/** So short that every call needs new ones. */
const LIFETIME_MS = 5_000
const SESSION_TOKEN = 'session-token-of-the-container'

let simulator: Simulator
let metadata: Server
let gateway: TestGateway
let key = ''
let metadataBody: (() => string) | undefined
let fetched = 0

before(async () => {
  simulator = await startSimulator()
  metadataBody = () =>
    JSON.stringify({
      AccessKeyId: simulator.accessKey,
      SecretAccessKey: simulator.secretKey,
      Token: `${SESSION_TOKEN}-${fetched}`,
      Expiration: new Date(Date.now() + LIFETIME_MS).toISOString(),
    })
  metadata = createServer((_, response) => {
    fetched += 1
    if (metadataBody === undefined) response.writeHead(500).end()
    else response.end(metadataBody())
  })
  await new Promise<void>((resolve) => metadata.listen(0, '127.0.0.1', resolve))
  process.env['AWS_CONTAINER_CREDENTIALS_FULL_URI'] = `http://127.0.0.1:${(metadata.address() as AddressInfo).port}/`
  process.env['AWS_SHARED_CREDENTIALS_FILE'] = '/nowhere/credentials'
  process.env['AWS_CONFIG_FILE'] = '/nowhere/config'
  gateway = await startGateway({
    // Without keys in the environment, which would be taken first.
    simulator: { ...simulator, accessKey: '', secretKey: '' },
    prepare: async (database) => {
      key = (await addKey(database)).key
    },
  })
})

after(async () => {
  await gateway.stop()
  metadata.close()
  await simulator.close()
})

function warnings(): readonly Record<string, unknown>[] {
  return gateway.logLines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === 'AWS credentials could not be refreshed')
}

async function refused(times: number | null): Promise<unknown> {
  await gateway.control.clearLedger()
  const message = 'The security token included in the request is expired'
  const behaviour = { error: { status: 403, type: 'ExpiredTokenException', message } }
  return gateway.control.script({ match: { operation: 'invoke' }, times, behaviour })
}

async function statuses(): Promise<readonly number[]> {
  const calls = await gateway.control.ledger()
  return calls.filter(({ operation }) => operation.startsWith('InvokeModel')).map(({ status }) => status)
}

for (const stream of [false, true]) {
  test(`credentials that expired are fetched anew, and the ${stream ? 'stream' : 'call'} is served with them`, async () => {
    await refused(1)
    const response = await post(gateway, key, { ...hello, stream })
    assert.equal(response.status, 200, await response.text())
    assert.deepEqual(await statuses(), [403, 200])
    const invoked = (await gateway.control.requests()).filter(({ path }) => path.includes('/invoke'))
    assert.equal(new Set(invoked.slice(-2).map(({ headers }) => headers['x-amz-security-token'])).size, 2)
  })
}

test('new credentials that are refused as well are for an administrator, not for another try of the client', async () => {
  await refused(null)
  const response = await post(gateway, key, hello)
  assert.deepEqual([response.status, response.headers.get('x-should-retry')], [403, 'false'])
  assert.deepEqual(await statuses(), [403, 403])
  await gateway.control.clearScripts()
})

test('a refresh that fails is a warning with its reason, once a minute and without a secret', async () => {
  assert.equal((await post(gateway, key, hello)).status, 200)
  assert.deepEqual(warnings(), [])
  // Not JSON from its secret on: what reads it quotes the place in its complaint.
  metadataBody = () => `${simulator.secretKey} ${SESSION_TOKEN}`
  assert.equal((await post(gateway, key, hello)).status, 502)
  metadataBody = undefined
  assert.equal((await post(gateway, key, hello)).status, 502)
  const [warning, ...others] = warnings()
  assert.deepEqual(others, [])
  assert.deepEqual([warning?.['level'], warning?.['role'], warning?.['region']], ['warn', 'own', 'us-east-1'])
  assert.deepEqual(
    [warning?.['name'], warning?.['message']],
    ['SyntaxError', 'the answer with the credentials is not JSON'],
  )
  for (const line of gateway.logLines)
    assert.ok(!line.includes(simulator.secretKey.slice(0, 8)) && !line.includes(SESSION_TOKEN), line)
})
