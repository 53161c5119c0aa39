import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Endpoint } from '../../foundation/domain/endpoint.ts'
import type { ProviderFailure } from '../../foundation/domain/provider-failure.ts'
import { sampleEndpoint } from '../../message-path/sample-calls.fixture.ts'
import { createEndpointConditions } from './endpoint-conditions.memory.ts'
import { createEndpointStats } from './endpoint-stats.memory.ts'

const failure = (status: number): ProviderFailure => ({
  kind: 'answered',
  status,
  name: '',
  message: '',
  retryAfterSeconds: null,
})

const endpoint = sampleEndpoint('eu')
const models = (...ids: string[]) => new Set(ids)

function setUp() {
  const clock = { nowMs: 500_000, monotonicMs: () => clock.nowMs }
  const stats = createEndpointStats(clock)
  const place = { current: endpoint }
  const conditions = createEndpointConditions(clock, stats, (id) => (id === 'eu' ? place.current : undefined))
  const fail = (times: number, status = 503): void => {
    for (let call = 0; call < times; call += 1) conditions.recordFailure('eu', failure(status))
  }
  return { clock, conditions, fail, stats, place }
}

test('an endpoint is unknown until a check has said what it is', () => {
  const { conditions } = setUp()
  assert.equal(conditions.findHealth('eu'), 'unknown')
  assert.equal(conditions.availableModels('eu'), undefined)
  const availableModels = new Set(['eu.anthropic.claude-sonnet-5'])
  conditions.setHealth(endpoint, { status: 'unhealthy', reason: 'no access', checkedAtMs: 1, availableModels })
  assert.equal(conditions.findHealth('eu'), 'unhealthy')
  assert.equal(conditions.availableModels('eu'), availableModels)
})

test('another region, prefix, role or external id makes an endpoint unknown, and late findings of the old one are not kept', () => {
  const moves: Partial<Endpoint>[] = [
    { region: 'eu-west-1' },
    { routingPrefix: 'us' },
    { roleArn: 'arn:aws:iam::123456789012:role/models' },
    { externalId: 'other' },
  ]
  for (const move of moves) {
    const { conditions, place } = setUp()
    const found = {
      status: 'healthy',
      reason: null,
      checkedAtMs: 1,
      availableModels: models('eu.a'),
      modelsBehind: new Map([['arn', 'anthropic.a']]),
    } as const
    conditions.setHealth(endpoint, found)
    const moved = { ...endpoint, ...move }
    place.current = moved
    assert.equal(conditions.findHealth('eu'), 'unknown')
    assert.equal(conditions.availableModels('eu'), undefined)
    assert.equal(conditions.modelBehind('eu', 'arn'), 'anthropic.a')
    conditions.setHealth(moved, { ...found, availableModels: models('us.b') })
    conditions.setHealth(endpoint, { ...found, status: 'unhealthy' })
    conditions.noteProfiles(endpoint, ['eu.late'])
    assert.equal(conditions.findHealth('eu'), 'healthy')
    assert.deepEqual([...(conditions.availableModels('eu') ?? [])], ['us.b'])
  }
})

test('a rename or another priority keeps the health', () => {
  const { conditions, place } = setUp()
  conditions.setHealth(endpoint, { status: 'healthy', reason: null, checkedAtMs: 1, availableModels: models() })
  place.current = { ...endpoint, name: 'other', priority: 9 }
  assert.equal(conditions.findHealth('eu'), 'healthy')
})

test('failures of calls never change the health that the check found', () => {
  const { conditions, fail } = setUp()
  conditions.setHealth(endpoint, { status: 'healthy', reason: null, checkedAtMs: 1, availableModels: new Set() })
  fail(50)
  assert.equal(conditions.findHealth('eu'), 'healthy')
})

test('three failures within 30 seconds pause the endpoint for 15 seconds', () => {
  const { clock, conditions, fail } = setUp()
  fail(2)
  assert.equal(conditions.coolingUntilMs('eu'), 0)
  fail(1)
  assert.equal(conditions.coolingUntilMs('eu'), clock.nowMs + 15_000)
  clock.nowMs += 15_000
  assert.equal(conditions.coolingUntilMs('eu'), 0)
})

