/** Answers for a gateway that counts no spend: everything is at zero, and budgets still say when they start again. */
import { periodAt } from '../domain/budget.ts'
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
          resetsAtMs: periodAt(budget.period, clock.nowMs()).endMs,
        })),
      ),
  }
}
