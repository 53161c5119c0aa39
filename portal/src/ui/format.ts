/** Money, times and numbers, in one way everywhere. Times carry their zone; money is US dollars. */
import { preferences } from '../app/preferences.ts'
import { dateFormat, localZone, numberFormat, relativeFormat } from './formatters.ts'

export function zoneName(): string {
  const { zone } = preferences()
  return zone === 'local' ? localZone() : zone
}

/** Billionths of a dollar, in which the gateway counts. */
const ALL_DIGITS = 9

/** Cents for everyday sums; more digits for a single call, which costs less than a cent. What costs something is never shown as nothing. */
export function formatUsd(usd: number): string {
  const size = Math.abs(usd)
  const digits = chooseDigits(size)
  return dollars(usd, digits, size > 0 && size < 0.0001 ? ALL_DIGITS : digits)
}

/** Spend that requests to models without a price are part of. They were charged at an estimate, or not at all. */
export function unpricedSpend(usd: number, unpricedRequests = 0): string | undefined {
  if (unpricedRequests === 0) return undefined
  return usd === 0 ? 'no price' : `${formatUsd(usd)} (est.)`
}

function chooseDigits(size: number): number {
  if (size >= 100_000) return 0
  return size === 0 || size >= 1 ? 2 : size >= 0.01 ? 3 : 5
}

function dollars(usd: number, least: number, most: number): string {
  return numberFormat({
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: least,
    maximumFractionDigits: most,
  }).format(usd)
}

/** What a million tokens costs, with every digit that it has: a list of prices is to be compared with a bill. */
export function formatRate(usd: number): string {
  return dollars(usd, 2, ALL_DIGITS)
}

/** For axes, where space is short and the values are round: $12.3K, $0.20, $0.005. */
export function formatUsdShort(usd: number): string {
  if (Math.abs(usd) < 1000) return dollars(usd, 2, Math.max(2, chooseDigits(Math.abs(usd))))
  return numberFormat({
    style: 'currency',
    currency: 'USD',
    notation: 'compact',
    maximumFractionDigits: 1,
  }).format(usd)
}

export function formatNumber(value: number): string {
  return numberFormat({ maximumFractionDigits: 1 }).format(value)
}

export function formatCount(value: number): string {
  if (Math.abs(value) < 10_000) return formatNumber(value)
  return numberFormat({ notation: 'compact', maximumFractionDigits: 1 }).format(value)
}

/** "1 call", "12K calls". */
export function formatCounted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

/** `value` is a share of 1. */
export function formatShare(value: number): string {
  return numberFormat({ style: 'percent', maximumFractionDigits: value < 0.1 ? 1 : 0 }).format(value)
}

/** `percent` is of 100, and whole: of a budget. */
export function formatPercent(percent: number): string {
  return numberFormat({ style: 'percent', maximumFractionDigits: 0 }).format(percent / 100)
}

/** Rounded first and divided then, or the parts would not fit together: never `1 min 60 s`. */
export function formatDurationMs(ms: number): string {
  if (Math.round(ms) < 1000) return `${Math.round(ms)} ms`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${(ms / 1000).toFixed(ms < 9_950 ? 1 : 0)} s`
  if (seconds < 3600) return twoUnits(seconds, 60, 'min', 's')
  return twoUnits(Math.round(seconds / 60), 60, 'h', 'min')
}

function twoUnits(count: number, size: number, large: string, small: string): string {
  const rest = count % size
  return `${Math.floor(count / size)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`
}

type When = string | number | Date

/** `15 Nov 2026, 09:30 CET` */
export function formatTime(when: When): string {
  return dateFormat('en-GB', {
    timeZone: zoneName(),
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(when))
}

/** With seconds, for logs. */
export function formatTimeExact(when: When): string {
  return dateFormat('en-GB', {
    timeZone: zoneName(),
    dateStyle: 'medium',
    timeStyle: 'long',
  }).format(new Date(when))
}

/** `09:30`, where the day stands beside it. */
export function formatClock(when: When): string {
  return dateFormat('en-GB', { timeZone: zoneName(), hour: '2-digit', minute: '2-digit' }).format(new Date(when))
}

export function formatDay(when: When, zone = zoneName()): string {
  return dateFormat('en-GB', { timeZone: zone, day: 'numeric', month: 'short', year: 'numeric' }).format(new Date(when))
}

/** A bucket of the gateway, which is a day without a zone (`2026-11-15`) or a time: `15 Nov`. */
export function formatDayOnly(bucket: string): string {
  const zone = /^\d{4}-\d{2}-\d{2}$/.test(bucket) ? 'UTC' : zoneName()
  return dateFormat('en-GB', { timeZone: zone, day: 'numeric', month: 'short' }).format(new Date(bucket))
}

const steps: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** `3 minutes ago`, `in 2 days`. Always beside the exact time, never instead of it. */
export function formatRelative(when: When, nowMs = Date.now()): string {
  const seconds = (new Date(when).getTime() - nowMs) / 1000
  for (const [unit, size] of steps)
    if (Math.abs(seconds) >= size) return relativeFormat().format(Math.round(seconds / size), unit)
  return 'just now'
}

/** Of what has happened: clocks differ, and one that was set back has not made it something to come. */
export function formatAgo(when: When, nowMs = Date.now()): string {
  return formatRelative(Math.min(new Date(when).getTime(), nowMs), nowMs)
}