test('failures further apart than 30 seconds do not add up', () => {
  const { clock, conditions, fail } = setUp()
  for (let call = 0; call < 10; call += 1) {
    fail(1)
    clock.nowMs += 15_001
  }
  assert.equal(conditions.coolingUntilMs('eu'), 0)
})

test('a success between failures starts the count again', () => {
  const { conditions, fail } = setUp()
  for (let round = 0; round < 20; round += 1) {
    fail(2)
    conditions.recordSuccess('eu', 10, null)
  }
  assert.equal(conditions.coolingUntilMs('eu'), 0)
})

test('requests that the model refuses do not pause an endpoint', () => {
  const { conditions, fail } = setUp()
  fail(20, 400)
  assert.equal(conditions.coolingUntilMs('eu'), 0)
})

test('requests that an endpoint refuses while it throttles others do not end its pause', () => {
  const { clock, conditions, fail } = setUp()
  fail(2, 429)
  fail(1, 400)
  fail(1, 429)
  assert.equal(conditions.coolingUntilMs('eu'), clock.nowMs + 15_000)
  fail(1, 400)
  assert.equal(conditions.coolingUntilMs('eu'), clock.nowMs + 15_000)
})

test('after a pause exactly one call is the trial, until it reports or its time is over', () => {
  const { clock, conditions, fail } = setUp()
  fail(3)
  assert.equal(conditions.claimTrial('eu'), false)
  clock.nowMs += 15_000
  assert.equal(conditions.claimTrial('eu'), true)
  assert.equal(conditions.claimTrial('eu'), false)
  assert.ok(conditions.coolingUntilMs('eu') > clock.nowMs)
  clock.nowMs += 15_000
  assert.equal(conditions.coolingUntilMs('eu'), 0)
  assert.equal(conditions.claimTrial('eu'), true)
})

test('failed trials double the pause, and it never lasts two minutes', () => {
  const { clock, conditions, fail } = setUp()
  fail(3)
  const pausesMs: number[] = []
  for (let trial = 0; trial < 6; trial += 1) {
    const untilMs = conditions.coolingUntilMs('eu')
    pausesMs.push(untilMs - clock.nowMs)
    clock.nowMs = untilMs
    assert.equal(conditions.claimTrial('eu'), true)
    fail(1)
  }
  assert.deepEqual(pausesMs, [15_000, 30_000, 60_000, 110_000, 110_000, 110_000])
})

test('a trial that succeeds ends the pause and forgets its length', () => {
  const { clock, conditions, fail } = setUp()
  fail(3)
  clock.nowMs += 15_000
  conditions.claimTrial('eu')
  fail(1)
  clock.nowMs += 30_000
  conditions.claimTrial('eu')
  conditions.recordAlive('eu')
  assert.equal(conditions.coolingUntilMs('eu'), 0)
  assert.equal(conditions.claimTrial('eu'), false)
  fail(3)
  assert.equal(conditions.coolingUntilMs('eu'), clock.nowMs + 15_000)
})

test('late news of calls from before the pause neither lengthens nor ends it', () => {
  const { clock, conditions, fail } = setUp()
  fail(3)
  const untilMs = conditions.coolingUntilMs('eu')
  clock.nowMs += 5_000
  fail(10)
  conditions.recordSuccess('eu', 60_000, 300)
  assert.equal(conditions.coolingUntilMs('eu'), untilMs)
})

test('what happens to calls is counted in the statistics', () => {
  const { conditions, fail, stats } = setUp()
  fail(2, 429)
  conditions.recordFailover('eu')
  conditions.recordSuccess('eu', 800, 100)
  const hour = stats.lastHour('eu')
  assert.deepEqual([hour.requests, hour.throttles, hour.failovers], [3, 2, 1])
})

test('deleted endpoints are forgotten', () => {
  const { conditions, fail } = setUp()
  conditions.setHealth(endpoint, { status: 'healthy', reason: null, checkedAtMs: 1, availableModels: new Set() })
  fail(3)
  conditions.keepOnly(new Set())
  assert.equal(conditions.findHealth('eu'), 'unknown')
  assert.equal(conditions.coolingUntilMs('eu'), 0)
})
