import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAuditStore } from '../../src/foundation/database/audit.ts'
import { isOwnStatus } from '../support/api-coverage.ts'
import { listEndpointAndModelRoutes } from '../support/control-routes.ts'
import { addKey, startGateway, type TestGateway } from '../support/gateway.ts'
import {
  type Admin,
  type AdminAnswer,
  adminOf,
  east,
  everyCall,
  newCoverage,
  nowhere,
  toStatus,
  until,
} from './admin-client.ts'

let gateway: TestGateway
let admin: Admin
let key = ''
const coverage = newCoverage()

before(async () => {
  gateway = await startGateway({
    prepare: async (database) => {
      key = (await addKey(database)).key
    },
  })
  admin = await adminOf(gateway, coverage)
})

after(() => gateway.stop())

async function add(values: object): Promise<AdminAnswer['body']> {
  return await admin.done('POST', '/admin/endpoints', { ...east, ...values })
}

async function checked(id: string): Promise<AdminAnswer['body']> {
  return await until(async () => {
    const endpoint = await admin.done('GET', `/admin/endpoints/${id}`)
    return endpoint.health_status === 'unknown' ? undefined : endpoint
  })
}

test('the endpoint of the first start is the default, healthy, and shows what it offers', async () => {
  const { data } = await admin.done('GET', '/admin/endpoints')
  assert.equal(data.length, 1)
  assert.equal(data[0].is_default, true)
  const endpoint = await checked(data[0].id)
  assert.equal(endpoint.health_status, 'healthy')
  assert.equal(endpoint.health_reason, null)
  assert.ok(endpoint.available_models.includes('us.anthropic.claude-sonnet-5'))
  assert.ok(endpoint.available_models.length > 7, 'more than one page of profiles')
  assert.ok(endpoint.available_models.every((id: string) => id.startsWith('us.')))
  assert.equal(new Set(endpoint.available_models).size, endpoint.available_models.length)
  assert.equal(endpoint.stats.requests_1h, 0)
})

test('a new endpoint has every field, is unknown until its first check, and is checked within seconds', async () => {
  const role = { role_arn: 'arn:aws:iam::222222222222:role/causeway', external_id: 'ext-1' }
  const { status, body, headers } = await admin.call('POST', '/admin/endpoints', {
    ...east,
    ...role,
    name: 'europe',
    region: 'eu-central-1',
    routing_prefix: 'eu',
    priority: 7,
  })
  assert.equal(status, 201)
  assert.equal(body.health_status, 'unknown')
  assert.equal(body.last_checked_at, null)
  assert.deepEqual([body.priority, body.enabled, body.is_default], [7, true, false])
  assert.deepEqual([body.role_arn, body.external_id], [role.role_arn, role.external_id])
  assert.deepEqual([body.inference_profile_arn, body.aip_overrides], [null, []])
  assert.equal(headers.get('deprecation'), null)
  const endpoint = await checked(body.id)
  assert.equal(endpoint.health_status, 'healthy')
  assert.ok(endpoint.available_models.includes('eu.anthropic.claude-sonnet-5'))
  assert.ok(Date.now() - Date.parse(endpoint.last_checked_at) < 10_000)
  const calls = await gateway.control.ledger({ operation: 'ListInferenceProfiles', account: '222222222222' })
  assert.equal(calls[0]?.externalId, 'ext-1')
})

test('every kind of bad input is refused and names its field', async () => {
  const long = 'x'.repeat(101)
  const cases: readonly (readonly [field: string, value: unknown])[] = [
    ['name', ''],
    ['name', long],
    ['name', 'a\nb'],
    ['name', undefined],
    ['region', 'Mars'],
    ['region', 'us-east-1.evil.example'],
    ['region', undefined],
    ['routing_prefix', 'mars'],
    ['routing_prefix', undefined],
    ['priority', 1.5],
    ['priority', -1],
    ['priority', '1'],
    ['enabled', 'yes'],
    ['role_arn', 'arn:aws:iam::12:role/x'],
    ['role_arn', 'arn:aws:iam::222222222222:user/x'],
    ['external_id', 'x'],
    ['external_id', 'a b'],
    ['inference_profile_arn', 'us.anthropic.claude-sonnet-5'],
    ['inference_profile_arn', 'arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-sonnet-5'],
    ['is_default', true],
    ['health_status', 'healthy'],
  ]
  for (const [field, value] of cases) {
    const { status, body } = await admin.call('POST', '/admin/endpoints', { ...east, name: 'bad', [field]: value })
    assert.equal(status, 400, `${field}: ${String(value)}`)
    assert.equal(body.error.details[0].path, field)
  }
  const { data } = await admin.done('GET', '/admin/endpoints?q=bad')
  assert.deepEqual(data, [])
})

