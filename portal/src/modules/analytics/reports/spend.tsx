/** Where the money goes: over time by team, what is to come, and who and what it is spent by. */
import { memo } from 'react'
import type { Answer } from '../../../api/client.ts'
import { useGet } from '../../../api/queries.ts'
import { SlotParts } from '../../../app/slot.tsx'
import { ForecastLine } from '../../../charts/forecast-line.tsx'
import { RankBars, type RankRow } from '../../../charts/rank-bars.tsx'
import type { TimeData } from '../../../charts/series.ts'
import { MOST_BARS, TimeSeries } from '../../../charts/time-series.tsx'
import { BudgetBadge } from '../../../ui/budget-badge.tsx'
import { formatCounted, formatPercent, formatUsd, formatUsdShort, unpricedSpend } from '../../../ui/format.ts'
import { Card, Columns } from '../../../ui/layout.tsx'
import { PlainTable } from '../../../ui/plain-table.tsx'
import { QueryView } from '../../../ui/states.tsx'
import { Money, Name, Time } from '../../../ui/values.tsx'
import { WhenNear } from '../../../ui/when-near.tsx'
import { modelShown, NOBODY, OTHERS } from '../requests/exact-name.ts'
import { spendCards } from '../slots.ts'
import { type Facet, type Filter, requestsSearch, useFilterShown } from './analytics-filter.ts'
import { EarlierFailure, earlierLine, earlierRead, withBefore } from './earlier.tsx'
import { UnitPriceCard } from './unit-price.tsx'
import { bucketFormat } from './zoned-day.ts'

type Spend = Answer<'/admin/analytics/org/spend', 'get'>

export const SpendSection = memo(function SpendSection({ filter }: { readonly filter: Filter }) {
  const spend = useGet('/admin/analytics/org/spend', { params: { query: filter.query } }, { keepPrevious: true })
  const earlier = useGet('/admin/analytics/org/spend', ...earlierRead(filter))
  const shown = useFilterShown(filter, spend)
  const before = filter.earlier === undefined || spend.isPlaceholderData ? undefined : earlier.data
  return (
    <>
      <EarlierFailure filter={filter} query={earlier} />
      <QueryView query={spend} rows={8}>
        {(data) => (
          <>
            <Along data={data} before={before} filter={shown} />
            {/* They ask for themselves, and not only when the spend is there. */}
            <WhenNear wanted={filter}>
              {(asked) => (
                <>
                  <UnitPriceCard filter={asked} />
                  <SlotParts slot={spendCards} props={{ filter: asked }} />
                </>
              )}
            </WhenNear>
            <Divided data={data} before={before} filter={shown} />
          </>
        )}
      </QueryView>
    </>
  )
})

interface ShownProps {
  readonly data: Spend
  /** Of the earlier time, when there is a comparison and it has been answered. */
  readonly before: Spend | undefined
  readonly filter: Filter
}

/** Drawn again only for other numbers: a new filter is asked for at once, and not after the old charts were drawn once more. */
const Along = memo(function Along({ data, before, filter }: ShownProps) {
  return (
    <>
      <Course data={data} before={before} filter={filter} />
      {data.range.granularity === 'day' ? <Forecast data={data} /> : <DailyForecast filter={filter} />}
    </>
  )
})

const Divided = memo(function Divided({ data, before, filter }: ShownProps) {
  return (
    <>
      <Columns>
        <Rank title="Teams" facet="team" rows={data.by_team} earlier={before?.by_team} filter={filter} />
        <Rank title="People" facet="user" rows={data.by_user} earlier={before?.by_user} filter={filter} />
        <Rank title="Models" facet="model" rows={data.by_model} earlier={before?.by_model} filter={filter} />
      </Columns>
      <BudgetRows budgets={data.budgets} />
    </>
  )
})

function Course({ data, before, filter }: ShownProps) {
  const { granularity, tz } = data.range
  const course = byTeam(data)
  return (
    <TimeSeries
      title="Spend by team"
      lead={`US dollars, in ${tz}`}
      data={course}
      earlier={earlierLine(filter, { buckets: course.buckets, points: before?.timeseries ?? [] }, (points) =>
        points.reduce((sum, { spend_usd }) => sum + spend_usd, 0),
      )}
      shape={data.timeseries.length > MOST_BARS ? 'area' : 'bars'}
      formatBucket={bucketFormat(tz, granularity)}
      formatValue={formatUsd}
      formatAxis={formatUsdShort}
    />
  )
}

function byTeam({ timeseries, by_team: teams }: Spend): TimeData {
  if (timeseries.every(({ spend_usd }) => spend_usd === 0)) return { buckets: [], series: [] }
  const names = teams.map(({ name }) => name).filter((name) => timeseries.some(({ by }) => (by[name] ?? 0) > 0))
  return {
    buckets: timeseries.map(({ bucket }) => bucket),
    series: names.map((name) => ({
      name: name === NOBODY ? 'No team' : name,
      values: timeseries.map(({ by }) => by[name] ?? 0),
    })),
  }
}

