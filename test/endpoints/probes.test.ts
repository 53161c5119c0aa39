import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { controlClient } from '../../simulator/control-client.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { addAipOverride, addEndpoint, addKey, login, startGateway, type TestGateway } from '../support/gateway.ts'
import { type Admin, type AdminAnswer, adminOf, everyCall, toStatus, until } from './admin-client.ts'

const BETA = 'context-1m-2025-08-07'
const PROBE_FLAG = 8
let simulator: Simulator
let control: ReturnType<typeof controlClient>
let database: TestDatabase
let gateway: TestGateway
let admin: Admin
let endpointId = ''
let key = ''
let aipArn = ''
const others = new Set<TestGateway>()

/** One endpoint with three models and one application profile. */
before(async () => {
  simulator = await startSimulator({ settings: { tokenMode: 'fingerprint' } })
  control = controlClient(simulator.controlUrl)
  database = await createTestDatabase()
  const place = { account: '111111111111', region: 'us-gov-west-1', foundationModelId: 'anthropic.claude-sonnet-4-6' }
  aipArn = (await control.defineApplicationProfile(place)).arn
  for (const model of ['anthropic.claude-sonnet-4-6', 'anthropic.claude-sonnet-5', 'anthropic.claude-opus-5'])
    await control.changeProfile({ op: 'add', id: `apac.${model}`, foundationModelId: model, region: 'us-gov-west-1' })
  endpointId = await addEndpoint(database.database, { name: 'main', region: 'us-gov-west-1', routingPrefix: 'apac' })
  await addAipOverride(database.database, { endpointId, modelId: 'claude-sonnet-4-6', aipArn })
  key = (await addKey(database.database)).key
  const message = `Unexpected value(s) \`${BETA}\` for the \`anthropic-beta\` header`
  await control.script({
    match: { operation: 'InvokeModel', model: 'apac.anthropic.claude-sonnet-5', bodyContains: BETA },
    behaviour: { error: { status: 400, type: 'ValidationException', message } },
  })
  gateway = await startGateway({ simulator, database, probes: true })
  admin = await adminOf(gateway)
})

after(async () => {
  // Also those of tests that failed: an open gateway would keep this process alive.
  await Promise.all([gateway, ...others].map((one) => one.stop()))
  await database.drop()
  await simulator.close()
})

async function startOther(env: Readonly<Record<string, string>> = {}): Promise<TestGateway> {
  const other = await startGateway({ simulator, database, probes: true, env })
  others.add(other)
  return other
}

async function stopOther(other: TestGateway): Promise<void> {
  others.delete(other)
  await other.stop()
}

async function verdicts(of: Admin = admin): Promise<Record<string, string>> {
  const { data } = await of.done('GET', `/admin/capabilities?endpoint_id=${endpointId}&limit=200`)
  return Object.fromEntries(
    data
      .filter((row: { beta_name: string }) => row.beta_name === BETA)
      .map((row: { profile_id: string; verdict: string }) => [row.profile_id, row.verdict]),
  )
}

function probeCalls() {
  return control.ledger({ operation: 'InvokeModel', region: 'us-gov-west-1' })
}

async function modelIds(of: TestGateway = gateway): Promise<string[]> {
  const response = await fetch(`${of.url}/v1/models`, { headers: { 'x-api-key': key } })
  return ((await response.json()) as { data: { id: string }[] }).data.map((model) => model.id)
}

test('every profile and override is probed once by a call of one token, and the verdicts are shown', async () => {
  const found = await until(async () => {
    const known = await verdicts()
    return Object.keys(known).length === 4 ? known : undefined
  })
  assert.deepEqual(found, {
    'apac.anthropic.claude-sonnet-4-6': 'supported',
    'apac.anthropic.claude-sonnet-5': 'unsupported',
    'apac.anthropic.claude-opus-5': 'supported',
    [aipArn]: 'supported',
  })
  const calls = await probeCalls()
  assert.equal(calls.length, 4)
  // The scripted refusal came before the simulator read the body.
  for (const call of calls) assert.deepEqual(call.betas, call.status === 200 ? [BETA] : [])
  const bodies = (await control.requests()).filter((request) => request.body.includes(BETA)).map(({ body }) => body)
  for (const body of bodies) assert.equal((JSON.parse(body) as { max_tokens: number }).max_tokens, 1)
})

test('long-context variants are listed exactly where the beta is confirmed', async () => {
  const listed = await modelIds()
  assert.ok(listed.includes('claude-opus-5[1m]'))
  assert.ok(listed.includes('claude-sonnet-4-6[1m]'))
  assert.ok(listed.includes('claude-sonnet-5'))
  assert.ok(!listed.includes('claude-sonnet-5[1m]'))
})

