/** The process that serves requests also reads a bill, and requests do not wait for its end. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readReportsBesideCalls } from './report-reading.ts'

/** Both sides slow down together on a busy machine, so the number of requests hardly depends on it. */
const LEAST_CALLS = 20

test('a large report, packed or not, is read while requests are answered', async (context) => {
  for (const { form, status, timesMs } of await readReportsBesideCalls()) {
    context.diagnostic(`${form}: ${timesMs.length} requests were answered meanwhile`)
    assert.equal(status, 200)
    assert.ok(timesMs.length >= LEAST_CALLS, `${form}: only ${timesMs.length} requests`)
  }
})
