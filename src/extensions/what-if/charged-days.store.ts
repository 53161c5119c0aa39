/** Charged calls of a range by whatever makes a price: from sums by day, and from records at the edges of the range. */
import { type RawBuilder, sql } from 'kysely'
import type { Span } from '../../foundation/domain/usage-range.ts'
import type { UsageReader } from '../../modules/spend/usage/usage-reader.store.ts'
import {
  at,
  buildFacets,
  isOpen,
  logCondition,
  nobody,
  type Pieces,
  splitPieces,
  toDay,
  type UsageFilter,
} from '../../modules/spend/usage/usage-source.store.ts'
import type { ChargedSums } from './priced-parts.ts'

/** By which prompts are told apart in the sums, as `charged_tier` does. */
const keptLengths = [100_000, 200_000]

const names = [
  'cost_nano_usd',
  'search_nano_usd',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_5m_tokens',
  'cache_write_1h_tokens',
]
const columns = sql.raw(names.join(', '))
const sums = sql.raw(['calls', ...names].map((name) => `sum(${name})::bigint as ${name}`).join(', '))

export function createChargedUsage({ db, counted }: UsageReader) {
  return {
    /**
     * `promptLengths` in rising order. One that is not kept in the sums has the records of the whole range read, as a filter
     * by person has, whom the sums do not know.
     */
    read: async (
      range: Span,
      filter: UsageFilter,
      promptLengths: readonly number[],
    ): Promise<readonly ChargedSums[]> => {
      const areKept = filter.userIds === undefined && promptLengths.every((length) => keptLengths.includes(length))
      const pieces: Pick<Pieces, 'days' | 'hours' | 'records'> = areKept
        ? splitPieces(range, { ...counted, closedBlocks: new Set() })
        : { days: [], hours: [], records: [range] }
      const parts = [
        ...pieces.days.map((span) => ofDays(span, filter, promptLengths)),
        ...[...pieces.hours, ...pieces.records, nothing].map((span) => ofRecords(span, filter, promptLengths)),
      ]
      const { rows } = await sql<ChargedSums>`
        select endpoint_id, scope, tier, ${sums} from (${sql.join(parts, sql` union all `)}) as part
        group by 1, 2, 3 order by 2, 3, 1`.execute(db)
      return rows
    },
  }
}

/** A union of nothing is no statement. */
const nothing: Span = { startMs: 0, endMs: 0 }

function ofDays({ startMs, endMs }: Span, filter: UsageFilter, lengths: readonly number[]): RawBuilder<unknown> {
  const chosen = isOpen(filter) ? sql`` : sql`and facet_id in (${buildFacets(filter)})`
  const exceeded = lengths.map((length) => sql`(tier > ${sql.lit(keptLengths.indexOf(length))})::integer`)
  return sql`
    select facet.endpoint_id, scope, ${sumParts(exceeded)} as tier, calls, ${columns}
    from charged_days join spend_facets as facet on facet.id = facet_id
    where day >= ${toDay(startMs)}::date and day < ${toDay(endMs)}::date ${chosen}`
}

function ofRecords({ startMs, endMs }: Span, filter: UsageFilter, lengths: readonly number[]): RawBuilder<unknown> {
  const exceeded = lengths.map((length) => sql`(prompt_tokens > ${sql.lit(length)})::integer`)
  return sql`
    select coalesce(endpoint_id, ${nobody}::uuid) as endpoint_id, scope, ${sumParts(exceeded)} as tier, 1 as calls, ${columns}
    from charged_facts as log
    where log.at >= ${at(startMs)} and log.at < ${at(endMs)} and ${logCondition(filter)}`
}

function sumParts(parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return parts.length === 0 ? sql`0` : sql.join(parts, sql` + `)
}
