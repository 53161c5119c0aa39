import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureLedger } from '../../spend/throughput.ts'

/** By CPU time and not by the clock: a busy machine is not a slow ledger. `node bench/money.ts` has the whole measurement. */
test('a core is enough for 5,000 records a second: each costs less than 200 µs of CPU, and every one is stored', async (context) => {
  const measure = await measureLedger(4, 2_000)
  context.diagnostic(JSON.stringify(measure))
  assert.equal(measure.stored, measure.sent)
  assert.ok(measure.cpuMicrosPerRecord < 200, `${measure.cpuMicrosPerRecord} µs`)
})
