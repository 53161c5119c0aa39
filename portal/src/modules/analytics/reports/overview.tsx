/** The key figures, each against an earlier time, and each a way to the calls behind it. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Answer } from '../../../api/client.ts'
import { useRights } from '../../../app/rights.ts'
import { changeText } from '../../../ui/change.ts'
import { formatCount, formatDurationMs, formatShare, formatUsd } from '../../../ui/format.ts'
import { Figure } from '../../../ui/layout.tsx'
import { PageLink } from '../../../ui/page-link.tsx'
import { Callout, Wait } from '../../../ui/states.tsx'
import { Nothing } from '../../../ui/values.tsx'
import { type Filter, requestsSearch } from './analytics-filter.ts'

type Overview = Answer<'/admin/analytics/org/overview', 'get'>

const FIGURES = 8
/** Eight in full rows at every width: four of two, or two of four. */
const FIGURE_GRID = 'grid grid-cols-2 gap-3 md:grid-cols-4'

/** As large as the figures will be: what stands below them does not move when they come. */
export function WaitingFigures() {
  return (
    <div role="status" aria-label="Loading">
      <div className={FIGURE_GRID}>
        {Array.from({ length: FIGURES }, (_, place) => (
          <Figure
            // biome-ignore lint/suspicious/noArrayIndexKey: they are alike and never move.
            key={place}
            name={<Wait width="w-16" />}
            value={<Wait width="w-24" />}
            detail={<Wait width="w-32" />}
          />
        ))}
      </div>
    </div>
  )
}

/** `before`: the figures of the time that is compared with. Without a comparison they are those of the days right before. */
export function OverviewFigures({
  data: { totals },
  before: previous,
  filter,
}: {
  readonly data: Overview
  readonly before: Overview['totals']
  readonly filter: Filter
}) {
  const { mayOpen } = useRights()
  const change = filter.earlier === undefined ? changeInWords : changeInFull
  const calls = (value: string, more: Record<string, string> = {}): ReactNode => (
    <PageLink to="/requests" search={requestsSearch(filter, more)} isQuiet>
      {value}
    </PageLink>
  )
  const errorShare = totals.requests === 0 ? 0 : totals.errors / totals.requests
  return (
    <>
      {totals.unpriced_requests > 0 && (
        <Callout
          tone="warn"
          title={
            totals.unpriced_requests === 1
              ? 'One request used a model without a price'
              : `${formatCount(totals.unpriced_requests)} requests used a model without a price`
          }
        >
          Their cost is an estimate at the highest known rates.{' '}
          {mayOpen('/requests') && (
            <Link
              to={'/requests' as never}
              search={requestsSearch(filter, { flag: 'price_estimated' }) as never}
              className="underline"
            >
              Show estimated requests
            </Link>
          )}
        </Callout>
      )}
      <div className={FIGURE_GRID}>
        <Figure
          name="Spend"
          value={calls(formatUsd(totals.spend_usd))}
          detail={change(totals.spend_usd, previous.spend_usd, formatUsd)}
        />
        <Figure
          name="Calls"
          value={calls(formatCount(totals.requests))}
          detail={change(totals.requests, previous.requests, formatCount)}
        />
        <Figure
          name="Active people"
          value={formatCount(totals.active_users)}
          detail={change(totals.active_users, previous.active_users, formatCount)}
        />
        <Figure
          name="Failed calls"
          value={calls(formatCount(totals.errors), { status: 'error' })}
          detail={
            totals.requests === 0
              ? change(totals.errors, previous.errors, formatCount)
              : `${formatShare(errorShare)} of all; ${
                  filter.earlier === undefined
                    ? `${formatCount(previous.errors)} before`
                    : changeInFull(totals.errors, previous.errors, formatCount)
                }`
          }
        />
        <Figure
          name="Saved by the cache"
          value={formatUsd(totals.cache_savings_usd)}
          detail={
            filter.earlier === undefined
              ? cacheText(totals, previous)
              : changeInFull(totals.cache_savings_usd, previous.cache_savings_usd, formatUsd)
          }
        />
        <Figure
          name="Average answer"
          value={totals.requests === 0 ? <Nothing word="no calls" /> : formatDurationMs(totals.avg_duration_ms)}
          detail={
            previous.requests === 0
              ? change(totals.requests, 0, formatCount)
              : filter.earlier === undefined || totals.requests === 0
                ? `${formatDurationMs(previous.avg_duration_ms)} before`
                : changeInFull(totals.avg_duration_ms, previous.avg_duration_ms, formatDurationMs)
          }
        />
        <Figure
          name="Tokens in and out"
          value={formatCount(allTokens(totals))}
          detail={
            filter.earlier === undefined
              ? `${formatCount(totals.output_tokens)} of them written`
              : changeInFull(allTokens(totals), allTokens(previous), formatCount)
          }
        />
        <Figure
          name="Tool calls"
          value={formatCount(totals.tool_calls)}
          detail={change(totals.tool_calls, previous.tool_calls, formatCount)}
        />
      </div>
    </>
  )
}

/** Of nothing there is no share. */
function cacheText(now: Overview['totals'], before: Overview['totals']): string {
  const hitRate = (totals: Overview['totals']): string | undefined =>
    totals.input_tokens + totals.cache_read_tokens + totals.cache_write_tokens === 0
      ? undefined
      : formatShare(totals.cache_hit_rate)
  const share = hitRate(now)
  const earlier = hitRate(before)
  if (share === undefined) return earlier === undefined ? 'none before either' : `${earlier} of input before`
  return `${share} of input read from it; ${earlier ?? 'none'} before`
}

const allTokens = (totals: Overview['totals']): number =>
  totals.input_tokens + totals.output_tokens + totals.cache_read_tokens + totals.cache_write_tokens

export function changeInFull(now: number, before: number, format: (value: number) => string): string {
  return `${changeText(now, before, format)}; ${format(before)} before`
}

export function changeInWords(now: number, before: number, format: (value: number) => string): string {
  if (before === 0) return now === 0 ? 'none before either' : 'none before'
  const share = (now - before) / before
  const words = Math.abs(share) < 0.005 ? 'as before' : `${formatShare(Math.abs(share))} ${share > 0 ? 'more' : 'less'}`
  return `${words}; ${format(before)} before`
}
