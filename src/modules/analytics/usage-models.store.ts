/** How long models took, by bucket of the histogram, over a range. */
import { type RawBuilder, sql } from 'kysely'
import type { Span } from '../../foundation/domain/usage-range.ts'
import { nameIn } from '../spend/usage/usage-names.store.ts'
import type { UsageReader } from '../spend/usage/usage-reader.store.ts'
import {
  at,
  buildFacets,
  cutAtMidnight,
  isOpen,
  logCondition,
  nobody,
  splitPieces,
  toDay,
  type UsageFilter,
  wholeDays,
} from '../spend/usage/usage-source.store.ts'

export interface LatencyRow {
  readonly model: string
  readonly kind: 'duration' | 'first-token'
  readonly bucket: number
  readonly calls: number
}

/** Bounds what a name that callers invent can make of an answer; beyond them the rarest are left out. */
const MOST_ROWS = 200_000

export function createUsageLatency(reader: UsageReader) {
  return {
    /** Of one kind, by the name of what it is divided by. */
    histogramBy: async (
      by: 'model' | 'endpoint',
      range: Span,
      filter: UsageFilter,
      kind: LatencyRow['kind'],
    ): Promise<readonly (Pick<LatencyRow, 'bucket' | 'calls'> & { readonly name: string })[]> => {
      const parts = buildParts(range, filter, reader, by === 'model' ? 'model' : 'endpoint_id')
      const { rows } = await sql<{ name: string; bucket: number; calls: number }>`
        select ${by === 'model' ? sql`divided` : nameIn('endpoint', 'divided')} as name, bucket, calls from (
          select divided, bucket, sum(calls)::bigint as calls
          from (${sql.join(parts, sql` union all `)}) as timed where kind = ${kind === 'duration' ? 0 : 1}
          group by 1, 2 having sum(calls) > 0 order by 3 desc limit ${MOST_ROWS}
        ) as summed`.execute(reader.db)
      return rows
    },

    histogram: async (range: Span, filter: UsageFilter): Promise<readonly LatencyRow[]> => {
      const parts = buildParts(range, filter, reader, 'model')
      const { rows } = await sql<LatencyRow>`
        select divided as model, case kind when 0 then 'duration' else 'first-token' end as kind, bucket, sum(calls)::bigint as calls
        from (${sql.join(parts, sql` union all `)}) as timed group by 1, 2, 3 having sum(calls) > 0`.execute(reader.db)
      return rows
    },
  }
}

/**
 * Roll-ups know endpoints and models; those of teams and people are there for days that are over, and those of teams for
 * blocks too. The calls of other days are read one by one.
 */
function buildParts(
  range: Span,
  filter: UsageFilter,
  { counted, timedDays }: UsageReader,
  column: Divided,
): readonly RawBuilder<unknown>[] {
  const who = filter.userIds !== undefined ? 'person' : filter.teamIds !== undefined ? 'team' : 'anybody'
  const { blocks, days, hours, records } = splitPieces(
    range,
    who === 'person' ? { ...counted, closedBlocks: new Set() } : counted,
  )
  const isThere = (day: string): boolean => who === 'anybody' || timedDays.has(day)
  const { whole, more, less } = findEdges([...days, ...hours, ...records], isThere)
  const blockTables = wholeDays({ blocks, days: [] }, who === 'team' ? 'team_latency' : 'latency')
  const dayTables =
    who === 'anybody'
      ? wholeDays({ blocks: [], days: whole }, 'latency')
      : wholeDays({ blocks: [], days: whole }, `${who}_latency`).map(unfolded)
  return [
    ...[...blockTables, ...dayTables].map((rows) => rolledUp(rows, filter, column)),
    ...[...more, nothing].map((span) => fromLog(span, filter, column)),
    ...less.map((span) => fromLog(span, filter, column, -1)),
  ]
}

/** What the histograms are divided by. */
type Divided = 'model' | 'endpoint_id'

/** A row for each bucket. */
function unfolded(rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select facet_id, kind, bucket, held.calls
    from ${rows} cross join lateral unnest(by_day.buckets, by_day.calls) as held (bucket, calls)) as unfolded`
}

/** Summed on its own: several workers can then read it, which a union would keep apart. */
function rolledUp(rows: RawBuilder<unknown>, filter: UsageFilter, column: Divided): RawBuilder<unknown> {
  const chosen = isOpen(filter) ? sql`` : sql`where facet_id in (${buildFacets(filter)})`
  return sql`
    select facet.${sql.ref(column)} as divided, kind, bucket, calls from (
      select facet_id, kind, bucket, sum(calls) as calls from ${rows} ${chosen} group by 1, 2, 3
    ) as summed join spend_facets as facet on facet.id = facet_id`
}

interface Edges {
  /** Days that are taken whole, also those of which a part is not in the range. */
  readonly whole: readonly Span[]
  readonly more: readonly Span[]
  /** What these days have too much. */
  readonly less: readonly Span[]
}

const DAY_MS = 86_400_000

/** More than half of a day is the whole day without the rest of it: fewer single records are read. */
function findEdges(spans: readonly Span[], isThere: (day: string) => boolean): Edges {
  const [whole, more, less]: [Span[], Span[], Span[]] = [[], [], []]
  for (const span of joined(spans).flatMap(cutAtMidnight)) {
    const startMs = Math.floor(span.startMs / DAY_MS) * DAY_MS
    const endMs = startMs + DAY_MS
    if (!isThere(toDay(startMs)) || span.endMs - span.startMs <= DAY_MS / 2) more.push(span)
    else {
      whole.push({ startMs, endMs })
      less.push({ startMs, endMs: span.startMs }, { startMs: span.endMs, endMs })
    }
  }
  return { whole: joined(whole), more: joined(more), less: less.filter((one) => one.endMs > one.startMs) }
}

/** Spans that touch each other are one. */
function joined(spans: readonly Span[]): readonly Span[] {
  const result: Span[] = []
  for (const span of spans.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = result.at(-1)
    if (last?.endMs === span.startMs) result.splice(-1, 1, { startMs: last.startMs, endMs: span.endMs })
    else result.push(span)
  }
  return result
}

/** A union of nothing is no statement. */
const nothing: Span = { startMs: 0, endMs: 0 }

/** The same calls that the roll-up counts: served, answered without an error status, and not our own probes. */
function fromLog(span: Span, filter: UsageFilter, column: Divided, times: 1 | -1 = 1): RawBuilder<unknown> {
  // Nobody is null in the log.
  const divided = column === 'model' ? sql`log.model` : sql`coalesce(log.endpoint_id, ${nobody}::uuid)`
  return sql`select ${divided} as divided, timed.kind, latency_bucket(timed.ms) as bucket, ${sql.lit(times)} as calls
    from spend_log as log left join spend_contexts as context on context.id = log.context_id
    cross join lateral (values (0::smallint, log.duration_ms), (1::smallint, log.first_token_ms)) as timed (kind, ms)
    where log.at >= ${at(span.startMs)} and log.at < ${at(span.endMs)} and ${logCondition(filter)}
      and log.flags & 8 = 0 and log.batch <> '0' and log.status < 400 and (context.rate_input is not null or log.flags & 4 <> 0)
      and timed.ms is not null`
}
