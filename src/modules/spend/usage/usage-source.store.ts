/** Where the sums of a range come from: blocks of eight days and whole days of UTC, the rest from hours, single records last. */
import { type RawBuilder, sql } from 'kysely'
import type { Span } from '../../../foundation/domain/usage-range.ts'

/** Undefined takes everything, an empty list nothing. */
export interface UsageFilter {
  readonly teamIds?: readonly string[] | undefined
  readonly userIds?: readonly string[] | undefined
  readonly endpointIds?: readonly string[] | undefined
  readonly models?: readonly string[] | undefined
}

/** Stands in a facet for no team, no person or no endpoint. */
export const nobody = '00000000-0000-0000-0000-000000000000'

export const measures = [
  'requests',
  'errors',
  'calls',
  'unpriced',
  'probes',
  'web_searches',
  'tool_calls',
  'throttles',
  'failovers',
  'cost_nano_usd',
  'saved_nano_usd',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'duration_ms',
] as const
export type Measure = (typeof measures)[number]

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export interface Pieces {
  /** First days of closed blocks, which are whole in the range. */
  readonly blocks: readonly string[]
  /** Whole days of UTC that are in none of them. */
  readonly days: readonly Span[]
  /** Whole hours before and after them. */
  readonly hours: readonly Span[]
  /** What is left at both ends: less than an hour each, and nothing in most zones. */
  readonly records: readonly Span[]
}

/** What of the roll-ups there is. */
export interface Counted {
  /** First days of the blocks whose sums may be read instead of those of their days. */
  readonly closedBlocks: ReadonlySet<string>
  /** No record is at this time or later. */
  readonly untilMs: number
}

/** The last day of a range that reaches the last record is read whole: what it has after the range is nothing. */
export function splitPieces(range: Span, { closedBlocks, untilMs }: Counted): Pieces {
  const { startMs } = range
  const endMs = range.endMs < untilMs || range.endMs <= startMs ? range.endMs : Math.ceil(range.endMs / DAY_MS) * DAY_MS
  const [firstHour, lastHour] = inside(startMs, endMs, HOUR_MS)
  if (lastHour < firstHour) return { blocks: [], days: [], hours: [], records: [{ startMs, endMs }] }
  const [firstDay, lastDay] = inside(firstHour, lastHour, DAY_MS)
  const records = notEmpty([
    { startMs, endMs: firstHour },
    { startMs: lastHour, endMs },
  ])
  if (lastDay <= firstDay)
    return { blocks: [], days: [], hours: notEmpty([{ startMs: firstHour, endMs: lastHour }]), records }
  const hours = notEmpty([
    { startMs: firstHour, endMs: firstDay },
    { startMs: lastDay, endMs: lastHour },
  ])
  return { ...blocksAndDays({ startMs: firstDay, endMs: lastDay }, closedBlocks), hours, records }
}

const BLOCK_MS = 8 * DAY_MS
const FIRST_BLOCK_MS = Date.UTC(2000, 0, 1)

function blocksAndDays({ startMs, endMs }: Span, closed: ReadonlySet<string>): Pick<Pieces, 'blocks' | 'days'> {
  const blocks: string[] = []
  const days: Span[] = []
  let openMs = startMs
  const [firstMs, lastMs] = inside(startMs - FIRST_BLOCK_MS, endMs - FIRST_BLOCK_MS, BLOCK_MS)
  for (let blockMs = firstMs + FIRST_BLOCK_MS; blockMs < lastMs + FIRST_BLOCK_MS; blockMs += BLOCK_MS) {
    if (!closed.has(toDay(blockMs))) continue
    blocks.push(toDay(blockMs))
    days.push({ startMs: openMs, endMs: blockMs })
    openMs = blockMs + BLOCK_MS
  }
  return { blocks, days: notEmpty([...days, { startMs: openMs, endMs }]) }
}

function inside(startMs: number, endMs: number, unitMs: number): readonly [number, number] {
  return [Math.ceil(startMs / unitMs) * unitMs, Math.floor(endMs / unitMs) * unitMs]
}

function notEmpty(spans: readonly Span[]): readonly Span[] {
  return spans.filter((span) => span.endMs > span.startMs)
}

/**
 * How the whole days of a range are read. `by-person` knows everything. `merged` reads fewer rows, whose facets name
 * nobody: right unless the answer is divided by people. `left-out` is for those who have the days from elsewhere.
 */
export type DaySource = 'by-person' | 'merged' | 'left-out'

export interface SumsWanted {
  readonly pieces: Pieces
  readonly filter: UsageFilter
  readonly measures: readonly Measure[]
  readonly source: DaySource
}

