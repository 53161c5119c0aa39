import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readReportsBesideCalls } from './report-reading.ts'

const MEDIAN_MS = 60
const SLOWEST_OF_100_MS = 300

test('while a large report comes as fast as it can, packed or not, calls are answered as soon as without it', async (context) => {
  for (const { form, timesMs } of await readReportsBesideCalls()) {
    const sorted = timesMs.toSorted((a, b) => a - b)
    const at = (share: number): number => Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? 0)
    context.diagnostic(`${form}: ${sorted.length} calls, median ${at(0.5)} ms, 99 of 100 within ${at(0.99)} ms`)
    assert.ok(at(0.5) <= MEDIAN_MS && at(0.99) <= SLOWEST_OF_100_MS, `${form}: ${at(0.5)} and ${at(0.99)} ms`)
  }
})
