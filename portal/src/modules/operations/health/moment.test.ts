import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideMinute, minutesBetween, parseMoment } from './moment.ts'

test('a link names its moment in seconds or as a time; anything else is no moment', () => {
  assert.equal(parseMoment('1794738600')?.toISOString(), '2026-11-15T10:30:00.000Z')
  assert.equal(parseMoment('2026-11-15T10:30:00Z')?.toISOString(), '2026-11-15T10:30:00.000Z')
  for (const text of [undefined, '', 'now', '99999999999999']) assert.equal(parseMoment(text), undefined, String(text))
})

test('an hour has sixty minutes', () => {
  const minutes = minutesBetween('2026-11-15T09:30:00.000Z', '2026-11-15T10:30:00.000Z')
  assert.equal(minutes.length, 60)
  assert.deepEqual([minutes[0], minutes.at(-1)], ['2026-11-15T09:30:00.000Z', '2026-11-15T10:29:00.000Z'])
})

test('a minute is told by the share of its calls that failed', () => {
  const state = (requests: number, errors: number, throttled = 0) => decideMinute({ requests, errors, throttled })
  assert.equal(decideMinute(undefined), 'silent')
  assert.deepEqual(
    [state(0, 0), state(9, 0), state(9, 1, 3), state(8, 2, 2), state(1, 1)],
    ['silent', 'ok', 'some', 'most', 'most'],
  )
})
