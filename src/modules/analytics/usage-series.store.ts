/** Sums along time: by bucket of a range, by hour of the week, and who was active when. */
import { type RawBuilder, sql } from 'kysely'
import { findPlace, type Span } from '../../foundation/domain/usage-range.ts'
import { nameIn } from '../spend/usage/usage-names.store.ts'
import type { UsageReader } from '../spend/usage/usage-reader.store.ts'
import {
  at,
  buildFacets,
  isOpen,
  logCondition,
  nobody,
  toDay,
  type UsageFilter,
} from '../spend/usage/usage-source.store.ts'

export interface SeriesRow {
  /** Index into the buckets. */
  readonly bucket: number
  readonly team: string
  readonly requests: number
  readonly cost_nano_usd: number
  readonly input_tokens: number
  readonly cache_read_tokens: number
  readonly cache_write_tokens: number
}

export interface HeatmapRow {
  /** 0 is Monday. */
  readonly weekday: number
  readonly hour: number
  readonly requests: number
}

export interface ActiveRow {
  readonly bucket: number
  readonly active: number
  /** Of them, those whose first call ever was in the bucket. */
  readonly fresh: number
}

const HOUR_MS = 3_600_000
const QUARTER_MS = 900_000
const DAY_MS = 86_400_000

export function createUsageSeries({ db }: Pick<UsageReader, 'db'>) {
  return {
    /** Buckets and teams without records are left out. */
    byBucket: async (buckets: readonly Span[], filter: UsageFilter): Promise<readonly SeriesRow[]> => {
      const { rows } = await sql<SeriesRow>`
        select bucket, ${nameIn('team', 'team_id')} as team, requests, cost_nano_usd, input_tokens, cache_read_tokens,
          cache_write_tokens
        from (
          select bucket, team_id, ${totals} from (
            select width_bucket(moment, ${listStarts(buckets)}::timestamptz[]) - 1 as bucket, timeline.*
            from ${timeline(buckets, filter, 'days')}
          ) as placed group by 1, 2
        ) as by_team order by bucket`.execute(db)
      return rows
    },

    /** Hours without calls are left out. */
    heatmap: async (days: readonly Span[], tz: string, filter: UsageFilter): Promise<readonly HeatmapRow[]> => {
      const { rows } = await sql<HeatmapRow>`
        select (extract(isodow from local) - 1)::integer as weekday, extract(hour from local)::integer as hour,
          sum(requests)::bigint as requests
        from (
          select moment at time zone ${findPlace(tz)} as local, sum(requests) as requests
          from ${timeline(days, filter, 'hours')} group by moment
        ) as quarters group by 1, 2 having sum(requests) > 0 order by 1, 2`.execute(db)
      return rows
    },

    active: async (buckets: readonly Span[], filter: UsageFilter): Promise<readonly ActiveRow[]> => {
      const parts = buckets.flatMap(dayParts)
      // Whoever has one row for each bucket needs no gathering.
      const isGathered = !isOpen(filter) || parts.length > buckets.length
      const { rows } = await sql<ActiveRow>`
        with part as materialized (
          select bucket, day, slots::bit(96) as slots
          from unnest(${parts.map((one) => one.bucket)}::integer[], ${parts.map((one) => one.day)}::date[],
            ${parts.map((one) => one.slots)}::text[]) as given (bucket, day, slots)
        ), first as materialized (
          select user_id, width_bucket(at, ${listStarts(buckets)}::timestamptz[]) - 1 as bucket from first_calls
        ), seen as (
          select part.bucket, used.user_id
          from part join ${usedDays(parts, filter)} as used
            on used.day = part.day and used.slots & part.slots <> B'0'::bit(96)
          where used.user_id <> ${nobody}::uuid ${isGathered ? sql`group by 1, 2` : sql``}
        )
        select seen.bucket, count(*) as active, count(first.user_id) as fresh
        from seen left join first on first.user_id = seen.user_id and first.bucket = seen.bucket
        group by 1 order by 1`.execute(db)
      return rows
    },
  }
}

const totals = sql.raw(
  ['requests', 'cost_nano_usd', 'input_tokens', 'cache_read_tokens', 'cache_write_tokens']
    .map((name) => `sum(${name})::bigint as ${name}`)
    .join(', '),
)

