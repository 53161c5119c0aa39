import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Endpoint } from '../../foundation/domain/endpoint.ts'
import { createEndpointConditions } from './endpoint-conditions.memory.ts'
import { createEndpointStats } from './endpoint-stats.memory.ts'
import { HEALTH_INTERVAL_MS, HEALTH_SPREAD, type HealthPorts, startDueChecks } from './health-check.loop.ts'
import { createLookSchedule } from './look-schedule.memory.ts'

function endpointNamed(id: string): Endpoint {
  return {
    id,
    name: id,
    region: 'us-east-1',
    routingPrefix: 'us',
    priority: 1,
    enabled: true,
    isDefault: false,
    roleArn: null,
    externalId: null,
    inferenceProfileArn: null,
    aipOverrides: [],
    createdAt: '',
  }
}

const TICK_MS = 500
const SLOW_MS = 10_000

/** Fifty endpoints, each of which takes ten seconds to answer, watched for half an hour of a clock that is moved by hand. */
async function checkTimes(): Promise<Map<string, number[]>> {
  const clock = { ms: 0, nowMs: () => clock.ms, monotonicMs: () => clock.ms }
  const endpoints = Array.from({ length: 50 }, (_, index) => endpointNamed(`e${index}`))
  const conditions = createEndpointConditions(clock, createEndpointStats(clock), (id) =>
    endpoints.find((endpoint) => endpoint.id === id),
  )
  const times = new Map<string, number[]>(endpoints.map(({ id }) => [id, []]))
  let open: { readonly untilMs: number; readonly answer: () => void }[] = []
  const ports: HealthPorts = {
    endpoints: () => endpoints,
    listProfiles: (endpoint) => {
      times.get(endpoint.id)?.push(clock.ms)
      return new Promise((resolve) => open.push({ untilMs: clock.ms + SLOW_MS, answer: () => resolve([]) }))
    },
    getProfile: () => Promise.reject(new Error('there are no overrides')),
    readHealth: conditions.readHealth,
    setHealth: conditions.setHealth,
    nowMs: clock.nowMs,
    schedule: createLookSchedule(clock, { intervalMs: HEALTH_INTERVAL_MS, spread: HEALTH_SPREAD }),
    keepOnly: conditions.keepOnly,
    onTurn: () => undefined,
    onError: (error) => {
      throw error
    },
  }
  const signal = new AbortController().signal
  for (; clock.ms < 30 * 60_000; clock.ms += TICK_MS) {
    startDueChecks(ports, signal)
    for (const { answer } of open.filter(({ untilMs }) => untilMs <= clock.ms)) answer()
    open = open.filter(({ untilMs }) => untilMs > clock.ms)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return times
}

test('fifty slow endpoints are each checked once a minute, and two instances fall out of step', async () => {
  const [one, other] = await Promise.all([checkTimes(), checkTimes()])
  let aligned = 0
  let compared = 0
  for (const [id, times] of one) {
    assert.ok(times.length >= 29 && times.length <= 32, `${times.length} checks of ${id} in half an hour`)
    for (let at = 1; at < times.length; at += 1) {
      const gapMs = (times[at] ?? 0) - (times[at - 1] ?? 0)
      assert.ok(gapMs >= 57_000 && gapMs <= 63_000 + 2 * TICK_MS, `${gapMs} ms between two checks`)
    }
    for (const time of times.slice(15)) {
      compared += 1
      if (other.get(id)?.some((otherTime) => Math.abs(otherTime - time) < 1_000)) aligned += 1
    }
  }
  assert.ok(aligned < compared / 2, `${aligned} of ${compared} at the same second`)
})
