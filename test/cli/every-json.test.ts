/** What every command gives to programs: one JSON document on standard output, with fields that do not go away. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listCommands } from '../../cli/app/list-commands.ts'
import { until } from '../endpoints/admin-client.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { type CommandStep, extensionSamples } from '../support/extensions.ts'
import { ADMIN_PASSWORD, login, startGateway, type TestGateway } from '../support/gateway.ts'
import { type CliRunner, createRunner } from './cli-runner.ts'

let gateway: TestGateway
let cli: CliRunner
let database: TestDatabase

before(async () => {
  database = await createTestDatabase()
  gateway = await startGateway({ database })
  cli = createRunner({
    CAUSEWAY_URL: gateway.url,
    CAUSEWAY_TOKEN: await login(gateway.url),
    AWS_REGION: 'us-east-1',
    DATABASE_URL: database.url,
  })
})

after(async () => {
  cli?.close()
  await gateway?.stop()
  await database?.drop()
})

const page = 'data has_more next_cursor'
const key = 'id name prefix status rate_limit_rpm allowed_models expires_at created_at'
const team = 'id name created_at'
const user = 'id subject email role active team_id'
const idp = 'id name issuer_url audience has_client_secret'
const endpoint = 'id name region routing_prefix priority enabled is_default'
const budget = 'scope subject_id limit_usd period rules'
const topUp = 'id amount_usd ends_at active'
const asked = 'id scope amount_usd reason status granted_usd'
const rates = '--input-usd 3 --output-usd 15 --cache-read-usd 0.3 --cache-write-5m-usd 3.75'
const profile = 'us.anthropic.claude-sonnet-5 context-1m-2025-08-07'
const arn = 'arn:aws:bedrock:us-east-1:111122223333:application-inference-profile/abc123abc123'

/** In an order in which each finds what it needs. `@oidc` and `@hook` are addresses of the simulator. `@last` is the newest id. */
const stepsOfModules: readonly CommandStep[] = [
  ['login', { args: '@url --user admin --profile json', input: ADMIN_PASSWORD, gives: 'user' }],
  ['profiles list', { gives: 'data' }],
  ['whoami', { gives: 'user' }],
  ['teams create', { args: 'platform', gives: team }],
  ['teams list', { gives: page }],
  ['teams show', { args: 'platform', gives: team }],
  ['teams rename', { args: 'platform Platform', gives: team }],
  ['users create', { args: 'ada@example.com --team Platform', gives: user }],
  ['users import', { args: '-', input: 'ada@example.com\n', gives: 'added present failed' }],
  ['users list', { gives: page }],
  ['users show', { args: 'ada@example.com', gives: user }],
  ['users update', { args: 'ada@example.com --role admin', gives: user }],
  ['users suspend', { args: 'ada@example.com --yes', gives: user }],
  ['users activate', { args: 'ada@example.com', gives: user }],
  ['users team', { args: 'ada@example.com Platform', gives: user }],
  ['users unbind', { args: 'ada@example.com --yes', gives: user }],
  ['teams members', { args: 'Platform', gives: page }],
  ['endpoints create', { args: 'eu --region eu-west-1 --prefix eu', gives: endpoint }],
  ['endpoints list', { gives: page }],
  ['endpoints show', { args: 'eu', gives: endpoint }],
  ['endpoints update', { args: 'eu --priority 7', gives: endpoint }],
  ['endpoints default', { args: '@main', gives: endpoint }],
  ['endpoints drain', { args: 'eu --yes', gives: endpoint }],
  ['endpoints check', { args: '@main', gives: 'health_status permissions' }],
  ['endpoints models', { args: '@main', gives: 'data' }],
  ['endpoints quotas', { args: '@main', gives: 'data' }],
  ['endpoints history', { gives: 'endpoints' }],
  ['teams endpoints set', { args: 'Platform @main', gives: 'routing_strategy endpoints' }],
  ['teams endpoints show', { args: 'Platform', gives: 'routing_strategy endpoints' }],
  ['aip set', { args: `eu claude-sonnet-5 ${arn}`, gives: 'endpoint_id model_id aip_arn' }],
  ['aip list', { args: 'eu', gives: 'data' }],
  ['aip delete', { args: 'eu claude-sonnet-5 --yes', gives: 'nothing' }],
  ['betas override', { args: `eu ${profile} true`, gives: 'supported' }],
  ['betas list', { gives: page }],
  ['capabilities list', { gives: page }],
  ['betas clear', { args: `eu ${profile}`, gives: 'nothing' }],
  ['keys create', { args: 'ci --user ada@example.com', gives: `${key} key` }],
  ['keys list', { gives: page }],
  ['keys show', { args: 'ci', gives: `${key} addresses` }],
  ['keys update', { args: 'ci --rpm 60', gives: key }],
  ['keys test', { input: '@key', gives: 'key' }],
  ['keys rotate', { args: 'ci --grace 1m --yes', gives: `${key} key` }],
  ['keys revoke', { args: '@ci --yes', gives: key }],
  ['keys delete', { args: '@ci --yes', gives: 'nothing' }],
  ['budgets set', { args: '--team Platform --limit 50', gives: budget }],
  ['budgets list', { gives: page }],
  ['budgets show', { args: '--team Platform', gives: budget }],
  ['budgets top-up', { args: 'team Platform 5', gives: topUp }],
  ['budgets top-ups', { args: 'team Platform', gives: page }],
  ['budgets take-back', { args: '@topUp --yes', gives: 'nothing' }],
  ['me ask', { args: '3', gives: asked }],
  ['me asked', { gives: page }],
  ['budgets requests', { gives: page }],
  ['budgets approve', { args: 'admin', gives: `${asked} user_name budget` }],
  ['budgets decline', { args: 'admin', gives: `${asked} user_name budget` }],
  ['me withdraw', { args: '--yes', gives: 'nothing' }],
  ['budgets clear', { args: '--team Platform --yes', gives: 'nothing' }],
  ['idps create', { args: 'Example --issuer @oidc --audience causeway', gives: idp }],
  ['idps list', { gives: page }],
  ['idps show', { args: 'Example', gives: idp }],
  ['idps update', { args: 'Example --domains example.com', gives: idp }],
  ['idps test', { args: 'Example', gives: 'success' }],
  ['idps delete', { args: 'Example --yes', gives: 'nothing' }],
  ['models list', { gives: 'data' }],
  ['models resolve', { args: 'claude-sonnet-5', gives: 'resolved' }],
  ['models map', { args: 'ours anthropic.claude-sonnet-5', gives: 'vendor_prefix hosted_model_id' }],
  ['models mappings', { gives: page }],
  ['models unmap', { args: 'ours --yes', gives: 'nothing' }],
  ['prices set', { args: `anthropic.claude-sonnet-5 ${rates} --scope global`, gives: 'data' }],
  ['prices list', { gives: page }],
  ['prices delete', { args: 'anthropic.claude-sonnet-5 --scope global --yes', gives: 'nothing' }],
  ['prices refresh', { gives: 'success' }],
  ['analytics recount', { gives: 'tried_records' }],
  ['settings list', { gives: 'websearch_mode session_token_ttl_hours' }],
  ['settings get', { args: 'websearch_mode', gives: 'any' }],
  ['settings set', { args: 'session_token_ttl_hours 12', gives: 'key value updated_at updated_by' }],
  ['websearch set', { args: 'enabled', gives: 'mode' }],
  ['websearch show', { gives: 'mode' }],
  ['websearch test', { args: '--provider custom --api-url http://127.0.0.1:2/', gives: 'success', code: 8 }],
  ['notifications draft', { args: 'webhook @hook', gives: 'destination_type destination' }],
  ['notifications test', { gives: 'success' }],
  ['notifications activate', { gives: 'destination_type destination' }],
  ['notifications categories', { args: '--budget true', gives: 'categories' }],
  ['notifications show', { gives: 'active draft history' }],
  ['notifications deliveries', { gives: 'data' }],
  ['notifications discard', { gives: 'nothing' }],
  ['notifications deactivate', { args: '--yes', gives: 'nothing' }],
  ['me', { gives: 'user keys' }],
  ['me budget', { gives: 'budgets' }],
  ['me usage', { gives: 'totals' }],
  ['me requests', { gives: page }],
  ['me client', { gives: 'models_listed_at' }],
  ['me sessions list', { gives: page }],
  ['me sessions end', { args: '@session --yes', gives: 'nothing' }],
  ['users sessions list', { args: 'ada@example.com', gives: page }],
  ['users sessions end-all', { args: 'ada@example.com --yes', gives: 'nothing' }],
  ['users sessions end', { args: 'admin @session --yes', gives: 'nothing' }],
  ['me keys create', { args: 'laptop', gives: `${key} key` }],
  ['me keys list', { gives: page }],
  ['me keys rotate', { args: 'laptop --yes', gives: `${key} key` }],
  ['me keys revoke', { args: 'laptop --yes', gives: key }],
  ['me search-provider set', { args: '--provider duckduckgo', gives: 'provider' }],
  ['me search-provider show', { gives: 'provider' }],
  ['me search-provider test', { args: '--provider custom --api-url http://127.0.0.1:2/', gives: 'success', code: 8 }],
  ['me search-provider delete', { args: '--yes', gives: 'nothing' }],
  ['requests list', { gives: page }],
  ['requests show', { args: '@request', gives: 'request_id attempts price' }],
  ['me request', { args: '@own', gives: 'request_id attempts price' }],
  ['why', { args: '@request', gives: 'request_id at status reason hint attempts' }],
  ['sessions list', { gives: page }],
  ['analytics explore', { args: '--measure tokens --by user', gives: 'range measure by unit total rows others' }],
  ['analytics unit-price', { gives: 'range unit_price previous marks' }],
  ['analytics adoption', { gives: 'at team_id stages' }],
  ['analytics overview', { gives: 'range totals' }],
  ['analytics spend', { gives: 'range' }],
  ['analytics activity', { gives: 'range' }],
  ['analytics models', { gives: 'range' }],
  ['analytics tools', { gives: 'range' }],
  ['audit list', { gives: page }],
  ['audit export', { gives: 'any' }],
  ['status', { gives: 'instances database endpoints' }],
  ['doctor', { args: '--remote', gives: 'any' }],
  ['migrate', { args: '--plan', gives: 'server_version planned migrations compatible' }],
  ['connect', { args: '--no-test --yes', gives: 'changes' }],
  ['statusline', { gives: 'budgets' }],
  ['endpoints delete', { args: 'eu --yes', gives: 'nothing' }],
  ['users delete', { args: 'ada@example.com --yes', gives: 'nothing' }],
  ['teams delete', { args: 'Platform --yes', gives: 'nothing' }],
  // The last one: it ends the session that all of them use.
  ['me sessions end-all', { args: '--yes', gives: 'nothing' }],
]

