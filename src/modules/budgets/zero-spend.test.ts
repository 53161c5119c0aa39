import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createZeroSpend } from './zero-spend.ts'

test('nothing was spent, and every budget is fine', async () => {
  const nowMs = Date.parse('2026-06-15T12:00:00Z')
  const spend = createZeroSpend({ nowMs: () => nowMs, monotonicMs: () => 0 })
  assert.equal((await spend.spendOfKeys(['a'])).get('a'), undefined)
  const budget = {
    scope: 'user',
    subjectId: 'u',
    limitNanoUsd: 1,
    period: 'daily',
    rules: [],
    memberLimitNanoUsd: null,
  } as const
  assert.deepEqual(await spend.readStandings([budget]), [
    { spendNanoUsd: 0, percent: 0, status: 'ok', resetsAtMs: Date.UTC(2026, 5, 16) },
  ])
})
