/** Endpoints, models, prices, settings and notifications from the command line, against a real gateway. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { login, startGateway, type TestGateway } from '../support/gateway.ts'
import { type CliRunner, createRunner } from './cli-runner.ts'

const PROFILE = 'us.anthropic.claude-sonnet-5'
const BETA = 'context-1m-2025-08-07'
let gateway: TestGateway
let cli: CliRunner
let main = ''

before(async () => {
  gateway = await startGateway()
  cli = createRunner({ CAUSEWAY_URL: gateway.url, CAUSEWAY_TOKEN: await login(gateway.url) })
  main = (await cli.json(['endpoints', 'list'])).data[0].name
})

after(async () => {
  cli?.close()
  await gateway?.stop()
})

test('endpoints are added, changed, checked, made the default and deleted', async () => {
  const made = await cli.json([
    'endpoints',
    'create',
    'eu-west',
    '--region',
    'eu-west-1',
    '--prefix',
    'eu',
    '--priority',
    '20',
  ])
  assert.deepEqual([made.region, made.routing_prefix, made.priority], ['eu-west-1', 'eu', 20])
  assert.equal((await cli.json(['endpoints', 'show', made.id])).name, 'eu-west')
  assert.equal(
    (await cli.json(['endpoints', 'update', 'eu-west', '--priority', '5', '--role-arn', 'none'])).priority,
    5,
  )
  const checked = await cli.json(['endpoints', 'check', main])
  assert.equal(checked.health_status, 'healthy')
  assert.ok((await cli.json(['endpoints', 'models', main])).data.length > 0)
  assert.ok((await cli.json(['endpoints', 'quotas', main])).data.length > 0)
  const history = await cli.json(['endpoints', 'history', '--at', '3h'])
  assert.equal(Date.parse(history.to) - Date.parse(history.from), 3_600_000)
  assert.ok(history.endpoints.some((one: { name: string }) => one.name === main))
  assert.equal((await cli.json(['endpoints', 'default', 'eu-west'])).is_default, true)
  assert.equal((await cli.run(['endpoints', 'delete', 'eu-west', '--yes'])).code, 6)
  await cli.json(['endpoints', 'default', main])
  const asked = await cli.run(['endpoints', 'drain', 'eu-west'])
  assert.equal(asked.code, 2, 'nobody is there to be asked')
  assert.match(asked.err, /It served 0 calls in the last hour\.\nNo team has it assigned\./)
  assert.equal((await cli.json(['endpoints', 'drain', 'eu-west', '--yes'])).enabled, false)
  assert.equal((await cli.run(['endpoints', 'drain', 'eu-west', '--yes'])).code, 6)
  assert.equal((await cli.run(['endpoints', 'delete', 'eu-west', '--yes'])).code, 0)
  assert.equal((await cli.run(['endpoints', 'create', 'x', '--region', 'eu-west-1', '--prefix', 'moon'])).code, 2)
})

test('teams that disabling stops and deleting moves are listed before, and nothing happens without consent', async () => {
  const created = ['endpoints', 'create', 'only', '--region', 'us-east-1', '--prefix', 'us']
  await cli.json(created)
  await cli.json(['teams', 'create', 'alone'])
  await cli.json(['teams', 'endpoints', 'set', 'alone', 'only'])
  const disable = ['endpoints', 'update', 'only', '--enabled', 'false']
  const asked = await cli.run(disable)
  assert.equal(asked.code, 2)
  assert.match(
    asked.err,
    /Disable the endpoint "only"\?\n {2}alone: has no other enabled endpoint, so its requests stop/,
  )
  assert.equal((await cli.run(disable, { answers: ['n'] })).code, 2)
  assert.equal((await cli.json(['endpoints', 'show', 'only'])).enabled, true)
  assert.equal((await cli.json(['endpoints', 'update', 'only', '--priority', '9'])).priority, 9)
  assert.equal((await cli.json([...disable, '--yes'])).enabled, false)
  const removal = await cli.run(['endpoints', 'delete', 'only'])
  assert.equal(removal.code, 2)
  assert.match(removal.err, /AIP overrides\?\n {2}alone: moves to the default endpoint/)
  assert.equal((await cli.run(['endpoints', 'delete', 'only', '--yes'])).code, 0)
  await cli.run(['teams', 'delete', 'alone', '--yes'])
})

test('an endpoint that is not healthy ends a check with its own code', async () => {
  await cli.json([
    'endpoints',
    'create',
    'broken',
    '--region',
    'eu-west-1',
    '--prefix',
    'eu',
    '--role-arn',
    'arn:aws:iam::111122223333:role/nobody',
  ])
  await cli.json([
    'aip',
    'set',
    'broken',
    'claude-sonnet-5',
    'arn:aws:bedrock:eu-west-1:111122223333:application-inference-profile/missing00000',
  ])
  const { code, out } = await cli.run(['endpoints', 'check', 'broken'])
  assert.equal(code, 8)
  assert.match(out, /^\w+\t(ok|denied|failed|not_checked)\t/)
  await cli.json(['endpoints', 'delete', 'broken', '--yes'])
})

test('a permission that an endpoint needs and has not ends a check with the same code', async () => {
  const error = { status: 403, type: 'AccessDeniedException', message: 'not authorized' }
  const deny = (operation: 'InvokeModel' | 'GetInferenceProfile' | 'ListServiceQuotas') =>
    gateway.control.script({ match: { operation }, times: null, behaviour: { error } })
  await deny('GetInferenceProfile')
  await deny('ListServiceQuotas')
  assert.equal(
    (await cli.run(['endpoints', 'check', main])).code,
    0,
    'it has no profile of its own, and quotas are shown only',
  )
  await deny('InvokeModel')
  const { code, err } = await cli.run(['endpoints', 'check', main])
  await gateway.control.clearScripts()
  assert.equal(code, 8)
  assert.match(err, /bedrock:InvokeModel is denied\n/)
})

test('application inference profiles and betas are set, listed and taken back', async () => {
  const arn = 'arn:aws:bedrock:us-east-1:111122223333:application-inference-profile/abc123abc123'
  assert.equal((await cli.json(['aip', 'set', main, 'claude-sonnet-5', arn, '--reason', 'tags'])).aip_arn, arn)
  assert.equal((await cli.json(['aip', 'list', main])).data[0].reason, 'tags')
  assert.equal((await cli.run(['aip', 'delete', main, 'claude-sonnet-5', '--yes'])).code, 0)
  // A check meanwhile has found that there is no such profile.
  assert.equal((await cli.json(['endpoints', 'check', main])).health_status, 'healthy')
  assert.equal((await cli.run(['aip', 'set', main, 'claude-sonnet-5', 'no-arn'])).code, 2)

  const place = { account: '111111111111', region: 'us-east-1', foundationModelId: 'anthropic.claude-opus-5' }
  const other = (await gateway.control.defineApplicationProfile(place)).arn
  const set = await cli.run(['aip', 'set', main, 'claude-sonnet-5', other], { terminal: true })
  assert.match(set.out, /\nWarning: The override of claude-sonnet-5 uses .* anthropic\.claude-opus-5 instead/)
  assert.match((await cli.run(['aip', 'list', main])).out, /\tThe override of claude-sonnet-5 uses /)
  assert.match((await cli.run(['endpoints', 'show', main])).out, /warnings\tThe override of claude-sonnet-5 uses /)
  assert.equal((await cli.run(['aip', 'delete', main, 'claude-sonnet-5', '--yes'])).code, 0)

  const key = [main, PROFILE, BETA]
  assert.equal((await cli.json(['betas', 'override', ...key, 'false', '--reason', 'by hand'])).supported, false)
  assert.equal((await cli.json(['betas', 'list', '--endpoint', main])).data[0].verdict, 'unsupported')
  assert.equal((await cli.json(['capabilities', 'list'])).data.length, 1)
  assert.equal((await cli.run(['betas', 'clear-override', ...key])).code, 0)
  assert.equal((await cli.run(['betas', 'clear', ...key])).code, 3)
  assert.equal((await cli.run(['betas', 'override', main.slice(0, 2), PROFILE, BETA, 'true'])).code, 2)
})

test('model ids are explained, mapped and unmapped', async () => {
  assert.ok((await cli.json(['models', 'list'])).data.length > 0)
  const explained = await cli.json(['models', 'resolve', 'claude-sonnet-5', '--endpoint', main])
  assert.equal(explained.resolved, true)
  assert.equal((await cli.run(['models', 'resolve', 'no-such-model'])).code, 3)
  assert.equal(
    (await cli.json(['models', 'map', 'company-default', 'anthropic.claude-sonnet-5', '--name', 'Ours'])).display_name,
    'Ours',
  )
  assert.equal((await cli.json(['models', 'mappings', '-q', 'company-default'])).data.length, 1)
  assert.equal((await cli.run(['models', 'unmap', 'company-default', '--yes'])).code, 0)
})

test('prices are set, listed, removed and refreshed', async () => {
  const rates = ['--input-usd', '3', '--output-usd', '15', '--cache-read-usd', '0.3', '--cache-write-5m-usd', '3.75']
  const model = 'anthropic.claude-sonnet-5'
  const { data } = await cli.json(['prices', 'set', model, ...rates, '--scope', 'global'])
  assert.deepEqual([data[0].source, data[0].output_usd_per_mtok], ['admin', 15])
  assert.ok((await cli.json(['prices', 'list', '--all'])).data.length > 1)
  assert.equal((await cli.run(['prices', 'delete', model, '--scope', 'global', '--yes'])).code, 0)
  assert.equal((await cli.json(['prices', 'refresh'])).success, true)
  assert.ok(Date.parse((await cli.json(['status'])).prices_refreshed_at) > Date.now() - 60_000)
  const long = await cli.run(['prices', 'set', model, ...rates, '--long-input-usd', '6'])
  assert.equal(long.code, 2)
  assert.match(long.err, /--long-above/)
  const half = await cli.run(['prices', 'set', model, '--input-usd', '3'])
  assert.equal(half.code, 2)
  assert.match(half.err, /--output-usd, --cache-read-usd, --cache-write-5m-usd/)
})

test('settings are read and set with their types', async () => {
  assert.equal((await cli.json(['settings', 'list'])).session_token_ttl_hours, 24)
  assert.equal((await cli.run(['settings', 'get', 'websearch_mode'])).out, 'enabled\n')
  assert.equal((await cli.json(['settings', 'set', 'session_token_ttl_hours', '12'])).value, 12)
  assert.equal((await cli.run(['settings', 'get', 'session_token_ttl_hours'])).out, '12\n')
  assert.equal((await cli.run(['settings', 'set', 'session_token_ttl_hours', 'long'])).code, 2)
  assert.equal((await cli.run(['settings', 'set', 'colour', 'red'])).code, 3)
  assert.match((await cli.run(['settings', 'get', 'websearch_mod'])).err, /did you mean "websearch_mode"/)
})

test('web search has a mode and a provider whose key is never a flag', async () => {
  assert.equal((await cli.json(['websearch', 'set', 'disabled'])).mode, 'disabled')
  const provider = ['--provider', 'tavily', '--api-key-file', '-', '--max-results', '5']
  const set = await cli.json(['websearch', 'set', 'global', ...provider], { input: 'key-of-tavily\n' })
  assert.deepEqual([set.mode, set.provider.has_api_key], ['global', true])
  assert.equal((await cli.json(['websearch', 'show'])).mode, 'global')
  assert.equal((await cli.run(['websearch', 'set', 'sometimes'])).code, 2)
  const tried = await cli.run(['websearch', 'test', '--provider', 'custom', '--api-url', 'http://127.0.0.1:2/search'])
  assert.equal(tried.code, 8)
  await cli.json(['websearch', 'set', 'enabled'])
})

test('notifications go from a draft over a test to the active destination', async () => {
  const url = gateway.simulator.webhookUrl
  assert.equal((await cli.run(['notifications', 'activate'])).code, 6)
  await cli.json(['notifications', 'draft', 'webhook', `${url}/hook`, '--secret-file', '-'], {
    input: 'signing secret',
  })
  assert.equal((await cli.json(['notifications', 'test'])).success, true)
  assert.equal((await cli.json(['notifications', 'activate'])).destination, `${url}/hook`)
  assert.equal((await cli.json(['notifications', 'categories', '--rate-limit', 'true'])).categories.rate_limit, true)
  const both = await cli.json(['notifications', 'categories', '--keys', 'true', '--digest', 'true'])
  assert.deepEqual([both.categories.keys, both.categories.digest], [true, true])
  assert.ok('history' in (await cli.json(['notifications', 'show'])))
  assert.ok(Array.isArray((await cli.json(['notifications', 'deliveries'])).data))
  assert.equal((await cli.run(['notifications', 'discard'])).code, 0)
  assert.equal((await cli.run(['notifications', 'deactivate', '--yes'])).code, 0)
  assert.equal((await cli.run(['notifications', 'categories'])).code, 2)
  assert.equal((await cli.run(['notifications', 'draft', 'pigeon', 'home'])).code, 2)
})

test('the audit trail holds what was done here and comes as CSV', async () => {
  const { data } = await cli.json(['audit', 'list', '--since', '1h', '--limit', '5'])
  assert.equal(data.length, 5)
  const csv = await cli.run(['audit', 'export', '--since', '1h'])
  assert.match(csv.out, /^at,actor,action,target,from,request,before,after\n/)
  assert.equal((await cli.run(['audit', 'list', '--since', 'yesterday'])).code, 2)
})

test('every route of these nouns was called by the command that the table names', () => {
  const nouns = ['endpoints', 'aip', 'betas', 'models', 'prices', 'settings', 'websearch', 'notifications', 'audit']
  assert.deepEqual(cli.uncalled(nouns), [])
})
