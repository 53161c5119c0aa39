/** Budgets: limits, what is left of them over all instances, increases, and requests for more. */
import type { OnBudgetEvent } from '../../foundation/domain/budget-event.ts'
import type { Core, Module } from '../../foundation/http/module.ts'
import type { Route } from '../../foundation/http/route.ts'
import type { Clock } from '../../foundation/platform/clock.ts'
import type { RateLimits } from '../keys/module.ts'
import { decideAndTell } from './budget-decisions.service.ts'
import type { RunningBudgetGate } from './budget-gate.memory.ts'
import { findBudgetInForce, requireBudgetInForce } from './budget-in-force.service.ts'
import { createBudgetLimits } from './budget-limits.service.ts'
import type { BudgetPorts, SpendAnswers } from './budget-ports.ts'
import { budgetRequestRoutes } from './budget-requests.routes.ts'
import { budgetListRoutes } from './budgets.routes.ts'
import { decideRequest } from './decide-request.service.ts'
import { ownBudgetRoutes } from './own-budget.routes.ts'
import { ownBudgetRequestRoutes } from './own-budget-requests.routes.ts'
import { removeBudget, storeBudget, storeWithLimit } from './stored-budgets.service.ts'
import { teamBudgetRoutes } from './team-budget.routes.ts'
import { takeBackRoute } from './top-ups.routes.ts'
import { userBudgetRoutes } from './user-budget.routes.ts'
import { createZeroSpend } from './zero-spend.ts'

export interface BudgetModuleParts {
  readonly clock: Clock
  readonly onEvent: OnBudgetEvent
  /** Writes waiting spend records now. */
  readonly flushSpend: () => Promise<void>
  readonly onAway: (error: unknown) => void
  /** They are shared at the same pace as budgets. */
  readonly rateLimits: Pick<RateLimits, 'sync' | 'forgetOld'>
}

export interface Budgets extends Module, SpendAnswers {
  readonly gate: RunningBudgetGate
  readonly sync: () => Promise<void>
}

export function createBudgets(core: Core, parts: BudgetModuleParts): Budgets {
  const { link, snapshot, log, instanceId } = core
  const { clock, rateLimits } = parts
  const limits = createBudgetLimits({
    instanceId,
    isStoring: link.isConfigured,
    findDatabase: link.find,
    snapshot,
    log,
    clock,
    onEvent: parts.onEvent,
    onAway: parts.onAway,
    flushSpend: parts.flushSpend,
  })
  const { readStandings, spendOfKeys } = link.isConfigured ? limits : createZeroSpend(core.clock)
  const sync = async (): Promise<void> => {
    await Promise.all([limits.sync(), rateLimits.sync()])
  }
  const forgetOld = async (): Promise<void> => {
    await limits.forgetOld()
    await rateLimits.forgetOld()
  }
  return {
    gate: limits.gate,
    readStandings,
    spendOfKeys,
    sync,
    routes: listBudgetRoutes({ ...core, readStandings }),
    loops: [
      { name: 'budget-sync', intervalMs: 1_000, run: sync },
      { name: 'old-shares', intervalMs: 600_000, jitter: 0.5, run: forgetOld },
    ],
    stop: limits.close,
  }
}

/** How extensions read and change budgets: by the same rules, and with the same entries in the audit log. */
export const budgetChanges = {
  findBudgetInForce,
  requireBudgetInForce,
  storeBudget,
  storeWithLimit,
  removeBudget,
  decideRequest,
  decideAndTell,
} as const

export function listBudgetRoutes(ports: BudgetPorts): readonly Route[] {
  return [
    ...teamBudgetRoutes(ports),
    ...userBudgetRoutes(ports),
    ...budgetListRoutes(ports),
    takeBackRoute(ports),
    ...budgetRequestRoutes(ports),
    ...ownBudgetRoutes(ports),
    ...ownBudgetRequestRoutes(ports),
  ]
}
