import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Endpoint, HealthStatus } from '../../foundation/domain/endpoint.ts'
import type { Problem } from '../../foundation/domain/errors.ts'
import type { RoutingStrategy, TeamRouting } from '../../foundation/domain/team.ts'
import type { Route } from '../call.ts'
import {
  sampleCaller,
  sampleEndpoint,
  sampleOverride,
  sampleSnapshot,
  sampleTeamRouting,
} from '../sample-calls.fixture.ts'
import { route } from './route.ts'

interface Given {
  readonly endpoints?: readonly Endpoint[]
  readonly strategy?: RoutingStrategy
  readonly teamRouting?: readonly TeamRouting[]
  readonly available?: Readonly<Record<string, readonly string[]>>
  readonly health?: Readonly<Record<string, HealthStatus>>
  readonly coolingUntilMs?: Readonly<Record<string, number>>
}

const three = [
  sampleEndpoint('eu-main', { priority: 30 }),
  sampleEndpoint('us-backup', { routingPrefix: 'us', priority: 20 }),
  sampleEndpoint('jp-spare', { routingPrefix: 'jp', priority: 10, isDefault: true }),
]

function setUp(given: Given = {}) {
  const teamRouting = given.teamRouting ?? [
    sampleTeamRouting('team', given.strategy ?? 'sticky_user', ['eu-main', 'us-backup', 'jp-spare']),
  ]
  const snapshot = sampleSnapshot({ endpoints: given.endpoints ?? three, teamRouting })
  const affinities = new Map<string, string>()
  const trials: string[] = []
  let turn = 0
  const state = { health: given.health ?? {}, coolingUntilMs: given.coolingUntilMs ?? {} }
  const ports = {
    snapshot: { current: () => snapshot },
    profiles: {
      availableModels: (id: string) => {
        const ids = given.available?.[id]
        return ids === undefined ? undefined : new Set(ids)
      },
    },
    mappings: { findDiscovered: () => undefined },
    routing: {
      findAffinity: (subject: string) => affinities.get(subject),
      setAffinity: (subject: string, endpointId: string) => void affinities.set(subject, endpointId),
      nextTurn: () => turn++,
    },
    conditions: {
      findHealth: (id: string): HealthStatus => state.health[id] ?? 'healthy',
      coolingUntilMs: (id: string) => state.coolingUntilMs[id] ?? 0,
      claimTrial: (id: string) => trials.push(id) > 0,
      recordSuccess: () => undefined,
      recordFailure: () => undefined,
      recordFailover: () => undefined,
      recordAlive: () => undefined,
    },
  }
  const ask = (subject = 'ada', teamId: string | null = 'team', namedTarget: string | null = null): Route =>
    route(
      {
        caller: sampleCaller(subject, { teamId }),
        model: {
          requestedId: namedTarget ?? 'claude-sonnet-5',
          logicalId: namedTarget ?? 'claude-sonnet-5',
          hostedModelId: 'anthropic.claude-sonnet-5',
          namedTarget,
          longContext: false,
          mapping: null,
        },
      },
      ports,
    )
  const names = (...args: Parameters<typeof ask>): string[] =>
    ask(...args).candidates.map(({ endpoint }) => endpoint.name)
  return { ask, names, affinities, trials, state }
}

const refuses = (act: () => unknown, code: string): void => assert.throws(act, (error: Problem) => error.code === code)

test('a team without assignment gets the default endpoint and nothing else', () => {
  const { ask, names } = setUp()
  assert.deepEqual(names('ada', 'other-team'), ['jp-spare'])
  assert.deepEqual(names('ada', null), ['jp-spare'])
  assert.equal(ask('ada', null).routing, 'default endpoint: jp-spare (no assignment)')
})

test('the team’s priorities override those of the endpoints', () => {
  assert.deepEqual(setUp({ strategy: 'primary_fallback' }).names(), ['eu-main', 'us-backup', 'jp-spare'])
})

test('every candidate has the id that is right on it', () => {
  assert.deepEqual(
    setUp()
      .ask()
      .candidates.map(({ modelId }) => modelId),
    ['eu.anthropic.claude-sonnet-5', 'us.anthropic.claude-sonnet-5', 'jp.anthropic.claude-sonnet-5'],
  )
})

test('an override of one endpoint is never sent to another', () => {
  const arn = 'arn:aws:bedrock:eu-central-1:123456789012:application-inference-profile/mine'
  const [first, ...rest] = three
  const own = { ...(first as Endpoint), aipOverrides: [sampleOverride('eu-main', 'claude-sonnet-5', arn)] }
  const { ask } = setUp({ endpoints: [own, ...rest] })
  assert.deepEqual(
    ask().candidates.map(({ modelId }) => modelId === arn),
    [true, false, false],
  )
})

test('sticky_user keeps a user where it is and says so', () => {
  const { ask, affinities } = setUp()
  assert.equal(ask().routing, 'sticky_user: eu-main (new affinity), then us-backup, then jp-spare')
  affinities.set('ada', 'us-backup')
  assert.equal(ask().routing, 'sticky_user: us-backup (affinity), then eu-main, then jp-spare')
})

test('sticky_user goes elsewhere while its endpoint pauses, and comes back', () => {
  const { names, affinities, state } = setUp()
  names()
  state.coolingUntilMs = { 'eu-main': 5_000 }
  assert.deepEqual(names(), ['us-backup', 'jp-spare', 'eu-main'])
  assert.equal(affinities.get('ada'), 'eu-main')
  state.coolingUntilMs = {}
  assert.equal(names()[0], 'eu-main')
})

