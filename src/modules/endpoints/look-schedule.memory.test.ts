import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLookSchedule } from './look-schedule.memory.ts'

function scheduleAt(random = 0.5) {
  const clock = { nowMs: 0, monotonicMs: () => clock.nowMs }
  return { clock, schedule: createLookSchedule(clock, { intervalMs: 60_000, spread: 0.05, random: () => random }) }
}

test('one is due at first, then once an interval, and never while somebody is at it', () => {
  const { clock, schedule } = scheduleAt()
  assert.equal(schedule.begin('a', 'x'), true)
  clock.nowMs = 200_000
  assert.equal(schedule.begin('a', 'x'), false, 'still running')
  schedule.finished('a')
  assert.equal(schedule.begin('a', 'x'), true)
  schedule.finished('a')
  clock.nowMs += 59_999
  assert.equal(schedule.begin('a', 'x'), false)
  clock.nowMs += 1
  assert.equal(schedule.begin('a', 'x'), true)
})

test('a change is looked at without waiting, also one that came during a look', () => {
  const { schedule } = scheduleAt()
  schedule.begin('a', 'x')
  assert.equal(schedule.begin('a', 'y'), false)
  schedule.finished('a')
  assert.equal(schedule.begin('a', 'y'), true)
  schedule.finished('a')
  assert.equal(schedule.begin('a', 'y'), false)
})

test('a look may ask for an earlier one, and what is gone is forgotten', () => {
  const { clock, schedule } = scheduleAt()
  schedule.begin('a', 'x')
  schedule.finished('a', 2_000)
  clock.nowMs = 2_000
  assert.equal(schedule.begin('a', 'x'), true)
  assert.equal(schedule.running(), 1)
  schedule.keepOnly(new Set())
  assert.equal(schedule.running(), 0)
  assert.equal(schedule.begin('a', 'x'), true)
})

test('intervals spread by five per cent at most, in both directions', () => {
  for (const [random, dueMs] of [
    [0, 57_000],
    [1, 63_000],
  ] as const) {
    const { clock, schedule } = scheduleAt(random)
    schedule.begin('a', 'x')
    schedule.finished('a')
    clock.nowMs = dueMs - 1
    assert.equal(schedule.begin('a', 'x'), false)
    clock.nowMs = dueMs
    assert.equal(schedule.begin('a', 'x'), true)
  }
})
