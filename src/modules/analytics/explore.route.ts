/** One measure by one thing that the caller chooses: the first of a ranking with the rest together, or a course over time. */
import { z } from 'zod'
import { invalidParameter } from '../../foundation/domain/errors.ts'
import { usdFromNano } from '../../foundation/domain/money.ts'
import { listBuckets } from '../../foundation/domain/usage-range.ts'
import { badInput, forAdmins } from '../../foundation/http/answers.ts'
import { apiRoute, ok, type Route } from '../../foundation/http/route.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'
import { type LatencyBucket, percentile } from '../../foundation/platform/latency-histogram.ts'
import { readUsage } from '../spend/usage/usage-reader.store.ts'
import { buildQuestion, type Question } from './analytics-route.service.ts'
import {
  createUsageExplorer,
  type ExploredMeasure,
  type ExploredSums,
  exploredSums,
  isKeptByTime,
  ranks,
} from './usage-explore.store.ts'
import { createUsageLatency } from './usage-models.store.ts'
import { analyticsQuery, rangeBody, rangeSchema } from './usage-query.ts'
import { bucketTime, promptTokens } from './usage-records.ts'

const latencies = {
  p50: ['duration', 0.5],
  p95: ['duration', 0.95],
  p99: ['duration', 0.99],
  first_token_p50: ['first-token', 0.5],
  first_token_p95: ['first-token', 0.95],
} as const
type Latency = keyof typeof latencies

const sumMeasures = Object.keys(ranks) as readonly ExploredMeasure[]
const latencyMeasures = Object.keys(latencies) as readonly Latency[]
const groups = ['team', 'user', 'model', 'endpoint', 'time'] as const
const MOST_GROUPS = 1_000

const measureName = z.enum([...sumMeasures, ...latencyMeasures])
const groupName = z.enum(groups)

const exploreQuery = analyticsQuery.extend({
  measure: measureName.default('spend'),
  by: groupName.default('team'),
  top: z.coerce.number().int().min(1).max(MOST_GROUPS).default(10).meta({
    description: 'How many groups by name; the rest stands together. Not with `time`, which has every bucket.',
  }),
})

const value = z.number().nullable()

interface Explored {
  readonly total: number | null
  readonly rows: readonly { readonly name: string; readonly value: number | null }[]
  readonly others: { readonly groups: number; readonly value: number | null } | null
}

export function exploreRoute(ports: RoutePorts): Route {
  const explore = async ({ measure, by, top, ...query }: z.infer<typeof exploreQuery>, onlyTeamId?: string) => {
    const isTimed = isLatency(measure)
    if (isTimed && by !== 'model' && by !== 'endpoint')
      throw invalidParameter('by', 'must be model or endpoint: percentiles are kept by no other.')
    const question = await buildQuestion(ports, query, onlyTeamId)
    const explored = isTimed
      ? await explorePercentile(question, measure, by as 'model' | 'endpoint', top)
      : await exploreSums(question, measure, by, top)
    return ok({ range: rangeBody(question.range), measure, by, unit: findUnit(measure), ...explored })
  }
  return apiRoute({
    method: 'GET',
    path: '/admin/analytics/explore',
    access: 'admin',
    grants: ['billing:read'],
    tag: 'Analytics',
    summary: 'One measure by team, person, model, endpoint or time',
    description:
      '`value` is in US dollars, calls, tokens, a share of 1 or milliseconds (`unit`); null where there is nothing to tell, as a cache share without input. `rows` has the `top` highest, `others` all further groups as one, and `total` everything: of shares and percentiles those of all calls. With `time` the names are the moments in which buckets begin. Percentiles go with `model` and `endpoint`, by which they are kept; in zones whose hours begin inside those of UTC `time` has no output tokens and no filter by person.',
    query: exploreQuery,
    answers: {
      200: {
        text: 'The ranking or the course',
        schema: z.object({
          range: rangeSchema,
          measure: measureName,
          by: groupName,
          unit: z.enum(['usd', 'count', 'share', 'ms']),
          total: value,
          rows: z.array(z.object({ name: z.string(), value })),
          others: z.object({ groups: z.int(), value }).nullable(),
        }),
      },
      ...badInput,
      ...forAdmins,
    },
    handle: ({ query }) => explore(query),
    handleForLead: ({ query }, teamId) => explore(query, teamId),
  })
}

