/** What the loops do to the stored records themselves: count them, make room for them, and drop the old ones. */

import type { Database } from '../../foundation/database/database.ts'
import type { InstrumentName } from '../../foundation/domain/instruments.ts'
import type { Snapshot } from '../../foundation/domain/snapshot.ts'
import type { Logger } from '../../foundation/platform/logger.ts'
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

export interface Housekeeping {
  readonly prepareSpendLog: () => Promise<void>
  readonly rollUpUsage: () => Promise<void>
  readonly closeUsageBlocks: () => Promise<void>
  readonly dropOldRecords: () => Promise<void>
}

export function createHousekeeping(parts: HousekeepingParts): Housekeeping {
  const { findDatabase, snapshot, instruments, log, forgetOld } = parts
  const usage = createUsageFollower({ database: findDatabase, log })
  instruments.observe('gateway_usage_uncounted_records', (show) => show(usage.uncounted()))
  instruments.observe('gateway_usage_unclosed_periods', (show) => show(usage.unclosed()))
  const onceOpen = (work: (database: Database) => Promise<void>) => async (): Promise<void> => {
    const database = findDatabase()
    if (database !== undefined) await work(database)
  }
  return {
    rollUpUsage: usage.follow,
    prepareSpendLog: onceOpen((database) => prepareSpendLog({ database })),
    closeUsageBlocks: onceOpen(async (database) => {
      // Days of millions of calls take longer than any statement that somebody waits for may.
      const dedicated = database.openDedicated()
      await closeUsageBlocks(dedicated.kysely, Date.now()).finally(dedicated.close)
    }),
    dropOldRecords: async () => {
      await dropOldRecords({ database: findDatabase, settings: () => snapshot().settings, nowMs: Date.now, forgetOld })
    },
  }
}
