/** Which models were used, how fast they were, what they read from the cache, and through which endpoints. */
import { z } from 'zod'
import { usdFromNano } from '../../foundation/domain/money.ts'
import { listBuckets, type Span } from '../../foundation/domain/usage-range.ts'
import type { Route } from '../../foundation/http/route.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'
import { percentile } from '../../foundation/platform/latency-histogram.ts'
import { readUsage } from '../spend/usage/usage-reader.store.ts'
import { createUsageTotals, type NamedSums } from '../spend/usage/usage-totals.store.ts'
import { analyticsRoute } from './analytics-route.service.ts'
import { createUsageLatency, type LatencyRow } from './usage-models.store.ts'
import { bucketTime, hitRate, promptTokens, share } from './usage-records.ts'
import { createUsageSeries, type SeriesRow } from './usage-series.store.ts'

const ms = z.number().nullable()

export function modelsRoute(ports: RoutePorts): Route {
  return analyticsRoute(ports, {
    path: 'org/models',
    summary: 'Model mix, latency, cache hits, tokens and endpoints',
    description:
      'Percentiles are over answered calls and right to 1 %; first-token times exist for streams only, else they are null. `share` is of the requests. Beyond the 1,000 dearest models the sums of all others stand together as `(other)`. `hit_rate` is of the `prompt_tokens`, read from the cache or not; without any it is 0 and says nothing. `throttles` and `failovers` count at the endpoint that was tried, not at the one that served in the end.',
    fields: {
      mix: z.array(
        z.object({
          model: z.string(),
          requests: z.int(),
          unpriced_requests: z.int(),
          spend_usd: z.number(),
          share: z.number(),
        }),
      ),
      latency: z.array(
        z.object({
          model: z.string(),
          p50_ms: ms,
          p95_ms: ms,
          p99_ms: ms,
          first_token_p50_ms: ms,
          first_token_p95_ms: ms,
        }),
      ),
      cache: z.array(z.object({ bucket: z.iso.datetime(), hit_rate: z.number(), prompt_tokens: z.int() })),
      tokens: z.array(
        z.object({ model: z.string(), input: z.int(), output: z.int(), cache_read: z.int(), cache_write: z.int() }),
      ),
      endpoints: z.array(
        z.object({
          endpoint: z.string(),
          requests: z.int(),
          errors: z.int(),
          throttles: z.int(),
          failovers: z.int(),
          spend_usd: z.number(),
          share: z.number(),
        }),
      ),
    },
    answer: async ({ database, range, filter }) => {
      const buckets = listBuckets(range)
      const { divided, timed, series } = await readUsage(database.kysely, async (reader) => ({
        divided: await createUsageTotals(reader).breakdown(range, filter, ['model', 'endpoint']),
        timed: await createUsageLatency(reader).histogram(range, filter),
        series: await createUsageSeries(reader).byBucket(buckets, filter),
      }))
      const models = divided.filter((row) => row.kind === 'model')
      const endpoints = divided.filter((row) => row.kind === 'endpoint')
      return {
        mix: buildMix(models),
        latency: readLatency(timed),
        cache: sumCacheUse(buckets, series),
        tokens: models.map((row) => ({
          model: row.name,
          input: row.input_tokens,
          output: row.output_tokens,
          cache_read: row.cache_read_tokens,
          cache_write: row.cache_write_tokens,
        })),
        endpoints: listEndpoints(endpoints),
      }
    },
  })
}

function buildMix(models: readonly NamedSums[]) {
  const requests = models.reduce((sum, row) => sum + row.requests, 0)
  return models.map((row) => ({
    model: row.name,
    requests: row.requests,
    unpriced_requests: row.unpriced,
    spend_usd: usdFromNano(row.cost_nano_usd),
    share: share(row.requests, requests),
  }))
}

function listEndpoints(endpoints: readonly NamedSums[]) {
  const requests = endpoints.reduce((sum, row) => sum + row.requests, 0)
  return endpoints.map((row) => ({
    endpoint: row.name,
    requests: row.requests,
    errors: row.errors,
    throttles: row.throttles,
    failovers: row.failovers,
    spend_usd: usdFromNano(row.cost_nano_usd),
    share: share(row.requests, requests),
  }))
}

function readLatency(rows: readonly LatencyRow[]) {
  const byModel = Map.groupBy(rows, (row) => row.model)
  return [...byModel.keys()].sort().map((model) => {
    const own = byModel.get(model) ?? []
    const durations = own.filter((row) => row.kind === 'duration')
    const firstTokens = own.filter((row) => row.kind === 'first-token')
    return {
      model,
      p50_ms: percentile(durations, 0.5),
      p95_ms: percentile(durations, 0.95),
      p99_ms: percentile(durations, 0.99),
      first_token_p50_ms: percentile(firstTokens, 0.5),
      first_token_p95_ms: percentile(firstTokens, 0.95),
    }
  })
}

function sumCacheUse(buckets: readonly Span[], rows: readonly SeriesRow[]) {
  const byBucket = Map.groupBy(rows, (row) => row.bucket)
  const sum = (own: readonly SeriesRow[], field: 'input_tokens' | 'cache_read_tokens' | 'cache_write_tokens'): number =>
    own.reduce((total, row) => total + row[field], 0)
  return buckets.map(({ startMs }, index) => {
    const own = byBucket.get(index) ?? []
    const prompt = {
      input_tokens: sum(own, 'input_tokens'),
      cache_read_tokens: sum(own, 'cache_read_tokens'),
      cache_write_tokens: sum(own, 'cache_write_tokens'),
    }
    return { bucket: bucketTime(startMs), hit_rate: hitRate(prompt), prompt_tokens: promptTokens(prompt) }
  })
}
