import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createSpendHours } from '../../../src/modules/spend/spend-hours.store.ts'
import { createSpendLog } from '../../../src/modules/spend/spend-log.store.ts'
import { catchUpUsage } from '../../../src/modules/spend/usage/usage-rollup.store.ts'
import { aSpendRecord } from '../../database/samples.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'

let own: TestDatabase
before(async () => {
  own = await createTestDatabase({ statementTimeoutMs: 1_500 })
})
after(() => own.drop())

const BATCHES = 60
const atMs = Date.UTC(2026, 1, 3, 12)

test('more than the database counts within its time limit is counted in smaller parts, not tried anew for ever', async () => {
  const { kysely, pool } = own.database
  const log = createSpendLog(kysely)
  for (let batch = 0; batch < BATCHES; batch += 1) await log.appendBatch([aSpendRecord({ atMs: atMs + batch })])
  // Three seconds for all of them at once: a slow server after a long outage.
  await pool.query(`
    create function linger() returns trigger language plpgsql as $$ begin perform pg_sleep(0.05); return new; end $$;
    create trigger sessions_linger before insert on spend_sessions for each row execute function linger()`)
  let refusals = 0
  const isCounted = async (): Promise<boolean> => {
    try {
      await catchUpUsage(kysely)
      return true
    } catch (error) {
      assert.equal((error as { code?: string }).code, '57014')
      refusals += 1
      return false
    }
  }
  for (let tries = 0; tries < 10 && !(await isCounted()); ) tries += 1
  assert.ok(refusals > 0, 'it was too much at first')
  const { rows } = await pool.query('select count(*) as waiting from spend_batches')
  assert.deepEqual(rows, [{ waiting: 0 }])
  assert.equal((await createSpendHours(kysely).totals(atMs, atMs + 3_600_000)).requests, BATCHES)
})
