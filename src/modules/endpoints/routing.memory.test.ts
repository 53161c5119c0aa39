import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AFFINITY_IDLE_MS, createRoutingMemory } from './routing.memory.ts'

function setUp(limits = {}) {
  const clock = { nowMs: 0, monotonicMs: () => clock.nowMs }
  return { clock, memory: createRoutingMemory(clock, limits) }
}

test('an affinity lasts while it is used and ends after 30 minutes of inactivity', () => {
  const { clock, memory } = setUp()
  for (let use = 0; use < 10; use += 1) {
    memory.setAffinity('ada', 'eu')
    clock.nowMs += AFFINITY_IDLE_MS - 1
    assert.equal(memory.findAffinity('ada'), 'eu')
  }
  clock.nowMs += 1
  assert.equal(memory.findAffinity('ada'), undefined)
})

test('looking at an affinity does not prolong it', () => {
  const { clock, memory } = setUp()
  memory.setAffinity('ada', 'eu')
  clock.nowMs += AFFINITY_IDLE_MS / 2
  memory.findAffinity('ada')
  clock.nowMs += AFFINITY_IDLE_MS / 2
  assert.equal(memory.findAffinity('ada'), undefined)
})

test('an affinity moves to the endpoint that is set last', () => {
  const { memory } = setUp()
  memory.setAffinity('ada', 'eu')
  memory.setAffinity('ada', 'us')
  assert.equal(memory.findAffinity('ada'), 'us')
})

test('memory is bounded and the longest unused subject goes first', () => {
  const { memory } = setUp({ maxSubjects: 3 })
  for (const subject of ['a', 'b', 'c']) memory.setAffinity(subject, 'eu')
  memory.setAffinity('a', 'eu')
  memory.setAffinity('d', 'eu')
  assert.equal(memory.size(), 3)
  assert.equal(memory.findAffinity('b'), undefined)
  assert.equal(memory.findAffinity('a'), 'eu')
})

test('turns count up for each team by itself', () => {
  const { memory } = setUp({ maxTeams: 2 })
  assert.deepEqual([memory.nextTurn('x'), memory.nextTurn('x'), memory.nextTurn('y')], [0, 1, 0])
})
