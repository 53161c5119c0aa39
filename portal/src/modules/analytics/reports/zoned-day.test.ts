import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, bucketFormat, dayIn, findMonth, startOfDay } from './zoned-day.ts'

test('a day begins when the clocks of its zone say so, also on the days on which they change', () => {
  assert.equal(startOfDay('UTC', '2026-11-15').toISOString(), '2026-11-15T00:00:00.000Z')
  assert.equal(startOfDay('Europe/Berlin', '2026-03-29').toISOString(), '2026-03-28T23:00:00.000Z')
  assert.equal(startOfDay('Europe/Berlin', '2026-03-30').toISOString(), '2026-03-29T22:00:00.000Z')
  assert.equal(startOfDay('America/New_York', '2026-11-01').toISOString(), '2026-11-01T04:00:00.000Z')
  assert.equal(startOfDay('America/New_York', '2026-11-02').toISOString(), '2026-11-02T05:00:00.000Z')
  assert.equal(startOfDay('Asia/Kathmandu', '2026-11-15').toISOString(), '2026-11-14T18:15:00.000Z')
})

test('the day of a moment is that of the zone', () => {
  const at = Date.parse('2026-11-15T23:30:00Z')
  assert.equal(dayIn('UTC', at), '2026-11-15')
  assert.equal(dayIn('Asia/Tokyo', at), '2026-11-16')
})

test('months and days are counted over the ends of years', () => {
  assert.deepEqual(findMonth('2026-01-15', -1), { from: '2025-12-01', to: '2025-12-31' })
  assert.deepEqual(findMonth('2028-02-10', 0), { from: '2028-02-01', to: '2028-02-29' })
  assert.equal(addDays('2026-12-31', 1), '2027-01-01')
})

test('a bucket is written as short as its size allows', () => {
  assert.equal(bucketFormat('UTC', 'day')('2026-11-15T00:00:00Z'), '15 Nov')
  assert.equal(bucketFormat('UTC', 'hour')('2026-11-15T09:00:00Z'), '15 Nov, 09:00')
})
