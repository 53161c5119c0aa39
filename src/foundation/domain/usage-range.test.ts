import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  decideRange,
  isTimeZone,
  listBuckets,
  previousRange,
  type RangeRequest,
  type UsageRange,
} from './usage-range.ts'

const HOUR_MS = 3_600_000
const nowMs = Date.UTC(2026, 10, 15, 2, 30)

function buildRange(values: Partial<RangeRequest>): UsageRange {
  const range = decideRange({ days: 30, granularity: 'auto', tz: 'UTC', ...values }, nowMs)
  assert.ok(!('reason' in range), JSON.stringify(range))
  return range
}

test('the last days end with the running day of the zone, not of UTC', () => {
  assert.deepEqual([buildRange({ days: 7 }).from, buildRange({ days: 7 }).to], ['2026-11-09', '2026-11-15'])
  const west = buildRange({ days: 1, tz: 'America/Los_Angeles' })
  assert.deepEqual([west.from, west.to], ['2026-11-14', '2026-11-14'])
  assert.equal(new Date(west.startMs).toISOString(), '2026-11-14T08:00:00.000Z')
})

test('granularity follows the length of the range unless it is asked for', () => {
  const lengths = [1, 2, 3, 90, 91, 400].map((days) => {
    const from = new Date(Date.UTC(2026, 10, 16) - days * 24 * HOUR_MS).toISOString().slice(0, 10)
    return buildRange({ from, to: '2026-11-15' }).granularity
  })
  assert.deepEqual(lengths, ['hour', 'hour', 'day', 'day', 'week', 'week'])
  assert.equal(buildRange({ granularity: 'week' }).granularity, 'week')
})

test('days of a zone have 23 and 25 hours when the clock changes, and their hours are all there', () => {
  const spring = buildRange({ from: '2026-03-08', to: '2026-03-08', tz: 'America/New_York' })
  const autumn = buildRange({ from: '2026-11-01', to: '2026-11-01', tz: 'America/New_York' })
  assert.deepEqual([listBuckets(spring).length, listBuckets(autumn).length], [23, 25])
  assert.equal(autumn.endMs - autumn.startMs, 25 * HOUR_MS)
  const days = listBuckets(buildRange({ from: '2026-10-31', to: '2026-11-02', tz: 'America/New_York' }))
  assert.deepEqual(
    days.map(({ startMs, endMs }) => (endMs - startMs) / HOUR_MS),
    [24, 25, 24],
  )
})

test('hours begin where the clock on the wall shows a full hour', () => {
  const [first] = listBuckets(buildRange({ from: '2026-06-01', to: '2026-06-01', tz: 'Asia/Kolkata' }))
  assert.equal(new Date(first?.startMs ?? 0).toISOString(), '2026-05-31T18:30:00.000Z')
  const nepal = buildRange({ from: '2026-06-01', to: '2026-06-01', tz: 'Asia/Kathmandu' })
  assert.equal(new Date(nepal.startMs).toISOString(), '2026-05-31T18:15:00.000Z')
})

test('a zone whose clock changes by half an hour has a last bucket of half an hour', () => {
  const buckets = listBuckets(buildRange({ from: '2026-04-05', to: '2026-04-05', tz: 'Australia/Lord_Howe' }))
  assert.deepEqual([buckets.length, (buckets.at(-1)?.endMs ?? 0) - (buckets.at(-1)?.startMs ?? 0)], [25, HOUR_MS / 2])
})

test('buckets follow each other without a gap from the first moment to the last, whatever the zone', () => {
  for (const tz of ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Chatham', 'Africa/Cairo'])
    for (const granularity of ['hour', 'day', 'week'] as const) {
      const range = buildRange({ from: '2026-03-01', to: '2026-11-10', tz, granularity })
      const buckets = listBuckets(range)
      assert.deepEqual([buckets[0]?.startMs, buckets.at(-1)?.endMs], [range.startMs, range.endMs])
      for (const [index, bucket] of buckets.entries()) {
        assert.ok(bucket.endMs > bucket.startMs)
        if (index > 0) assert.equal(bucket.startMs, buckets[index - 1]?.endMs)
      }
    }
})

test('weeks begin on Monday; the first and the last are cut off', () => {
  const range = buildRange({ from: '2026-11-04', to: '2026-11-11', granularity: 'week' })
  assert.deepEqual(
    listBuckets(range).map(({ startMs }) => new Date(startMs).toISOString().slice(0, 10)),
    ['2026-11-04', '2026-11-09'],
  )
})

test('the range before has as many days and ends where this one begins', () => {
  const range = buildRange({ from: '2026-11-01', to: '2026-11-03', tz: 'America/New_York' })
  const before = previousRange(range)
  assert.deepEqual([before.from, before.to, before.endMs], ['2026-10-29', '2026-10-31', range.startMs])
})

test('a range up to a time of its last day is compared with days up to the same time on the wall', () => {
  const range = buildRange({ from: '2026-11-01', to: '2026-11-02', tz: 'America/New_York', until: '14:30' })
  const before = previousRange(range)
  assert.deepEqual(
    [range.startMs, range.endMs, before.startMs, before.endMs].map((ms) => new Date(ms).toISOString()),
    ['2026-11-01T04:00:00.000Z', '2026-11-02T19:30:00.000Z', '2026-10-30T04:00:00.000Z', '2026-10-31T18:30:00.000Z'],
  )
  assert.equal(listBuckets(range, 'day').at(-1)?.endMs, range.endMs)
  const hours = listBuckets(range, 'hour')
  assert.deepEqual([hours.length, (hours.at(-1)?.endMs ?? 0) - (hours.at(-1)?.startMs ?? 0)], [25 + 15, HOUR_MS / 2])
})

test('only names of zones are zones', () => {
  for (const name of ['UTC', 'CET', 'Europe/Berlin', 'Etc/GMT+5', 'America/Argentina/Buenos_Aires'])
    assert.ok(isTimeZone(name))
  for (const name of ['', '+02:00', 'Mars/Base', "UTC'; drop", 'Europe/Berlin ', '../etc', 'IST', 'PST', 'JST', 'BST'])
    assert.ok(!isTimeZone(name), name)
})
