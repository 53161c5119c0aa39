/** One measure by one thing: the groups that have most of it, and the sums of all others together. */
import { type RawBuilder, sql } from 'kysely'
import type { Span } from '../../foundation/domain/usage-range.ts'
import { nameIn } from '../spend/usage/usage-names.store.ts'
import type { UsageReader } from '../spend/usage/usage-reader.store.ts'
import {
  at,
  buildFacets,
  isOpen,
  type Measure,
  splitPieces,
  sumsByFacet,
  toDay,
  type UsageFilter,
} from '../spend/usage/usage-source.store.ts'

export const exploredSums = [
  'requests',
  'errors',
  'cost_nano_usd',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
] as const satisfies readonly Measure[]
export type ExploredSums = Readonly<Record<(typeof exploredSums)[number], number>>

export type ExploredGroup = 'team' | 'user' | 'model' | 'endpoint'

/** What groups are ranked by. */
export const ranks = {
  spend: 'cost_nano_usd',
  requests: 'requests',
  errors: 'errors',
  input_tokens: 'input_tokens',
  output_tokens: 'output_tokens',
  cache_read_tokens: 'cache_read_tokens',
  cache_write_tokens: 'cache_write_tokens',
  tokens: 'input_tokens + output_tokens + cache_read_tokens + cache_write_tokens',
  cache_share:
    'coalesce(cache_read_tokens::float8 / nullif(input_tokens + cache_read_tokens + cache_write_tokens, 0), -1)',
} as const
export type ExploredMeasure = keyof typeof ranks

export interface GroupSums extends ExploredSums {
  /** Null: all groups that are not among the first. */
  readonly name: string | null
  /** How many groups it is. */
  readonly groups: number
}

export interface BucketSums extends ExploredSums {
  /** Index into the buckets. */
  readonly bucket: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const summed = sql.raw(exploredSums.map((name) => `sum(${name})::bigint as ${name}`).join(', '))
const columns = sql.raw(exploredSums.join(', '))
/** A call that an endpoint refused and another one served is no record of the one that refused. */
const isUse = sql`(requests > 0 or calls > 0 or errors > 0 or probes > 0 or cost_nano_usd > 0)`

export interface Ranking {
  readonly by: ExploredGroup
  readonly measure: ExploredMeasure
  readonly most: number
}

export function createUsageExplorer({ db, counted }: UsageReader) {
  return {
    /** The highest first, the others last. */
    byGroup: async (
      range: Span,
      filter: UsageFilter,
      { by, measure, most }: Ranking,
    ): Promise<readonly GroupSums[]> => {
      const sums = sumsByFacet({
        pieces: splitPieces(range, counted),
        filter,
        measures: [...exploredSums, 'calls', 'probes'],
        source: by === 'user' ? 'by-person' : 'merged',
      })
      const column = by === 'model' ? 'model' : `${by}_id`
      const name = by === 'model' ? sql`model` : nameIn(by, column)
      // Names are looked up once for each id; two that had the same name at different times are one group.
      const { rows } = await sql<GroupSums>`
        with divided as (
          select ${sql.raw(column)}, ${summed} from ${sums} as sums
          join spend_facets as facet on facet.id = sums.facet_id where ${isUse} group by 1
        ), named as (
          select name, ${summed} from (select ${name} as name, divided.* from divided) as with_names group by name
        ), ranked as (
          select *, least(row_number() over (order by ${sql.raw(ranks[measure])} desc, requests desc, name), ${most + 1}) as place
          from named
        )
        select case when place <= ${most} then min(name) end as name, count(*) as groups, ${summed}
        from ranked group by place order by place`.execute(db)
      return rows
    },

    /** Buckets without records are left out. */
    byBucket: async (buckets: readonly Span[], filter: UsageFilter): Promise<readonly BucketSums[]> => {
      const starts = buckets.map(({ startMs }) => new Date(startMs).toISOString())
      const { rows } = await sql<BucketSums>`
        select width_bucket(moment, ${starts}::timestamptz[]) - 1 as bucket, ${summed}
        from (${timeline(buckets, filter)}) as timeline group by 1 order by 1`.execute(db)
      return rows
    },
  }
}

/** The most hours that may be read record by record: those at both ends of a range, as everywhere else. */
const MOST_CUT_HOURS = 2

/**
 * Whether buckets can be put together from sums. Where the hours of a zone begin inside those of UTC, it takes the sums of
 * quarters of an hour, which know no people and no output.
 */
export function isKeptByTime(buckets: readonly Span[], filter: UsageFilter, measure: ExploredMeasure): boolean {
  if (cutHours(buckets).length <= MOST_CUT_HOURS) return true
  return filter.userIds === undefined && measure !== 'output_tokens' && measure !== 'tokens'
}

function cutHours(buckets: readonly Span[]): readonly number[] {
  const edges = [...buckets.map(({ startMs }) => startMs), buckets.at(-1)?.endMs ?? 0]
  return [...new Set(edges.filter((ms) => ms % HOUR_MS !== 0).map((ms) => Math.floor(ms / HOUR_MS) * HOUR_MS))]
}

/** Rows with `moment` and the sums, from the coarsest source that knows the filter and meets every boundary. */
function timeline(buckets: readonly Span[], filter: UsageFilter): RawBuilder<unknown> {
  const range = { startMs: buckets[0]?.startMs ?? 0, endMs: buckets.at(-1)?.endMs ?? 0 }
  const chosen = isOpen(filter) ? sql`` : sql`and facet_id in (${buildFacets(filter)})`
  const [days, hours] = filter.userIds === undefined ? ['org_days', 'org_hours'] : ['usage_days', 'spend_hours']
  if (buckets.every(({ startMs, endMs }) => startMs % DAY_MS === 0 && endMs % DAY_MS === 0))
    return sql`select day::timestamp at time zone 'UTC' as moment, ${columns} from ${sql.table(days)}
      where day >= ${toDay(range.startMs)}::date and day < ${toDay(range.endMs)}::date ${chosen}`
  const cut = cutHours(buckets)
  if (cut.length > MOST_CUT_HOURS)
    return sql`select quarter as moment, requests, errors, cost_nano_usd, input_tokens, 0 as output_tokens, cache_read_tokens,
        cache_write_tokens
      from spend_quarters where quarter >= ${at(range.startMs)} and quarter < ${at(range.endMs)} ${chosen}`
  const whole = sql`select hour as moment, ${columns} from ${sql.table(hours)}
    where hour >= ${at(range.startMs)} and hour < ${at(range.endMs)}
      and hour <> all(${cut.map((ms) => new Date(ms).toISOString())}::timestamptz[]) ${chosen}`
  const single = cut.map(
    (hourMs) => sql`select at as moment, ${columns} from spend_facts
      where at >= ${at(Math.max(hourMs, range.startMs))} and at < ${at(Math.min(hourMs + HOUR_MS, range.endMs))} ${chosen}`,
  )
  return sql.join([whole, ...single], sql` union all `)
}
