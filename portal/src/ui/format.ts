/** Money, times and numbers, in one way everywhere. Times carry their zone; money is US dollars. */
import { preferences } from '../app/preferences.ts'

const locale = 'en'

export function zoneName(): string {
  const { zone } = preferences()
  return zone === 'local' ? Intl.DateTimeFormat().resolvedOptions().timeZone : zone
}

/** Cents for everyday sums; more digits for a single call, which costs less than a cent. */
export function formatUsd(usd: number): string {
  const size = Math.abs(usd)
  const digits = size === 0 || size >= 1 ? 2 : size >= 0.01 ? 3 : 5
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: size >= 100_000 ? 0 : digits,
    maximumFractionDigits: size >= 100_000 ? 0 : digits,
  }).format(usd)
}

/** For axes and tiles where space is short: $12.3K. */
export function formatUsdShort(usd: number): string {
  if (Math.abs(usd) < 1000) return formatUsd(usd)
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'USD',
    notation: 'compact',
    maximumFractionDigits: 1,
  }).format(usd)
}

export function formatNumber(value: number): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(value)
}

export function formatCount(value: number): string {
  if (Math.abs(value) < 10_000) return formatNumber(value)
  return new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }).format(value)
}

/** `value` is a share of 1. */
export function formatShare(value: number): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: value < 0.1 ? 1 : 0 }).format(value)
}

export function formatDurationMs(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`
  const minutes = Math.floor(ms / 60_000)
  return `${minutes} min ${Math.round((ms % 60_000) / 1000)} s`
}

type When = string | number | Date

/** `15 Nov 2026, 09:30 CET` */
export function formatTime(when: When): string {
  return new Intl.DateTimeFormat('en-GB', {
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
  return new Intl.DateTimeFormat('en-GB', {
    timeZone: zoneName(),
    dateStyle: 'medium',
    timeStyle: 'long',
  }).format(new Date(when))
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** `09:30`, where the day stands beside it. Kept for each zone: a grid asks for hundreds of them. */
export function formatClock(when: When): string {
  const zone = zoneName()
  let clock = clocks.get(zone)
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' })
    clocks.set(zone, clock)
  }
  return clock.format(new Date(when))
}

export function formatDay(when: When, zone = zoneName()): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone: zone, day: 'numeric', month: 'short', year: 'numeric' }).format(
    new Date(when),
  )
}

/** A bucket of the gateway, which is a day without a zone (`2026-11-15`) or a time: `15 Nov`. */
export function formatDayOnly(bucket: string): string {
  const zone = /^\d{4}-\d{2}-\d{2}$/.test(bucket) ? 'UTC' : zoneName()
  return new Intl.DateTimeFormat('en-GB', { timeZone: zone, day: 'numeric', month: 'short' }).format(new Date(bucket))
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
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  for (const [unit, size] of steps)
    if (Math.abs(seconds) >= size) return relative.format(Math.round(seconds / size), unit)
  return 'just now'
}
