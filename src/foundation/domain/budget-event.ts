/** What is told when a budget reaches one of its rules. */
import type { BudgetPeriod } from './budget.ts'
import type { NanoUsd } from './money.ts'

export type BudgetEventKind = 'warning' | 'shaped' | 'blocked'

export interface BudgetEvent {
  readonly type: BudgetEventKind
  readonly scope: 'user' | 'team'
  readonly subjectId: string
  /** Percent of the limit at which the rule holds. */
  readonly threshold: number
  /** Settled spend at that moment. */
  readonly spendNanoUsd: NanoUsd
  readonly limitNanoUsd: NanoUsd
  readonly period: BudgetPeriod
  readonly periodStartMs: number
}

/**
 * Called once for each rule, subject and period by every instance that sees it, and again after a restart: whoever
 * tells people keeps (scope, subject, period, period start, threshold) unique. Must not throw.
 */
export type OnBudgetEvent = (event: BudgetEvent) => void

/** Somebody asks for more than their budget has: how it stands, how much, why, and where that is decided. */
export interface BudgetRequestNotice extends Omit<BudgetEvent, 'type' | 'subjectId'> {
  readonly percent: number
  readonly requestedNanoUsd: NanoUsd
  readonly reason: string | null
  readonly link: string
}
