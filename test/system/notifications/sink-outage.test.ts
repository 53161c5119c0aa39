import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSinkOutage } from '../../notifications/sink-outage.ts'

/** `node test/notifications/sink-outage.ts 600 10` takes the receiver away for ten minutes and kills ten times. */
test('a receiver that is away and a gateway that is killed three times lose no event, and repetitions carry its id', async (context) => {
  const report = await runSinkOutage(15, 3)
  context.diagnostic(JSON.stringify(report))
  assert.deepEqual([report.lost, report.invented, report.changed], [[], [], []])
  assert.equal(report.events, 16)
  assert.ok(report.failedTries >= 8)
})
