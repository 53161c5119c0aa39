/** What one has used in the last 30 days: the sums against the 30 days before, the course, and the models. */
import { useGet } from '../../api/queries.ts'
import { RankBars } from '../../charts/rank-bars.tsx'
import { TimeSeries } from '../../charts/time-series.tsx'
import { exactly, modelShown, OTHERS } from '../../modules/analytics/requests/exact-name.ts'
import {
  formatCount,
  formatCounted,
  formatDayOnly,
  formatShare,
  formatUsd,
  formatUsdShort,
  unpricedSpend,
  zoneName,
} from '../../ui/format.ts'
import { Columns, Figure, FigureRow } from '../../ui/layout.tsx'
import { QueryView } from '../../ui/states.tsx'

const DAYS = 30

export function useUsage() {
  return useGet('/me/usage', { params: { query: { days: DAYS, tz: zoneName() } } })
}

export function UsageCards({ query }: { readonly query: ReturnType<typeof useUsage> }) {
  return (
    <QueryView query={query} rows={5}>
      {({ totals, previous, timeseries, by_model: models, range }) => (
        <>
          <FigureRow>
            <Figure
              name={`Spend, last ${DAYS} days`}
              value={formatUsd(totals.spend_usd)}
              detail={change(totals.spend_usd, previous.spend_usd)}
            />
            <Figure
              name="Calls"
              value={formatCount(totals.requests)}
              detail={totals.errors === 0 ? 'none failed' : `${formatCount(totals.errors)} failed`}
            />
            <Figure
              name="Read from the cache"
              value={formatShare(totals.cache_hit_rate)}
              detail={`saved ${formatUsd(totals.cache_savings_usd)}`}
            />
            <Figure
              name="Tokens written by models"
              value={formatCount(totals.output_tokens)}
              detail={`${formatCount(totals.input_tokens + totals.cache_read_tokens + totals.cache_write_tokens)} read`}
            />
          </FigureRow>
          {totals.requests > 0 && (
            <Columns min={420}>
              <TimeSeries
                title="Spend a day"
                lead={`Days of ${range.tz}`}
                shape="bars"
                data={{
                  buckets: timeseries.map(({ bucket }) => bucket),
                  series: [{ name: 'Spend', values: timeseries.map(({ spend_usd }) => spend_usd) }],
                }}
                formatBucket={formatDayOnly}
                formatValue={formatUsd}
                formatAxis={formatUsdShort}
              />
              <RankBars
                title="Models"
                lead={`By spend, last ${DAYS} days`}
                valueName="Spend"
                limit={6}
                formatValue={formatUsd}
                rows={models.map(({ name, spend_usd, requests, unpriced_requests }) => ({
                  name: modelShown(name),
                  value: spend_usd,
                  shown: unpricedSpend(spend_usd, unpriced_requests),
                  detail: formatCounted(requests, 'call'),
                  ...(name === OTHERS
                    ? {}
                    : { to: { path: '/me/requests', search: exactly({ model: name, from: timeseries[0]?.bucket }) } }),
                }))}
              />
            </Columns>
          )}
        </>
      )}
    </QueryView>
  )
}

function change(now: number, before: number): string {
  if (before === 0) return 'nothing in the 30 days before'
  const share = (now - before) / before
  if (Math.abs(share) < 0.005) return 'as in the 30 days before'
  return `${formatShare(Math.abs(share))} ${share > 0 ? 'more' : 'less'} than before`
}
