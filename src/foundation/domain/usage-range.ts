/** Which moments a chart is about: whole days of a time zone, cut into hours, days or weeks of that zone. */
import { defined } from '../platform/defined.ts'

export const rangeDays = [1, 7, 14, 30, 90] as const
export const granularities = ['auto', 'hour', 'day', 'week'] as const
export type Granularity = Exclude<(typeof granularities)[number], 'auto'>

export const MAX_RANGE_DAYS = 400
/**
 * The longest range that a chart may show and the one before it that it is compared with; the day more is for zones whose
 * days begin before those of UTC.
 */
export const CHARTED_DAYS = 2 * MAX_RANGE_DAYS + 1

export interface RangeRequest {
  readonly days: number
  /** `YYYY-MM-DD`, both or neither; they go before `days`. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** `HH:MM` at a quarter of an hour: the last day is taken up to this time of its clocks, and the rest of it left out. */
  readonly until?: string | undefined
  readonly granularity: (typeof granularities)[number]
  readonly tz: string
}

export interface Span {
  readonly startMs: number
  /** Not included. */
  readonly endMs: number
}

export interface UsageRange extends Span {
  /** Inclusive days of the zone. */
  readonly from: string
  readonly to: string
  readonly until?: string | undefined
  readonly days: number
  readonly granularity: Granularity
  readonly tz: string
}

export type RangeMistake = { readonly name: 'from' | 'to' | 'tz'; readonly reason: string }

const HOUR_MS = 3_600_000

export function isTimeZone(name: string): boolean {
  try {
    // Offsets such as +02:00 are no names: they know no daylight-saving time.
    if (!/^[A-Za-z][\w+/-]*$/.test(name)) return false
    // Of both: the first also takes old short names such as IST, which mean several places; days are made by the second.
    new Intl.DateTimeFormat('en', { timeZone: name })
    return dayAt(0, name) !== undefined
  } catch {
    return false
  }
}

/**
 * The zone by a name that means the same to Postgres, which takes CET and the like for an offset that is the same all year.
 * Others stay: a database may not know the newest name of a place.
 */
export function findPlace(tz: string): string {
  return tz.includes('/') ? tz : new Intl.DateTimeFormat('en', { timeZone: tz }).resolvedOptions().timeZone
}

/** `days` ends with the running day; absolute days may lie anywhere. */
export function decideRange(request: RangeRequest, nowMs: number): UsageRange | RangeMistake {
  const { tz } = request
  if (!isTimeZone(tz)) return { name: 'tz', reason: 'must be an IANA time zone such as Europe/Berlin.' }
  if ((request.from === undefined) !== (request.to === undefined))
    return { name: request.from === undefined ? 'from' : 'to', reason: 'from and to go together.' }
  const today = dayAt(nowMs, tz)
  const to = request.to === undefined ? today : parseDay(request.to)
  if (to === undefined) return { name: 'to', reason: notADay }
  const from = request.from === undefined ? to.subtract({ days: request.days - 1 }) : parseDay(request.from)
  if (from === undefined) return { name: 'from', reason: notADay }
  const days = from.until(to).days + 1
  if (days < 1) return { name: 'from', reason: 'must not be after "to".' }
  if (days > MAX_RANGE_DAYS) return { name: 'from', reason: `a range has at most ${MAX_RANGE_DAYS} days.` }
  return {
    from: from.toString(),
    to: to.toString(),
    ...defined({ until: request.until }),
    days,
    granularity: request.granularity === 'auto' ? autoGranularity(days) : request.granularity,
    tz,
    startMs: startOfDay(from, tz),
    endMs: findEnd(to, tz, request.until),
  }
}

/** A time that the clocks of the day leave out is the moment in which they go on. */
function findEnd(day: Temporal.PlainDate, tz: string, until: string | undefined): number {
  if (until === undefined) return startOfDay(day.add({ days: 1 }), tz)
  return day.toZonedDateTime({ timeZone: tz, plainTime: until }).epochMilliseconds
}

const notADay = 'must be a day such as 2026-01-31.'

/** As many days, right before; the last of them up to the same time of day. */
export function previousRange(range: UsageRange): UsageRange {
  const from = Temporal.PlainDate.from(range.from)
  const before = from.subtract({ days: range.days })
  const to = from.subtract({ days: 1 })
  return {
    ...range,
    from: before.toString(),
    to: to.toString(),
    startMs: startOfDay(before, range.tz),
    endMs: findEnd(to, range.tz, range.until),
  }
}

function autoGranularity(days: number): Granularity {
  if (days <= 2) return 'hour'
  return days <= 90 ? 'day' : 'week'
}

/** The first and the last week are cut off at the ends of the range. */
export function listBuckets(range: UsageRange, granularity: Granularity = range.granularity): readonly Span[] {
  return granularity === 'hour' ? hourBuckets(range) : dayBuckets(range, granularity)
}

function dayBuckets(range: UsageRange, granularity: 'day' | 'week'): readonly Span[] {
  const starts: number[] = []
  let day = Temporal.PlainDate.from(range.from)
  for (let index = 0; index < range.days; index++) {
    if (index === 0 || granularity === 'day' || day.dayOfWeek === 1) starts.push(startOfDay(day, range.tz))
    day = day.add({ days: 1 })
  }
  return spansBetween(starts, range.endMs)
}

/**
 * Hours of the clock on the wall: where the offset is no whole hour they begin at :30 or :45 of UTC. An hour that a
 * clock shows twice gives two buckets, one that it leaves out gives none.
 */
function hourBuckets(range: UsageRange): readonly Span[] {
  const starts: number[] = []
  for (const day of dayBuckets(range, 'day'))
    for (let startMs = day.startMs; startMs < day.endMs; startMs += HOUR_MS) starts.push(startMs)
  return spansBetween(starts, range.endMs)
}

function spansBetween(starts: readonly number[], endMs: number): readonly Span[] {
  return starts.map((startMs, index) => ({ startMs, endMs: starts[index + 1] ?? endMs }))
}

export function dayAt(timeMs: number, tz: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(timeMs).toZonedDateTimeISO(tz).toPlainDate()
}

/** A day whose midnight the clock leaves out begins with the first moment that it shows. */
export function startOfDay(day: Temporal.PlainDate, tz: string): number {
  return day.toZonedDateTime({ timeZone: tz }).epochMilliseconds
}

function parseDay(text: string): Temporal.PlainDate | undefined {
  try {
    const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Temporal.PlainDate.from(text) : undefined
    // The log has no other years, and Postgres no zones for them.
    return day !== undefined && day.year >= 2000 && day.year < 2100 ? day : undefined
  } catch {
    return undefined
  }
}
