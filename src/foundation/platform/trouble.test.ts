import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTrouble } from './trouble.ts'

test('trouble is told when it begins, once a minute while it lasts, and when it is over', () => {
  let nowMs = 5_000
  const trouble = createTrouble({ monotonicMs: () => nowMs })
  const told: string[] = []
  const over = (): void => trouble.over((times) => told.push(`over after ${times}`))
  over()
  // For two minutes and a half, every second.
  for (let second = 0; second < 150; second += 1, nowMs += 1_000) trouble.met((times) => told.push(`met ${times}`))
  over()
  over()
  trouble.met((times) => told.push(`met ${times}`))
  assert.deepEqual(told, ['met 1', 'met 61', 'met 121', 'over after 150', 'met 1'])
})
