/** Which models answer, how fast, how much the cache helps, and which endpoints carry it. */
import type { Answer } from '../../../api/client.ts'
import { useGet } from '../../../api/queries.ts'
import { RankBars } from '../../../charts/rank-bars.tsx'
import { MOST_BARS, TimeSeries } from '../../../charts/time-series.tsx'
import { formatCount, formatDurationMs, formatShare, formatUsd, unpricedSpend } from '../../../ui/format.ts'
import { Card, Columns } from '../../../ui/layout.tsx'
import { PageLink } from '../../../ui/page-link.tsx'
import { PlainTable } from '../../../ui/plain-table.tsx'
import { QueryView } from '../../../ui/states.tsx'
import { Money, Nothing } from '../../../ui/values.tsx'
import { modelShown, NOBODY, OTHERS } from '../requests/exact-name.ts'
import { type Filter, requestsSearch, useFilterShown } from './analytics-filter.ts'
import { changeColumn, EarlierFailure, earlierLine, earlierRead, withBefore } from './earlier.tsx'
import { bucketFormat } from './zoned-day.ts'

type Models = Answer<'/admin/analytics/org/models', 'get'>

export function ModelsSection({ filter }: { readonly filter: Filter }) {
  const models = useGet('/admin/analytics/org/models', { params: { query: filter.query } }, { keepPrevious: true })
  const earlier = useGet('/admin/analytics/org/models', ...earlierRead(filter))
  const shown = useFilterShown(filter, models)
  const before = filter.earlier === undefined || models.isPlaceholderData ? undefined : earlier.data
  return (
    <>
      <EarlierFailure filter={filter} query={earlier} />
      <QueryView query={models} rows={8}>
        {(data) => (
          <>
            <Columns min={380}>
              <RankBars
                title="Calls by model"
                rows={joinMix(data.mix, before?.mix).map(({ row, before: then }) => ({
                  name: modelShown(row.model),
                  value: row.requests,
                  detail: `${formatShare(row.share)}, ${unpricedSpend(row.spend_usd, row.unpriced_requests) ?? formatUsd(row.spend_usd)}`,
                  ...(before === undefined ? {} : { before: then?.requests ?? 0 }),
                  ...(row.model === OTHERS
                    ? {}
                    : { to: { path: '/requests', search: requestsSearch(shown, { model: row.model }) } }),
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
                earlier={earlierLine(
                  shown,
                  { buckets: data.cache.map(({ bucket }) => bucket), points: before?.cache ?? [] },
                  averageHitRate,
                )}
                shape={data.cache.length > MOST_BARS ? 'area' : 'bars'}
                formatBucket={bucketFormat(data.range.tz, data.range.granularity)}
                formatValue={formatShare}
              />
            </Columns>
            <Latency rows={data.latency} earlier={before?.latency} />
            <Tokens rows={data.tokens} earlier={before?.tokens} />
            <Endpoints rows={data.endpoints} earlier={before?.endpoints} filter={shown} />
          </>
        )}
      </QueryView>
    </>
  )
}

const joinMix = (rows: Models['mix'], earlier: Models['mix'] | undefined) =>
  withBefore(
    rows,
    earlier,
    ({ model }) => model,
    ({ model }) => ({ model, requests: 0, unpriced_requests: 0, spend_usd: 0, share: 0 }),
  )

/** Of several buckets together: each counts by what it had of input. */
function averageHitRate(points: readonly Models['cache'][number][]): number | null {
  const prompt = points.reduce((sum, point) => sum + point.prompt_tokens, 0)
  return prompt === 0 ? null : points.reduce((sum, point) => sum + point.hit_rate * point.prompt_tokens, 0) / prompt
}

const time = (ms: number | null) =>
  ms === null ? <Nothing /> : <span className="tabular">{formatDurationMs(ms)}</span>
const count = (value: number) => <span className="tabular">{formatCount(value)}</span>

interface Compared<Row> {
  readonly rows: readonly Row[]
  readonly earlier: readonly Row[] | undefined
}

/** The row of the earlier time under the same name. */
function indexBefore<Row>(
  earlier: readonly Row[] | undefined,
  nameOf: (row: Row) => string,
): (row: Row) => Row | undefined {
  const then = new Map((earlier ?? []).map((row) => [nameOf(row), row]))
  return (row) => then.get(nameOf(row))
}

function Latency({ rows, earlier }: Compared<Models['latency'][number]>) {
  const before = indexBefore(earlier, ({ model }) => model)
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
          ...changeColumn<Models['latency'][number]>(
            earlier !== undefined,
            (row) => row.p95_ms,
            (row) => before(row)?.p95_ms,
            formatDurationMs,
            'Change of 95',
          ),
        ]}
      />
    </Card>
  )
}

type TokenRow = Models['tokens'][number]

const allTokens = (row: TokenRow): number => row.input + row.output + row.cache_read + row.cache_write

function Tokens({ rows, earlier }: Compared<TokenRow>) {
  const before = indexBefore(earlier, ({ model }) => model)
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
          ...changeColumn<TokenRow>(
            earlier !== undefined,
            allTokens,
            (row) => sumBefore(before(row), allTokens),
            formatCount,
            'Change of all',
          ),
        ]}
      />
    </Card>
  )
}

/** What was not there had nothing. */
const sumBefore = <Row,>(row: Row | undefined, read: (row: Row) => number): number =>
  row === undefined ? 0 : read(row)

type EndpointRow = Models['endpoints'][number]

function Endpoints({ rows, earlier, filter }: Compared<EndpointRow> & { readonly filter: Filter }) {
  const before = indexBefore(earlier, ({ endpoint }) => endpoint)
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
          ...changeColumn<EndpointRow>(
            earlier !== undefined,
            ({ requests }) => requests,
            (row) => sumBefore(before(row), ({ requests }) => requests),
            formatCount,
            'Change of calls',
          ),
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
