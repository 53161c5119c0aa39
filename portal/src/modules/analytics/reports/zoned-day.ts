/** Days of a time zone: which moment one begins, which day it is, and how a bucket of a chart is written. */
import { dateFormat } from '../../../ui/formatters.ts'

const DAY_MS = 86_400_000

/** `2026-11-15`: the day that a moment belongs to in the zone. */
export function dayIn(zone: string, atMs: number): string {
  return dateFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(atMs)
}

/** Whether a text is a day of the calendar, as `2026-02-30` is not. */
export function isDay(text: string | undefined): text is string {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const atMs = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(text)
}

/** Whether this browser can write times of the zone; the gateway may know fewer, and says so. */
export function isKnownZone(zone: string | undefined): zone is string {
  try {
    return zone !== undefined && dateFormat('en-CA', { timeZone: zone }) !== undefined
  } catch {
    return false
  }
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** How far the clocks of the zone are ahead of UTC at a moment. */
function aheadMs(zone: string, atMs: number): number {
  const parts = dateFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(atMs)
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value ?? 0)
  const shown = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
  return shown - Math.floor(atMs / 1000) * 1000
}

/** `to` counted from `from`, both days of the calendar. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS)
}

/** The same day of another month, or the last one that it has. */
export function shiftMonth(day: string, offset: number): string {
  const { from, to } = findMonth(day, offset)
  const wanted = `${from.slice(0, 8)}${day.slice(8)}`
  return wanted < to ? wanted : to
}

export function startOfDay(zone: string, day: string): Date {
  return momentIn(zone, day, '00:00')
}

/** The moment in which the clocks show a time. Asked twice, since they may change between the guess and the answer. */
export function momentIn(zone: string, day: string, time: string): Date {
  const midnight = Date.parse(`${day}T${time}:00Z`)
  const guess = midnight - aheadMs(zone, midnight)
  return new Date(midnight - aheadMs(zone, guess))
}

/** The first and the last day of a month, counted from the one that `day` is in. */
export function findMonth(day: string, offset: number): { readonly from: string; readonly to: string } {
  const [year = 0, month = 1] = day.split('-').map(Number)
  const first = new Date(Date.UTC(year, month - 1 + offset, 1))
  const last = new Date(Date.UTC(year, month + offset, 0))
  return { from: first.toISOString().slice(0, 10), to: last.toISOString().slice(0, 10) }
}

export type Granularity = 'hour' | 'day' | 'week'

export function bucketFormat(zone: string, granularity: Granularity): (bucket: string) => string {
  const format = dateFormat('en-GB', {
    timeZone: zone,
    day: 'numeric',
    month: 'short',
    ...(granularity === 'hour' ? { hour: '2-digit', minute: '2-digit' } : {}),
  })
  return (bucket) => (bucket === '' ? '' : format.format(new Date(bucket)))
}
