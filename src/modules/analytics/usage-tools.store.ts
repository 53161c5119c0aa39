/** Tools that answers called, over a range. */
import { type RawBuilder, sql } from 'kysely'
import type { Span } from '../../foundation/domain/usage-range.ts'
import type { UsageReader } from '../spend/usage/usage-reader.store.ts'
import {
  at,
  buildFacets,
  isOpen,
  logCondition,
  nobody,
  type Pieces,
  splitPieces,
  type UsageFilter,
  wholeDays,
} from '../spend/usage/usage-source.store.ts'

export interface ToolRow {
  readonly tool: string
  /** Null for tools of the client itself. */
  readonly server: string | null
  readonly calls: number
  readonly users: number
}

export interface ServerRow {
  readonly server: string
  readonly tools: number
  readonly calls: number
  readonly users: number
}

export interface ToolUsage {
  readonly tools: readonly ToolRow[]
  readonly servers: readonly ServerRow[]
  readonly totals: {
    readonly calls: number
    readonly server_calls: number
    readonly tools: number
    readonly servers: number
  }
}

interface FoundTools {
  readonly tools: readonly ToolRow[]
  readonly servers: readonly ServerRow[]
  readonly calls: number
  readonly server_calls: number
  readonly tools_used: number
  readonly servers_used: number
}

const MAX_TOOLS = 100

export function createUsageTools({ db, counted }: UsageReader) {
  return {
    usage: async (range: Span, filter: UsageFilter): Promise<ToolUsage> => {
      const { rows } = await sql<FoundTools>`
        with by_part as materialized (
          select tool, substring(tool from '^mcp__(.+?)__.') as server, part, sum(calls)::bigint as calls, bit_or(people) as people
          from (${toolRows(splitPieces(range, counted), filter)}) as pieces group by 1, 2, 3
        ), by_tool as materialized (
          select tool, server, sum(calls)::bigint as calls, sum(bit_count(people))::bigint as users from by_part group by 1, 2
        ), by_server as materialized (
          select server, sum(calls)::bigint as calls, sum(bit_count(people))::bigint as users,
            (select count(*) from by_tool where by_tool.server = of_servers.server) as tools
          from (
            select server, part, sum(calls) as calls, bit_or(people) as people from by_part where server is not null group by 1, 2
          ) as of_servers group by 1
        )
        select coalesce((select sum(calls) from by_tool), 0)::bigint as calls,
          coalesce((select sum(calls) from by_server), 0)::bigint as server_calls,
          (select count(*) from by_tool) as tools_used, (select count(*) from by_server) as servers_used,
          (select coalesce(json_agg(top), '[]') from
            (select * from by_tool order by calls desc, tool limit ${MAX_TOOLS}) as top) as tools,
          (select coalesce(json_agg(one order by calls desc, server), '[]') from by_server as one) as servers`.execute(
        db,
      )
      const [row] = rows
      if (row === undefined) throw new Error('a select without from has one row')
      const { tools, servers, calls, server_calls, tools_used, servers_used } = row
      return { tools, servers, totals: { calls, server_calls, tools: tools_used, servers: servers_used } }
    },
  }
}

/** Rows with `tool`, `calls`, and the people who made them: a bit for each of the 1,024 numbers of a `part`. */
function toolRows(pieces: Pieces, filter: UsageFilter): RawBuilder<unknown> {
  const gathered = gatheredDays(pieces, filter)
  const byFacet = (rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select tool, facet.user_id, sum(calls) as calls from ${rows} join spend_facets as facet on facet.id = facet_id
    where facet_id in (${buildFacets(filter)}) group by 1, 2`
  // Each is summed on its own: the large ones are then read by several workers, which a union would keep apart.
  const byPerson = [
    ...(gathered === undefined ? wholeDays(pieces, 'tool').map(byFacet) : []),
    ...[...pieces.hours, ...pieces.records, { startMs: 0, endMs: 0 }].map((span) => fromLog(span, filter)),
  ]
  const numbered = sql`
    select tool, coalesce(number / 1024, 0) as part, sum(calls) as calls,
      bit_or(case when number is null then B'0'::bit(1024) else B'1'::bit(1024) >> number % 1024 end) as people
    from (
      select tool, user_id, sum(calls) as calls from (${sql.join(byPerson, sql` union all `)}) as pieces group by 1, 2
    ) as by_person left join person_numbers using (user_id) group by 1, 2`
  return sql.join([numbered, ...(gathered ?? [])], sql` union all `)
}

/** Whole days as they are stored by endpoint and model, or by team; undefined for a filter that needs more than one of both. */
function gatheredDays(pieces: Pieces, filter: UsageFilter): readonly RawBuilder<unknown>[] | undefined {
  const read = (tables: string, chosen: RawBuilder<unknown>): readonly RawBuilder<unknown>[] =>
    wholeDays(pieces, tables).map(
      (rows) =>
        sql`select tool, part, sum(calls) as calls, bit_or(people) as people from ${rows} where ${chosen} group by 1, 2`,
    )
  if (filter.userIds !== undefined) return undefined
  if (filter.teamIds === undefined)
    return read('path_tool', isOpen(filter) ? sql`true` : sql`facet_id in (${buildFacets(filter)})`)
  if (filter.endpointIds !== undefined || filter.models !== undefined) return undefined
  return read('team_tool', sql`team_id = any(${filter.teamIds}::uuid[])`)
}

function fromLog(span: Span, filter: UsageFilter): RawBuilder<unknown> {
  return sql`select tool, coalesce(log.user_id, ${nobody}::uuid) as user_id, count(*) as calls
    from spend_log as log cross join lateral unnest(string_to_array(log.tools, E'\\n')) as tool
    where log.at >= ${at(span.startMs)} and log.at < ${at(span.endMs)} and log.tools is not null and log.flags & 8 = 0
      and log.batch <> '0' and ${logCondition(filter)}
    group by 1, 2`
}
