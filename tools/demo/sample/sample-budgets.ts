/** Budgets of the invented company. Limits follow from what was spent, so that some are near or over whenever it starts. */
import { type Budget, type BudgetPeriod, budgetPresets } from '../../../src/foundation/domain/budget.ts'
import { type NanoUsd, nanoFromUsd, usdFromNano } from '../../../src/foundation/domain/money.ts'
import type { SpendRecord } from '../../../src/foundation/domain/spend-record.ts'
import { DAY_MS } from './rhythm.ts'

export type Policy = keyof typeof budgetPresets

interface SampleBudget {
  readonly scope: Budget['scope']
  /** A team's name or a person's subject. */
  readonly subject: string
  readonly period: BudgetPeriod
  readonly policy: Policy
  /** `usual`: the limit as a multiple of an average period. `current`: how much of it the running period has used. */
  readonly size: { readonly usual: number } | { readonly current: number }
  readonly memberLimitUsd?: number
}

/** The owner of the printed key and that owner's team have room enough: the first request must not be refused. */
export const sampleBudgets: readonly SampleBudget[] = [
  {
    scope: 'team',
    subject: 'Platform',
    period: 'monthly',
    policy: 'standard',
    size: { usual: 3 },
    memberLimitUsd: 400,
  },
  { scope: 'team', subject: 'Checkout', period: 'monthly', policy: 'standard', size: { usual: 2 } },
  { scope: 'team', subject: 'Mobile', period: 'weekly', policy: 'soft', size: { current: 0.92 } },
  { scope: 'team', subject: 'Data Science', period: 'monthly', policy: 'soft', size: { current: 1.08 } },
  {
    scope: 'team',
    subject: 'Customer Tools',
    period: 'monthly',
    policy: 'shaped',
    size: { usual: 1.6 },
    memberLimitUsd: 120,
  },
  { scope: 'user', subject: 'lena@example.com', period: 'monthly', policy: 'standard', size: { usual: 1.8 } },
  { scope: 'user', subject: 'maya@example.com', period: 'monthly', policy: 'shaped', size: { current: 1.04 } },
  { scope: 'user', subject: 'kenji@example.com', period: 'weekly', policy: 'standard', size: { current: 0.97 } },
  { scope: 'user', subject: 'nadia@example.com', period: 'monthly', policy: 'standard', size: { current: 1.02 } },
  { scope: 'user', subject: 'viktor@example.com', period: 'monthly', policy: 'standard', size: { usual: 2.5 } },
]

export interface Tally {
  readonly add: (record: SpendRecord) => void
  readonly between: (id: string, fromMs: number, toMs: number) => NanoUsd
}

/** Sums of each user and team by day, kept while the records pass by. */
export function createTally(): Tally {
  const sums = new Map<string, Map<number, NanoUsd>>()
  const addTo = (id: string | null, day: number, cost: NanoUsd): void => {
    if (id === null) return
    const days = sums.get(id) ?? new Map<number, NanoUsd>()
    days.set(day, (days.get(day) ?? 0) + cost)
    sums.set(id, days)
  }
  return {
    add: ({ userId, teamId, atMs, costNanoUsd }) => {
      const day = Math.floor(atMs / DAY_MS)
      addTo(userId, day, costNanoUsd)
      addTo(teamId, day, costNanoUsd)
    },
    between: (id, fromMs, toMs) => {
      let sum = 0
      for (const [day, cost] of sums.get(id) ?? []) if (day * DAY_MS >= fromMs && day * DAY_MS < toMs) sum += cost
      return sum
    },
  }
}

const periodDays: Readonly<Record<BudgetPeriod, number>> = { daily: 1, weekly: 7, monthly: 30 }

export function periodStartMs(period: BudgetPeriod, nowMs: number): number {
  const midnightMs = Math.floor(nowMs / DAY_MS) * DAY_MS
  const now = new Date(midnightMs)
  if (period === 'daily') return midnightMs
  if (period === 'monthly') return midnightMs - (now.getUTCDate() - 1) * DAY_MS
  return midnightMs - ((now.getUTCDay() + 6) % 7) * DAY_MS
}

const RECENT_DAYS = 28
const SMALLEST_LIMIT_USD = 5

export function toBudget(
  sample: SampleBudget,
  subjectId: string,
  tally: Tally,
  nowMs: number,
): Budget & { policy: string } {
  const recent = tally.between(subjectId, nowMs - RECENT_DAYS * DAY_MS, nowMs)
  const usual = (recent / RECENT_DAYS) * periodDays[sample.period]
  const current = tally.between(subjectId, periodStartMs(sample.period, nowMs), nowMs)
  return {
    scope: sample.scope,
    subjectId,
    period: sample.period,
    policy: sample.policy,
    rules: budgetPresets[sample.policy],
    limitNanoUsd: chooseLimit(sample.size, usual, current),
    memberLimitNanoUsd: sample.memberLimitUsd === undefined ? null : nanoFromUsd(sample.memberLimitUsd),
  }
}

/** In the first hours of a period almost nothing is spent; a limit made from that would be absurd, so the usual counts. */
function chooseLimit(size: SampleBudget['size'], usual: NanoUsd, current: NanoUsd): NanoUsd {
  if ('usual' in size) return nanoFromUsd(Math.max(SMALLEST_LIMIT_USD, roundUsd(usdFromNano(usual * size.usual))))
  if (current < usual * 0.1) return nanoFromUsd(Math.max(SMALLEST_LIMIT_USD, roundUsd(usdFromNano(usual))))
  return nanoFromUsd(Math.max(1, Math.round(usdFromNano(current / size.current))))
}

/** As a person would choose it. */
function roundUsd(usd: number): number {
  const step = usd < 50 ? 5 : usd < 500 ? 25 : 100
  return Math.ceil(usd / step) * step
}