test('every partition and prefix is accepted', async () => {
  const places = [
    ['us-gov-west-1', 'us-gov', 'arn:aws-us-gov:iam::222222222222:role/path/to/causeway'],
    ['cn-north-1', 'global', 'arn:aws-cn:iam::222222222222:role/causeway'],
    ['ap-northeast-1', 'jp', null],
    ['ap-south-1', 'in', null],
    ['ap-southeast-1', 'apac', null],
    ['ap-southeast-2', 'au', null],
  ] as const
  for (const [region, routing_prefix, role_arn] of places) {
    const { id } = await add({ name: region, region, routing_prefix, role_arn, enabled: false })
    await admin.done('DELETE', `/admin/endpoints/${id}`)
  }
})

test('a change keeps what is omitted, clears what is null, and is in the audit trail with before and after', async () => {
  const { id } = await add({ name: 'patched', role_arn: 'arn:aws:iam::222222222222:role/causeway', external_id: 'e-1' })
  const first = await admin.done('PUT', `/admin/endpoints/${id}`, { priority: 9 })
  assert.deepEqual([first.priority, first.name, first.external_id], [9, 'patched', 'e-1'])
  const second = await admin.done('PUT', `/admin/endpoints/${id}`, { role_arn: null, external_id: null, name: 'new' })
  assert.deepEqual([second.role_arn, second.external_id, second.name, second.priority], [null, null, 'new', 9])
  for (const field of ['name', 'region', 'routing_prefix', 'priority', 'enabled']) {
    const { status } = await admin.call('PUT', `/admin/endpoints/${id}`, { [field]: null })
    assert.equal(status, 400, field)
  }
  assert.equal((await admin.call('PUT', `/admin/endpoints/${id}`, { stats: {} })).status, 400)
  assert.ok(gateway.database)
  const trail = await createAuditStore(gateway.database.kysely).list({ target: `endpoint:${id}` })
  assert.deepEqual(
    trail.data.map((entry) => entry.action),
    ['endpoint.update', 'endpoint.update', 'endpoint.create'],
  )
  assert.equal((trail.data[0]?.before as { name: string } | undefined)?.name, 'patched')
  assert.equal((trail.data[0]?.after as { name: string } | undefined)?.name, 'new')
  await admin.done('DELETE', `/admin/endpoints/${id}`)
})

test('names are unique', async () => {
  const { id } = await add({ name: 'only' })
  const other = await add({ name: 'other' })
  assert.equal((await admin.call('POST', '/admin/endpoints', { ...east, name: 'only' })).status, 409)
  assert.equal((await admin.call('PUT', `/admin/endpoints/${other.id}`, { name: 'only' })).status, 409)
  await admin.done('DELETE', `/admin/endpoints/${id}`)
  await admin.done('DELETE', `/admin/endpoints/${other.id}`)
})

test('exactly one endpoint is the default, and it can be neither deleted nor disabled', async () => {
  const before = (await admin.done('GET', '/admin/endpoints')).data.find(
    (one: { is_default: boolean }) => one.is_default,
  )
  const next = await add({ name: 'next default' })
  assert.equal((await admin.call('DELETE', `/admin/endpoints/${before.id}`)).status, 409)
  assert.equal((await admin.call('PUT', `/admin/endpoints/${before.id}`, { enabled: false })).status, 409)
  const disabled = await add({ name: 'disabled', enabled: false })
  assert.equal((await admin.call('PUT', `/admin/endpoints/${disabled.id}/default`)).status, 409)
  assert.equal((await admin.done('PUT', `/admin/endpoints/${next.id}/default`)).is_default, true)
  const { data } = await admin.done('GET', '/admin/endpoints')
  const defaults = data.filter((one: { is_default: boolean }) => one.is_default)
  assert.deepEqual(
    defaults.map((one: { id: string }) => one.id),
    [next.id],
  )
  assert.equal((await admin.call('PUT', `/admin/endpoints/${before.id}`, { enabled: false })).status, 200)
  await admin.done('PUT', `/admin/endpoints/${before.id}`, { enabled: true })
  await admin.done('PUT', `/admin/endpoints/${before.id}/default`)
  for (const { id } of [next, disabled])
    assert.equal((await admin.call('DELETE', `/admin/endpoints/${id}`)).status, 204)
})