test('each probe is in the ledger, without user, team or key', async () => {
  const rows = await until(async () => {
    const found = await database.database.pool.query('select * from spend_log where endpoint_id = $1', [endpointId])
    return found.rowCount === 4 ? found.rows : undefined
  })
  for (const row of rows) {
    assert.deepEqual([row.user_id, row.team_id, row.key_id], [null, null, null])
    assert.equal(Number(row.flags) & PROBE_FLAG, PROBE_FLAG)
    assert.equal(Number(row.cost_nano_usd) > 0, row.status === 200)
  }
  assert.deepEqual(rows.map((row) => row.status).sort(), [200, 200, 200, 400])
})

test('the record of each probe has the tokens that the answer reported, one-hour cache writes included', async () => {
  const { rows } = await database.database.pool.query(
    `select input_tokens as input, output_tokens as output, cache_read_tokens as cache_read,
       cache_write_5m_tokens as cache_write_5m, cache_write_1h_tokens as cache_write_1h
     from spend_log where endpoint_id = $1 and status = 200 order by input_tokens`,
    [endpointId],
  )
  const served = (await probeCalls()).flatMap(({ usageSent }) => (usageSent === null ? [] : [usageSent]))
  assert.deepEqual(
    rows,
    served.toSorted((one, other) => one.input - other.input),
  )
})

test('a second instance and a restart take the verdicts over without a call of their own', async () => {
  const calls = (await probeCalls()).length
  const other = await startOther()
  const otherAdmin = await adminOf(other)
  await until(async () => Object.keys(await verdicts(otherAdmin)).length === 4)
  assert.deepEqual(await verdicts(otherAdmin), await verdicts())
  assert.ok((await modelIds(other)).includes('claude-opus-5[1m]'))
  assert.equal((await probeCalls()).length, calls)
  await stopOther(other)
})

test('instances that start together probe once between them', async () => {
  const id = await addEndpoint(database.database, {
    name: 'shared',
    region: 'ap-southeast-2',
    routingPrefix: 'au',
    roleArn: 'arn:aws:iam::222222222222:role/causeway',
  })
  const pair = await Promise.all([startOther(), startOther()])
  const admins = await Promise.all(pair.map((one) => adminOf(one)))
  const known = async (of: Admin) =>
    (await of.done('GET', `/admin/capabilities?endpoint_id=${id}&limit=200`)).data.length
  const offered = await until(async () => {
    const endpoint = await admin.done('GET', `/admin/endpoints/${id}`)
    return endpoint.available_models.length > 0 && endpoint.available_models.length
  })
  for (const of of admins) await until(async () => (await known(of)) === offered)
  const calls = await control.ledger({ operation: 'InvokeModel', region: 'ap-southeast-2' })
  assert.equal(calls.length, offered)
  assert.equal(new Set(calls.map((call) => call.modelId)).size, offered)
  await Promise.all(pair.map(stopOther))
})

/** Lets a row be due, as if its time had come; the next look of the loop finds it. */
async function makeDue(profileId: string): Promise<void> {
  const values = [endpointId, profileId]
  await database.database.pool.query(
    'update capability_probes set next_at = now() where endpoint_id = $1 and profile_id = $2',
    values,
  )
}

async function toFailure(profileId: string): Promise<AdminAnswer['body']> {
  const { rows } = await database.database.pool.query(
    `select verdict, failure, extract(epoch from next_at - now())::float8 as wait from capability_probes
     where endpoint_id = $1 and profile_id = $2`,
    [endpointId, profileId],
  )
  return rows[0]
}

test('a throttle leaves the verdict and is tried at the next tick; missing access is not asked every minute', async () => {
  const profileId = 'apac.anthropic.claude-opus-5'
  const { wait } = await toFailure(profileId)
  assert.ok(wait > 0.94 * 86_400 && wait < 86_400, `probed again before the entry ends, in ${wait} s`)
  const outcomes = [
    [{ throttle: true }, 60],
    [{ error: { status: 503, type: 'ServiceUnavailableException', message: 'later' } }, 60],
    [{ error: { status: 403, type: 'AccessDeniedException', message: 'no access' } }, 4_000],
  ] as const
  for (const [behaviour, longestWait] of outcomes) {
    await control.script({ match: { operation: 'InvokeModel', model: profileId }, behaviour })
    await makeDue(profileId)
    const other = await startOther()
    const row = await until(async () => {
      const found = await toFailure(profileId)
      return found.failure !== null && found.wait > 0 && found
    })
    assert.equal(row.verdict, 'supported', 'unchanged')
    assert.ok(row.wait <= longestWait && row.wait > longestWait / 2, `${row.wait} s after ${JSON.stringify(behaviour)}`)
    await stopOther(other)
    await database.database.pool.query('update capability_probes set failure = null')
  }
})

