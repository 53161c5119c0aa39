import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProviderFailure } from '../domain/provider-failure.ts'
import { createEndpointStats } from './endpoint-stats.ts'

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

test('endpoints that were deleted are forgotten', () => {
  const { stats } = setUp()
  stats.recordSuccess('eu', 1, null)
  stats.recordSuccess('us', 1, null)
  stats.keepOnly(new Set(['us']))
  assert.equal(stats.lastHour('eu').requests, 0)
  assert.equal(stats.lastHour('us').requests, 1)
})
