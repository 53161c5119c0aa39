import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createZeroSpend, periodEndMs } from './zero-spend.ts'

const endOf = (period: 'daily' | 'weekly' | 'monthly', now: string): string =>
  new Date(periodEndMs(period, Date.parse(now))).toISOString().slice(0, 10)

test('periods end at midnight UTC, on Monday, on the first of the month, over the borders of months and years', () => {
  const ends = (now: string) => [endOf('daily', now), endOf('weekly', now), endOf('monthly', now)]
  assert.deepEqual(ends('2026-12-31T23:59:59.999Z'), ['2027-01-01', '2027-01-04', '2027-01-01'])
  assert.deepEqual(ends('2027-01-04T00:00:00.000Z'), ['2027-01-05', '2027-01-11', '2027-02-01'])
  assert.deepEqual(ends('2027-01-03T23:59:59.999Z'), ['2027-01-04', '2027-01-04', '2027-02-01'])
  assert.deepEqual(ends('2028-02-28T12:00:00.000Z'), ['2028-02-29', '2028-03-06', '2028-03-01'])
})

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
  assert.deepEqual(await spend.standingsOf([budget]), [
    { spendNanoUsd: 0, percent: 0, status: 'ok', resetsAtMs: Date.UTC(2026, 5, 16) },
  ])
})