/** Commands whose output is no document, each with the reason. */
const withoutDocumentOfModules: Readonly<Record<string, string>> = {
  serve: 'runs until it is stopped',
  demo: 'runs until it is stopped',
  run: 'what is printed is the output of the client',
  'requests tail': 'one document a line, for ever; see usage.test.ts',
  logs: 'one document a line; see logs.test.ts',
  logout: 'says that it is done',
  'profiles use': 'says that it is done',
  'profiles delete': 'says that it is done',
  'analytics export': 'is CSV',
  completion: 'is a script',
}

const withoutDocument = {
  ...withoutDocumentOfModules,
  ...Object.assign({}, ...extensionSamples.map((one) => one.withoutDocument)),
}
const steps = extensionSamples.reduce((list, { commands }) => {
  const place = list.findIndex(([command]) => command === commands?.after)
  return commands === undefined ? list : list.toSpliced(place + 1, 0, ...commands.steps)
}, stepsOfModules)

test('this list knows every command', async () => {
  const all = (await listCommands()).map(({ path }) => path.join(' '))
  assert.deepEqual([...steps.map(([command]) => command), ...Object.keys(withoutDocument)].sort(), [...all].sort())
})

test('every command gives one JSON document with the fields that programs rely on', async () => {
  const found: Record<string, string> = {
    '@url': gateway.url,
    '@oidc': gateway.simulator.oidcUrl,
    '@hook': `${gateway.simulator.webhookUrl}/hook`,
  }
  const filled = (text: string): readonly string[] => text.split(' ').map((word) => found[word] ?? word)
  const mistakes: string[] = []
  for (const [command, { args, gives, input, code = 0 }] of steps) {
    const words = [...command.split(' '), ...(args === undefined ? [] : filled(args)), '--json']
    const result = await cli.run(words, input === undefined ? {} : { input: filled(input).join(' ') })
    const mistake = mistakeOf(result, gives, code)
    if (mistake !== undefined) mistakes.push(`${words.join(' ')}: ${mistake}`)
    else remember(found, command, JSON.parse(result.out))
    if (command === 'keys create') found['@request'] = await callOnce(found['@key'])
    if (command === 'budgets set') await cli.run(['budgets', 'set', '--user', 'admin', '--limit', '50'])
    if (command === 'budgets approve' || command === 'budgets decline') await cli.run(['me', 'ask', '3'])
    if (command === 'me keys create') found['@own'] = await callOnce(found['@laptop'])
  }
  assert.deepEqual(mistakes, [])
})