/** Sums by facet over a range, as a sub-query with the columns `facet_id` and those asked for. */
export function sumsByFacet({ pieces, filter, measures: wanted, source }: SumsWanted): RawBuilder<unknown> {
  const { hours, records } = pieces
  const columns = sql.raw(wanted.join(', '))
  const among = sql`facet_id in (${buildFacets(filter)})`
  const chosen = isOpen(filter) ? sql`` : sql`where ${among}`
  const chosenToo = isOpen(filter) ? sql`` : sql`and ${among}`
  const isMerged = source === 'merged' && filter.userIds === undefined
  const [dayTable, hourTable] = isMerged ? (['org', 'org_hours'] as const) : (['usage', 'spend_hours'] as const)
  const parts = [
    ...(source === 'left-out' ? [] : wholeDays(pieces, dayTable)).map(
      (rows) => sql`select facet_id, ${columns} from ${rows} ${chosen}`,
    ),
    ...hours.map(
      (span) =>
        sql`select facet_id, ${columns} from ${sql.raw(hourTable)}
          where hour >= ${at(span.startMs)} and hour < ${at(span.endMs)} ${chosenToo}`,
    ),
    ...records.map(
      (span) =>
        sql`select facet_id, ${columns} from spend_facts
          where at >= ${at(span.startMs)} and at < ${at(span.endMs)} ${chosenToo}`,
    ),
    // A union of nothing is no statement.
    sql`select facet_id, ${columns} from org_days where false`,
  ]
  const total = sql.raw(wanted.map((name) => `sum(${name})::bigint as ${name}`).join(', '))
  return sql`(select facet_id, ${total} from (${sql.join(parts, sql` union all `)}) as piece
    group by facet_id)`
}

/** Sub-queries for the whole days of a range over a pair of tables, one by blocks and one by days. */
export function wholeDays(
  { blocks, days }: Pick<Pieces, 'blocks' | 'days'>,
  tables: string,
): readonly RawBuilder<unknown>[] {
  return [
    ...(blocks.length === 0
      ? []
      : [sql`(select * from ${sql.table(`${tables}_blocks`)} where block = any(${blocks}::date[])) as by_block`]),
    ...days.map(
      ({ startMs, endMs }) => sql`(select * from ${sql.table(`${tables}_days`)}
        where day >= ${toDay(startMs)}::date and day < ${toDay(endMs)}::date) as by_day`,
    ),
  ]
}

/** Ids of the facets that a filter lets through. */
export function buildFacets(filter: UsageFilter): RawBuilder<unknown> {
  return sql`select id from spend_facets where ${facetCondition(filter)}`
}

function facetCondition(filter: UsageFilter): RawBuilder<unknown> {
  return joinConditions([
    ...(filter.teamIds === undefined ? [] : [sql`team_id = any(${filter.teamIds}::uuid[])`]),
    ...(filter.userIds === undefined ? [] : [sql`user_id = any(${filter.userIds}::uuid[])`]),
    ...(filter.endpointIds === undefined ? [] : [sql`endpoint_id = any(${filter.endpointIds}::uuid[])`]),
    ...(filter.models === undefined ? [] : [sql`model = any(${filter.models}::text[])`]),
  ])
}

/** The same over `spend_log`, where nobody is null. */
export function logCondition(filter: UsageFilter): RawBuilder<unknown> {
  const among = (column: string, ids: readonly string[] | undefined): readonly RawBuilder<unknown>[] => {
    if (ids === undefined) return []
    const name = sql.raw(`log.${column}`)
    const listed = sql`${name} = any(${ids}::uuid[])`
    return [ids.includes(nobody) ? sql`(${listed} or ${name} is null)` : listed]
  }
  return joinConditions([
    ...among('team_id', filter.teamIds),
    ...among('user_id', filter.userIds),
    ...among('endpoint_id', filter.endpointIds),
    ...(filter.models === undefined ? [] : [sql`log.model = any(${filter.models}::text[])`]),
  ])
}

export function joinConditions(conditions: readonly RawBuilder<unknown>[]): RawBuilder<boolean> {
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` and `)}`
}

export function isOpen(filter: UsageFilter): boolean {
  return [filter.teamIds, filter.userIds, filter.endpointIds, filter.models].every((one) => one === undefined)
}

export function at(timeMs: number): RawBuilder<unknown> {
  return sql`${new Date(timeMs).toISOString()}::timestamptz`
}

export function toDay(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}

/** In parts of one day of UTC each, as partitions and days of the roll-ups are. */
export function cutAtMidnight({ startMs, endMs }: Span): readonly Span[] {
  const parts: Span[] = []
  for (let fromMs = startMs; fromMs < endMs; ) {
    const toMs = Math.min(endMs, (Math.floor(fromMs / DAY_MS) + 1) * DAY_MS)
    parts.push({ startMs: fromMs, endMs: toMs })
    fromMs = toMs
  }
  return parts
}
