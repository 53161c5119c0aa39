/** Money on top of a budget's limit, until a moment: the end of the period in which it was given. */
import type { NanoUsd } from './money.ts'

export interface BudgetTopUp {
  readonly amountNanoUsd: NanoUsd
  readonly endsAtMs: number
}

/** By the person or the team. Whoever has none is not in it. */
export type TopUpsBySubject = ReadonlyMap<string, readonly BudgetTopUp[]>

/** What counts at this moment. */
export function topUpAt(topUps: readonly BudgetTopUp[] | undefined, atMs: number): NanoUsd {
  if (topUps === undefined) return 0
  return topUps.reduce((sum, { amountNanoUsd, endsAtMs }) => (atMs < endsAtMs ? sum + amountNanoUsd : sum), 0)
}
