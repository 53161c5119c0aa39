/** Where stored budgets stand, by their limits with the top-ups that count now. */
import type { Budget } from '../../foundation/domain/budget.ts'
import { topUpAt } from '../../foundation/domain/budget-top-up.ts'
import type { NanoUsd } from '../../foundation/domain/money.ts'
import type { BudgetPorts, BudgetStanding } from './budget-ports.ts'

export interface ToppedUpStanding extends BudgetStanding {
  /** The part of the limit that ends by itself. */
  readonly topUpNanoUsd: NanoUsd
}

/** In the order of the question. */
export async function standingsWithTopUps(
  ports: Pick<BudgetPorts, 'snapshot' | 'clock' | 'readStandings'>,
  budgets: readonly Budget[],
): Promise<readonly ToppedUpStanding[]> {
  const { userTopUps, teamTopUps } = ports.snapshot()
  const nowMs = ports.clock.nowMs()
  const onTop = budgets.map(({ scope, subjectId }) =>
    topUpAt((scope === 'user' ? userTopUps : teamTopUps).get(subjectId), nowMs),
  )
  const standings = await ports.readStandings(
    budgets.map((budget, index) => ({ ...budget, limitNanoUsd: budget.limitNanoUsd + (onTop[index] ?? 0) })),
  )
  return standings.map((standing, index) => ({ ...standing, topUpNanoUsd: onTop[index] ?? 0 }))
}
