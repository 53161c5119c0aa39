/** Who uses it and when: active people over time, and the hours of the week. */
import { useGet } from '../../../api/queries.ts'
import { Heatmap } from '../../../charts/heatmap.tsx'
import { TimeSeries } from '../../../charts/time-series.tsx'
import { formatCount, formatNumber } from '../../../ui/format.ts'
import { QueryView } from '../../../ui/states.tsx'
import { AdoptionCard } from './adoption.tsx'
import type { Filter } from './analytics-filter.ts'
import { EarlierFailure, earlierLine, earlierRead } from './earlier.tsx'
import { bucketFormat } from './zoned-day.ts'

export function ActivitySection({ filter }: { readonly filter: Filter }) {
  const activity = useGet('/admin/analytics/org/activity', { params: { query: filter.query } }, { keepPrevious: true })
  const earlier = useGet('/admin/analytics/org/activity', ...earlierRead(filter))
  // Somebody who is there on two days of a week is one person: days cannot be put together to weeks.
  const isByWeek = activity.data?.range.granularity === 'week'
  const before = activity.isPlaceholderData || isByWeek ? undefined : earlier.data
  return (
    <>
      <EarlierFailure filter={filter} query={earlier} />
      <QueryView query={activity} rows={8}>
        {({ active_users: people, heatmap, range }) => (
          <>
            <TimeSeries
              title="Active people"
              lead={`New: the first call that the gateway ever recorded of them.${
                isByWeek && filter.earlier !== undefined ? ' Weeks are not compared: choose days.' : ''
              }`}
              earlier={earlierLine(
                filter,
                { buckets: people.map(({ bucket }) => bucket), points: before?.active_users ?? [] },
                // An hour that the clocks show twice has its people twice: the most of them were there at once.
                (points) => Math.max(...points.map(({ active }) => active)),
              )}
              data={{
                buckets: people.some(({ active }) => active > 0) ? people.map(({ bucket }) => bucket) : [],
                series: [
                  { name: 'Returning', values: people.map(({ returning }) => returning) },
                  { name: 'New', values: people.map((point) => point.new) },
                ],
              }}
              shape="bars"
              formatBucket={bucketFormat(range.tz, range.granularity)}
              formatValue={formatNumber}
              isWhole
            />
            <Heatmap
              title="Calls by hour of the week"
              lead={`Hours of ${range.tz}`}
              cells={heatmap.map(({ weekday, hour, requests }) => ({ weekday, hour, value: requests }))}
              valueName="Calls"
              formatValue={formatCount}
            />
          </>
        )}
      </QueryView>
      <AdoptionCard team={filter.query.team} />
    </>
  )
}
