/** What the loops do to the stored records themselves: count them, make room for them, and drop the old ones. */
import type { Snapshot } from '../domain/snapshot.ts'
import type { LoopWork } from '../loops/all-loops.ts'
import { createUsageFollower } from '../loops/follow-usage.ts'
import { dropOldRecords } from '../loops/spend-retention.ts'
import type { Logger } from '../platform/logger.ts'
import { prepareSpendLog } from '../startup/spend-partitions.ts'
import type { Database } from '../stores/database.ts'
import { createSessionStore } from '../stores/sessions.ts'
import { createSignInStore } from '../stores/sign-ins.ts'
import { closeUsageBlocks } from '../stores/usage/usage-rollup.ts'
import type { Telemetry } from './telemetry.ts'

export interface HousekeepingParts {
  readonly findDatabase: () => Database | undefined
  readonly snapshot: () => Snapshot
  readonly instruments: Telemetry['instruments']
  readonly log: Logger
}

export type Housekeeping = Pick<
  LoopWork,
  'prepareSpendLog' | 'rollUpUsage' | 'closeUsageBlocks' | 'dropOldRecords' | 'forgetSessions'
>

export function createHousekeeping({ findDatabase, snapshot, instruments, log }: HousekeepingParts): Housekeeping {
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
      await dropOldRecords({ database: findDatabase, settings: () => snapshot().settings, nowMs: Date.now })
    },
    forgetSessions: onceOpen(async ({ kysely }) => {
      await createSessionStore(kysely).forgetExpired(Date.now())
      await createSignInStore(kysely).forgetExpired(Date.now())
    }),
  }
}
