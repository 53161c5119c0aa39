/** Where spend is going: the line through the complete days of the range, and what the month will come to. */
import { type ForecastPoint, forecast } from '../../foundation/domain/forecast.ts'
import { usdFromNano } from '../../foundation/domain/money.ts'
import { dayAt, type Span, startOfDay } from '../../foundation/domain/usage-range.ts'
import type { UsageReader } from '../spend/usage/usage-reader.store.ts'
import type { Question } from './analytics-route.service.ts'
import { bucketTime } from './usage-records.ts'
import { createUsageSeries, type SeriesRow } from './usage-series.store.ts'

const LEAST_DAYS_AHEAD = 7

export interface DailySpend {
  readonly days: readonly Span[]
  readonly rows: readonly SeriesRow[]
}

export async function buildForecast(question: Question, reader: UsageReader, { days, rows }: DailySpend) {
  const { range, nowMs } = question
  // A day that is taken up to a time of it is no whole one, also when that time is over.
  const whole = range.until === undefined ? days : days.slice(0, -1)
  const complete = whole.filter(({ endMs }) => endMs <= nowMs)
  const last = complete.at(-1)
  const none = { method: 'ols' as const, points: [], month_end_usd: null }
  if (last === undefined) return none
  const sums = complete.map(() => 0)
  for (const row of rows) if (row.bucket < sums.length) sums[row.bucket] = (sums[row.bucket] ?? 0) + row.cost_nano_usd
  const first = dayAt(last.endMs, range.tz)
  const untilMonthEnd = first.daysInMonth - first.day + 1
  const points = forecast(sums, Math.max(LEAST_DAYS_AHEAD, untilMonthEnd))
  if (points.length === 0) return none
  const spent = await spentInMonth(question, reader, first)
  return {
    method: 'ols' as const,
    points: points.map((point, index) => ({
      bucket: bucketTime(startOfDay(first.add({ days: index }), range.tz)),
      spend_usd: usd(point.value),
      low_usd: usd(point.low),
      high_usd: usd(point.high),
    })),
    month_end_usd: usd(spent.before + monthRest(points.slice(0, untilMonthEnd), spent.firstDay)),
  }
}

/** The running day may have cost more already than the line gives it. */
function monthRest(points: readonly ForecastPoint[], firstDaySoFar: number): number {
  return points.reduce((sum, { value }, index) => sum + (index === 0 ? Math.max(value, firstDaySoFar) : value), 0)
}

async function spentInMonth({ range, filter }: Question, reader: UsageReader, first: Temporal.PlainDate) {
  const spans = [first.with({ day: 1 }), first, first.add({ days: 1 })].map((day) => startOfDay(day, range.tz))
  const [monthMs = 0, firstMs = 0, nextMs = 0] = spans
  const buckets = [
    { startMs: monthMs, endMs: firstMs },
    { startMs: firstMs, endMs: nextMs },
  ].filter(({ startMs, endMs }) => endMs > startMs)
  const rows = await createUsageSeries(reader).byBucket(buckets, filter)
  const sumParts = (index: number): number =>
    rows.filter((row) => row.bucket === index).reduce((sum, row) => sum + row.cost_nano_usd, 0)
  return buckets.length === 1 ? { before: 0, firstDay: sumParts(0) } : { before: sumParts(0), firstDay: sumParts(1) }
}

function usd(nano: number): number {
  return usdFromNano(Math.round(nano))
}
