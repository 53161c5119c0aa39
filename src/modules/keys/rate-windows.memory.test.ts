import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRateWindows } from './rate-windows.memory.ts'

function setUp() {
  const clock = { nowMs: 1_000_000, monotonicMs: () => clock.nowMs }
  return { clock, windows: createRateWindows(clock) }
}

test('the call after the limit is refused until the oldest call is a minute old', () => {
  const { clock, windows } = setUp()
  for (let call = 0; call < 3; call += 1) {
    assert.equal(windows.take('key', 3).kind, 'taken')
    clock.nowMs += 10_000
  }
  assert.deepEqual(windows.take('key', 3), { kind: 'limited', retryAfterSeconds: 30 })
  clock.nowMs += 29_999
  assert.deepEqual(windows.take('key', 3), { kind: 'limited', retryAfterSeconds: 1 })
  clock.nowMs += 1
  assert.equal(windows.take('key', 3).kind, 'taken')
})

test('remaining and reset describe the window after the call', () => {
  const { clock, windows } = setUp()
  assert.deepEqual(windows.take('key', 2), { kind: 'taken', remaining: 1, resetSeconds: 60, takenAtMs: 1_000_000 })
  clock.nowMs += 1_500
  assert.deepEqual(windows.take('key', 2), { kind: 'taken', remaining: 0, resetSeconds: 59, takenAtMs: 1_001_500 })
})

test('refused calls take no place', () => {
  const { clock, windows } = setUp()
  windows.take('key', 1)
  for (let call = 0; call < 1_000; call += 1) assert.equal(windows.take('key', 1).kind, 'limited')
  clock.nowMs += 60_000
  assert.equal(windows.take('key', 1).kind, 'taken')
})

test('keys do not share a window', () => {
  const { windows } = setUp()
  assert.equal(windows.take('a', 1).kind, 'taken')
  assert.equal(windows.take('b', 1).kind, 'taken')
  assert.equal(windows.take('a', 1).kind, 'limited')
})

test('a lowered limit waits until enough calls have left, a raised one admits at once', () => {
  const { clock, windows } = setUp()
  for (let call = 0; call < 5; call += 1) {
    windows.take('key', 5)
    clock.nowMs += 1_000
  }
  assert.deepEqual(windows.take('key', 2), { kind: 'limited', retryAfterSeconds: 58 })
  assert.equal(windows.take('key', 6).kind, 'taken')
})

test('a limit below one refuses instead of failing', () => {
  const { windows } = setUp()
  for (const limit of [0, -1, Number.NaN]) {
    assert.deepEqual(windows.take('key', limit), { kind: 'limited', retryAfterSeconds: 60 })
  }
})

test('a place that is given back is free again, and only that one', () => {
  const { clock, windows } = setUp()
  const first = windows.take('key', 2)
  clock.nowMs += 20_000
  windows.take('key', 2)
  assert.equal(first.kind, 'taken')
  if (first.kind === 'taken') windows.giveBack('key', first.takenAtMs)
  assert.equal(windows.take('key', 2).kind, 'taken')
  assert.deepEqual(windows.take('key', 2), { kind: 'limited', retryAfterSeconds: 60 })
})

test('keys that stopped calling are forgotten', () => {
  const { clock, windows } = setUp()
  for (let key = 0; key < 500; key += 1) windows.take(`key-${key}`, 10)
  assert.equal(windows.size(), 500)
  clock.nowMs += 120_000
  windows.take('other', 10)
  assert.equal(windows.size(), 1)
})