function mistakeOf({ code, out, err }: Awaited<ReturnType<CliRunner['run']>>, gives: string, wanted: number) {
  if (code !== wanted) return `ended with ${code}: ${err}`
  if (gives === 'nothing') return out === 'null\n' ? undefined : `printed ${out}`
  try {
    const document = JSON.parse(out) as Record<string, unknown>
    const missing = gives === 'any' ? [] : gives.split(' ').filter((name) => !Object.hasOwn(document, name))
    return missing.length === 0 ? undefined : `lacks ${missing.join(', ')}: ${Object.keys(document).join(', ')}`
  } catch {
    return `is no JSON: ${out.slice(0, 200)}`
  }
}

interface EndpointPage {
  readonly data: readonly { readonly name: string; readonly is_default: boolean }[]
}

function mainOf({ data }: EndpointPage): string {
  return data.find(({ is_default }) => is_default)?.name ?? ''
}

function remember(found: Record<string, string>, command: string, document: Record<string, string> | null): void {
  if (document === null) return
  if (document['id'] !== undefined) found['@last'] = document['id']
  if (command === 'keys create') Object.assign(found, { '@key': document['key'], '@ci': document['id'] })
  if (command === 'me keys create') found['@laptop'] = document['key'] ?? ''
  if (command === 'endpoints list') found['@main'] = mainOf(document as unknown as EndpointPage)
  if (command === 'me sessions list') {
    const { data } = document as unknown as { data: { id: string; current: boolean }[] }
    found['@session'] = data.find(({ current }) => !current)?.id ?? ''
  }
  if (command === 'budgets top-up') found['@topUp'] = document['id'] ?? ''
}

/** A call to look at in the log. A new key is known within a moment. */
async function callOnce(key = ''): Promise<string> {
  let id = ''
  await until(async () => {
    const answer = await fetch(`${gateway.url}/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'claude-sonnet-5', max_tokens: 16, messages: [{ role: 'user', content: 'Hi' }] }),
    })
    id = answer.headers.get('request-id') ?? ''
    return answer.status === 200
  })
  // Its record follows with the next batch.
  await until(async () => (await cli.run(['requests', 'show', id])).code === 0)
  return id
}
