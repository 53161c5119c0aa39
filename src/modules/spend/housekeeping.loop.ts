/** What the loops do to the stored records themselves: count them, make room for them, and drop the old ones. */

import type { Database } from '../../foundation/database/database.ts'
import type { InstrumentName } from '../../foundation/domain/instruments.ts'
import type { Snapshot } from '../../foundation/domain/snapshot.ts'
import type { Logger } from '../../foundation/platform/logger.ts'
import { hourly, type Loop } from '../../foundation/platform/loops.ts'
import type { Instruments } from '../../foundation/platform/metrics.ts'
import { createUsageFollower } from './follow-usage.loop.ts'
import { prepareSpendLog } from './spend-partitions.start.ts'
import { dropOldRecords, type ForgetOld } from './spend-retention.loop.ts'
import { closeUsageBlocks } from './usage/usage-rollup.store.ts'

export interface HousekeepingParts {
  readonly findDatabase: () => Database | undefined
  readonly snapshot: () => Snapshot
  readonly instruments: Instruments<InstrumentName>
  readonly log: Logger
  /** What other modules keep for as long as records. */
  readonly forgetOld: readonly ForgetOld[]
}

export function createHousekeeping(parts: HousekeepingParts): readonly Loop[] {
  const { findDatabase, snapshot, instruments, log, forgetOld } = parts
  const usage = createUsageFollower({ database: findDatabase, log })
  instruments.observe('gateway_usage_uncounted_records', (show) => show(usage.uncounted()))
  instruments.observe('gateway_usage_unclosed_periods', (show) => show(usage.unclosed()))
  const onceOpen = (work: (database: Database) => Promise<void>) => async (): Promise<void> => {
    const database = findDatabase()
    if (database !== undefined) await work(database)
  }
  const preparePartitions = onceOpen((database) => prepareSpendLog({ database }))
  const closeBlocks = onceOpen(async (database) => {
    // Days of millions of requests take longer than any statement that somebody waits for may.
    const dedicated = database.openDedicated()
    await closeUsageBlocks(dedicated.kysely, Date.now()).finally(dedicated.close)
  })
  const dropOld = async (): Promise<void> => {
    await dropOldRecords({ database: findDatabase, settings: () => snapshot().settings, nowMs: Date.now, forgetOld })
  }
  return [
    { name: 'spend-partitions', ...hourly, retryMs: 60_000, jitter: 0.1, run: preparePartitions },
    { name: 'usage-rollup', intervalMs: 5_000, jitter: 0.2, run: usage.follow },
    { name: 'usage-blocks', ...hourly, retryMs: 60_000, jitter: 0.5, run: closeBlocks },
    { name: 'spend-retention', ...hourly, jitter: 0.5, run: dropOld },
  ]
}
