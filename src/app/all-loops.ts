/** Everything that runs on a timer, in one table. */

import { every, type RepeatOptions, type RepeatStatus } from '../foundation/platform/every.ts'
import type { Logger } from '../foundation/platform/logger.ts'
import { createTrouble } from '../foundation/platform/trouble.ts'

export interface Loop {
  readonly name: string
  readonly intervalMs: number
  readonly firstMs?: number
  readonly retryMs?: number
  readonly jitter?: number
  readonly run: (signal: AbortSignal) => Promise<void>
}

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
  readonly forgetSessions: () => Promise<void>
  readonly noteSightings: () => Promise<void>
  readonly tellExpiringKeys: () => Promise<void>
  readonly sendWeeklyDigest: () => Promise<void>
  readonly deliverEvents: (signal: AbortSignal) => Promise<void>
  readonly forgetEvents: () => Promise<void>
  readonly lookAtOutbox: () => Promise<void>
  readonly reportInstance: () => Promise<void>
}

/** spec: Limits. Changes reach every instance within 5 seconds; two are left for a busy machine and a slow database. */
const SNAPSHOT_POLL_MS = 3_000

/** Soon after the start too: an instance that is replaced every half hour would never do it. */
const hourly = { intervalMs: 3_600_000, firstMs: 300_000 } as const

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
    { name: 'ended-sessions', ...hourly, jitter: 0.5, run: work.forgetSessions },
  ]
}

export interface LoopStatus extends RepeatStatus {
  readonly name: string
  readonly intervalMs: number
}

export interface RunningLoops {
  readonly status: () => readonly LoopStatus[]
  readonly stop: () => Promise<void>
}

export function startLoops(loops: readonly Loop[], log: Logger): RunningLoops {
  const running = loops.map((loop) => ({ loop, repeating: every({ ...loop, ...toldRarely(loop, log) }) }))
  return {
    status: () =>
      running.map(({ loop: { name, intervalMs }, repeating }) => ({ name, intervalMs, ...repeating.status() })),
    stop: async () => {
      await Promise.all(running.map(({ repeating }) => repeating.stop()))
    },
  }
}

/** An outage of the database fails half of them every second, for as long as it lasts. */
function toldRarely(loop: Loop, log: Logger): Pick<RepeatOptions, 'run' | 'onError'> {
  const trouble = createTrouble()
  return {
    run: async (signal) => {
      await loop.run(signal)
      trouble.over((failures) => log.info({ loop: loop.name, failures }, 'a loop works again'))
    },
    onError: (name, error) =>
      trouble.met((failures) => log.warn({ loop: name, failures, err: error }, 'a loop failed and will try again')),
  }
}