/** The line is of whole days, whatever the other charts are cut into. */
function DailyForecast({ filter }: { readonly filter: Filter }) {
  const daily = useGet(
    '/admin/analytics/org/spend',
    { params: { query: { ...filter.query, granularity: 'day' } } },
    { keepPrevious: true },
  )
  return <QueryView query={daily}>{(data) => <Forecast data={data} />}</QueryView>
}

const Forecast = memo(function Forecast({ data: { timeseries, forecast, range } }: { readonly data: Spend }) {
  const first = forecast.points[0]?.bucket
  if (first === undefined || timeseries.every(({ spend_usd }) => spend_usd === 0))
    return (
      <Card title="Forecast">
        <p className="text-text-2">
          {first === undefined
            ? 'A forecast needs three whole days in the range, and a range that goes up to today.'
            : 'Nothing was spent in this range: there is nothing to go by.'}
        </p>
      </Card>
    )
  const monthEnd = forecast.month_end_usd
  return (
    <ForecastLine
      title="Spend a day, and the days to come"
      lead={`${monthEnd === null ? '' : `About ${formatUsd(monthEnd)} at the end of the month. `}Days in ${range.tz}; today is not counted.`}
      past={timeseries
        .filter(({ bucket }) => bucket < first)
        .map(({ bucket, spend_usd: value }) => ({ bucket, value }))}
      future={forecast.points.map(({ bucket, spend_usd, low_usd, high_usd }) => ({
        bucket,
        value: spend_usd,
        low: low_usd,
        high: high_usd,
      }))}
      formatBucket={bucketFormat(range.tz, 'day')}
      formatValue={formatUsd}
      formatAxis={formatUsdShort}
    />
  )
})

/** A team may be called as the rest of the models is. */
const isRest = (facet: Facet, name: string): boolean => facet === 'model' && name === OTHERS

function shownAs(facet: Facet, name: string): string {
  if (name === NOBODY) return `No ${facet === 'user' ? 'person' : facet}`
  return facet === 'model' ? modelShown(name) : name
}

type Ranked = Spend['by_team'][number] & { readonly unpriced_requests?: number }

function Rank({
  title,
  facet,
  rows,
  earlier,
  filter,
}: {
  readonly title: string
  readonly facet: Facet
  readonly rows: readonly Ranked[]
  readonly earlier: readonly Ranked[] | undefined
  readonly filter: Filter
}) {
  const compared = withBefore(
    rows,
    earlier,
    ({ name }) => name,
    ({ name }) => ({ name, spend_usd: 0, requests: 0, tokens: 0 }),
  )
  const ranked: RankRow[] = compared.map(({ row: { name, spend_usd, requests, unpriced_requests }, before }) => ({
    name: shownAs(facet, name),
    value: spend_usd,
    shown: unpricedSpend(spend_usd, unpriced_requests),
    detail: formatCounted(requests, 'call'),
    ...(earlier === undefined ? {} : { before: before?.spend_usd ?? 0 }),
    ...(isRest(facet, name) ? {} : { to: { path: '/requests', search: requestsSearch(filter, { [facet]: name }) } }),
  }))
  return <RankBars title={title} rows={ranked} valueName="Spend" formatValue={formatUsd} />
}

const BudgetRows = memo(function BudgetRows({ budgets }: { readonly budgets: Spend['budgets'] }) {
  return (
    <Card title="Budgets" lead="Where they stand now, whatever the range." isFlush>
      <PlainTable
        caption="Budgets"
        rows={budgets}
        rowId={({ scope, name }) => `${scope} ${name}`}
        empty="Nobody here has a budget."
        columns={[
          { id: 'name', header: 'Whose', cell: ({ name }) => <Name text={name} /> },
          { id: 'scope', header: 'Kind', isMinor: true, cell: ({ scope }) => (scope === 'team' ? 'Team' : 'Person') },
          { id: 'status', header: 'State', cell: ({ status }) => <BudgetBadge status={status} /> },
          {
            id: 'spend',
            header: 'Spent',
            align: 'right',
            cell: ({ spend_usd, limit_usd, top_up_usd }) => (
              <>
                <Money usd={spend_usd} /> of <Money usd={limit_usd + top_up_usd} />
              </>
            ),
          },
          {
            id: 'percent',
            header: 'Share',
            align: 'right',
            cell: ({ percent }) => <span className="tabular">{formatPercent(percent)}</span>,
          },
          { id: 'resets', header: 'Resets', isMinor: true, cell: ({ resets_at: at }) => <Time at={at} isAhead /> },
        ]}
      />
    </Card>
  )
})
