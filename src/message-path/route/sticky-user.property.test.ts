import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sampleEndpoint } from '../sample-calls.fixture.ts'
import { stickyUser } from './sticky-user.ts'
import type { RankedCandidate } from './strategy.ts'

const IDLE_MS = 30 * 60_000

/** One call: who, after how long, and which endpoints are usable then (always at least one). */
const calls = fc.array(
  fc.record({
    subject: fc.constantFrom('ada', 'bob', 'cy'),
    afterMs: fc.integer({ min: 0, max: IDLE_MS / 2 }),
    usable: fc.subarray([0, 1, 2, 3], { minLength: 1 }),
  }),
  { maxLength: 60, size: 'max' },
)

test('a user is never split while the endpoint is usable, and nobody else’s calls move it', () => {
  fc.assert(
    fc.property(calls, fc.array(fc.integer({ min: 1, max: 2 }), { minLength: 4, maxLength: 4 }), (plan, priorities) => {
      const all = priorities.map(
        (priority, index): RankedCandidate => ({
          endpoint: sampleEndpoint(`e${index}`),
          modelId: 'm',
          via: 'cross-region-profile',
          priority,
        }),
      )
      let nowMs = 0
      const stored = new Map<string, { endpointId: string; atMs: number }>()
      const memory = {
        findAffinity: (subject: string) => {
          const entry = stored.get(subject)
          return entry !== undefined && nowMs - entry.atMs < IDLE_MS ? entry.endpointId : undefined
        },
        setAffinity: (subject: string, endpointId: string) => void stored.set(subject, { endpointId, atMs: nowMs }),
        nextTurn: () => 0,
      }
      for (const call of plan) {
        nowMs += call.afterMs
        const usable = all.filter((_, index) => call.usable.includes(index)).sort((a, b) => a.priority - b.priority)
        const before = memory.findAffinity(call.subject)
        const { candidates } = stickyUser({ usable, subject: call.subject, teamId: 't', memory })
        const firstId = candidates[0]?.endpoint.id
        assert.deepEqual([...candidates].sort(byId), [...usable].sort(byId))
        if (usable.some(({ endpoint }) => endpoint.id === before)) assert.equal(firstId, before)
        else assert.equal(candidates[0]?.priority, usable[0]?.priority)
        if (before === undefined) assert.equal(memory.findAffinity(call.subject), firstId)
        else assert.equal(memory.findAffinity(call.subject), before)
        const rest = candidates.slice(1).map(({ priority }) => priority)
        assert.deepEqual(rest, [...rest].sort())
      }
    }),
    { numRuns: 300 },
  )
})

function byId(one: RankedCandidate, other: RankedCandidate): number {
  return one.endpoint.id < other.endpoint.id ? -1 : 1
}