test('sticky_user spreads new users evenly over equal priorities, each always the same way', () => {
  const teamRouting: TeamRouting = {
    teamId: 'team',
    strategy: 'sticky_user',
    endpoints: three.map(({ id }) => ({ endpointId: id, priority: 1 })),
  }
  const first = new Map<string, number>()
  for (let user = 0; user < 3_000; user += 1) {
    const [name = ''] = setUp({ teamRouting: [teamRouting] }).names(`user-${user}`)
    assert.equal(setUp({ teamRouting: [teamRouting] }).names(`user-${user}`)[0], name)
    first.set(name, (first.get(name) ?? 0) + 1)
  }
  for (const { name } of three) assert.ok(Math.abs((first.get(name) ?? 0) - 1_000) < 120, `${name} ${first.get(name)}`)
})

test('primary_fallback keeps nobody anywhere', () => {
  const { names, affinities } = setUp({ strategy: 'primary_fallback' })
  affinities.set('ada', 'us-backup')
  assert.deepEqual(names(), ['eu-main', 'us-backup', 'jp-spare'])
  assert.equal(affinities.get('ada'), 'us-backup')
})

test('round_robin begins one endpoint further on each time and falls back to the following ones', () => {
  const { names } = setUp({ strategy: 'round_robin' })
  assert.deepEqual(names(), ['eu-main', 'us-backup', 'jp-spare'])
  assert.deepEqual(names(), ['us-backup', 'jp-spare', 'eu-main'])
  assert.deepEqual(names(), ['jp-spare', 'eu-main', 'us-backup'])
  assert.deepEqual(names(), ['eu-main', 'us-backup', 'jp-spare'])
})

test('round_robin rotates over the usable endpoints only', () => {
  const { names } = setUp({ strategy: 'round_robin', health: { 'us-backup': 'unhealthy' } })
  assert.deepEqual([names()[0], names()[0], names()[0]], ['eu-main', 'jp-spare', 'eu-main'])
})

for (const strategy of ['sticky_user', 'primary_fallback', 'round_robin'] as const) {
  test(`${strategy} skips unhealthy endpoints while another one is left`, () => {
    const given = { strategy, health: { 'eu-main': 'unhealthy', 'us-backup': 'unknown' } } as const
    const { ask, names } = setUp(given)
    assert.deepEqual(names(), ['us-backup', 'jp-spare'])
    assert.match(ask().routing, /left out: eu-main \(unhealthy\)$/)
  })

  test(`${strategy} tries the unhealthy ones when there is nothing else, and says so`, () => {
    const health = { 'eu-main': 'unhealthy', 'us-backup': 'unhealthy', 'jp-spare': 'unhealthy' } as const
    const routed = setUp({ strategy, health }).ask()
    assert.equal(routed.candidates.length, 3)
    assert.match(routed.routing, /all are unhealthy/)
  })

  test(`${strategy} asks pausing endpoints last, the one that returns first before the others`, () => {
    const { ask } = setUp({ strategy, coolingUntilMs: { 'eu-main': 9_000, 'us-backup': 5_000 } })
    assert.match(ask().routing, /: jp-spare .*, then us-backup \(pausing\), then eu-main \(pausing\)$/)
    const all = setUp({ strategy, coolingUntilMs: { 'eu-main': 9_000, 'us-backup': 5_000, 'jp-spare': 7_000 } })
    assert.deepEqual(all.names(), ['us-backup', 'jp-spare', 'eu-main'])
  })
}

test('the first endpoint is claimed for its trial, and no other', () => {
  const { ask, trials } = setUp({ strategy: 'primary_fallback' })
  ask()
  assert.deepEqual(trials, ['eu-main'])
})

test('disabled endpoints are no candidates, and a team without any other does not fall to the default', () => {
  const endpoints = three.map((endpoint) => ({ ...endpoint, enabled: endpoint.name === 'jp-spare' }))
  assert.deepEqual(setUp({ endpoints }).names(), ['jp-spare'])
  const teamRouting = [sampleTeamRouting('team', 'sticky_user', ['eu-main', 'us-backup'])]
  refuses(() => setUp({ endpoints, teamRouting }).ask(), 'no_endpoint')
})

test('without any endpoint the call is refused as unservable', () => {
  refuses(() => setUp({ endpoints: [], teamRouting: [] }).ask(), 'no_endpoint')
})

test('endpoints whose check did not find the model are left out; unchecked ones are tried', () => {
  const { ask } = setUp({ available: { 'eu-main': [], 'us-backup': ['us.anthropic.claude-sonnet-5'] } })
  const routed = ask()
  assert.deepEqual(
    routed.candidates.map(({ endpoint }) => endpoint.name),
    ['us-backup', 'jp-spare'],
  )
  assert.match(routed.routing, /left out: eu-main \(does not have the model\)$/)
})

test('a model that no endpoint has is 404', () => {
  const available = { 'eu-main': ['global.anthropic.claude-sonnet-5'], 'us-backup': [], 'jp-spare': [] }
  refuses(() => setUp({ available }).ask(), 'model_not_available')
})

test('a profile named by the caller is asked in its own scope first', () => {
  const { ask, affinities } = setUp()
  affinities.set('ada', 'eu-main')
  const routed = ask('ada', 'team', 'us.anthropic.claude-sonnet-5')
  assert.deepEqual(
    routed.candidates.map(({ modelId }) => modelId),
    ['us.anthropic.claude-sonnet-5', 'eu.anthropic.claude-sonnet-5', 'jp.anthropic.claude-sonnet-5'],
  )
})
