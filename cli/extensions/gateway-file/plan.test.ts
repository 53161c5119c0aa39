import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GatewayDocument } from './document.ts'
import { planSteps } from './plan.ts'

const budget = { limit_usd: 100, period: 'monthly' } as const
const current: GatewayDocument = {
  version: 1,
  settings: { session_token_ttl_hours: 24, default_budget: null },
  endpoints: [
    {
      name: 'main',
      region: 'us-east-1',
      routing_prefix: 'us',
      priority: 1,
      default: true,
      aip_overrides: [{ model_id: 'm', aip_arn: 'arn:1' }],
    },
  ],
  teams: [{ name: 'old', budget }, { name: 'platform' }],
  prices: [],
  idps: [],
}
const summary = (wanted: GatewayDocument, prune = false) =>
  planSteps(current, wanted, prune).map(({ action, kind, name }) => `${action} ${kind} ${name.replace('\n', '/')}`)

test('a gateway that is what the file says needs no step, also when pruning', () => {
  assert.deepEqual(summary(current, true), [])
})

test('what a file leaves out stays as it is; only --prune deletes, and only in sections that the file has', () => {
  const wanted: GatewayDocument = { version: 1, teams: [{ name: 'platform' }] }
  assert.deepEqual(summary(wanted), [])
  assert.deepEqual(summary(wanted, true), ['delete team-budget old', 'delete team old'])
  assert.deepEqual(summary({ version: 1 }, true), [])
})

test('a file that has something twice is refused: one of them would be left out', () => {
  const endpoint = { name: 'eu', region: 'eu-west-1', routing_prefix: 'eu' }
  const price = { model_id: 'm', input_usd_per_mtok: 1, output_usd_per_mtok: 1 } as const
  const rates = { ...price, cache_read_usd_per_mtok: 1, cache_write_5m_usd_per_mtok: 1 }
  const cases: readonly [Omit<GatewayDocument, 'version'>, RegExp][] = [
    [{ teams: [{ name: 'a', budget }, { name: 'a' }] }, /has team a more than once/],
    [{ endpoints: [endpoint, { ...endpoint, region: 'eu-central-1' }] }, /has endpoint eu more than once/],
    [
      { endpoints: ['eu', 'us'].map((name) => ({ ...endpoint, name, default: true })) },
      /has a default endpoint more than once/,
    ],
    [{ prices: (['geo', 'geo'] as const).map((scope) => ({ ...rates, scope })) }, /has price m geo more than once/],
  ]
  for (const [wanted, message] of cases) assert.throws(() => summary({ version: 1, ...wanted }), message)
  const scopes = (['geo', 'global'] as const).map((scope) => ({ ...rates, scope }))
  assert.equal(summary({ version: 1, prices: scopes }).length, 2)
})

test('what others point to is made first and deleted last', () => {
  const wanted: GatewayDocument = {
    version: 1,
    teams: [{ name: 'new', routing: { strategy: 'round_robin', endpoints: [{ name: 'eu', priority: 1 }] }, budget }],
    endpoints: [
      {
        name: 'eu',
        region: 'eu-west-1',
        routing_prefix: 'eu',
        default: true,
        aip_overrides: [{ model_id: 'm', aip_arn: 'arn:2' }],
      },
    ],
    settings: { session_token_ttl_hours: 12 },
  }
  assert.deepEqual(summary(wanted, true), [
    'update setting session_token_ttl_hours',
    'create endpoint eu',
    'create aip-override eu/m',
    'update default-endpoint default',
    'create team new',
    'create team-routing new',
    'create team-budget new',
    'delete team-budget old',
    'delete team old',
    'delete team platform',
    'delete aip-override main/m',
    'delete endpoint main',
  ])
})

test('only fields that the file names are compared, and null takes a value away', () => {
  const endpoint = { name: 'main', region: 'us-east-1', routing_prefix: 'us' }
  assert.deepEqual(summary({ version: 1, endpoints: [endpoint] }), [])
  assert.deepEqual(summary({ version: 1, endpoints: [{ ...endpoint, role_arn: null }] }), [])
  const [step] = planSteps(current, { version: 1, endpoints: [{ ...endpoint, priority: 9 }] }, false)
  assert.deepEqual(step?.changes, [{ field: 'priority', from: 1, to: 9 }])
})

test('a changed resource is whole: what the file leaves out is in it as it is now', () => {
  const before: GatewayDocument = {
    version: 1,
    teams: [{ name: 'platform', budget: { ...budget, policy: 'shaped', member_limit_usd: 50 } }],
  }
  const fieldsFor = (wanted: object) =>
    planSteps(before, { version: 1, teams: [{ name: 'platform', budget: { ...budget, ...wanted } }] }, false)[0]
      ?.resource.fields
  assert.deepEqual(fieldsFor({ limit_usd: 800 }), {
    limit_usd: 800,
    period: 'monthly',
    policy: 'shaped',
    member_limit_usd: 50,
  })
  assert.equal(fieldsFor({ member_limit_usd: null })?.['member_limit_usd'], null)
})

test('the old default is disabled after another one has taken its place', () => {
  const old = { name: 'main', region: 'us-east-1', routing_prefix: 'us', enabled: false }
  const fresh = { name: 'eu', region: 'eu-west-1', routing_prefix: 'eu', enabled: true, default: true }
  assert.deepEqual(summary({ version: 1, endpoints: [old, fresh] }), [
    'create endpoint eu',
    'update default-endpoint default',
    'update endpoint main',
  ])
})

test('lists that a gateway takes for the same are no difference', () => {
  const described = (endpoints: readonly (readonly [string, number])[], domains: string[] | null): GatewayDocument => ({
    version: 1,
    teams: [
      {
        name: 'platform',
        routing: {
          strategy: 'round_robin',
          endpoints: endpoints.map(([name, priority]) => ({ name, priority })),
        },
      },
    ],
    idps: [{ name: 'Okta', issuer_url: 'https://example.okta.com', audience: 'causeway', allowed_domains: domains }],
  })
  const before = described(
    [
      ['eu', 1],
      ['us', 5],
      ['main', 5],
    ],
    ['example.com', 'example.org'],
  )
  const planned = (
    endpoints: readonly (readonly [string, number])[],
    domains: string[] | null,
    present: GatewayDocument = before,
  ) => planSteps(present, described(endpoints, domains), false).map(({ kind }) => kind)
  const turned = [
    ['main', 5],
    ['us', 5],
    ['eu', 1],
  ] as const
  assert.deepEqual(planned(turned, ['@Example.org', 'EXAMPLE.com', 'example.com']), [])
  assert.deepEqual(planned([['eu', 2], ...turned.slice(0, 2)], ['example.com']), ['team-routing', 'idp'])
  const { teams: _, ...unrouted } = described([], null)
  assert.deepEqual(planned([], [], { ...unrouted, teams: [{ name: 'platform' }] }), [])
})
