/** Which tools the answers called, and whose tool servers they belong to. */
import { z } from 'zod'
import type { Route } from '../../foundation/http/route.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'
import { readUsage } from '../spend/usage/usage-reader.store.ts'
import { createUsageTotals } from '../spend/usage/usage-totals.store.ts'
import { analyticsRoute } from './analytics-route.service.ts'
import { createUsageTools } from './usage-tools.store.ts'

export function toolsRoute(ports: RoutePorts): Route {
  return analyticsRoute(ports, {
    path: 'org/tools',
    summary: 'Tool servers, top tools and totals',
    description:
      'A tool named `mcp__<server>__<tool>` belongs to that server; others have none. Each call counts once, from the answer that made it. `top_tools` has the 100 most called.',
    fields: {
      servers: z.array(z.object({ server: z.string(), tools: z.int(), calls: z.int(), users: z.int() })),
      top_tools: z.array(z.object({ tool: z.string(), server: z.string().nullable(), calls: z.int(), users: z.int() })),
      totals: z.object({
        calls: z.int(),
        server_calls: z.int(),
        web_searches: z.int(),
        tools: z.int(),
        servers: z.int(),
      }),
    },
    answer: ({ database, range, filter }) =>
      readUsage(database.kysely, async (reader) => {
        const { tools, servers, totals } = await createUsageTools(reader).usage(range, filter)
        const web_searches = await createUsageTotals(reader).webSearches(range, filter)
        return { servers, top_tools: tools, totals: { ...totals, web_searches } }
      }),
  })
}
