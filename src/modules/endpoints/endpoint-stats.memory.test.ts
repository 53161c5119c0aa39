import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProviderFailure } from '../../foundation/domain/provider-failure.ts'
import { createEndpointStats } from './endpoint-stats.memory.ts'

const failure = (status: number): ProviderFailure => ({
  kind: 'answered',
  status,
  name: '',
  message: '',
  retryAfterSeconds: null,
})

function setUp() {
  const clock = { nowMs: 0, monotonicMs: () => clock.nowMs }
  return { clock, stats: createEndpointStats(clock) }
}

test('requests, errors, throttles and failovers of the last hour are counted', () => {
  const { stats } = setUp()
  stats.recordSuccess('eu', 1_000, 200)
  stats.recordFailure('eu', failure(429))
  stats.recordFailure('eu', failure(503))
  stats.recordFailure('eu', failure(403))
  stats.recordFailure('eu', failure(400))
  stats.recordFailover('eu')
  const { requests, errors, throttles, failovers } = stats.lastHour('eu')
  assert.deepEqual({ requests, errors, throttles, failovers }, { requests: 5, errors: 3, throttles: 1, failovers: 1 })
})

test('what is older than an hour is gone, minute by minute', () => {
  const { clock, stats } = setUp()
  for (let minute = 0; minute < 120; minute += 1) {
    clock.nowMs = minute * 60_000
    stats.recordSuccess('eu', 100, null)
  }
  assert.equal(stats.lastHour('eu').requests, 60)
  clock.nowMs += 30 * 60_000
  assert.equal(stats.lastHour('eu').requests, 30)
  clock.nowMs += 30 * 60_000
  assert.deepEqual(stats.lastHour('eu'), {
    requests: 0,
    errors: 0,
    throttles: 0,
    failovers: 0,
    latencyP50Ms: null,
    latencyP95Ms: null,
    firstTokenP50Ms: null,
  })
})

test('percentiles are right within ten percent from milliseconds to a quarter of an hour', () => {
  for (const scaleMs of [1, 10, 9_000]) {
    const { stats } = setUp()
    for (let index = 1; index <= 100; index += 1) stats.recordSuccess('eu', index * scaleMs, index * scaleMs * 0.1)
    const hour = stats.lastHour('eu')
    assert.ok(Math.abs((hour.latencyP50Ms ?? 0) / (50 * scaleMs) - 1) < 0.1, `p50 ${hour.latencyP50Ms}`)
    assert.ok(Math.abs((hour.latencyP95Ms ?? 0) / (95 * scaleMs) - 1) < 0.1, `p95 ${hour.latencyP95Ms}`)
    if (scaleMs > 1) assert.ok(Math.abs((hour.firstTokenP50Ms ?? 0) / (5 * scaleMs) - 1) < 0.12)
  }
})

test('what other instances saw is added, percentiles too, and replaced by what they tell next', () => {
  const here = setUp().stats
  const there = setUp().stats
  for (let index = 0; index < 10; index += 1) here.recordSuccess('eu', 100, 10)
  for (let index = 0; index < 90; index += 1) there.recordSuccess('eu', 5_000, 400)
  there.recordFailure('eu', failure(429))
  there.recordFailover('eu')
  there.recordSuccess('us', 100, null)
  // As it comes out of the database.
  const told = JSON.parse(JSON.stringify(there.ownHours()))
  here.hearOthers([told])
  const { latencyP50Ms, firstTokenP50Ms, requests, errors, throttles, failovers } = here.lastHour('eu')
  assert.deepEqual({ requests, errors, throttles, failovers }, { requests: 101, errors: 1, throttles: 1, failovers: 1 })
  assert.ok(Math.abs((latencyP50Ms ?? 0) / 5_000 - 1) < 0.1, `p50 ${latencyP50Ms}`)
  assert.ok(Math.abs((firstTokenP50Ms ?? 0) / 400 - 1) < 0.1, `first token ${firstTokenP50Ms}`)
  assert.equal(here.lastHour('us').requests, 1)
  assert.equal(here.ownHours()['eu']?.requests, 10, 'what others told is not told again as our own')
  here.hearOthers([told, told])
  assert.equal(here.lastHour('eu').requests, 10 + 2 * 91)
  here.hearOthers([])
  assert.equal(here.lastHour('eu').requests, 10)
})

test('bins that only another version knows change nothing but the count of calls', () => {
  const { stats } = setUp()
  const hour = { requests: 1, errors: 0, throttles: 0, failovers: 0, durations: [[1_000, 1]], firstTokens: [] } as const
  stats.hearOthers([{ eu: hour }])
  const { requests, latencyP50Ms } = stats.lastHour('eu')
  assert.deepEqual([requests, latencyP50Ms], [1, null])
})

test('endpoints that were deleted are forgotten', () => {
  const { stats } = setUp()
  stats.recordSuccess('eu', 1, null)
  stats.recordSuccess('us', 1, null)
  stats.keepOnly(new Set(['us']))
  assert.equal(stats.lastHour('eu').requests, 0)
  assert.equal(stats.lastHour('us').requests, 1)
})
