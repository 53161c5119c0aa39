/** Joins budgets with the database, and answers what the control plane asks about spend. */

import type { Database } from '../../foundation/database/database.ts'
import { type Budget, decideBudget, periodAt } from '../../foundation/domain/budget.ts'
import type { OnBudgetEvent } from '../../foundation/domain/budget-event.ts'
import { problem } from '../../foundation/domain/errors.ts'
import type { NanoUsd } from '../../foundation/domain/money.ts'
import type { Snapshot } from '../../foundation/domain/snapshot.ts'
import { type Clock, systemClock } from '../../foundation/platform/clock.ts'
import { newId } from '../../foundation/platform/ids.ts'
import type { Logger } from '../../foundation/platform/logger.ts'
import type { Patience } from './budget-book.memory.ts'
import { createBudgetGate, type RunningBudgetGate } from './budget-gate.memory.ts'
import type { BudgetStanding, SpendAnswers } from './budget-ports.ts'
import { createBudgetSpend } from './budget-spend.store.ts'
import { createKeySpendMemory } from './key-spend.memory.ts'

export interface BudgetParts {
  /** Of this process, the same wherever it is named. */
  readonly instanceId?: string
  /** False without a database; true when it is left out. */
  readonly isStoring?: boolean
  readonly findDatabase: () => Database | undefined
  readonly snapshot: () => Snapshot
  readonly log: Logger
  /** Other than the system's, for tests. */
  readonly clock?: Clock | undefined
  readonly onEvent?: OnBudgetEvent | undefined
  /** Told when the database cannot be asked, at a pace that may be logged. */
  readonly onAway: (error: unknown) => void
  /** Writes waiting spend records now. */
  readonly flushSpend: () => Promise<void>
}

export interface BudgetLimits extends SpendAnswers {
  readonly gate: RunningBudgetGate
  readonly sync: () => Promise<void>
  readonly forgetOld: () => Promise<void>
  readonly close: () => Promise<void>
}

/** An answer has a second, which the sums of all budgets of a large organization do not fit into. */
const READ_AT_ONCE = 5_000

export function createBudgetLimits(parts: BudgetParts): BudgetLimits {
  const { findDatabase, log } = parts
  const clock = parts.clock ?? systemClock
  const instanceId = parts.instanceId ?? newId()
  const findStore = (patience: Patience = 'short') => {
    const database = findDatabase()
    if (database === undefined) return undefined
    return createBudgetSpend(patience === 'long' ? database.patient : database.hot)
  }
  const gate = createBudgetGate({
    clock,
    instanceId,
    findStore,
    onAway: parts.onAway,
    isStoring: parts.isStoring ?? true,
    snapshot: parts.snapshot,
    onEvent: (event) => {
      try {
        parts.onEvent?.(event)
      } catch (error) {
        // failure-modes: budget event not told. The call that reached the rule goes on; spend and limits are not touched.
        log.error({ err: error, budget_event: event.type, subject: event.subjectId }, 'a budget event was not told')
      }
    },
    // failure-modes: spend not written. The ledger tells about it and tries again.
    hurryStoring: () => void parts.flushSpend().catch(() => {}),
  })
  return {
    gate,
    ...createSpendAnswers(findStore, instanceId, clock, gate),
    sync: gate.sync,
    forgetOld: async () => {
      const database = findDatabase()
      if (database === undefined) return
      await createBudgetSpend(database.kysely).forgetExpired()
    },
    close: gate.close,
  }
}

type FindStore = () => ReturnType<typeof createBudgetSpend> | undefined

function createSpendAnswers(
  findStore: FindStore,
  instanceId: string,
  clock: Clock,
  gate: RunningBudgetGate,
): SpendAnswers {
  const memory = createKeySpendMemory()
  return {
    spendOfKeys: async (keyIds) => {
      const store = findStore()
      if (store === undefined) return memory.find(keyIds)
      try {
        const { startMs } = periodAt('monthly', clock.nowMs())
        const spend = await store.spendOfKeys(keyIds, startMs)
        memory.remember(keyIds, spend)
        return spend
      } catch {
        // failure-modes: key spend unknown. The figures of the last answer are shown; a committed write must not fail here.
        return memory.find(keyIds)
      }
    },
    readStandings: async (budgets) => {
      const store = findStore()
      if (store === undefined) throw problem('database_unavailable')
      const accounts = budgets.map((budget) => ({
        key: '',
        scope: budget.scope,
        subjectId: budget.subjectId,
        ...periodAt(budget.period, clock.nowMs()),
      }))
      const spends: NanoUsd[] = []
      for (let start = 0; start < accounts.length; start += READ_AT_ONCE) {
        const some = accounts.slice(start, start + READ_AT_ONCE)
        const readStored = async (): Promise<readonly NanoUsd[]> =>
          (await store.read(some, instanceId)).map(({ spentNanoUsd }) => spentNanoUsd)
        spends.push(...(await gate.readSettled(some, readStored)))
      }
      return budgets.map((budget, index) => buildStanding(budget, spends[index] ?? 0, clock.nowMs()))
    },
  }
}

function buildStanding(budget: Budget, spentNanoUsd: NanoUsd, nowMs: number): BudgetStanding {
  const { status, percent } = decideBudget(spentNanoUsd, budget.limitNanoUsd, budget.rules)
  return { spendNanoUsd: spentNanoUsd, percent, status, resetsAtMs: periodAt(budget.period, nowMs).endMs }
}