/** Rows with `moment`, `team_id` and sums, from the coarsest source that knows the filter and meets every boundary. */
function timeline(buckets: readonly Span[], filter: UsageFilter, coarsest: 'days' | 'hours'): RawBuilder<unknown> {
  const range = { startMs: buckets[0]?.startMs ?? 0, endMs: buckets.at(-1)?.endMs ?? 0 }
  const within = (column: string): RawBuilder<unknown> =>
    sql`${sql.raw(column)} >= ${at(range.startMs)} and ${sql.raw(column)} < ${at(range.endMs)}`
  const areWhole = (ms: number): boolean =>
    buckets.every(({ startMs, endMs }) => startMs % ms === 0 && endMs % ms === 0)
  const wholeHours = areWhole(HOUR_MS)
  if (filter.userIds === undefined && filter.models === undefined && filter.endpointIds === undefined) {
    const teams = filter.teamIds === undefined ? sql`` : sql`and team_id = any(${filter.teamIds}::uuid[])`
    const hours = sql`select hour as moment, team_id, ${columns} from team_hours where ${within('hour')} ${teams}`
    const quarters = sql`select quarter as moment, team_id, ${columns} from team_quarters where ${within('quarter')} ${teams}`
    if (wholeHours) return sql`(${hours}) as timeline`
    const cut = cutHours(buckets)
    if (coarsest === 'hours' || cut.length > MAX_CUT_HOURS) return sql`(${quarters}) as timeline`
    // Hours that a boundary goes through are read by their quarters, all others whole.
    const parts = cut.flatMap((hourMs) => [0, 1, 2, 3].map((place) => hourMs + place * QUARTER_MS))
    return sql`(${hours} and hour <> all(${toTimes(cut)}::timestamptz[])
      union all ${quarters} and quarter = any(${toTimes(parts)}::timestamptz[])) as timeline`
  }
  const chosen = isOpen(filter) ? sql`` : sql`and facet_id in (${buildFacets(filter)})`
  const sums = (table: string, moment: string, condition: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select moment, facet.team_id, ${columns} from (
      select ${sql.raw(moment)} as moment, facet_id, ${columns} from ${sql.raw(table)} where ${condition} ${chosen}
    ) as sums join spend_facets as facet on facet.id = sums.facet_id`
  const summed = (...given: Parameters<typeof sums>): RawBuilder<unknown> => sql`(${sums(...given)}) as timeline`
  const [dayTable, hourTable] = filter.userIds === undefined ? ['org_days', 'org_hours'] : ['usage_days', 'spend_hours']
  if (coarsest === 'days' && areWhole(DAY_MS)) {
    const days = sql`day >= ${toDay(range.startMs)}::date and day < ${toDay(range.endMs)}::date`
    return summed(dayTable, `day::timestamp at time zone 'UTC'`, sql`${days} ${notOnlyTries}`)
  }
  if (wholeHours) return summed(hourTable, 'hour', sql`${within('hour')} ${notOnlyTries}`)
  if (filter.userIds === undefined) return summed('spend_quarters', 'quarter', within('quarter'))
  // People in a zone with half hours: few records at a time, found by person.
  const records = sql`select date_bin('15 minutes', log.at, '2000-01-01 00:00:00Z') as moment,
      coalesce(log.team_id, ${nobody}::uuid) as team_id,
      (log.round = 0 and log.flags & 8 = 0)::integer as requests, log.cost_nano_usd, log.input_tokens,
      log.cache_read_tokens, log.cache_write_5m_tokens::bigint + log.cache_write_1h_tokens as cache_write_tokens
    from spend_log as log where ${within('log.at')} and ${logCondition(filter)}`
  const cut = cutHours(buckets)
  if (coarsest === 'hours' || cut.length > MAX_CUT_HOURS) return sql`(${records}) as timeline`
  // Sums of hours are kept longer than records, which are asked only where a boundary goes through an hour.
  const others = sql`${within('hour')} and hour <> all(${toTimes(cut)}::timestamptz[]) ${notOnlyTries}`
  return sql`(${sums('spend_hours', 'hour', others)}
    union all ${records} and date_bin('1 hour', log.at, '2000-01-01 00:00:00Z') = any(${toTimes(cut)}::timestamptz[])) as timeline`
}

/** For more of them than days of the longest range, quarters are read throughout. */
const MAX_CUT_HOURS = 401

function cutHours(buckets: readonly Span[]): readonly number[] {
  const edges = [...buckets.map(({ startMs }) => startMs), buckets.at(-1)?.endMs ?? 0]
  return edges.filter((ms) => ms % HOUR_MS !== 0).map((ms) => Math.floor(ms / HOUR_MS) * HOUR_MS)
}

/** A call that an endpoint refused and another one served is no record of the one that refused. */
const notOnlyTries = sql`and (requests > 0 or calls > 0 or errors > 0 or probes > 0 or cost_nano_usd > 0)`

const columns = sql.raw('requests, cost_nano_usd, input_tokens, cache_read_tokens, cache_write_tokens')

/** Who had calls on which days, and in which quarters of an hour. */
function usedDays(parts: readonly DayPart[], filter: UsageFilter): RawBuilder<unknown> {
  const within = sql`day >= ${parts[0]?.day ?? null}::date and day <= ${parts.at(-1)?.day ?? null}::date`
  if (isOpen(filter)) return sql`(select day, slots, user_id from person_days where ${within})`
  return sql`(select day, slots, facet.user_id from usage_days join spend_facets as facet on facet.id = facet_id
    where ${within} and facet_id in (${buildFacets(filter)}))`
}

interface DayPart {
  readonly bucket: number
  readonly day: string
  /** A bit for each quarter of an hour of the day that the bucket has. */
  readonly slots: string
}

/** The days of UTC that a bucket touches, with the quarters of each that lie in it. */
function dayParts({ startMs, endMs }: Span, bucket: number): readonly DayPart[] {
  const parts: DayPart[] = []
  for (let dayMs = Math.floor(startMs / DAY_MS) * DAY_MS; dayMs < endMs; dayMs += DAY_MS) {
    const first = Math.max(0, (startMs - dayMs) / QUARTER_MS)
    const last = Math.min(96, (endMs - dayMs) / QUARTER_MS)
    parts.push({
      bucket,
      day: toDay(dayMs),
      slots: '0'.repeat(first) + '1'.repeat(last - first) + '0'.repeat(96 - last),
    })
  }
  return parts
}

function listStarts(buckets: readonly Span[]): readonly string[] {
  return toTimes(buckets.map(({ startMs }) => startMs))
}

function toTimes(times: readonly number[]): readonly string[] {
  return times.map((ms) => new Date(ms).toISOString())
}
