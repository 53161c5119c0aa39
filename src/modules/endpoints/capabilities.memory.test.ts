import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CapabilityOverride } from '../../foundation/domain/capability.ts'
import { CAPABILITY_TTL_MS, createCapabilities } from './capabilities.memory.ts'

const profile = 'eu.anthropic.claude-sonnet-5'

const override = (feature: string, supported: boolean): CapabilityOverride => ({
  endpointId: 'eu',
  profileId: profile,
  feature,
  supported,
  reason: null,
  setBy: 'admin',
  updatedAt: '2026-11-15T00:00:00Z',
})

function setUp() {
  const clock = { nowMs: 0, monotonicMs: () => clock.nowMs }
  const state: { overrides: readonly CapabilityOverride[] } = { overrides: [] }
  return { clock, state, capabilities: createCapabilities(clock, () => state.overrides) }
}

test('nothing is known before something was learned, and learned things last 24 hours', () => {
  const { clock, capabilities } = setUp()
  assert.equal(capabilities.verdict('eu', profile, 'beta-a'), 'unknown')
  capabilities.learn('eu', profile, 'beta-a', 'supported')
  clock.nowMs += CAPABILITY_TTL_MS - 1
  assert.equal(capabilities.verdict('eu', profile, 'beta-a'), 'supported')
  clock.nowMs += 1
  assert.equal(capabilities.verdict('eu', profile, 'beta-a'), 'unknown')
})

test('what is learned holds for one endpoint and one profile', () => {
  const { capabilities } = setUp()
  capabilities.learn('eu', profile, 'beta-a', 'unsupported')
  assert.equal(capabilities.verdict('us', profile, 'beta-a'), 'unknown')
  assert.equal(capabilities.verdict('eu', 'eu.anthropic.claude-opus-5', 'beta-a'), 'unknown')
})

test('traffic fills gaps and reports refusals, but never turns a refusal into support', () => {
  const { capabilities } = setUp()
  const verdictAfter = (...learned: ('supported' | 'unsupported' | 'suspected' | 'doubted')[]): string => {
    const feature = learned.join()
    for (const verdict of learned) capabilities.learn('eu', profile, feature, verdict)
    return capabilities.verdict('eu', profile, feature)
  }
  assert.equal(verdictAfter('supported', 'unsupported'), 'unsupported')
  assert.equal(verdictAfter('unsupported', 'supported'), 'unsupported')
  assert.equal(verdictAfter('supported', 'suspected'), 'supported')
  assert.equal(verdictAfter('unsupported', 'suspected'), 'unsupported')
  assert.equal(verdictAfter('supported', 'doubted'), 'suspected')
  assert.equal(verdictAfter('unsupported', 'doubted'), 'unsupported')
  assert.equal(verdictAfter('suspected', 'supported'), 'supported')
  assert.equal(verdictAfter('suspected', 'unsupported'), 'unsupported')
})

test('a probe replaces what traffic has taught', () => {
  const { capabilities } = setUp()
  capabilities.learn('eu', profile, 'beta-a', 'unsupported')
  capabilities.settle('eu', profile, 'beta-a', 'supported')
  assert.equal(capabilities.verdict('eu', profile, 'beta-a'), 'supported')
})

test('suspects wait for a probe and are gone when it has settled them', () => {
  const { capabilities } = setUp()
  capabilities.learn('eu', profile, 'beta-a', 'suspected')
  assert.deepEqual(capabilities.suspects(), [{ endpointId: 'eu', profileId: profile, feature: 'beta-a' }])
  capabilities.settle('eu', profile, 'beta-a', 'unsupported')
  assert.deepEqual(capabilities.suspects(), [])
})

test("an administrator's word wins over everything learned, without end, and goes when it is withdrawn", () => {
  const { clock, state, capabilities } = setUp()
  capabilities.learn('eu', profile, 'beta-a', 'unsupported')
  state.overrides = [override('beta-a', true)]
  assert.equal(capabilities.verdict('eu', profile, 'beta-a'), 'supported')
  capabilities.learn('eu', profile, 'beta-a', 'unsupported')
  clock.nowMs += 10 * CAPABILITY_TTL_MS
  assert.equal(capabilities.verdict('eu', profile, 'beta-a'), 'supported')
  state.overrides = []
  assert.equal(capabilities.verdict('eu', profile, 'beta-a'), 'unknown')
})

test('known good are the supported ones of this profile, with the overrides applied', () => {
  const { state, capabilities } = setUp()
  capabilities.learn('eu', profile, 'good', 'supported')
  capabilities.learn('eu', profile, 'withdrawn', 'supported')
  capabilities.learn('eu', profile, 'bad', 'unsupported')
  capabilities.learn('eu', profile, 'maybe', 'suspected')
  capabilities.learn('eu', 'other', 'elsewhere', 'supported')
  state.overrides = [override('granted', true), override('withdrawn', false)]
  assert.deepEqual([...capabilities.knownGoodBetas('eu', profile)].sort(), ['good', 'granted'])
})

test('ten thousand invented names neither grow the memory nor push out what is in use or was probed', () => {
  const { capabilities } = setUp()
  capabilities.settle('eu', profile, 'context-1m-2025-08-07', 'supported')
  capabilities.learn('eu', profile, 'in-use', 'unsupported')
  capabilities.verdict('eu', profile, 'in-use')
  for (let index = 0; index < 10_000; index += 1) capabilities.learn('eu', profile, `made-up-${index}`, 'supported')
  capabilities.learn('eu', profile, 'x'.repeat(100_000), 'supported')
  assert.ok(capabilities.list().length <= 256)
  assert.equal(capabilities.verdict('eu', profile, 'in-use'), 'unsupported')
  assert.equal(capabilities.verdict('eu', profile, 'context-1m-2025-08-07'), 'supported')
  assert.ok(capabilities.list().every((entry) => entry.feature.length <= 200))
})

test('the list tells learned entries from overrides', () => {
  const { clock, state, capabilities } = setUp()
  capabilities.learn('eu', profile, 'beta-a', 'supported')
  clock.nowMs += 1_000
  state.overrides = [override('beta-b', false)]
  assert.deepEqual(
    capabilities.list().map((entry) => [entry.feature, entry.verdict, entry.source, entry.expiresInMs]),
    [
      ['beta-a', 'supported', 'learned', CAPABILITY_TTL_MS - 1_000],
      ['beta-b', 'unsupported', 'override', null],
    ],
  )
})

test('deleted endpoints are forgotten', () => {
  const { capabilities } = setUp()
  capabilities.learn('eu', profile, 'beta-a', 'supported')
  capabilities.keepOnly(new Set(['us']))
  assert.deepEqual(capabilities.list(), [])
})
