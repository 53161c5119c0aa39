/** Commits whose answer never comes: the statement has reached the database, and the ledger will not hear of it. */

import { openDatabase } from '../../src/foundation/database/database.ts'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { catchUpUsage } from '../../src/modules/spend/usage/usage-rollup.store.ts'
import { aSpendRecord } from '../database/samples.ts'
import { startChaosProxy } from '../support/chaos-proxy.ts'
import { createTestDatabase } from '../support/database.ts'
import { makeFolder, openLedger } from './ledger-parts.ts'

export interface LostAnswersReport {
  /** Answers of the database that were swallowed, each followed by a cut. */
  readonly cuts: number
  readonly records: number
  readonly rows: number
  /** Over the hourly sums, which must count each record once too. */
  readonly counted: number
  readonly costNanoUsd: number
  readonly expectedNanoUsd: number
}

const COST = 7
const MOST_TRIES = 2_000

export async function runLostAnswers(cuts: number): Promise<LostAnswersReport> {
  const own = await createTestDatabase()
  const folder = await makeFolder()
  const proxy = await startChaosProxy(own.url)
  const through = await openDatabase({ kind: 'url', url: proxy.url })
  const log = createSpendLog(through.kysely)
  const write = async (records: readonly SpendRecord[]) => (await log.appendBatch(records)).rejected
  const { ledger, journal } = openLedger(folder.path, { isAway: false, stored: new Map(), write })
  const records: SpendRecord[] = []
  try {
    for (let tries = 0; (proxy.swallowed() < cuts || ledger.waiting() > 0) && tries < MOST_TRIES; tries += 1) {
      if (proxy.swallowed() < cuts) {
        proxy.swallowNextAnswerTo('insert into spend_log')
        const fresh = Array.from({ length: 10 }, () => aSpendRecord({ costNanoUsd: COST }))
        records.push(...fresh)
        await Promise.all(fresh.map(ledger.append))
      }
      await ledger.flush().catch(() => undefined)
    }
    await catchUpUsage(own.database.kysely)
    const { rows } = await own.database.pool.query(
      `select (select count(*) from spend_log) as rows, (select sum(cost_nano_usd) from spend_log) as cost,
        (select sum(requests) from spend_hours) as counted`,
    )
    return {
      cuts: proxy.swallowed(),
      records: records.length,
      rows: Number(rows[0].rows),
      counted: Number(rows[0].counted),
      costNanoUsd: Number(rows[0].cost),
      expectedNanoUsd: records.length * COST,
    }
  } finally {
    await journal.close()
    await through.close()
    await proxy.close()
    await own.drop()
    await folder.remove()
  }
}

if (import.meta.main) {
  const report = await runLostAnswers(Number(process.argv[2] ?? 50))
  console.log(JSON.stringify(report, null, 2))
  process.exit(report.rows === report.records && report.costNanoUsd === report.expectedNanoUsd ? 0 : 1)
}
