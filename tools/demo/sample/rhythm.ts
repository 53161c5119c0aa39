/** When people work: weekdays, hours, holidays, and a company that takes up its new tool over three months. */
import type { Habit } from './organization.ts'
import { createRandom, type Random } from './random.ts'

export const DAY_MS = 86_400_000
export const HOUR_MS = 3_600_000
export const SAMPLE_DAYS = 90

/** Sunday first, as `getUTCDay` counts. */
const weekdayFactors = [0.05, 0.95, 1.1, 1.12, 1.05, 0.8, 0.07] as const

export const sessionsADay: Readonly<Record<Habit, number>> = { deep: 2.9, steady: 1.9, mixed: 1.5, light: 0.35 }

export function weekdayFactor(dayStartMs: number): number {
  return weekdayFactors[new Date(dayStartMs).getUTCDay()] ?? 1
}

/** Rises over the sample and then stays, so that a demo kept for months does not outgrow its budgets. */
export function growthFactor(dayStartMs: number, anchorMs: number): number {
  const share = 1 + (dayStartMs - anchorMs) / (SAMPLE_DAYS * DAY_MS)
  return 0.4 + 0.6 * Math.min(1, Math.max(0, share))
}

/** Some joined late, and everybody is away for a week or so now and then. */
export function isPresent(subject: string, dayStartMs: number, anchorMs: number): boolean {
  const person = createRandom(`presence:${subject}`)
  const joinedDaysAgo = person.chance(0.25) ? person.between(8, 70) : SAMPLE_DAYS * 10
  if (dayStartMs < anchorMs - joinedDaysAgo * DAY_MS) return false
  const quarter = Math.floor(dayStartMs / (SAMPLE_DAYS * DAY_MS))
  const quarterStartMs = quarter * SAMPLE_DAYS * DAY_MS
  const holiday = createRandom(`holiday:${subject}:${quarter}`)
  const fromMs = quarterStartMs + holiday.between(0, 75) * DAY_MS
  const toMs = fromMs + holiday.between(3, 12) * DAY_MS
  return dayStartMs < fromMs || dayStartMs >= toMs
}

/** Morning and afternoon with a dip at noon, and a few evenings. Hours after local midnight. */
export function startHour(random: Random): number {
  const hour = random.pickWeighted([
    [() => random.normal(10.2, 1.1), 46],
    [() => random.normal(14.9, 1.4), 49],
    [() => random.normal(20.6, 1), 5],
  ])()
  return Math.min(23, Math.max(6, hour))
}
