import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { isOwnStatus } from '../support/api-coverage.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { addKey, addTeam, startGateway, type TestGateway } from '../support/gateway.ts'
import { type Admin, adminOf, east, newCoverage, nowhere, until } from './admin-client.ts'

/** Two instances on one database. */
let one: TestGateway
let two: TestGateway
let admin: Admin
let admin2: Admin
let simulator: Simulator
let database: TestDatabase
const coverage = newCoverage()
const endpointIds: string[] = []
let teamId = ''
let key = ''

before(async () => {
  simulator = await startSimulator()
  database = await createTestDatabase()
  teamId = await addTeam(database.database, 'crew', { strategy: 'sticky_user', endpointIds: [] })
  key = (await addKey(database.database, { teamId })).key
  one = await startGateway({ simulator, database })
  two = await startGateway({ simulator, database })
  admin = await adminOf(one, coverage)
  admin2 = await adminOf(two)
  const places = [
    ['near', 'us-east-1', 'us', null],
    ['far', 'eu-central-1', 'eu', 'arn:aws:iam::222222222222:role/causeway'],
    ['further', 'ap-southeast-2', 'au', 'arn:aws:iam::333333333333:role/causeway'],
  ] as const
  for (const [name, region, routing_prefix, role_arn] of places) {
    const made = await admin.done('POST', '/admin/endpoints', { ...east, name, region, routing_prefix, role_arn })
    endpointIds.push(made.id)
  }
  await until(async () => {
    const { data } = await admin.done('GET', '/admin/endpoints')
    return data.every((endpoint: { health_status: string }) => endpoint.health_status === 'healthy')
  })
})

after(async () => {
  await Promise.all([one.stop(), two.stop()])
  await database.drop()
  await simulator.close()
})

const path = () => `/admin/teams/${teamId}/endpoints`

