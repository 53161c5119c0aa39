import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runDatabaseOutage } from '../../spend/database-outage.ts'

/** `node test/spend/database-outage.ts 600 50` takes the database away for ten minutes. */
test('a database that is away for 15 seconds under load fails no call, and has every row after its return', async (context) => {
  const report = await runDatabaseOutage(15, 50)
  context.diagnostic(JSON.stringify(report))
  assert.equal(report.failed, 0)
  assert.ok(report.calls > 0)
  assert.deepEqual([report.rows, report.doubled], [report.served, 0])
  assert.ok(report.memoryPeakMb <= 150)
})
