/** What the address says about the range and the filters, as the gateway takes it and as links to the calls behind a number. */
import { useMemo, useState } from 'react'
import { zoneName } from '../../../ui/format.ts'
import { type UrlState, useUrlState } from '../../../ui/url-state.ts'
import { exactly } from '../requests/exact-name.ts'
import {
  type Comparison,
  chooseGranularity,
  earlierGranularity,
  earlierSpan,
  lastQuarter,
  readComparison,
} from './compare.ts'
import { addDays, dayIn, daysBetween, findMonth, isDay, isKnownZone, momentIn, startOfDay } from './zoned-day.ts'

export const facets = ['team', 'user', 'model', 'endpoint'] as const
export type Facet = (typeof facets)[number]

export const ranges = [
  { value: '1', label: 'Today' },
  { value: '7', label: 'Last 7 days' },
  { value: '14', label: 'Last 14 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: 'this-month', label: 'This month' },
  { value: 'last-month', label: 'Last month' },
  { value: 'custom', label: 'From … to …' },
] as const

export interface AnalyticsQuery {
  readonly days?: 1 | 7 | 14 | 30 | 90
  readonly from?: string
  readonly to?: string
  readonly until?: string
  readonly granularity?: 'auto' | 'hour' | 'day' | 'week'
  readonly tz: string
  readonly team?: string
  readonly user?: string
  readonly model?: string
  readonly endpoint?: string
}

export interface Filter {
  readonly query: AnalyticsQuery
  /** One of `ranges`. */
  readonly range: string
  readonly from: string
  readonly to: string
  /** The moments of both ends, made once: a list has a link for every person, and each says them. */
  readonly startsAt: string
  readonly endsAt: string
  readonly comparison: Comparison
  /** With a comparison: as many days, asked with the same zone and filters. */
  readonly earlier: { readonly from: string; readonly to: string; readonly query: AnalyticsQuery } | undefined
}

export function useFilter(): Filter {
  const [state] = useUrlState()
  return useMemo(() => readFilter(state, Date.now()), [state])
}

/**
 * The filter of the numbers that are shown: while those of a new one come, the old ones keep their links, and nothing of them
 * is drawn again before the new ones are asked for.
 */
export function useFilterShown(filter: Filter, { isPlaceholderData }: { readonly isPlaceholderData: boolean }): Filter {
  const [shown, setShown] = useState(filter)
  if (isPlaceholderData || shown === filter) return shown
  setShown(filter)
  return filter
}

/** What a link has made up (a zone or a day that there is not) counts as left out; the fields show what is in force. */
export function readFilter(state: UrlState, nowMs: number): Filter {
  const tz = isKnownZone(state['tz']) ? state['tz'] : zoneName()
  const today = dayIn(tz, nowMs)
  const range = readRange(state)
  const span = findSpan(range, state, today)
  const isDays = /^\d+$/.test(range)
  const shared = {
    tz,
    ...Object.fromEntries(facets.flatMap((facet) => (state[facet] === undefined ? [] : [[facet, state[facet]]]))),
  }
  const granularity = state['granularity'] === undefined ? {} : { granularity: state['granularity'] as 'day' }
  const comparison = readComparison(state['compare'])
  const startsAt = startOfDay(tz, span.from).toISOString()
  if (comparison === 'none')
    return {
      range,
      ...span,
      startsAt,
      endsAt: startOfDay(tz, addDays(span.to, 1)).toISOString(),
      comparison,
      earlier: undefined,
      query: { ...(isDays ? { days: Number(range) as 30 } : span), ...granularity, ...shared },
    }
  // A running day has only a part of its calls: both times are taken up to the same time of their last day.
  const until = span.to === today ? lastQuarter(tz, nowMs) : undefined
  const part = until === undefined ? {} : { until }
  const earlier = earlierSpan(span, comparison)
  const cut = chooseGranularity(daysBetween(span.from, span.to) + 1, state['granularity'])
  return {
    range,
    ...span,
    startsAt,
    endsAt: (until === undefined ? startOfDay(tz, addDays(span.to, 1)) : momentIn(tz, span.to, until)).toISOString(),
    comparison,
    earlier: { ...earlier, query: { ...earlier, ...part, granularity: earlierGranularity(cut), ...shared } },
    query: { ...span, ...part, ...granularity, ...shared },
  }
}

function findSpan(range: string, state: UrlState, today: string): { readonly from: string; readonly to: string } {
  switch (range) {
    case 'custom':
      return {
        from: isDay(state['from']) ? state['from'] : addDays(today, -29),
        to: isDay(state['to']) ? state['to'] : today,
      }
    // Up to today: days to come would be compared with days that were.
    case 'this-month':
      return { from: findMonth(today, 0).from, to: today }
    case 'last-month':
      return findMonth(today, -1)
    default:
      return { from: addDays(today, 1 - Number(range)), to: today }
  }
}

function readRange(state: UrlState): string {
  const wanted = state['from'] !== undefined || state['to'] !== undefined ? 'custom' : (state['range'] ?? state['days'])
  return ranges.some(({ value }) => value === wanted) ? String(wanted) : '30'
}

/** The calls behind a number: the same range and filters, and what narrows them further. */
export function requestsSearch(filter: Filter, more: UrlState = {}): Record<string, string> {
  const { team, user, model, endpoint } = filter.query
  return exactly({ team, user, model, endpoint, from: filter.startsAt, to: filter.endsAt, ...more })
}

export function exportAddress({ query }: Filter): string {
  const { granularity: _, ...rest } = query
  return `/admin/analytics/org/export?${new URLSearchParams(
    Object.entries(rest).map(([name, value]) => [name, String(value)]),
  ).toString()}`
}
