/** Export, diff and apply against a real gateway. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { parse, stringify } from 'yaml'
import { login, startGateway, type TestGateway } from '../support/gateway.ts'
import { type CliRunner, createRunner } from './cli-runner.ts'

let gateway: TestGateway
let cli: CliRunner
let file = ''

before(async () => {
  gateway = await startGateway()
  cli = createRunner({ CAUSEWAY_URL: gateway.url, CAUSEWAY_TOKEN: await login(gateway.url) })
  file = join(cli.home, 'gateway.yaml')
  await cli.json(['users', 'create', 'ada@example.com'])
})

after(async () => {
  cli?.close()
  await gateway?.stop()
})

const rates = {
  input_usd_per_mtok: 1,
  output_usd_per_mtok: 2,
  cache_read_usd_per_mtok: 0.1,
  cache_write_5m_usd_per_mtok: 1.25,
}
const wanted = {
  version: 1,
  settings: { session_token_ttl_hours: 8 },
  endpoints: [
    {
      name: 'eu-west',
      region: 'eu-west-1',
      routing_prefix: 'eu',
      priority: 30,
      aip_overrides: [
        {
          model_id: 'claude-sonnet-5',
          aip_arn: 'arn:aws:bedrock:eu-west-1:111122223333:application-inference-profile/abc123abc123',
        },
      ],
    },
  ],
  teams: [
    {
      name: 'platform',
      budget: { limit_usd: 500, period: 'weekly', policy: 'shaped', member_limit_usd: 50 },
      routing: { strategy: 'primary_fallback', endpoints: [{ name: 'eu-west', priority: 3 }] },
    },
  ],
  user_budgets: [{ user: 'ada@example.com', limit_usd: 20, period: 'daily' }],
  model_mappings: [{ model: 'company-default', hosted_model_id: 'anthropic.claude-sonnet-5', display_name: 'Ours' }],
  prices: [{ model_id: 'anthropic.claude-sonnet-5', scope: 'global', ...rates }],
  idps: [{ name: 'Okta', issuer_url: 'https://example.okta.com', audience: 'causeway' }],
}

test('a file is planned, applied once, and then nothing is left to do', async () => {
  writeFileSync(file, stringify(wanted))
  const planned = await cli.run(['apply', '-f', file, '--dry-run'])
  assert.equal(planned.code, 0)
  assert.match(planned.out, /^~ setting session_token_ttl_hours: value 24 → 8$/m)
  assert.match(planned.out, /^\+ team platform$/m)
  assert.equal((await cli.run(['teams', 'show', 'platform'])).code, 3)
  const refused = await cli.run(['apply', '-f', file])
  assert.equal(refused.code, 2)
  assert.match(refused.err, /Make 10 changes\?.*--yes/s)
  const differs = await cli.run(['diff', '-f', file, '--json'])
  assert.deepEqual([differs.code, JSON.parse(differs.out).changes.length], [8, 10])
  const applied = await cli.run(['apply', '-f', file, '--yes'])
  assert.deepEqual([applied.code, applied.err.trim()], [0, 'Made 10 changes.'])
  assert.equal((await cli.run(['diff', '-f', file])).code, 0)
  assert.deepEqual(await cli.json(['apply', '-f', file, '--yes']), { changes: [] })
})

test('what is exported can be applied without a change, and holds no secret', async () => {
  const exported = join(cli.home, 'exported.yaml')
  assert.equal((await cli.run(['export', '-f', exported])).code, 0)
  const text = readFileSync(exported, 'utf8')
  assert.doesNotMatch(text, /secret|api_key|sk-proxy/)
  assert.equal((await cli.run(['diff', '-f', exported, '--prune'])).code, 0)
  const document = parse(text)
  assert.deepEqual(document.teams, wanted.teams)
  assert.equal(document.endpoints.length, 2)
  assert.deepEqual(await cli.json(['export']), document)
})

test('only --prune deletes, and only what the sections of the file could name', async () => {
  await cli.json(['teams', 'create', 'forgotten'])
  await cli.json(['keys', 'create', 'kept'])
  assert.equal((await cli.run(['diff', '-f', file])).code, 0)
  writeFileSync(
    file,
    stringify({
      version: 1,
      teams: wanted.teams.map(({ name }) => ({ name })),
      prices: [],
      model_mappings: [],
      idps: [],
      user_budgets: [],
    }),
  )
  const { changes } = JSON.parse((await cli.run(['diff', '-f', file, '--prune', '--json'])).out)
  assert.deepEqual(
    changes.map(({ action, kind, name }: Record<string, string>) => `${action} ${kind} ${name}`),
    [
      'delete idp Okta',
      'delete price anthropic.claude-sonnet-5 global',
      'delete model-mapping company-default',
      'delete user-budget ada@example.com',
      'delete team-budget platform',
      'delete team-routing platform',
      'delete team forgotten',
    ],
  )
  assert.equal((await cli.run(['apply', '-f', file, '--prune', '--yes'])).code, 0)
  assert.equal((await cli.run(['teams', 'show', 'forgotten'])).code, 3)
  assert.equal((await cli.run(['keys', 'show', 'kept'])).code, 0)
  assert.equal((await cli.json(['endpoints', 'list'])).data.length, 2)
})

test('a field that the file leaves out stays, and null takes it away', async () => {
  const arn = (name: string) => `arn:aws:bedrock:eu-west-1:111122223333:application-inference-profile/${name}`
  const rules = [
    { at_percent: 50, action: 'shape', rpm: 6 },
    { at_percent: 90, action: 'block' },
  ]
  const override = { model_id: 'claude-opus-4-6', aip_arn: arn('aaa111aaa111') }
  const mapping = { model: 'sparse-default', hosted_model_id: 'anthropic.claude-sonnet-5' }
  const price = { model_id: 'anthropic.claude-opus-4-6-v1', scope: 'geo', ...rates }
  const long = { above_prompt_tokens: 200_000, ...rates, cache_write_1h_usd_per_mtok: 3 }
  const { aip_overrides: _, ...endpoint } = { ...wanted.endpoints[0], name: 'eu-west' }
  const described = (limit: number, more: Record<'budget' | 'own' | 'override' | 'mapping' | 'price', object>) => ({
    version: 1,
    endpoints: [{ ...endpoint, aip_overrides: [{ ...override, ...more.override }] }],
    teams: [{ name: 'sparse', budget: { limit_usd: limit, period: 'weekly', ...more.budget } }],
    user_budgets: [{ user: 'bob@example.com', limit_usd: limit, period: 'daily', ...more.own }],
    model_mappings: [{ ...mapping, ...more.mapping }],
    prices: [{ ...price, input_usd_per_mtok: limit, ...more.price }],
  })
  const apply = async (document: object) => {
    const { code, err } = await cli.run(['apply', '-f', '-', '--yes'], { input: stringify(document) })
    assert.equal(code, 0, err)
    const { teams, user_budgets, endpoints, model_mappings, prices } = await cli.json(['export'])
    const one = (rows: readonly Record<string, unknown>[], field: string, value: string) =>
      rows.find((row) => row[field] === value)
    return {
      teams: one(teams, 'name', 'sparse')?.['budget'],
      own: one(user_budgets, 'user', 'bob@example.com'),
      override: one(one(endpoints, 'name', 'eu-west')?.['aip_overrides'] as [], 'model_id', override.model_id),
      mapping: one(model_mappings, 'model', mapping.model),
      price: one(prices, 'model_id', price.model_id),
    }
  }
  await cli.json(['users', 'create', 'bob@example.com'])
  const extras = {
    budget: { policy: 'shaped', member_limit_usd: 50 },
    own: { policy: rules },
    override: { reason: 'billed apart' },
    mapping: { display_name: 'Sparse' },
    price: { cache_write_1h_usd_per_mtok: 2, long_context: long },
  }
  await apply(described(500, extras))
  const other = { aip_arn: arn('bbb222bbb222') }
  const sparse = { budget: {}, own: {}, override: other, mapping: { hosted_model_id: price.model_id }, price: {} }
  assert.deepEqual(await apply(described(800, sparse)), {
    teams: { limit_usd: 800, period: 'weekly', policy: 'shaped', member_limit_usd: 50 },
    own: { user: 'bob@example.com', limit_usd: 800, period: 'daily', policy: rules },
    override: { ...override, ...other, reason: 'billed apart' },
    mapping: { ...mapping, hosted_model_id: price.model_id, display_name: 'Sparse' },
    price: { ...price, input_usd_per_mtok: 800, cache_write_1h_usd_per_mtok: 2, long_context: long },
  })
  const emptied = {
    ...sparse,
    budget: { member_limit_usd: null },
    override: { reason: null },
    price: { cache_write_1h_usd_per_mtok: null, long_context: null },
  }
  const { teams, override: bare, price: plain } = await apply(described(800, emptied))
  assert.deepEqual(teams, { limit_usd: 800, period: 'weekly', policy: 'shaped' })
  assert.deepEqual(bare, override)
  assert.deepEqual(plain, { ...price, input_usd_per_mtok: 800 })
})

test('a wrong file is refused before anything is asked, and a step that fails is named', async () => {
  const cases: readonly (readonly [text: string, message: RegExp])[] = [
    ['version: 2', /version/],
    ['version: 1\nteams:\n  - title: x', /teams\.0/],
    ['version: 1\nsettings: [', /not YAML/],
    ['- a', /does not describe a gateway/],
  ]
  for (const [text, message] of cases) {
    const { code, err } = await cli.run(['apply', '-f', '-', '--yes'], { input: text })
    assert.equal(code, 2, text)
    assert.match(err, message)
  }
  assert.equal((await cli.run(['apply', '--yes'])).code, 2)
  assert.equal((await cli.run(['diff', '-f', join(cli.home, 'missing.yaml')])).code, 2)
  const failing = stringify({
    version: 1,
    settings: { session_token_ttl_hours: 9 },
    user_budgets: [{ user: 'nobody@example.com', limit_usd: 1, period: 'daily' }],
  })
  const { code, err } = await cli.run(['apply', '-f', '-', '--yes'], { input: failing })
  assert.equal(code, 3)
  assert.match(err, /create user-budget nobody@example\.com: .*1 of 2 changes were made/s)
})
