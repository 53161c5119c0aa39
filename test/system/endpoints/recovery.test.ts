import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Behaviour } from '../../../simulator/behaviour.ts'
import type { Database } from '../../../src/foundation/database/database.ts'
import type { RoutingPrefix } from '../../../src/foundation/domain/endpoint.ts'
import { until } from '../../endpoints/admin-client.ts'
import { hello, post } from '../../message-path/path-client.ts'
import { addEndpoint, addKey, addTeam, startGateway, type TestGateway } from '../../support/gateway.ts'

interface Place {
  readonly region: string
  readonly prefix: RoutingPrefix
  readonly roleArn: string | null
  readonly fault: Behaviour
}

/** Each fails in its own way; every one has a team that prefers it and falls back to the standby. */
const places: readonly Place[] = [
  { region: 'us-east-1', prefix: 'us', roleArn: null, fault: { throttle: true } },
  {
    region: 'eu-central-1',
    prefix: 'eu',
    roleArn: 'arn:aws:iam::222222222222:role/causeway',
    fault: { error: { status: 503, type: 'ServiceUnavailableException', message: 'Try again.' } },
  },
  {
    region: 'ap-southeast-2',
    prefix: 'au',
    roleArn: 'arn:aws:iam::333333333333:role/causeway',
    fault: { reset: true },
  },
]
const standby = 'us-west-2'
/** Longer than the first pause of an endpoint that fails. `endpoint-conditions.test.ts` covers the longer ones. */
const OUTAGE_MS = 20_000
const BETWEEN_CALLS_MS = 500

let gateway: TestGateway
const keys: string[] = []

before(async () => {
  gateway = await startGateway({ simulatorSettings: { tokenMode: 'fingerprint' }, prepare: addPlaces })
  await until(async () => (await gateway.control.ledger({ operation: 'ListInferenceProfiles' })).length >= 4)
})

after(() => gateway.stop())

async function addPlaces(database: Database): Promise<void> {
  const last = await addEndpoint(database, { name: standby, region: standby })
  for (const { region, prefix, roleArn } of places) {
    const id = await addEndpoint(database, { name: region, region, routingPrefix: prefix, roleArn })
    const teamId = await addTeam(database, region, { strategy: 'primary_fallback', endpointIds: [id, last] })
    keys.push((await addKey(database, { name: region, teamId })).key)
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function servedIn(region: string): Promise<number> {
  return (await gateway.control.ledger({ operation: 'InvokeModel', region })).filter(({ status }) => status === 200)
    .length
}

/** Calls without end, and tells every answer that was not served. */
function startTraffic(key: string): () => Promise<readonly number[]> {
  const refused: number[] = []
  let isRunning = true
  const run = (async () => {
    while (isRunning) {
      const { status } = await post(gateway, key, hello)
      if (status !== 200) refused.push(status)
      await pause(BETWEEN_CALLS_MS)
    }
  })()
  return async () => {
    isRunning = false
    await run
    return refused
  }
}

test('after an outage traffic is back, whatever the fault was, and no call was lost', async () => {
  const traffic = keys.map(startTraffic)
  for (const { region, fault } of places) {
    await until(async () => (await servedIn(region)) > 0)
    await gateway.control.script({ match: { operation: 'invoke', region }, times: null, behaviour: fault })
  }
  // One account cannot even be listed, so that its endpoint turns unhealthy as well.
  const listing = { operation: 'ListInferenceProfiles', region: 'eu-central-1' } as const
  await gateway.control.script({ match: listing, times: null, behaviour: { throttle: true } })
  await pause(OUTAGE_MS)
  const during = await gateway.control.ledger({ operation: 'InvokeModel' })
  for (const { region } of places) {
    const asked = during.filter((entry) => entry.region === region && entry.status !== 200).length
    assert.ok(asked <= 20, `${region} was asked ${asked} times while it was away`)
  }

  await gateway.control.clearLedger()
  await gateway.control.clearScripts()
  for (const { region } of places) await until(async () => (await servedIn(region)) > 0)

  // Back to stay: no later call goes to the standby.
  await gateway.control.clearLedger()
  for (const { region } of places) await until(async () => (await servedIn(region)) >= 3)
  const refused = await Promise.all(traffic.map((stop) => stop()))
  assert.deepEqual(refused, [[], [], []])
  assert.equal(await servedIn(standby), 0)
})