async function servedBy(gateway: TestGateway): Promise<string | undefined> {
  const response = await fetch(`${gateway.url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ model: 'claude-sonnet-5', max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] }),
  })
  await response.text()
  if (response.status !== 200) return undefined
  return (await one.control.ledger({ operation: 'InvokeModel' })).at(-1)?.region ?? undefined
}

function assign(strategy: string, order: readonly number[]): Promise<unknown> {
  const endpoints = order.map((index, at) => ({ endpoint_id: endpointIds[index], priority: at + 1 }))
  return admin.done('PUT', path(), { routing_strategy: strategy, endpoints })
}

test('a team without an assignment shows the defaults and uses the default endpoint', async () => {
  assert.deepEqual(await admin.done('GET', path()), { routing_strategy: 'sticky_user', endpoints: [] })
  assert.equal(await until(() => servedBy(one)), 'us-east-1')
})

test("an assignment is shown with names, and the team's priority wins over the endpoint's own", async () => {
  const { endpoints, routing_strategy } = (await assign('primary_fallback', [1, 2])) as {
    endpoints: { name: string; priority: number }[]
    routing_strategy: string
  }
  assert.deepEqual(
    [routing_strategy, endpoints.map(({ name, priority }) => [name, priority])],
    [
      'primary_fallback',
      [
        ['far', 1],
        ['further', 2],
      ],
    ],
  )
  assert.equal(await servedBy(one), 'eu-central-1')
  await assign('primary_fallback', [2, 1])
  assert.equal(await servedBy(one), 'ap-southeast-2')
})

test('round_robin takes turns; an unhealthy endpoint is left out and comes back', async () => {
  await assign('round_robin', [0, 1, 2])
  const seen = [await servedBy(one), await servedBy(one), await servedBy(one)]
  assert.deepEqual(seen.sort(), ['ap-southeast-2', 'eu-central-1', 'us-east-1'])
  const match = { operation: 'ListInferenceProfiles', account: '222222222222' } as const
  const script = await one.control.script({ match, times: null, behaviour: { throttle: true } })
  await admin.done('POST', `/admin/endpoints/${endpointIds[1]}/check`)
  const without = new Set<string | undefined>()
  for (let count = 0; count < 4; count += 1) without.add(await servedBy(one))
  assert.deepEqual([...without].sort(), ['ap-southeast-2', 'us-east-1'])
  await one.control.removeScript(script.id)
  await admin.done('POST', `/admin/endpoints/${endpointIds[1]}/check`)
  const again = new Set<string | undefined>()
  for (let count = 0; count < 3; count += 1) again.add(await servedBy(one))
  assert.equal(again.size, 3)
})

test('an assignment that is wrong in any part changes nothing', async () => {
  await assign('primary_fallback', [0, 1])
  const before = await admin.done('GET', path())
  const fine = { endpoint_id: endpointIds[2], priority: 1 }
  const bad: readonly unknown[] = [
    { endpoints: [fine, { endpoint_id: nowhere, priority: 2 }] },
    { endpoints: [fine, fine] },
    { endpoints: [{ ...fine, priority: 'high' }] },
    { endpoints: [{ endpoint_id: 'x', priority: 1 }] },
    { endpoints: [{ ...fine, weight: 2 }] },
    { routing_strategy: 'random', endpoints: [fine] },
    { routing_strategy: 'round_robin' },
    [],
  ]
  for (const body of bad) {
    const answer = await admin.call('PUT', path(), body)
    assert.equal(answer.status, 400, JSON.stringify(body))
  }
  const unknown = await admin.call('PUT', path(), { endpoints: [fine, { endpoint_id: nowhere, priority: 2 }] })
  assert.equal(unknown.body.error.details[0].path, 'endpoints.1.endpoint_id')
  assert.deepEqual(await admin.done('GET', path()), before)
  for (const method of ['GET', 'PUT']) {
    const body = method === 'PUT' ? { endpoints: [fine] } : undefined
    assert.equal((await admin.call(method, `/admin/teams/${nowhere}/endpoints`, body)).status, 404)
    assert.equal((await admin.call(method, '/admin/teams/x/endpoints', body)).status, 400)
  }
})

test('a disabled endpoint is out of use; an empty list removes the assignment and its strategy', async () => {
  await assign('primary_fallback', [1, 2])
  await admin.done('PUT', `/admin/endpoints/${endpointIds[1]}`, { enabled: false })
  assert.equal(await servedBy(one), 'ap-southeast-2')
  await admin.done('PUT', `/admin/endpoints/${endpointIds[1]}`, { enabled: true })
  const none = await admin.done('PUT', path(), { routing_strategy: 'round_robin', endpoints: [] })
  assert.deepEqual(none, { routing_strategy: 'sticky_user', endpoints: [] })
  assert.equal(await servedBy(one), 'us-east-1')
})

test('changes apply here at once, and on the other instance without a restart', async () => {
  const trial = async (index: number): Promise<void> => {
    const name = `trial-${index}`
    await admin.done('PUT', `/admin/model-mappings/${name}`, { hosted_model_id: 'anthropic.claude-sonnet-5' })
    assert.equal((await admin.done('POST', '/admin/models/resolve', { model: name })).resolved, true)
    await until(async () => (await admin2.done('POST', '/admin/models/resolve', { model: name })).resolved === true)
  }
  const endpointTrial = async (): Promise<void> => {
    const { id } = await admin.done('POST', '/admin/endpoints', { ...east, name: 'shared', region: 'us-west-2' })
    await admin.done('PUT', `/admin/endpoints/${id}/default`)
    await until(async () => (await servedBy(two)) === 'us-west-2')
    await until(async () => (await admin2.done('GET', `/admin/endpoints/${id}`)).health_status === 'healthy')
  }
  await Promise.all([endpointTrial(), ...Array.from({ length: 20 }, (_, index) => trial(index))])
})

test('every declared answer of the assignment routes was seen', () => {
  coverage.assertCovered('Teams', isOwnStatus)
})
