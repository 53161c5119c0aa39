/** Tokens by time and by whoever used them, with both kinds of cache writes apart, as a bill from the vendor has them. */
import { type RawBuilder, sql } from 'kysely'
import type { Span } from '../../foundation/domain/usage-range.ts'
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

export const reportGroups = ['team_id', 'key_id', 'user_id', 'model'] as const
export type ReportGroup = (typeof reportGroups)[number]

export interface ReportFilter extends Pick<UsageFilter, 'teamIds' | 'userIds' | 'models'> {
  readonly keyIds?: readonly string[] | undefined
}

export interface ReportQuestion {
  readonly widthMs: number
  readonly groups: ReadonlySet<ReportGroup>
  readonly filter: ReportFilter
}

const tokens = [
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_5m_tokens',
  'cache_write_1h_tokens',
  'web_searches',
] as const

/** What is not grouped by is null, and so is nobody. */
export type ReportRow = { readonly startMs: number } & Readonly<Record<ReportGroup, string | null>> &
  Readonly<Record<(typeof tokens)[number], number>>

const DAY_MS = 86_400_000

export function createUsageReport({ db }: Pick<UsageReader, 'db'>) {
  const readRecords = async (
    span: Span,
    { widthMs, groups, filter }: ReportQuestion,
  ): Promise<readonly ReportRow[]> => {
    const column = (name: ReportGroup): RawBuilder<unknown> => {
      if (groups.has(name)) return sql`log.${sql.ref(name)}`
      return name === 'model' ? sql`null::text` : sql`null::uuid`
    }
    const ofKeys = filter.keyIds === undefined ? sql`` : sql`and log.key_id = any(${filter.keyIds}::uuid[])`
    const sums = sql.raw(tokens.map((name) => `sum(log.${name})::bigint as ${name}`).join(', '))
    const any = sql.raw(tokens.map((name) => `sum(log.${name}) > 0`).join(' or '))
    // What was set aside is in no other sum either.
    const { rows } = await sql<ReportRow>`
      select (extract(epoch from date_bin(make_interval(secs => ${widthMs / 1_000}), log.at, '2000-01-01 00:00:00Z')) * 1000)::bigint
          as "startMs", ${column('team_id')} as team_id, ${column('key_id')} as key_id, ${column('user_id')} as user_id,
        ${column('model')} as model, ${sums}
      from spend_log as log
      where log.at >= ${at(span.startMs)} and log.at < ${at(span.endMs)} and log.batch <> '0'
        and ${logCondition(filter)} ${ofKeys}
      group by 1, 2, 3, 4, 5 having ${any} order by 1, 2, 3, 4, 5`.execute(db)
    return rows
  }

  /** From records where the sums do not tell all cache writes apart. */
  const readDay = async (span: Span, question: ReportQuestion): Promise<readonly ReportRow[]> => {
    const rows = await readSums(db, span, question)
    if (rows.every((row) => row.written === row.cache_write_5m_tokens + row.cache_write_1h_tokens))
      return rows.map(withoutWritten)
    const records = await readRecords(span, question)
    const writtenIn = records.reduce((sum, row) => sum + row.cache_write_5m_tokens + row.cache_write_1h_tokens, 0)
    if (writtenIn === rows.reduce((sum, row) => sum + row.written, 0)) return records
    // Records that are not kept any more: five minutes is what a cache write has unless it asks for more.
    return rows.map((row) => withoutWritten({ ...row, cache_write_5m_tokens: row.written - row.cache_write_1h_tokens }))
  }

  return {
    /** In order of time. Sums know neither keys nor people with both kinds of cache writes: those are read from records. */
    read: (span: Span, question: ReportQuestion): Promise<readonly ReportRow[]> =>
      isInSums(question) ? readDay(span, question) : readRecords(span, question),

    /** There was use on the day, which only its sums still know. */
    areRecordsGone: async ({ startMs }: Span): Promise<boolean> => {
      const dayMs = Math.floor(startMs / DAY_MS) * DAY_MS
      const { rows } = await sql<{ gone: boolean }>`
        select exists (select from org_days where day = ${toDay(dayMs)}::date and input_tokens + output_tokens > 0)
          and not exists (select from spend_log where at >= ${at(dayMs)} and at < ${at(dayMs + DAY_MS)}) as gone`.execute(
        db,
      )
      return rows[0]?.gone ?? false
    },
  }
}

export function isInSums({ widthMs, groups, filter }: ReportQuestion): boolean {
  const isByOthers = groups.has('key_id') || groups.has('user_id')
  return widthMs === DAY_MS && !isByOthers && filter.keyIds === undefined && filter.userIds === undefined
}

type SummedRow = ReportRow & { readonly written: number }

function withoutWritten({ written: _written, ...row }: SummedRow): ReportRow {
  return row
}

/** Both kinds of cache writes are kept of calls that had a price, without our own probes; all others have their sum. */
async function readSums(
  db: UsageReader['db'],
  span: Span,
  { groups, filter }: ReportQuestion,
): Promise<readonly SummedRow[]> {
  const parts = ofDay(span, groups, filter)
  const { rows } = await sql<SummedRow>`
    select ${span.startMs}::bigint as "startMs", team_id, null as key_id, null as user_id, model,
      sum(input_tokens)::bigint as input_tokens, sum(output_tokens)::bigint as output_tokens,
      sum(cache_read_tokens)::bigint as cache_read_tokens, sum(written)::bigint as written,
      sum(w5)::bigint as cache_write_5m_tokens, sum(w1)::bigint as cache_write_1h_tokens,
      sum(web_searches)::bigint as web_searches
    from (
      select ${parts.names}, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens as written, web_searches,
        0 as w5, 0 as w1 from ${parts.from('org_days')}
      union all
      select ${parts.names}, 0, 0, 0, 0, 0, cache_write_5m_tokens, cache_write_1h_tokens from ${parts.from('charged_days')}
    ) as part
    group by 2, 5
    having sum(input_tokens) > 0 or sum(output_tokens) > 0 or sum(cache_read_tokens) > 0 or sum(written) > 0
      or sum(web_searches) > 0
    order by 2, 5`.execute(db)
  return rows
}

interface DayParts {
  /** The columns `team_id` and `model`. */
  readonly names: RawBuilder<unknown>
  readonly from: (table: 'org_days' | 'charged_days') => RawBuilder<unknown>
}

/** Of a day of UTC, from sums that name nobody. */
export function ofDay({ startMs }: Span, groups: ReadonlySet<ReportGroup>, filter: UsageFilter): DayParts {
  const team = groups.has('team_id') ? sql`nullif(facet.team_id, ${nobody}::uuid)` : sql`null::uuid`
  const model = groups.has('model') ? sql`facet.model` : sql`null::text`
  const chosen = isOpen(filter) ? sql`` : sql`and facet_id in (${buildFacets(filter)})`
  return {
    names: sql`${team} as team_id, ${model} as model`,
    from: (table) => sql`${sql.table(table)} join spend_facets as facet on facet.id = facet_id
      where day = ${toDay(startMs)}::date ${chosen}`,
  }
}