test('an id that is malformed is 400, one that is unknown 404, on every path', async () => {
  const paths: readonly (readonly [method: string, rest: string, body?: unknown])[] = [
    ['GET', ''],
    ['PUT', '', { priority: 1 }],
    ['DELETE', ''],
    ['PUT', '/default'],
    ['GET', '/drain'],
    ['GET', '/quotas'],
    ['GET', '/models'],
    ['POST', '/check'],
    ['GET', '/aip-overrides'],
    ['POST', '/aip-overrides', { model_id: 'm', aip_arn: arnOf('gone') }],
    ['DELETE', '/aip-overrides/m'],
  ]
  for (const [method, rest, body] of paths) {
    assert.equal((await admin.call(method, `/admin/endpoints/nonsense${rest}`, body)).status, 400, method + rest)
    assert.equal((await admin.call(method, `/admin/endpoints/${nowhere}${rest}`, body)).status, 404, method + rest)
  }
})

function arnOf(id: string, partition = 'aws'): string {
  return `arn:${partition}:bedrock:us-east-1:111111111111:application-inference-profile/${id}`
}

test('an override is stored once per model, shown with the endpoint and used; its arn is checked', async () => {
  const { id } = await add({ name: 'with overrides' })
  const path = `/admin/endpoints/${id}/aip-overrides`
  const profile = { account: '111111111111', region: 'us-east-1', foundationModelId: 'anthropic.claude-sonnet-5' }
  const { arn } = await gateway.control.defineApplicationProfile(profile)
  const other = await gateway.control.defineApplicationProfile(profile)
  const first = await admin.call('POST', path, { model_id: 'claude-sonnet-5', aip_arn: arn, reason: 'cost centre 7' })
  assert.equal(first.status, 201)
  assert.deepEqual([first.body.set_by, first.body.reason, first.body.endpoint_id], ['admin', 'cost centre 7', id])
  const second = await admin.call('POST', path, { model_id: 'claude-sonnet-5', aip_arn: other.arn })
  assert.equal(second.status, 200)
  assert.equal(second.body.created_at, first.body.created_at)
  assert.equal(second.body.reason, null)
  const endpoint = await admin.done('GET', `/admin/endpoints/${id}`)
  assert.deepEqual(
    endpoint.aip_overrides.map((override: { aip_arn: string }) => override.aip_arn),
    [other.arn],
  )
  for (const bad of [
    arnOf('x').replace('application-', ''),
    arnOf('x').replace('111111111111', ''),
    arnOf('a b'),
    'x',
    '',
    7,
  ])
    assert.equal((await admin.call('POST', path, { model_id: 'm', aip_arn: bad })).status, 400, String(bad))
  assert.equal((await admin.call('POST', path, { model_id: '', aip_arn: arn })).status, 400)
  assert.equal((await admin.call('POST', path, { model_id: 'm', aip_arn: arn, set_by: 'me' })).status, 400)
  for (const partition of ['aws-us-gov', 'aws-cn']) {
    const odd = `odd/name ${partition}:1`
    const stored = await admin.done('POST', path, { model_id: odd, aip_arn: arnOf('x', partition) })
    assert.equal(stored.model_id, odd)
    assert.equal((await admin.call('DELETE', `${path}/${encodeURIComponent(odd)}`)).status, 204)
  }
  assert.equal((await admin.done('GET', path)).data.length, 1)
  assert.equal((await admin.call('DELETE', `${path}/claude-sonnet-5`)).status, 204)
  assert.equal((await admin.call('DELETE', `${path}/claude-sonnet-5`)).status, 404)
  await admin.done('DELETE', `/admin/endpoints/${id}`)
})