test("an administrator's word is permanent: no probe and no restart changes it", async () => {
  const profileId = 'apac.anthropic.claude-sonnet-5'
  const override = {
    endpoint_id: endpointId,
    profile_id: profileId,
    beta_name: BETA,
    supported: true,
    reason: 'tested',
  }
  const stored = await admin.done('PUT', '/admin/capabilities/overrides', override)
  assert.deepEqual([stored.supported, stored.reason, stored.set_by], [true, 'tested', 'admin'])
  assert.ok((await modelIds()).includes('claude-sonnet-5[1m]'))
  const calls = (await probeCalls()).length
  await makeDue(profileId)
  const other = await startOther()
  assert.ok((await modelIds(other)).includes('claude-sonnet-5[1m]'), 'from the first moment, before any tick')
  const otherAdmin = await adminOf(other)
  await until(async () => (await verdicts(otherAdmin))['apac.anthropic.claude-opus-5'] === 'supported')
  assert.equal((await probeCalls()).length, calls, 'nobody asks about what is decided')
  await stopOther(other)
})

test('a beta that traffic made suspect is settled by a probe, but not one that only a counter has refused', async () => {
  const beta = 'invented-feature-2026-01-01'
  const entry = async (profileId = 'apac.anthropic.claude-opus-5') => {
    const { data } = await admin.done('GET', `/admin/capabilities?q=${beta}`)
    return data.find((row: { endpoint_id: string; profile_id: string }) => {
      return row.endpoint_id === endpointId && row.profile_id === profileId
    })?.verdict as string | undefined
  }
  const send = async (path: string, model: string) => {
    const response = await fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key, 'anthropic-beta': beta },
      body: JSON.stringify({ model, max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] }),
    })
    assert.equal(response.status, 200)
  }
  // The model behind the override: its bare id is among those that the endpoint is known to have.
  await control.script({
    match: { operation: 'CountTokens' },
    behaviour: { error: { status: 400, type: 'ValidationException', message: 'invalid beta flag' } },
  })
  await send('/v1/messages/count_tokens', 'claude-sonnet-4-6')
  assert.equal(await entry('anthropic.claude-sonnet-4-6'), 'suspected')
  await send('/v1/messages', 'claude-opus-5')
  assert.equal(await entry(), 'suspected')
  // A change of what is wanted makes the loop look now and not within the minute.
  const override = { endpoint_id: endpointId, profile_id: aipArn, beta_name: BETA, supported: true }
  await admin.done('PUT', '/admin/capabilities/overrides', override)
  await until(async () => (await entry()) === 'unsupported')
  assert.equal(await toFailure('anthropic.claude-sonnet-4-6'), undefined, 'nobody has claimed a probe of it')
  const { supported: _, ...pair } = override
  await admin.done('DELETE', '/admin/capabilities/overrides', pair)
})

test('without AIP probing the entries of application profiles stay empty, until the setting is switched on', async () => {
  await database.database.pool.query('delete from capability_probes')
  await control.clearLedger()
  const other = await startOther({ CAPABILITY_PROBE_AIP: 'false' })
  const otherAdmin = await adminOf(other)
  await until(async () => Object.keys(await verdicts(otherAdmin)).length >= 2)
  assert.equal((await verdicts(otherAdmin))[aipArn], undefined)
  assert.notEqual(
    (await control.ledger({ operation: 'GetInferenceProfile' })).length,
    0,
    'its model is read all the same',
  )
  assert.equal((await otherAdmin.done('GET', '/admin/settings')).capability_probe_aip, false)
  await otherAdmin.done('PUT', '/admin/settings/capability_probe_aip', { value: true })
  await until(async () => (await verdicts(otherAdmin))[aipArn] === 'supported')
  await stopOther(other)
})

test('without a database nothing is probed, no variant is listed, and every route says what it needs', async () => {
  await control.clearLedger()
  const bare = await startGateway({ simulator, database: 'none', probes: true })
  others.add(bare)
  const token = await login(bare.url)
  const listed = async () =>
    (
      (await (await fetch(`${bare.url}/v1/models`, { headers: { authorization: `Bearer ${token}` } })).json()) as {
        data: { id: string }[]
      }
    ).data.map((model) => model.id)
  await until(
    async () => (await control.ledger({ operation: 'ListInferenceProfiles', region: 'us-east-1' })).length > 0,
  )
  // Two looks of the loop go by.
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  assert.ok((await listed()).length > 0)
  assert.ok((await listed()).every((id) => !id.endsWith('[1m]')))
  assert.deepEqual(await control.ledger({ operation: 'InvokeModel', region: 'us-east-1' }), [])
  for (const call of everyCall) assert.equal(await toStatus(bare.url, call, token), 503, call.slice(0, 2).join(' '))
  await stopOther(bare)
})
