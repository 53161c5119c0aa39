import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareDigests, type DigestDetail, isDigestDue, lastWholeWeek, nextDigestMs } from './weekly-digest.ts'
import { digestText } from './weekly-digest-text.ts'

const at = (time: string): number => Date.parse(time)

test('the last whole week is Monday to Sunday of the zone, from the first moment of the next one on', () => {
  const weekAt = (time: string, tz: string) => {
    const { from, to, startMs, endMs } = lastWholeWeek(at(time), tz)
    return [from, to, (endMs - startMs) / 3_600_000]
  }
  assert.deepEqual(weekAt('2026-11-15T23:59:59Z', 'UTC'), ['2026-11-02', '2026-11-08', 168])
  assert.deepEqual(weekAt('2026-11-16T00:00:00Z', 'UTC'), ['2026-11-09', '2026-11-15', 168])
  assert.deepEqual(weekAt('2026-11-15T23:00:00Z', 'Europe/Berlin'), ['2026-11-09', '2026-11-15', 168])
  assert.deepEqual(weekAt('2026-11-02T12:00:00Z', 'America/New_York'), ['2026-10-26', '2026-11-01', 169], 'clocks back')
  assert.deepEqual(weekAt('2027-01-04T12:00:00Z', 'UTC'), ['2026-12-28', '2027-01-03', 168])
})

test('it is due on Monday from 08:00 of the zone until Tuesday evening, and next a week later', () => {
  const isDue = (time: string, tz = 'UTC') => isDigestDue(at(time), tz)
  assert.deepEqual(
    ['2026-11-16T07:59:59Z', '2026-11-16T08:00:00Z', '2026-11-17T19:59:59Z', '2026-11-17T20:00:00Z'].map((time) =>
      isDue(time),
    ),
    [false, true, true, false],
  )
  assert.deepEqual(
    [isDue('2026-11-16T07:00:00Z', 'Europe/Berlin'), isDue('2026-11-15T23:30:00Z', 'Europe/Berlin')],
    [true, false],
  )
  const next = (time: string, tz = 'UTC') => new Date(nextDigestMs(at(time), tz)).toISOString()
  assert.equal(next('2026-11-16T07:59:59Z'), '2026-11-16T08:00:00.000Z')
  assert.equal(next('2026-11-16T08:00:00Z'), '2026-11-23T08:00:00.000Z')
  assert.equal(next('2026-10-28T08:00:00Z', 'America/New_York'), '2026-11-02T13:00:00.000Z', 'the hour of the clocks')
})

const figures = { spend_usd: 1_234.5, requests: 12_000, errors: 24, active_users: 17, tokens: 3_000_000 }
const digest: Omit<DigestDetail, 'text'> = {
  from: '2026-11-09',
  to: '2026-11-15',
  tz: 'UTC',
  ...figures,
  unpriced_requests: 0,
  previous: { ...figures, spend_usd: 1_000, requests: 16_000, tokens: 0, active_users: 15 },
  change: { spend_percent: 23.45, requests_percent: -25, tokens_percent: null },
  top_people: [{ name: 'ada', spend_usd: 1_000, requests: 1, tokens: 1 }],
  top_teams: [],
  top_models: [{ name: 'made\nup', spend_usd: 0.004, requests: 1, tokens: 1 }],
  budgets: { count: 0, worst: [] },
  endpoints: [{ endpoint: 'us', requests: 100, errors: 0, error_share: 0 }],
  expiring_keys: { count: 0, first: [] },
  links: { analytics: '/portal#/org-analytics', budgets: '/portal#/budgets', keys: '/portal#/keys' },
}

test('the change is in percent of the week before, and nothing where there was nothing', () => {
  assert.deepEqual(compareDigests(digest, digest.previous), digest.change)
})

test('the text says what there is, line by line, and a name never makes a line of its own', () => {
  assert.equal(
    digestText(digest),
    [
      'Week 2026-11-09 to 2026-11-15 (UTC)',
      'Spend: $1,234.50 (+23.4 % against $1,000.00)',
      'Calls: 12,000 (-25.0 % against 16,000), 24 failed',
      'Tokens: 3,000,000',
      'People: 17 (15 the week before)',
      'Top people: ada $1,000.00',
      'Top models: made up $0.00',
      '/portal#/org-analytics',
    ].join('\n'),
  )
  const busy = digestText({
    ...digest,
    unpriced_requests: 3,
    budgets: {
      count: 3,
      worst: [
        {
          scope: 'team',
          name: 'Platform',
          status: 'blocked',
          percent: 103.2,
          spend_usd: 1,
          limit_usd: 1,
          top_up_usd: 0,
        },
        { scope: 'user', name: 'bob', status: 'warning', percent: 81, spend_usd: 1, limit_usd: 1, top_up_usd: 0 },
      ],
    },
    endpoints: [{ endpoint: 'us', requests: 100, errors: 4, error_share: 0.04 }],
    expiring_keys: { count: 1, first: [{ key_id: 'k', key_name: 'ci', expires_at: '2026-11-18T00:00:00Z' }] },
  }).split('\n')
  assert.deepEqual(busy.slice(7, -1), [
    'Budgets now: Platform blocked (103 %), bob at a warning (81 %) and 1 more',
    'Failed calls: us 4.0 %',
    'Keys that expire within 7 days: ci /portal#/keys',
    'Requests for models without a price, whose cost is an estimate: 3',
  ])
})
