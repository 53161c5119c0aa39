/** Everything that runs on a timer, in one table. */
import type { Database } from '../foundation/database/database.ts'
import { hourly, type Loop } from '../foundation/platform/loops.ts'
import { forgetOldBudgetSpend } from '../modules/budgets/budget-spend.store.ts'
import { forgetOldKeyAddresses } from '../modules/keys/key-addresses.store.ts'
import { forgetSessions } from '../modules/sign-in/forget-sessions.loop.ts'
import type { ForgetOld } from '../modules/spend/spend-retention.loop.ts'

export interface LoopWork {
  readonly pollSnapshot: () => Promise<void>
  readonly flushSpend: () => Promise<void>
  readonly syncBudgets: () => Promise<void>
  readonly forgetOldShares: () => Promise<void>
  readonly checkHealth: (signal: AbortSignal) => Promise<void>
  readonly probeCapabilities: (signal: AbortSignal) => Promise<void>
  readonly forgetOldProbes: () => Promise<void>
  readonly prepareSpendLog: () => Promise<void>
  readonly rollUpUsage: () => Promise<void>
  readonly closeUsageBlocks: () => Promise<void>
  readonly dropOldRecords: () => Promise<void>
  /** Undefined when the refresh is switched off. */
  readonly refreshPrices: Pick<Loop, 'intervalMs' | 'firstMs' | 'run'> | undefined
  readonly findDatabase: () => Database | undefined
  readonly noteSightings: () => Promise<void>
  readonly tellExpiringKeys: () => Promise<void>
  readonly sendWeeklyDigest: () => Promise<void>
  readonly deliverEvents: (signal: AbortSignal) => Promise<void>
  readonly forgetEvents: () => Promise<void>
  readonly lookAtOutbox: () => Promise<void>
  readonly reportInstance: () => Promise<void>
}

/** What modules keep as long as records of spend. */
export const forgetOld: readonly ForgetOld[] = [forgetOldBudgetSpend, forgetOldKeyAddresses]

/** spec: Limits. Changes reach every instance within 5 seconds; two are left for a busy machine and a slow database. */
const SNAPSHOT_POLL_MS = 3_000

export function allLoops(work: LoopWork): readonly Loop[] {
  return [
    { name: 'snapshot-poll', intervalMs: SNAPSHOT_POLL_MS, retryMs: 1_000, run: work.pollSnapshot },
    { name: 'spend-flush', intervalMs: 250, retryMs: 1_000, run: work.flushSpend },
    { name: 'budget-sync', intervalMs: 1_000, run: work.syncBudgets },
    { name: 'old-shares', intervalMs: 600_000, jitter: 0.5, run: work.forgetOldShares },
    // Both look twice a second for what is due; each endpoint has its own minute, and new ones do not wait for it.
    { name: 'health-check', intervalMs: 500, run: work.checkHealth },
    { name: 'capability-probe', intervalMs: 500, run: work.probeCapabilities },
    { name: 'old-probes', ...hourly, jitter: 0.5, run: work.forgetOldProbes },
    { name: 'spend-partitions', ...hourly, retryMs: 60_000, jitter: 0.1, run: work.prepareSpendLog },
    { name: 'usage-rollup', intervalMs: 5_000, jitter: 0.2, run: work.rollUpUsage },
    { name: 'usage-blocks', ...hourly, retryMs: 60_000, jitter: 0.5, run: work.closeUsageBlocks },
    { name: 'spend-retention', ...hourly, jitter: 0.5, run: work.dropOldRecords },
    ...(work.refreshPrices === undefined ? [] : [{ name: 'price-refresh', retryMs: 600_000, ...work.refreshPrices }]),
    { name: 'expiring-keys', ...hourly, retryMs: 60_000, jitter: 0.1, run: work.tellExpiringKeys },
    // Looks at the clock alone, except on Monday until it was sent.
    { name: 'weekly-digest', intervalMs: 60_000, jitter: 0.5, run: work.sendWeeklyDigest },
    { name: 'event-delivery', intervalMs: 1_000, jitter: 0.2, run: work.deliverEvents },
    { name: 'outbox-look', intervalMs: 15_000, jitter: 0.2, run: work.lookAtOutbox },
    { name: 'old-events', intervalMs: 600_000, jitter: 0.5, run: work.forgetEvents },
    { name: 'instance-report', intervalMs: 5_000, jitter: 0.1, run: work.reportInstance },
    { name: 'sightings', intervalMs: 2_000, jitter: 0.2, run: work.noteSightings },
    { name: 'ended-sessions', ...hourly, jitter: 0.5, run: () => forgetSessions(work.findDatabase) },
  ]
}
