/** Clients that leave before their hosted call begins, while no place for reading on is free. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { controlClient } from '../../simulator/control-client.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { addKey, startGateway, type TestGateway } from '../support/gateway.ts'
import { countRecords, gaugeOf, hello, post, untilTrue } from './path-client.ts'

/** Far longer than anybody may wait for an answer to nobody. */
const ANSWER_AFTER_MS = 60_000

let gateway: TestGateway
let simulator: Simulator
let key = ''

// A model that the gateway does not know: while it is looked up, the client leaves.
const model = 'claude-newest-9'

before(async () => {
  simulator = await startSimulator()
  await controlClient(simulator.controlUrl).defineModel({
    foundationModelId: `anthropic.${model}`,
    like: 'anthropic.claude-sonnet-5',
    prefixes: ['us'],
  })
  gateway = await startGateway({
    simulator,
    answerLimits: { maxDrains: 0 },
    prepare: async (database) => {
      key = (await addKey(database)).key
    },
  })
})

after(async () => {
  await gateway.stop()
  await simulator.close()
})

test('a whole answer whose client left and was given up before its call began is cancelled at once', async () => {
  await gateway.control.clearLedger()
  const slowly = { operation: 'ListInferenceProfiles' } as const
  await gateway.control.script({ match: slowly, times: null, behaviour: { delayMs: 500 } })
  const never = { hangMs: ANSWER_AFTER_MS }
  await gateway.control.script({ match: { operation: 'invoke' }, times: null, behaviour: never })
  const client = new AbortController()
  const left = post(gateway, key, { ...hello, model }, { signal: client.signal }).catch(() => 'left')
  await untilTrue(async () => (await gateway.control.ledger(slowly)).length > 0)
  client.abort()
  assert.equal(await left, 'left')
  await untilTrue(async () => (await countRecords(gateway)) === 1)
  await untilTrue(async () => (await gaugeOf(gateway, 'gateway_in_flight')) === 0)
  await untilTrue(async () => {
    const calls = await gateway.control.ledger()
    return calls.every(({ operation, aborted }) => !operation.startsWith('InvokeModel') || aborted)
  })
})