const isLatency = (measure: string): measure is Latency => measure in latencies

function findUnit(measure: ExploredMeasure | Latency): 'usd' | 'count' | 'share' | 'ms' {
  if (isLatency(measure)) return 'ms'
  return measure === 'spend' ? 'usd' : measure === 'cache_share' ? 'share' : 'count'
}

function valueIn(measure: ExploredMeasure, sums: ExploredSums): number | null {
  switch (measure) {
    case 'spend':
      return usdFromNano(sums.cost_nano_usd)
    case 'tokens':
      return promptTokens(sums) + sums.output_tokens
    case 'cache_share':
      return promptTokens(sums) === 0 ? null : sums.cache_read_tokens / promptTokens(sums)
    default:
      return sums[measure]
  }
}

const none = Object.fromEntries(exploredSums.map((name) => [name, 0])) as unknown as ExploredSums

function together(rows: readonly ExploredSums[]): ExploredSums {
  const sum = (name: keyof ExploredSums): number => rows.reduce((total, row) => total + row[name], 0)
  return Object.fromEntries(exploredSums.map((name) => [name, sum(name)])) as unknown as ExploredSums
}

async function exploreSums(
  { database, range, filter }: Question,
  measure: ExploredMeasure,
  by: (typeof groups)[number],
  most: number,
): Promise<Explored> {
  if (by !== 'time') {
    const rows = await readUsage(database.kysely, (reader) =>
      createUsageExplorer(reader).byGroup(range, filter, { by, measure, most }),
    )
    const rest = rows.find(({ name }) => name === null)
    return {
      total: valueIn(measure, together(rows)),
      rows: rows.flatMap(({ name, ...sums }) => (name === null ? [] : [{ name, value: valueIn(measure, sums) }])),
      others: rest === undefined ? null : { groups: rest.groups, value: valueIn(measure, rest) },
    }
  }
  const buckets = listBuckets(range)
  if (!isKeptByTime(buckets, filter, measure))
    throw invalidParameter(
      'tz',
      'must have the hours of UTC for this measure or filter: quarters of an hour are kept without people and without output.',
    )
  const found = await readUsage(database.kysely, (reader) => createUsageExplorer(reader).byBucket(buckets, filter))
  const byBucket = new Map(found.map((row) => [row.bucket, row]))
  return {
    total: valueIn(measure, together(found)),
    rows: buckets.map(({ startMs }, index) => ({
      name: bucketTime(startMs),
      value: valueIn(measure, byBucket.get(index) ?? none),
    })),
    others: null,
  }
}

/** The slowest first. */
async function explorePercentile(
  { database, range, filter }: Question,
  measure: Latency,
  by: 'model' | 'endpoint',
  most: number,
): Promise<Explored> {
  const [kind, share] = latencies[measure]
  const histogram = await readUsage(database.kysely, (reader) =>
    createUsageLatency(reader).histogramBy(by, range, filter, kind),
  )
  const ofAll = (rows: readonly LatencyBucket[]): number | null => percentile(rows, share)
  const groups = [...Map.groupBy(histogram, ({ name }) => name)]
    .map(([name, own]) => ({ name, own, value: ofAll(own) }))
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0) || (a.name < b.name ? -1 : 1))
  const rest = groups.slice(most)
  return {
    total: ofAll(histogram),
    rows: groups.slice(0, most).map(({ name, value: own }) => ({ name, value: own })),
    others: rest.length === 0 ? null : { groups: rest.length, value: ofAll(rest.flatMap(({ own }) => own)) },
  }
}