test('a client that calls by the arn of an application profile is told which model is behind it, and only of its own', async () => {
  const { data } = await admin.done('GET', '/admin/endpoints')
  const { id } = data.find((endpoint: { is_default: boolean }) => endpoint.is_default)
  const profile = { account: '111111111111', region: 'us-east-1', foundationModelId: 'anthropic.claude-opus-5' }
  const { arn } = await gateway.control.defineApplicationProfile(profile)
  const ask = (path: string): Promise<Response> => fetch(`${gateway.url}${path}`, { headers: { 'x-api-key': key } })
  // As the client writes it: colons as they are, the slash encoded.
  const path = `/inference-profiles/${arn.replace('/', '%2F')}`
  assert.equal((await ask(path)).status, 404)
  await admin.done('POST', `/admin/endpoints/${id}/aip-overrides`, { model_id: 'claude-opus-5', aip_arn: arn })
  const shown = await until(async () => {
    const response = await ask(path)
    return response.status === 200 && ((await response.json()) as Record<string, unknown>)
  })
  assert.deepEqual(shown, {
    inferenceProfileName: arn.split('/')[1],
    inferenceProfileArn: arn,
    inferenceProfileId: arn.split('/')[1],
    models: [{ modelArn: 'arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-opus-5' }],
    status: 'ACTIVE',
    type: 'APPLICATION',
  })
  assert.equal((await ask(`/inference-profiles/${arnOf('another').replace('/', '%2F')}`)).status, 404)
  assert.equal((await ask(`/inference-profiles/${arn.split('/')[1]}`)).status, 404)
  assert.equal((await ask('/inference-profiles?type=APPLICATION')).status, 200)
  await admin.done('DELETE', `/admin/endpoints/${id}/aip-overrides/claude-opus-5`)
})

test('quotas come with all pages, from memory for five minutes, and a missing permission is told in words', async () => {
  const { id } = await add({ name: 'quotas' })
  const first = await admin.done('GET', `/admin/endpoints/${id}/quotas`)
  assert.ok(first.data.length > 40, 'more than one page')
  assert.match(first.data[0].name, /tokens per minute/)
  assert.equal(first.unavailable_reason, undefined)
  const asked = (await gateway.control.ledger({ operation: 'ListServiceQuotas' })).length
  const second = await admin.done('GET', `/admin/endpoints/${id}/quotas`)
  assert.equal(second.fetched_at, first.fetched_at)
  assert.equal((await gateway.control.ledger({ operation: 'ListServiceQuotas' })).length, asked)
  const denied = { status: 403, type: 'AccessDeniedException', message: 'not authorized to perform ListServiceQuotas' }
  await gateway.control.script({ match: { operation: 'ListServiceQuotas' }, behaviour: { error: denied } })
  const other = await add({ name: 'quotas denied', role_arn: 'arn:aws:iam::333333333333:role/causeway' })
  const refused = await admin.done('GET', `/admin/endpoints/${other.id}/quotas`)
  assert.deepEqual(refused.data, [])
  assert.match(refused.unavailable_reason, /not authorized/)
  assert.ok((await admin.done('GET', `/admin/endpoints/${other.id}/quotas`)).data.length > 40, 'once it is permitted')
  for (const one of [id, other.id]) await admin.done('DELETE', `/admin/endpoints/${one}`)
})

test('models are the profiles of the prefix and the application profiles of the overrides', async () => {
  const { id } = await add({ name: 'models', region: 'eu-central-1', routing_prefix: 'eu' })
  const profile = { account: '111111111111', region: 'eu-central-1', foundationModelId: 'anthropic.claude-opus-5' }
  const { arn } = await gateway.control.defineApplicationProfile(profile)
  await admin.done('POST', `/admin/endpoints/${id}/aip-overrides`, { model_id: 'claude-opus-5', aip_arn: arn })
  const { data } = await admin.done('GET', `/admin/endpoints/${id}/models`)
  const sonnet = data.find((row: { profile_id: string }) => row.profile_id === 'eu.anthropic.claude-sonnet-5')
  assert.deepEqual(
    [sonnet.model_id, sonnet.status, sonnet.type],
    ['anthropic.claude-sonnet-5', 'ACTIVE', 'SYSTEM_DEFINED'],
  )
  const own = data.filter((row: { type: string }) => row.type === 'APPLICATION')
  assert.deepEqual(
    own.map((row: { model_id: string }) => row.model_id),
    ['anthropic.claude-opus-5'],
  )
  assert.ok(data.every((row: { profile_id: string }) => !row.profile_id.startsWith('global.')))
  const error = { status: 403, type: 'AccessDeniedException', message: 'no ListInferenceProfiles for you' }
  // Every time: the first check of the new endpoint asks the same.
  const match = { operation: 'ListInferenceProfiles', region: 'eu-central-1' } as const
  await gateway.control.script({ match, times: null, behaviour: { error } })
  const refused = await admin.done('GET', `/admin/endpoints/${id}/models`)
  assert.deepEqual([refused.data, refused.unavailable_reason], [[], error.message])
  await gateway.control.clearScripts()
  await admin.done('DELETE', `/admin/endpoints/${id}`)
})

