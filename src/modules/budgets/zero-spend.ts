/** Answers for a gateway that counts no spend: everything is at zero, and budgets still say when they start again. */
import { periodAt } from '../../foundation/domain/budget.ts'
import type { Clock } from '../../foundation/platform/clock.ts'
import type { SpendAnswers } from './budget-ports.ts'

export function createZeroSpend(clock: Clock): SpendAnswers {
  return {
    spendOfKeys: () => Promise.resolve(new Map()),
    readStandings: (budgets) =>
      Promise.resolve(
        budgets.map((budget) => ({
          spendNanoUsd: 0,
          percent: 0,
          status: 'ok',
          resetsAtMs: periodAt(budget.period, clock.nowMs()).endMs,
        })),
      ),
  }
}
