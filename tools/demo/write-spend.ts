/** Writes the sample's spend from one moment to another in batches, and the budgets that follow from it. */

import { change } from '../../src/foundation/database/change.ts'
import type { Database } from '../../src/foundation/database/database.ts'
import type { ModelSeed } from '../../src/foundation/domain/model-seed.ts'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import { createBudgetStore } from '../../src/modules/budgets/budgets.store.ts'
import { createKeyStore } from '../../src/modules/keys/keys.store.ts'
import { createUserStore } from '../../src/modules/people/users.store.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { createSpendPartitions } from '../../src/modules/spend/spend-partitions.store.ts'
import { readWorldIds } from './read-world.ts'
import { DAY_MS } from './sample/rhythm.ts'
import { createTally, sampleBudgets, type Tally, toBudget } from './sample/sample-budgets.ts'
import { spendBetween } from './sample/spend.ts'
import { createWorld, type WorldIds } from './sample/world.ts'
import { writeBudgetRequests } from './write-budget-requests.ts'
import { demoActor } from './write-organization.ts'

export interface SpendOptions {
  readonly seed: ModelSeed
  readonly anchorMs: number
  readonly fromMs: number
  readonly toMs: number
  /** Budgets are made once; later an administrator may have changed them. */
  readonly withBudgets: boolean
  /** Hears of every record, also of those that were stored before. */
  readonly onRecord?: (record: SpendRecord) => void
  /** From 0 to 1. */
  readonly onProgress: (share: number) => void
  readonly signal: AbortSignal
}

/** How many records were new. Stopped half-way and run again it ends in the same state. */
export async function writeSpend(database: Database, options: SpendOptions): Promise<number> {
  const { anchorMs, fromMs, toMs, signal } = options
  const ids = await readWorldIds(database)
  const world = createWorld(anchorMs, options.seed, ids)
  const tally = createTally()
  const lastUse = createLastUse()
  const log = createSpendLog(database.kysely)
  await ensurePartitions(database, fromMs, toMs)
  let stored = 0
  for (const { dayStartMs, records } of spendBetween(world, fromMs, toMs)) {
    signal.throwIfAborted()
    stored += (await log.appendBatch(records)).stored
    for (const record of records) {
      tally.add(record)
      lastUse.add(record)
      options.onRecord?.(record)
    }
    options.onProgress(Math.min(1, Math.max(0, (dayStartMs + DAY_MS - fromMs) / (toMs - fromMs))))
  }
  await createKeyStore(database.kysely).touchLastUsed(lastUse.keys())
  await createUserStore(database.kysely).touchLastSeen(lastUse.users())
  if (options.withBudgets) {
    await writeBudgets(database, ids, tally, toMs)
    await writeBudgetRequests(database, ids, toMs)
  }
  return stored
}

async function ensurePartitions(database: Database, fromMs: number, toMs: number): Promise<void> {
  const first = new Date(fromMs).toISOString().slice(0, 10)
  const days = Math.floor(toMs / DAY_MS) - Math.floor(fromMs / DAY_MS) + 1
  await createSpendPartitions(database.kysely).ensure(first, days)
}

async function writeBudgets(database: Database, ids: WorldIds, tally: Tally, nowMs: number): Promise<void> {
  await change(database, { sections: ['budgets'], actor: demoActor }, async ({ tx, audit }) => {
    for (const sample of sampleBudgets) {
      const subjectId = (sample.scope === 'team' ? ids.teams : ids.people).get(sample.subject)
      if (subjectId === undefined) continue
      const budget = toBudget(sample, subjectId, tally, nowMs)
      await createBudgetStore(tx).put(budget)
      audit({ action: 'budget.put', target: `${sample.scope}:${subjectId}`, after: { policy: sample.policy } })
    }
  })
}

interface Use {
  readonly id: string
  readonly atMs: number
}

function createLastUse() {
  const keys = new Map<string, number>()
  const users = new Map<string, number>()
  const list = (uses: ReadonlyMap<string, number>): readonly Use[] => [...uses].map(([id, atMs]) => ({ id, atMs }))
  return {
    add: ({ keyId, userId, atMs }: SpendRecord): void => {
      if (keyId !== null) keys.set(keyId, Math.max(atMs, keys.get(keyId) ?? 0))
      if (userId !== null) users.set(userId, Math.max(atMs, users.get(userId) ?? 0))
    },
    keys: () => list(keys),
    users: () => list(users),
  }
}