test('a check says what each permission answered, and its calls are in the ledger', async () => {
  const { id } = await add({ name: 'tried' })
  const good = await admin.done('POST', `/admin/endpoints/${id}/check`)
  assert.deepEqual(
    good.permissions.map((one: { permission: string; status: string }) => `${one.permission} ${one.status}`),
    ['invoke ok', 'stream ok', 'list ok', 'get ok', 'quotas ok'],
  )
  assert.equal(good.health_status, 'healthy')
  assert.equal(good.permissions[0].target, 'us.anthropic.claude-haiku-5-5', 'the cheapest one')
  const rows = await until(async () => {
    const found = await gateway.database?.pool.query(
      'select streaming, flags, key_id, user_id, team_id, cost_nano_usd from spend_log where endpoint_id = $1',
      [id],
    )
    return found?.rowCount === 2 ? found.rows : undefined
  })
  assert.deepEqual(rows.map((row) => row.streaming).sort(), [false, true])
  for (const row of rows) {
    assert.deepEqual([row.key_id, row.user_id, row.team_id], [null, null, null])
    assert.equal(Number(row.flags), 8, 'probe')
    assert.ok(Number(row.cost_nano_usd) > 0)
  }
  const error = { status: 403, type: 'AccessDeniedException', message: 'explicit deny' }
  for (const operation of ['InvokeModelWithResponseStream', 'GetInferenceProfile', 'ListServiceQuotas'] as const)
    await gateway.control.script({ match: { operation }, behaviour: { error } })
  await gateway.control.script({ match: { operation: 'InvokeModel' }, behaviour: { throttle: true } })
  const bad = await admin.done('POST', `/admin/endpoints/${id}/check`)
  assert.deepEqual(
    bad.permissions.map((one: { permission: string; status: string }) => `${one.permission} ${one.status}`),
    ['invoke failed', 'stream denied', 'list ok', 'get denied', 'quotas denied'],
  )
  assert.equal(bad.permissions[1].message, 'explicit deny')
  await gateway.control.clearScripts()
  await admin.done('DELETE', `/admin/endpoints/${id}`)
})

test('every route is for administrators: no credential is 401, a virtual key 403', async () => {
  const routes = listEndpointAndModelRoutes()
  assert.equal(routes.length, everyCall.length)
  assert.ok(routes.every((route) => route.access === 'admin'))
  for (const call of everyCall) {
    assert.equal(await toStatus(gateway.url, call, undefined), 401, call.slice(0, 2).join(' '))
    assert.equal(await toStatus(gateway.url, call, key), 403, call.slice(0, 2).join(' '))
  }
})

test('the list is paged, searched and sorted, and refuses what it does not know', async () => {
  const ids: string[] = []
  for (const name of ['page-b', 'page-a', 'page-c']) ids.push((await add({ name, enabled: false, priority: 50 })).id)
  assert.equal((await admin.done('GET', `/admin/endpoints/${ids[0]}/drain`)).enabled, false)
  const first = await admin.done('GET', '/admin/endpoints?q=page-&sort=-name&limit=2')
  const names = (page: { data: { name: string }[] }) => page.data.map((one) => one.name)
  assert.deepEqual([names(first), first.has_more], [['page-c', 'page-b'], true])
  const rest = await admin.done('GET', `/admin/endpoints?q=page-&sort=-name&limit=2&cursor=${first.next_cursor}`)
  assert.deepEqual([names(rest), rest.has_more], [['page-a'], false])
  for (const query of ['sort=colour', 'limit=0', 'limit=201', 'cursor=zzz', 'colour=red'])
    assert.equal((await admin.call('GET', `/admin/endpoints?${query}`)).status, 400, query)
  for (const id of ids) await admin.done('DELETE', `/admin/endpoints/${id}`)
})

test('every declared answer of the endpoint routes was seen', () => {
  coverage.assertCovered('Endpoints', isOwnStatus)
})
