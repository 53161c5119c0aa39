/** Tools that answers called, over a range. */
import { type RawBuilder, sql } from 'kysely'
import type { Span } from '../domain/usage-range.ts'
import type { UsageReader } from './usage-reader.ts'
import {
  at,
  facetsOf,
  isOpen,
  logCondition,
  nobody,
  type Pieces,
  piecesOf,
  type UsageFilter,
  wholeDays,
} from './usage-source.ts'

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

export function createUsageTools({ db, closedBlocks }: UsageReader) {
  return {
    usage: async (range: Span, filter: UsageFilter): Promise<ToolUsage> => {
      const { rows } = await sql<FoundTools>`
        with by_user as materialized (
          select tool, user_id, sum(calls)::bigint as calls from (${toolRows(piecesOf(range, closedBlocks), filter)}) as pieces group by 1, 2
        ), by_tool as materialized (
          select tool, substring(tool from '^mcp__(.+?)__.') as server, calls, users from (
            select tool, sum(calls)::bigint as calls, count(*) filter (where user_id <> ${nobody}::uuid) as users
            from by_user group by 1
          ) as summed
        ), of_servers as (
          select by_tool.server, user_id, sum(by_user.calls)::bigint as calls
          from by_user join by_tool using (tool) where by_tool.server is not null group by 1, 2
        ), by_server as (
          select server, calls, users, (select count(*) from by_tool where by_tool.server = summed.server) as tools from (
            select server, sum(calls)::bigint as calls, count(*) filter (where user_id <> ${nobody}::uuid) as users
            from of_servers group by 1
          ) as summed
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

export type UsageTools = ReturnType<typeof createUsageTools>

/** Each piece is summed on its own: the large ones are then read by several workers, which a union would keep apart. */
function toolRows(pieces: Pieces, filter: UsageFilter): RawBuilder<unknown> {
  const byFacet = (rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select tool, facet.user_id, sum(calls) as calls from ${rows} join spend_facets as facet on facet.id = facet_id
    ${isOpen(filter) ? sql`` : sql`where facet_id in (${facetsOf(filter)})`} group by 1, 2`
  const whole = isOpen(filter)
    ? [
        ...wholeDays({ ...pieces, days: [] }, 'tool', 'person_tool').map(
          (rows) => sql`select tool, user_id, sum(calls) as calls from ${rows} group by 1, 2`,
        ),
        ...wholeDays({ ...pieces, blocks: [] }, 'tool').map(byFacet),
      ]
    : wholeDays(pieces, 'tool').map(byFacet)
  const parts = [...pieces.hours, ...pieces.records, { startMs: 0, endMs: 0 }].map(
    (span) => sql`select tool, coalesce(log.user_id, ${nobody}::uuid), count(*)
      from spend_log as log cross join lateral unnest(string_to_array(log.tools, E'\\n')) as tool
      where log.at >= ${at(span.startMs)} and log.at < ${at(span.endMs)} and log.flags & 8 = 0 and ${logCondition(filter)}
      group by 1, 2`,
  )
  return sql.join([...whole, ...parts], sql` union all `)
}
