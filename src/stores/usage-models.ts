/** How long models took, by bucket of the histogram, over a range. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Span } from '../domain/usage-range.ts'
import type { Schema } from './schema.ts'
import { at, facetsOf, isOpen, logCondition, piecesOf, type UsageFilter, withinDays } from './usage-source.ts'

export interface LatencyRow {
  readonly model: string
  readonly kind: 'duration' | 'first-token'
  readonly bucket: number
  readonly calls: number
}

export function createUsageLatency(db: Kysely<Schema>) {
  return {
    /** The roll-up knows endpoints and models; calls of some teams or people are read one by one through their index. */
    histogram: async (range: Span, filter: UsageFilter): Promise<readonly LatencyRow[]> => {
      const isRolledUp = filter.teamIds === undefined && filter.userIds === undefined
      const { days, hours, records } = piecesOf(range)
      const parts = isRolledUp
        ? [
            // Summed on its own: several workers can then read it, which a union would keep apart.
            sql`select facet.model, kind, bucket, sum(calls) as calls
              from latency_days join spend_facets as facet on facet.id = facet_id
              where ${withinDays(days)} ${isOpen(filter) ? sql`` : sql`and facet_id in (${facetsOf(filter)})`}
              group by 1, 2, 3`,
            ...[...hours, ...records].map((span) => fromLog(span, filter)),
          ]
        : [fromLog(range, filter)]
      const { rows } = await sql<LatencyRow>`
        select model, case kind when 0 then 'duration' else 'first-token' end as kind, bucket, sum(calls)::bigint as calls
        from (${sql.join(parts, sql` union all `)}) as timed group by 1, 2, 3`.execute(db)
      return rows
    },
  }
}

export type UsageLatency = ReturnType<typeof createUsageLatency>

/** The same calls that the roll-up counts: served, answered without an error status, and not our own probes. */
function fromLog(span: Span, filter: UsageFilter): RawBuilder<unknown> {
  return sql`select log.model, timed.kind, latency_bucket(timed.ms) as bucket, 1 as calls
    from spend_log as log left join spend_contexts as context on context.id = log.context_id
    cross join lateral (values (0::smallint, log.duration_ms), (1::smallint, log.first_token_ms)) as timed (kind, ms)
    where log.at >= ${at(span.startMs)} and log.at < ${at(span.endMs)} and ${logCondition(filter)}
      and log.flags & 8 = 0 and log.status < 400 and (context.rate_input is not null or log.flags & 4 <> 0)
      and timed.ms is not null`
}
