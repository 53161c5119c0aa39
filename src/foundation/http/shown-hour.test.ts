import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideHour } from './shown-hour.ts'

const at = (text: string): number => Date.parse(`2026-11-15T${text}Z`)
const shown = (atMs: number | undefined, nowMs: number): string[] => {
  const { fromMs, toMs } = decideHour(atMs, nowMs)
  return [fromMs, toMs].map((ms) => new Date(ms).toISOString().slice(11, 19))
}

test('without a moment it is the hour up to the running minute', () => {
  assert.deepEqual(shown(undefined, at('10:30:20')), ['09:31:00', '10:31:00'])
})

test('a moment has a quarter of an hour after it, as far as it has come', () => {
  assert.deepEqual(shown(at('08:00:00'), at('10:30:20')), ['07:15:00', '08:15:00'])
  assert.deepEqual(shown(at('10:25:00'), at('10:30:20')), ['09:31:00', '10:31:00'])
  assert.deepEqual(shown(at('23:00:00'), at('10:30:20')), ['09:31:00', '10:31:00'])
})
