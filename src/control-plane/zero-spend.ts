/** Answers for a gateway that counts no spend: everything is at zero, and budgets still say when they start again. */
import type { BudgetPeriod } from '../domain/budget.ts'
import type { Clock } from '../platform/clock.ts'
import type { ControlPorts } from './control-ports.ts'

export function createZeroSpend(clock: Clock): Pick<ControlPorts, 'spendOfKeys' | 'standingsOf'> {
  return {
    spendOfKeys: () => Promise.resolve(new Map()),
    standingsOf: (budgets) =>
      Promise.resolve(
        budgets.map((budget) => ({
          spendNanoUsd: 0,
          percent: 0,
          status: 'ok',
          resetsAtMs: periodEndMs(budget.period, clock.nowMs()),
        })),
      ),
  }
}

/** In UTC: the next midnight, the next Monday, the next first of a month. */
export function periodEndMs(period: BudgetPeriod, nowMs: number): number {
  const now = new Date(nowMs)
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  if (period === 'monthly') return Date.UTC(year, month + 1, 1)
  if (period === 'daily') return Date.UTC(year, month, day + 1)
  const daysSinceMonday = (now.getUTCDay() + 6) % 7
  return Date.UTC(year, month, day - daysSinceMonday + 7)
}
