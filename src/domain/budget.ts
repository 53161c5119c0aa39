import type { NanoUsd } from './money.ts'

export const budgetPeriods = ['daily', 'weekly', 'monthly'] as const
export type BudgetPeriod = (typeof budgetPeriods)[number]

export type BudgetAction = 'notify' | 'shape' | 'block'

export interface BudgetRule {
  readonly atPercent: number
  readonly action: BudgetAction
  /** Requests a minute, for `shape` only. */
  readonly rpm?: number
}

export interface Budget {
  readonly scope: 'user' | 'team'
  readonly subjectId: string
  readonly limitNanoUsd: NanoUsd
  readonly period: BudgetPeriod
  readonly rules: readonly BudgetRule[]
  /** On teams: the limit of each member without an own budget. */
  readonly memberLimitNanoUsd: NanoUsd | null
}
