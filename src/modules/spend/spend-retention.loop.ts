/** Drops spend and audit records whose time has passed. Any instance may do it, also several at once. */

import { createAuditStore } from '../../foundation/database/audit.ts'
import type { Database } from '../../foundation/database/database.ts'
import type { Settings } from '../../foundation/domain/settings.ts'
import { CHARTED_DAYS, MAX_RANGE_DAYS } from '../../foundation/domain/usage-range.ts'
import { forgetUnusedContexts } from './spend-contexts.store.ts'
import { createSpendPartitions } from './spend-partitions.store.ts'
import { deleteUsageBefore } from './usage/usage-retention.store.ts'
import { catchUpUsage } from './usage/usage-rollup.store.ts'

/** What a module keeps as long as records of spend, and forgets with them. */
export type ForgetOld = (
  db: Database['kysely'],
  times: { readonly nowMs: number; readonly spendDays: number },
) => Promise<void>

export interface RetentionPorts {
  readonly database: () => Database | undefined
  readonly settings: () => Pick<Settings, 'spend_retention_days' | 'audit_retention_days'>
  readonly nowMs: () => number
  /** What other modules keep for as long. */
  readonly forgetOld: readonly ForgetOld[]
}

export interface Retained {
  readonly droppedDays: readonly string[]
  readonly auditRows: number
}

const DAY_MS = 86_400_000

export async function dropOldRecords(ports: RetentionPorts): Promise<Retained> {
  const database = ports.database()
  if (database === undefined) return { droppedDays: [], auditRows: 0 }
  const { spend_retention_days: spendDays, audit_retention_days: auditDays } = ports.settings()
  const nowMs = ports.nowMs()
  // What is dropped must have been counted.
  await catchUpUsage(database.kysely)
  const droppedDays = await createSpendPartitions(database.kysely).dropBefore(toDay(nowMs - spendDays * DAY_MS))
  // What a shorter retention or a long standstill leaves behind takes longer than any statement that somebody waits for may.
  const dedicated = database.openDedicated()
  try {
    const auditRows = await createAuditStore(dedicated.kysely).deleteBefore(nowMs - auditDays * DAY_MS)
    const keptMs = (days: number): number => Math.max(spendDays, days) * DAY_MS
    // Roll-ups are small and outlive the records they were made from.
    await deleteUsageBefore(dedicated.kysely, nowMs - keptMs(CHARTED_DAYS), nowMs - keptMs(MAX_RANGE_DAYS))
    await forgetUnusedContexts(dedicated.kysely, spendDays)
    for (const forget of ports.forgetOld) await forget(dedicated.kysely, { nowMs, spendDays })
    return { droppedDays, auditRows }
  } finally {
    await dedicated.close()
  }
}

function toDay(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}
