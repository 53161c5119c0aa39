import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { controlClient } from '../../simulator/control-client.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { addEndpoint, addKey, startGateway } from '../support/gateway.ts'
import { type Admin, adminOf, east } from './admin-client.ts'

const sonnet = 'anthropic.claude-sonnet-5'
const roleArn = 'arn:aws:iam::222222222222:role/causeway'
let simulator: Simulator
let database: TestDatabase
let arn = ''
const gone = 'arn:aws:bedrock:us-east-1:222222222222:application-inference-profile/gone'

before(async () => {
  simulator = await startSimulator()
  database = await createTestDatabase()
  const place = { account: '222222222222', region: 'us-east-1', foundationModelId: sonnet }
  arn = (await controlClient(simulator.controlUrl).defineApplicationProfile(place)).arn
})

after(async () => {
  await database.drop()
  await simulator.close()
})

function isAnnounced(headers: Headers): boolean {
  const sunset = headers.get('sunset') ?? ''
  if (headers.get('deprecation') === null) return false
  assert.equal(headers.get('deprecation'), 'true')
  assert.equal(new Date(sunset).toUTCString(), sunset, 'an HTTP date')
  return true
}

async function ask(url: string, key: string, model: string): Promise<number> {
  const response = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ model, max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] }),
  })
  await response.text()
  return response.status
}

test('at the start a legacy profile becomes the override of its own model; one that fails serves on and is tried again', async () => {
  const control = controlClient(simulator.controlUrl)
  const goodId = await addEndpoint(database.database, {
    name: 'good',
    region: 'us-east-1',
    roleArn,
    inferenceProfileArn: arn,
  })
  const lateId = await addEndpoint(database.database, {
    name: 'late',
    region: 'us-east-1',
    roleArn,
    inferenceProfileArn: gone,
  })
  const { key } = await addKey(database.database)
  const first = await startGateway({ simulator, database })
  const admin = await adminOf(first)
  const good = await admin.call('GET', `/admin/endpoints/${goodId}`)
  assert.ok(isAnnounced(good.headers))
  assert.equal(good.body.inference_profile_arn, arn, 'the legacy field is kept')
  assert.deepEqual(
    good.body.aip_overrides.map((row: { model_id: string; aip_arn: string; set_by: string }) => [
      row.model_id,
      row.aip_arn,
      row.set_by,
    ]),
    [[sonnet, arn, 'auto-migration']],
  )
  const late = await admin.done('GET', `/admin/endpoints/${lateId}`)
  assert.deepEqual(late.aip_overrides, [])
  // Only the profile's own model uses it; every other one goes the cross-region way.
  assert.equal(await ask(first.url, key, 'claude-sonnet-5'), 200)
  assert.equal(await ask(first.url, key, 'claude-opus-5'), 200)
  const invoked = (await control.ledger({ operation: 'InvokeModel' })).map((entry) => entry.modelId)
  assert.deepEqual(invoked, [arn, 'us.anthropic.claude-opus-5'])
  await first.stop()

  const place = {
    account: '222222222222',
    region: 'us-east-1',
    foundationModelId: 'anthropic.claude-opus-5',
    id: 'gone',
  }
  await control.defineApplicationProfile(place)
  const second = await startGateway({ simulator, database })
  const admin2 = await adminOf(second)
  const mended = await admin2.done('GET', `/admin/endpoints/${lateId}`)
  assert.deepEqual(
    mended.aip_overrides.map((row: { model_id: string }) => row.model_id),
    ['anthropic.claude-opus-5'],
  )
  const same = await admin2.done('GET', `/admin/endpoints/${goodId}`)
  assert.equal(same.aip_overrides.length, 1, 'nothing is moved twice')
  await testCreation(admin2)
  await second.stop()
})

async function testCreation(admin: Admin): Promise<void> {
  const values = { ...east, role_arn: roleArn }
  const made = await admin.call('POST', '/admin/endpoints', { ...values, name: 'new', inference_profile_arn: arn })
  assert.equal(made.status, 201)
  assert.ok(isAnnounced(made.headers))
  assert.equal(made.body.inference_profile_arn, arn)
  assert.deepEqual(
    made.body.aip_overrides.map((row: { model_id: string; set_by: string }) => [row.model_id, row.set_by]),
    [[sonnet, 'admin']],
  )
  assert.ok(isAnnounced((await admin.call('GET', '/admin/endpoints')).headers))
  const missing = gone.replace('/gone', '/missing')
  const odd = await admin.call('POST', '/admin/endpoints', { ...values, name: 'odd', inference_profile_arn: missing })
  assert.equal(odd.status, 201, 'an arn that does not resolve is kept, and the legacy path serves')
  assert.deepEqual([odd.body.aip_overrides, odd.body.inference_profile_arn], [[], missing])
  await admin.done('DELETE', `/admin/endpoints/${made.body.id}/aip-overrides/${encodeURIComponent(sonnet)}`)
  const kept = await admin.done('GET', `/admin/endpoints/${made.body.id}`)
  assert.deepEqual([kept.aip_overrides, kept.inference_profile_arn], [[], arn])
  const cleared = await admin.call('PUT', `/admin/endpoints/${made.body.id}`, { inference_profile_arn: null })
  assert.equal(cleared.body.inference_profile_arn, null)
  assert.equal(isAnnounced(cleared.headers), false)
  const set = await admin.done('PUT', `/admin/endpoints/${made.body.id}`, { inference_profile_arn: arn })
  assert.equal(set.aip_overrides.length, 1)
}

test('an account that never answers does not hold up the start', async () => {
  const control = controlClient(simulator.controlUrl)
  await addEndpoint(database.database, {
    name: 'silent',
    region: 'us-east-1',
    roleArn,
    inferenceProfileArn: gone.replace('/gone', '/silent'),
  })
  await control.script({ match: { operation: 'GetInferenceProfile' }, times: null, behaviour: { hangMs: 3_600_000 } })
  const gateway = await startGateway({ simulator, database })
  await control.clearScripts()
  await gateway.stop()
})
