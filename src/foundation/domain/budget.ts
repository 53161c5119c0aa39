/** Budgets: their periods, their rules, and what they say about a call. */
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

export const budgetPresets: Readonly<Record<'standard' | 'soft' | 'shaped', readonly BudgetRule[]>> = {
  standard: [
    { atPercent: 80, action: 'notify' },
    { atPercent: 100, action: 'block' },
  ],
  soft: [
    { atPercent: 80, action: 'notify' },
    { atPercent: 100, action: 'notify' },
    { atPercent: 150, action: 'block' },
  ],
  shaped: [
    { atPercent: 80, action: 'notify' },
    { atPercent: 100, action: 'shape', rpm: 5 },
    { atPercent: 150, action: 'block' },
  ],
}

export interface PeriodSpan {
  readonly startMs: number
  /** The first moment of the next period. */
  readonly endMs: number
}

/** In UTC: a day from midnight, a week from Monday, a month from its first. */
export function periodAt(period: BudgetPeriod, nowMs: number): PeriodSpan {
  const now = new Date(nowMs)
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  if (period === 'monthly') return { startMs: Date.UTC(year, month, 1), endMs: Date.UTC(year, month + 1, 1) }
  if (period === 'daily') return { startMs: Date.UTC(year, month, day), endMs: Date.UTC(year, month, day + 1) }
  const monday = day - ((now.getUTCDay() + 6) % 7)
  return { startMs: Date.UTC(year, month, monday), endMs: Date.UTC(year, month, monday + 7) }
}

export type BudgetStatus = 'ok' | 'warning' | 'shaped' | 'blocked'

export const statusOfAction: Readonly<Record<BudgetAction, BudgetStatus>> = {
  notify: 'warning',
  shape: 'shaped',
  block: 'blocked',
}

export interface BudgetDecision {
  readonly status: BudgetStatus
  /** Of the limit, settled spend only. */
  readonly percent: number
  /** Never below 0. */
  readonly remainingNanoUsd: NanoUsd
  /** With status `shaped` only. */
  readonly rpm: number | null
}

/** How much may be spent before the rule holds. */
export function calculateThreshold(rule: BudgetRule, limitNanoUsd: NanoUsd): NanoUsd {
  const share = (limitNanoUsd * rule.atPercent) / 100
  const whole = Math.round(share)
  // 1.1 is no binary number: 1.1 % of 50 USD would be a breath more than 0.55, and spend of just that would not reach it.
  return Math.abs(share - whole) <= whole * 2 * Number.EPSILON ? whole : share
}

/** Where calls stop; undefined when they never do. */
export function blockingNanoUsd(budget: Pick<Budget, 'limitNanoUsd' | 'rules'>): NanoUsd | undefined {
  const block = budget.rules.find((rule) => rule.action === 'block')
  return block === undefined ? undefined : calculateThreshold(block, budget.limitNanoUsd)
}

/** By what is certain. What running calls have reserved is a matter of admission, and makes nobody wait for the next period. */
export function decideBudget(
  spentNanoUsd: NanoUsd,
  limitNanoUsd: NanoUsd,
  rules: readonly BudgetRule[],
): BudgetDecision {
  let reached: BudgetRule | undefined
  for (const rule of rules) {
    if (spentNanoUsd >= calculateThreshold(rule, limitNanoUsd) && strictness(rule) >= strictness(reached))
      reached = rule
  }
  return {
    status: reached === undefined ? 'ok' : statusOfAction[reached.action],
    percent: limitNanoUsd > 0 ? (spentNanoUsd * 100) / limitNanoUsd : 100,
    remainingNanoUsd: Math.max(0, limitNanoUsd - spentNanoUsd),
    rpm: reached?.action === 'shape' ? (reached.rpm ?? 1) : null,
  }
}

const order: Readonly<Record<BudgetAction, number>> = { notify: 1, shape: 2, block: 3 }

function strictness(rule: BudgetRule | undefined): number {
  return rule === undefined ? 0 : order[rule.action]
}
