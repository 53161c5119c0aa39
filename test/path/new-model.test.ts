import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { adminOf } from '../endpoints/admin-client.ts'
import { addKey, startGateway, type TestGateway } from '../support/gateway.ts'
import { untilTrue } from './path-client.ts'

let gateway: TestGateway
let key = ''

before(async () => {
  gateway = await startGateway({
    simulatorSettings: { tokenMode: 'fingerprint' },
    prepare: async (database) => {
      key = (await addKey(database)).key
    },
  })
})

after(() => gateway.stop())

const call = (model: string): Promise<Response> =>
  fetch(`${gateway.url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] }),
  })

test('a model that appeared after the last health check is found and served at once', async () => {
  await untilChecked()
  await gateway.control.defineModel({ foundationModelId: 'anthropic.claude-opus-9', like: 'anthropic.claude-opus-5' })
  const answer = await call('claude-opus-9')
  assert.equal(answer.status, 200, await answer.clone().text())
  assert.equal(((await answer.json()) as { model: string }).model, 'claude-opus-9')
  const [last] = (await gateway.control.ledger({ operation: 'InvokeModel' })).slice(-1)
  assert.equal(last?.modelId, 'us.anthropic.claude-opus-9')
})

test('a model that only an application profile of the endpoint has is called, explained and listed by its name', async () => {
  const admin = await adminOf(gateway)
  const foundationModelId = 'anthropic.claude-fable-9'
  await gateway.control.defineModel({ foundationModelId, like: 'anthropic.claude-opus-5', prefixes: ['global'] })
  const place = { account: '111111111111', region: 'us-east-1', foundationModelId }
  const { arn } = await gateway.control.defineApplicationProfile(place)
  const [{ id }] = (await admin.done('GET', '/admin/endpoints')).data
  await admin.done('POST', `/admin/endpoints/${id}/aip-overrides`, { model_id: 'claude-fable-9', aip_arn: arn })
  await untilTrue(async () => {
    const { available_models } = await admin.done('GET', `/admin/endpoints/${id}`)
    return available_models.includes(foundationModelId)
  })
  const explained = await admin.done('POST', '/admin/models/resolve', { model: 'claude-fable-9' })
  assert.equal(explained.hosted_model_id, foundationModelId)
  const answer = await call('claude-fable-9')
  assert.equal(answer.status, 200, await answer.text())
  const [last] = (await gateway.control.ledger({ operation: 'InvokeModel' })).slice(-1)
  assert.equal(last?.modelId, arn)
  const listed = `${gateway.url}/v1/models/claude-fable-9`
  await untilTrue(async () => (await fetch(listed, { headers: { 'x-api-key': key } })).status === 200)
})

test('a name that only begins like a known model is not served by it', async () => {
  for (const model of ['claude-opus-5-9', 'claude-sonnet-5-50', 'claude-opus', 'claude'])
    assert.equal((await call(model)).status, 404, model)
})

async function untilChecked(): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (gateway.logLines.some((line) => line.includes('an endpoint is healthy'))) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('no health check was made')
}
