import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseGranularity, earlierSpan, lastQuarter, placedBeside, readComparison } from './compare.ts'
import { addDays, daysBetween, momentIn, startOfDay } from './zoned-day.ts'

test('the previous period has as many days and ends right before', () => {
  assert.deepEqual(earlierSpan({ from: '2026-11-11', to: '2026-11-17' }, 'previous'), {
    from: '2026-11-04',
    to: '2026-11-10',
  })
})

test('the same days last month begin on the same day of the month, over the end of a year too', () => {
  assert.deepEqual(earlierSpan({ from: '2026-11-01', to: '2026-11-17' }, 'month'), {
    from: '2026-10-01',
    to: '2026-10-17',
  })
  assert.deepEqual(earlierSpan({ from: '2027-01-05', to: '2027-01-06' }, 'month'), {
    from: '2026-12-05',
    to: '2026-12-06',
  })
})

test('where the month before is too short, as many days end right before the range', () => {
  assert.deepEqual(earlierSpan({ from: '2026-03-01', to: '2026-03-31' }, 'month'), {
    from: '2026-01-29',
    to: '2026-02-28',
  })
  assert.deepEqual(earlierSpan({ from: '2026-10-01', to: '2026-10-31' }, 'month'), {
    from: '2026-08-31',
    to: '2026-09-30',
  })
  assert.deepEqual(earlierSpan({ from: '2026-03-31', to: '2026-03-31' }, 'month'), {
    from: '2026-02-28',
    to: '2026-02-28',
  })
})

test('both times always have as many days, and none of a month or less is compared with itself', () => {
  for (let first = '2026-01-01'; first < '2028-03-05'; first = addDays(first, 1))
    for (const days of [1, 2, 7, 28, 29, 30, 31, 90]) {
      const span = { from: first, to: addDays(first, days - 1) }
      for (const comparison of ['previous', 'month'] as const) {
        const { from, to } = earlierSpan(span, comparison)
        assert.equal(daysBetween(from, to) + 1, days)
        assert.ok(from < first)
        if (days <= 31) assert.ok(to < first, `${comparison} of ${first}, ${days} days`)
      }
    }
})

test('what an address makes up is no comparison', () => {
  assert.deepEqual([undefined, 'previous', 'month', 'year', ''].map(readComparison), [
    'none',
    'previous',
    'month',
    'none',
    'none',
  ])
})

test('a running day counts up to the last quarter of an hour by the clocks of the zone', () => {
  const nowMs = Date.parse('2026-11-17T14:37:20Z')
  assert.deepEqual(
    ['UTC', 'Asia/Kathmandu', 'America/New_York'].map((zone) => lastQuarter(zone, nowMs)),
    ['14:30', '20:15', '09:30'],
  )
  assert.equal(lastQuarter('UTC', Date.parse('2026-11-17T00:07:00Z')), '00:15')
})

test('the moment of a time is that of the clocks on that day', () => {
  assert.equal(momentIn('America/New_York', '2026-10-31', '14:30').toISOString(), '2026-10-31T18:30:00.000Z')
  assert.equal(momentIn('America/New_York', '2026-11-01', '14:30').toISOString(), '2026-11-01T19:30:00.000Z')
})

test('granularity follows the length of a range as the gateway has it', () => {
  assert.deepEqual(
    [1, 2, 3, 90, 91].map((days) => chooseGranularity(days, undefined)),
    ['hour', 'hour', 'day', 'day', 'week'],
  )
  assert.equal(chooseGranularity(7, 'hour'), 'hour')
})

const HOUR_MS = 3_600_000

/** Hours of a day of the zone, as the gateway cuts them. */
function listHours(zone: string, day: string): string[] {
  const [start, end] = [startOfDay(zone, day), startOfDay(zone, addDays(day, 1))].map((date) => date.getTime())
  const hours: string[] = []
  for (let ms = start ?? 0; ms < (end ?? 0); ms += HOUR_MS) hours.push(new Date(ms).toISOString())
  return hours
}

test('weeks stand beside as many days, wherever the Mondays of the earlier time are', () => {
  const days = Array.from({ length: 10 }, (_, index) => startOfDay('UTC', addDays('2026-10-25', index)).toISOString())
  const placed = placedBeside(
    'UTC',
    {
      from: '2026-11-04',
      buckets: ['2026-11-04T00:00:00Z', '2026-11-09T00:00:00Z'],
    },
    { from: '2026-10-25', buckets: days },
  )
  assert.deepEqual(placed, [
    [0, 1, 2, 3, 4],
    [5, 6, 7, 8, 9],
  ])
})

test('hours stand beside the same hour on the wall, and none is lost when the clocks change', () => {
  const zone = 'America/New_York'
  for (const [now, then] of [
    ['2026-11-02', '2026-11-01'],
    ['2026-11-01', '2026-10-31'],
    ['2026-03-09', '2026-03-08'],
    ['2026-03-08', '2026-03-07'],
  ] as const) {
    const [own, earlier] = [listHours(zone, now), listHours(zone, then)]
    const placed = placedBeside(zone, { from: now, buckets: own }, { from: then, buckets: earlier })
    assert.equal(placed.length, own.length)
    assert.deepEqual(
      placed.flat().toSorted((a, b) => a - b),
      earlier.map((_, index) => index),
      `${now} beside ${then}`,
    )
    assert.deepEqual([placed[0]?.[0], placed.at(-1)?.at(-1)], [0, earlier.length - 1])
  }
  // 25 hours beside 24: the second showing of one o'clock stands alone.
  const twice = placedBeside(
    zone,
    { from: '2026-11-01', buckets: listHours(zone, '2026-11-01') },
    { from: '2026-10-31', buckets: listHours(zone, '2026-10-31') },
  )
  assert.deepEqual(twice.slice(0, 5), [[0], [1], [], [2], [3]])
})
