/** Which models answer, how fast, how much the cache helps, and which endpoints carry it. */
import type { Answer } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { RankBars } from '../../charts/rank-bars.tsx'
import { MOST_BARS, TimeSeries } from '../../charts/time-series.tsx'
import { formatCount, formatDurationMs, formatShare, formatUsd, noPrice } from '../../ui/format.ts'
import { Card, Columns } from '../../ui/layout.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { QueryView } from '../../ui/states.tsx'
import { Money, Nothing } from '../../ui/values.tsx'
import { modelShown, NOBODY, OTHERS } from '../requests/exact-name.ts'
import { type Filter, requestsSearch } from './analytics-filter.ts'
import { bucketFormat } from './zoned-day.ts'

type Models = Answer<'/admin/analytics/org/models', 'get'>

export function ModelsSection({ filter }: { readonly filter: Filter }) {
  const models = useGet('/admin/analytics/org/models', { params: { query: filter.query } }, { keepPrevious: true })
  return (
    <QueryView query={models} rows={8}>
      {(data) => (
        <>
          <Columns min={380}>
            <RankBars
              title="Calls by model"
              rows={data.mix.map(({ model, requests, share, spend_usd, unpriced_requests }) => ({
                name: modelShown(model),
                value: requests,
                detail: `${formatShare(share)}, ${noPrice(spend_usd, unpriced_requests) ?? formatUsd(spend_usd)}`,
                ...(model === OTHERS ? {} : { to: { path: '/requests', search: requestsSearch(filter, { model }) } }),
              }))}
              valueName="Calls"
              formatValue={formatCount}
            />
            <TimeSeries
              title="Cache hits"
              lead="Share of the input that was read from the cache."
              data={{
                buckets: data.cache.some((point) => point.prompt_tokens > 0)
                  ? data.cache.map(({ bucket }) => bucket)
                  : [],
                series: [
                  // A day without calls has missed nothing.
                  {
                    name: 'Hits',
                    values: data.cache.map((point) => (point.prompt_tokens === 0 ? null : point.hit_rate)),
                  },
                ],
              }}
              shape={data.cache.length > MOST_BARS ? 'area' : 'bars'}
              formatBucket={bucketFormat(data.range.tz, data.range.granularity)}
              formatValue={formatShare}
            />
          </Columns>
          <Latency rows={data.latency} />
          <Tokens rows={data.tokens} />
          <Endpoints rows={data.endpoints} filter={filter} />
        </>
      )}
    </QueryView>
  )
}

const time = (ms: number | null) =>
  ms === null ? <Nothing /> : <span className="tabular">{formatDurationMs(ms)}</span>
const count = (value: number) => <span className="tabular">{formatCount(value)}</span>

function Latency({ rows }: { readonly rows: Models['latency'] }) {
  return (
    <Card title="Time to answer" lead="Of answered calls; the first token of streams only." isFlush>
      <PlainTable
        caption="Time to answer by model"
        rows={rows}
        rowId={({ model }) => model}
        empty="No answered calls in this range."
        columns={[
          { id: 'model', header: 'Model', cell: ({ model }) => modelShown(model) },
          { id: 'first50', header: 'First token, median', align: 'right', cell: (row) => time(row.first_token_p50_ms) },
          {
            id: 'first95',
            header: 'First token, 95 of 100',
            align: 'right',
            isMinor: true,
            cell: (row) => time(row.first_token_p95_ms),
          },
          { id: 'p50', header: 'Whole, median', align: 'right', cell: (row) => time(row.p50_ms) },
          { id: 'p95', header: '95 of 100', align: 'right', cell: (row) => time(row.p95_ms) },
          { id: 'p99', header: '99 of 100', align: 'right', isMinor: true, cell: (row) => time(row.p99_ms) },
        ]}
      />
    </Card>
  )
}

function Tokens({ rows }: { readonly rows: Models['tokens'] }) {
  return (
    <Card title="Tokens" isFlush>
      <PlainTable
        caption="Tokens by model"
        rows={rows}
        rowId={({ model }) => model}
        empty="No tokens in this range."
        columns={[
          { id: 'model', header: 'Model', cell: ({ model }) => modelShown(model) },
          { id: 'input', header: 'Input', align: 'right', cell: ({ input }) => count(input) },
          { id: 'output', header: 'Output', align: 'right', cell: ({ output }) => count(output) },
          { id: 'read', header: 'Cache read', align: 'right', isMinor: true, cell: (row) => count(row.cache_read) },
          { id: 'write', header: 'Cache write', align: 'right', isMinor: true, cell: (row) => count(row.cache_write) },
        ]}
      />
    </Card>
  )
}

function Endpoints({ rows, filter }: { readonly rows: Models['endpoints']; readonly filter: Filter }) {
  return (
    <Card
      title="Endpoints"
      lead="Throttles and failovers count where the call was tried, not where it was served."
      isFlush
    >
      <PlainTable
        caption="Endpoints"
        rows={rows}
        rowId={({ endpoint }) => endpoint}
        empty="No endpoint was called in this range."
        columns={[
          {
            id: 'endpoint',
            header: 'Endpoint',
            cell: ({ endpoint }) => (
              <PageLink to="/requests" search={requestsSearch(filter, { endpoint })}>
                {endpoint === NOBODY ? 'None reached' : endpoint}
              </PageLink>
            ),
          },
          { id: 'calls', header: 'Calls', align: 'right', cell: ({ requests }) => count(requests) },
          { id: 'share', header: 'Share', align: 'right', isMinor: true, cell: ({ share }) => formatShare(share) },
          { id: 'errors', header: 'Failed', align: 'right', cell: ({ errors }) => count(errors) },
          { id: 'throttles', header: 'Throttled', align: 'right', cell: ({ throttles }) => count(throttles) },
          {
            id: 'failovers',
            header: 'Went elsewhere',
            align: 'right',
            isMinor: true,
            cell: ({ failovers }) => count(failovers),
          },
          { id: 'spend', header: 'Spend', align: 'right', cell: ({ spend_usd }) => <Money usd={spend_usd} /> },
        ]}
      />
    </Card>
  )
}
