/** Which earlier time a range is compared with, and where its buckets stand beside those of the range. */
import { dateFormat } from '../../../ui/formatters.ts'
import { addDays, dayIn, daysBetween, type Granularity, shiftMonth } from './zoned-day.ts'

export const comparisons = [
  { value: 'none', label: 'Nothing' },
  { value: 'previous', label: 'Previous period' },
  { value: 'month', label: 'Same days last month' },
] as const
export type Comparison = (typeof comparisons)[number]['value']

export interface DaySpan {
  readonly from: string
  readonly to: string
}

export function readComparison(text: string | undefined): Comparison {
  return comparisons.find(({ value }) => value === text)?.value ?? 'none'
}

/**
 * Always as many days. Of the month before, those from the same day on; where it is too short for that, they end right before
 * the range and begin a little earlier, so that no day is compared with itself.
 */
export function earlierSpan({ from, to }: DaySpan, comparison: Exclude<Comparison, 'none'>): DaySpan {
  const days = daysBetween(from, to) + 1
  const previous = { from: addDays(from, -days), to: addDays(from, -1) }
  if (comparison === 'previous') return previous
  const first = shiftMonth(from, -1)
  const last = addDays(first, days - 1)
  return last >= from && days <= LONGEST_MONTH ? previous : { from: first, to: last }
}

const LONGEST_MONTH = 31
const QUARTER_MS = 900_000

/** The last quarter of an hour that is over, by the clocks of the zone; in the first of a day the one that runs. */
export function lastQuarter(zone: string, nowMs: number): string {
  const time = formatZonedClock(zone, Math.floor(nowMs / QUARTER_MS) * QUARTER_MS)
  return time === '00:00' ? '00:15' : time
}

function formatZonedClock(zone: string, atMs: number): string {
  return dateFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(atMs)
}

/** As the gateway cuts a range of so many days by itself. */
export function chooseGranularity(days: number, wanted: string | undefined): Granularity {
  if (wanted === 'hour' || wanted === 'day' || wanted === 'week') return wanted
  return days <= 2 ? 'hour' : days <= 90 ? 'day' : 'week'
}

/**
 * Weeks begin on Monday, so those of two times are cut at different places: the earlier time is asked by days, which can be put
 * together to the same lengths.
 */
export function earlierGranularity(granularity: Granularity): Granularity {
  return granularity === 'week' ? 'day' : granularity
}

interface Course {
  readonly from: string
  readonly buckets: readonly string[]
}

/**
 * For each bucket of the range, the places of the earlier ones that belong beside it: of the same day counted from the first,
 * at the same time on the wall. An hour that the clocks show twice, or leave out, goes to the one before it: none is lost.
 */
export function placedBeside(zone: string, now: Course, earlier: Course): readonly (readonly number[])[] {
  const minutes = ({ from, buckets }: Course): readonly number[] =>
    buckets.map((bucket) => {
      const atMs = Date.parse(bucket)
      const [hour = 0, minute = 0] = formatZonedClock(zone, atMs).split(':').map(Number)
      return daysBetween(from, dayIn(zone, atMs)) * 1440 + hour * 60 + minute
    })
  const own = minutes(now)
  const placed: number[][] = now.buckets.map(() => [])
  for (const [place, at] of minutes(earlier).entries()) {
    const next = own.findIndex((start) => start > at)
    const last = (next === -1 ? own.length : next) - 1
    // Of an hour that the range has twice, the first.
    const index = own.indexOf(own[last] ?? -1)
    placed[Math.max(0, index)]?.push(place)
  }
  return placed
}
