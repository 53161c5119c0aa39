import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { controlClient } from '../../simulator/control-client.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { change } from '../../src/foundation/database/change.ts'
import { createModelMappingStore } from '../../src/modules/models/model-mappings.store.ts'
import { asEvent, hello, post, requestIdOf, untilTrue } from '../message-path/path-client.ts'
import {
  addAipOverride,
  addEndpoint,
  addKey,
  addTeam,
  login,
  startGateway,
  type TestGateway,
} from '../support/gateway.ts'

let simulator: Simulator
let gateway: TestGateway
let key = ''
let arn = ''
/** Of an override under a name that nobody has mapped. */
let ownArn = ''
let otherKey = ''
const actor = { name: 'test', sourceAddress: null, requestId: null }

before(async () => {
  simulator = await startSimulator()
  const place = { account: '111111111111', region: 'us-east-1', foundationModelId: 'anthropic.claude-sonnet-5' }
  arn = (await controlClient(simulator.controlUrl).defineApplicationProfile(place)).arn
  ownArn = (await controlClient(simulator.controlUrl).defineApplicationProfile({ ...place, name: 'own' })).arn
  gateway = await startGateway({
    simulator,
    prepare: async (database) => {
      const endpointId = await addEndpoint(database, { name: 'house', region: 'us-east-1' })
      await addAipOverride(database, { endpointId, modelId: 'claude-sonnet-5', aipArn: arn })
      await addAipOverride(database, { endpointId, modelId: 'claude-of-the-house', aipArn: ownArn })
      const other = await addEndpoint(database, { name: 'other', region: 'us-east-1' })
      const otherTeam = await addTeam(database, 'Other', { strategy: 'sticky_user', endpointIds: [other] })
      otherKey = (await addKey(database, { teamId: otherTeam })).key
      const teamId = await addTeam(database, 'House', { strategy: 'sticky_user', endpointIds: [endpointId] })
      await change(database, { sections: ['mappings'], actor }, ({ tx }) =>
        createModelMappingStore(tx).put({
          vendorPrefix: 'house-model-1',
          hostedModelId: arn,
          displayName: 'House model',
          contextWindow: null,
          maxOutputTokens: null,
          source: 'admin',
        }),
      )
      key = (await addKey(database, { teamId })).key
    },
  })
})

after(async () => {
  await gateway.stop()
  await simulator.close()
})

test('a name that is mapped to an application profile costs what the model behind it costs', async () => {
  const costs: number[] = []
  for (const model of ['claude-sonnet-5', arn, 'house-model-1']) {
    const response = await post(gateway, key, { ...hello, model })
    assert.equal(response.status, 200)
    const { hostedModel, costNanoUsd, flags } = await asEvent(gateway, requestIdOf(response))
    assert.deepEqual([hostedModel, flags], [arn, []], model)
    costs.push(costNanoUsd)
  }
  assert.ok((costs[0] ?? 0) > 0)
  assert.equal(new Set(costs).size, 1, costs.join(', '))
})

test('a name that only an override has is called, listed and priced as the model behind its profile', async () => {
  await untilTrue(() =>
    gateway.logLines.some((line) => /an endpoint is healthy.*house|house.*an endpoint is healthy/.test(line)),
  )
  const model = 'claude-of-the-house'
  const costs: number[] = []
  for (const asked of ['claude-sonnet-5', model, `${model}[1m]`, ownArn]) {
    const response = await post(gateway, key, { ...hello, model: asked })
    assert.equal(response.status, 200, await response.clone().text())
    assert.equal(((await response.json()) as { model: string }).model, asked)
    const { hostedModel, costNanoUsd, flags } = await asEvent(gateway, requestIdOf(response))
    assert.deepEqual([hostedModel, flags], [asked === 'claude-sonnet-5' ? arn : ownArn, []], asked)
    costs.push(costNanoUsd)
  }
  assert.equal(new Set(costs).size, 1, costs.join(', '))
  const listed = (credential: string) =>
    fetch(`${gateway.url}/v1/models/${model}`, { headers: { 'x-api-key': credential } })
  assert.equal((await listed(key)).status, 200)
  const explained = await asAdmin<{ hosted_model_id: string }>('POST', '/admin/models/resolve', { model })
  assert.equal(explained.hosted_model_id, 'anthropic.claude-sonnet-5')

  const behind = await fetch(`${gateway.url}/inference-profiles/${encodeURIComponent(ownArn)}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  assert.match(await behind.text(), /foundation-model\/anthropic\.claude-sonnet-5"/)

  assert.equal((await listed(otherKey)).status, 404)
  assert.equal((await post(gateway, otherKey, { ...hello, model })).status, 404)
})

async function asAdmin<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${gateway.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${await login(gateway.url)}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return (await response.json()) as T
}

test('the explanation of such a name tells the model, and the status does not call it unpriced', async () => {
  const found = await asAdmin<{ hosted_model_id: string }>('POST', '/admin/models/resolve', { model: 'house-model-1' })
  assert.equal(found.hosted_model_id, 'anthropic.claude-sonnet-5')
  const { unpriced_models } = await asAdmin<{ unpriced_models: { model: string }[] }>('GET', '/admin/status')
  assert.deepEqual(
    unpriced_models.filter(({ model }) => model === 'house-model-1'),
    [],
  )
})
