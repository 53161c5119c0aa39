import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isOwnStatus } from '../support/api-coverage.ts'
import { addKey, startGateway, type TestGateway } from '../support/gateway.ts'
import { type Admin, type AdminAnswer, adminOf, east, newCoverage, nowhere, until } from './admin-client.ts'

let gateway: TestGateway
let admin: Admin
let key = ''
let mainId = ''
const coverage = newCoverage()

before(async () => {
  gateway = await startGateway({
    prepare: async (database) => {
      key = (await addKey(database)).key
    },
  })
  admin = await adminOf(gateway, coverage)
  mainId = await until(async () => {
    const { data } = await admin.done('GET', '/admin/endpoints')
    return data[0].health_status === 'healthy' && data[0].id
  })
})

after(() => gateway.stop())

async function ask(model: string): Promise<Response> {
  const response = await fetch(`${gateway.url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ model, max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] }),
  })
  await response.text()
  return response
}

async function listedIds(credential = key): Promise<string[]> {
  const response = await fetch(`${gateway.url}/v1/models`, { headers: { 'x-api-key': credential } })
  return ((await response.json()) as { data: { id: string }[] }).data.map(({ id }) => id)
}

test('the seed is there from the first moment', async () => {
  const { data } = await admin.done('GET', '/admin/model-mappings?q=sonnet-5&limit=200')
  const row = data.find((one: { vendor_prefix: string }) => one.vendor_prefix === 'claude-sonnet-5')
  assert.deepEqual([row.hosted_model_id, row.source], ['anthropic.claude-sonnet-5', 'seed'])
  for (const query of ['sort=colour', 'limit=0', 'x=1'])
    assert.equal((await admin.call('GET', `/admin/model-mappings?${query}`)).status, 400, query)
})

test('a mapping decides at once where exactly its id goes, takes its facts from a sibling, and can be removed', async () => {
  const path = '/admin/model-mappings/our-favourite'
  assert.equal((await ask('our-favourite')).status, 404)
  const made = await admin.done('PUT', path, { hosted_model_id: 'anthropic.claude-opus-5' })
  assert.equal(made.source, 'admin')
  assert.equal(made.context_window, 1_000_000)
  assert.equal((await ask('our-favourite')).status, 200)
  assert.equal((await ask('our-favourite-2')).status, 404, 'never by its beginning')
  const last = (await gateway.control.ledger({ operation: 'InvokeModel' })).at(-1)
  assert.equal(last?.modelId, 'us.anthropic.claude-opus-5')
  const changed = await admin.done('PUT', path, {
    hosted_model_id: 'us.anthropic.claude-sonnet-5',
    display_name: 'Ours',
  })
  assert.equal(changed.display_name, 'Ours')
  assert.equal((await ask('our-favourite')).status, 200)
  assert.equal((await admin.call('DELETE', path)).status, 204)
  assert.equal((await admin.call('DELETE', path)).status, 404)
  assert.equal((await ask('our-favourite')).status, 404)
})

test('every model that can be called is listed, whatever its mapping leads to and whatever variant a key is for', async () => {
  const account = 'arn:aws:bedrock:us-east-1:123456789012'
  for (const hosted of ['us.anthropic.claude-opus-5', `${account}:inference-profile/us.anthropic.claude-opus-5`]) {
    await admin.done('PUT', '/admin/model-mappings/our-favourite', { hosted_model_id: hosted })
    assert.equal((await ask('our-favourite')).status, 200)
    assert.ok((await listedIds()).includes('our-favourite'), hosted)
  }
  await admin.done('DELETE', '/admin/model-mappings/our-favourite')

  await admin.done('PUT', '/admin/capabilities/overrides', {
    endpoint_id: mainId,
    profile_id: 'us.anthropic.claude-sonnet-4-6',
    beta_name: 'context-1m-2025-08-07',
    supported: true,
  })
  const made = await admin.call('POST', '/admin/keys', { name: 'long', allowed_models: ['claude-sonnet-4-6[1m]'] })
  assert.deepEqual(await listedIds(made.body.key), ['claude-sonnet-4-6[1m]'])
})

test('keys and hosted ids that can never work are refused', async () => {
  const good = { hosted_model_id: 'anthropic.claude-opus-5' }
  for (const name of ['4', 'claude-4', 'claude', 'x%5B1m%5D', '%20x', 'a%0Ab', 'x'.repeat(513)]) {
    assert.equal((await admin.call('PUT', `/admin/model-mappings/${name}`, good)).status, 400, name)
    assert.equal((await admin.call('DELETE', `/admin/model-mappings/${name}`)).status, 400, name)
  }
  for (const body of [
    {},
    { hosted_model_id: 'gpt' },
    { hosted_model_id: 7 },
    { ...good, display_name: '' },
    { ...good, source: 'seed' },
  ])
    assert.equal((await admin.call('PUT', '/admin/model-mappings/fine-1', body)).status, 400, JSON.stringify(body))
  const odd = 'team/a model:1'
  const stored = await admin.done('PUT', `/admin/model-mappings/${encodeURIComponent(odd)}`, good)
  assert.equal(stored.vendor_prefix, odd)
  await admin.done('DELETE', `/admin/model-mappings/${encodeURIComponent(odd)}`)
})

async function explain(model: string, endpointId?: string): Promise<AdminAnswer['body']> {
  const body = { model, ...(endpointId === undefined ? {} : { endpoint_id: endpointId }) }
  return await admin.done('POST', '/admin/models/resolve', body)
}

function matchedSteps(explanation: AdminAnswer['body']): string[] {
  return explanation.steps
    .filter((step: { matched: boolean }) => step.matched)
    .map((step: { step: string }) => step.step)
}

test('the explanation follows the same steps as a call', async () => {
  const plain = await explain('claude-sonnet-5')
  assert.deepEqual([plain.resolved, matchedSteps(plain)], [true, ['mapping']])
  assert.deepEqual(
    [plain.endpoints[0].invoked_id, plain.endpoints[0].via],
    ['us.anthropic.claude-sonnet-5', 'cross-region-profile'],
  )
  const long = await explain('claude-sonnet-5[1m]')
  assert.deepEqual([long.long_context, matchedSteps(long)], [true, ['long-context suffix', 'mapping']])
  const dated = await explain('claude-sonnet-5-20270101')
  assert.deepEqual([dated.hosted_model_id, matchedSteps(dated)], ['anthropic.claude-sonnet-5', ['dated alias']])
  const named = await explain('us.anthropic.claude-opus-5')
  assert.deepEqual(
    [named.hosted_model_id, matchedSteps(named)],
    ['anthropic.claude-opus-5', ['id of the hosted service']],
  )
  assert.deepEqual([(await explain('eu.anthropic.claude-opus-5')).resolved], [false])
  const unknown = await explain('claude-nonsense-9')
  assert.deepEqual([unknown.resolved, unknown.hosted_model_id, unknown.endpoints], [false, null, []])
  assert.match(unknown.steps.at(-1).detail, /no pass found it/)
})

test('discovery is explained with its pass and stores nothing', async () => {
  const model = { foundationModelId: 'anthropic.claude-verse-9-20270101-v1:0', like: 'anthropic.claude-sonnet-5' }
  await gateway.control.defineModel({ ...model, prefixes: ['us'] })
  const values = { ...east, name: 'fresh', region: 'us-west-2' }
  const { id } = await admin.done('POST', '/admin/endpoints', values)
  const found = await explain('claude-verse-9', id)
  assert.deepEqual([found.hosted_model_id, matchedSteps(found)], [model.foundationModelId, ['discovery']])
  assert.match(found.steps.at(-1).detail, /"contains"/)
  const { data } = await admin.done('GET', '/admin/model-mappings?q=verse')
  assert.deepEqual(data, [])
  await admin.done('DELETE', `/admin/endpoints/${id}`)
})

test('an override is what the explanation names on its endpoint', async () => {
  const place = { account: '111111111111', region: 'us-east-1', foundationModelId: 'anthropic.claude-sonnet-5' }
  const { arn } = await gateway.control.defineApplicationProfile(place)
  await admin.done('POST', `/admin/endpoints/${mainId}/aip-overrides`, { model_id: 'claude-sonnet-5', aip_arn: arn })
  const { endpoints } = await explain('claude-sonnet-5', mainId)
  assert.deepEqual([endpoints[0].invoked_id, endpoints[0].via], [arn, 'aip-override'])
  await admin.done('DELETE', `/admin/endpoints/${mainId}/aip-overrides/claude-sonnet-5`)
})

test('a question about nothing or nowhere is refused', async () => {
  const refuse = async (body: unknown) => (await admin.call('POST', '/admin/models/resolve', body)).status
  assert.equal(await refuse({}), 400)
  assert.equal(await refuse({ model: '' }), 400)
  assert.equal(await refuse({ model: 'x', endpoint_id: 'x' }), 400)
  assert.equal(await refuse({ model: 'x', colour: 'red' }), 400)
  assert.equal(await refuse({ model: 'x', endpoint_id: nowhere }), 404)
})

test('every declared answer of the model routes was seen', () => {
  coverage.assertCovered('Models', isOwnStatus)
})
