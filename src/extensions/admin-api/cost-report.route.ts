/** What was spent by day, team and model, as the vendor's cost report has it. */
import { z } from 'zod'
import { badInput, forAdmins } from '../../foundation/http/answers.ts'
import { apiRoute, ok, type Route } from '../../foundation/http/route.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'
import { type CostRow, readDayCost } from '../../modules/analytics/cost-report.store.ts'
import type { ReportGroup } from '../../modules/analytics/usage-report.store.ts'
import { readUsage } from '../../modules/spend/usage/usage-reader.store.ts'
import { exactCents } from './cents.ts'
import { bucketsAsked, bucketsQuery, describeReport, fillReport } from './report-buckets.fields.ts'
import { asked, describeSeveral } from './vendor-lists.fields.ts'

const query = z.strictObject({
  ...bucketsQuery,
  bucket_width: z.enum(['1d']).default('1d'),
  ...describeSeveral('group_by', z.enum(['workspace_id', 'description'])),
})

const text = z.string().nullable()

const result = z.object({
  currency: z.literal('USD'),
  amount: z.string().meta({ description: 'Cents, exact to the nano-dollar.' }),
  workspace_id: text,
  description: text,
  cost_type: z.enum(['tokens', 'web_search']).nullable(),
  model: text,
  service_tier: text,
  token_type: z.null(),
  context_window: z.null(),
  inference_geo: text,
})
type Result = z.infer<typeof result>

interface Part {
  readonly startMs: number
  readonly body: Result
}

export function costReportRoute(ports: RoutePorts): Route {
  return apiRoute({
    method: 'GET',
    path: '/v1/organizations/cost_report',
    access: 'admin',
    grants: ['billing:read'],
    tag: 'Organization',
    summary: 'Cost by day, as the vendor reports it',
    description:
      'For programs written for the Admin API of the vendor. `amount` is in cents; the sums are those of `GET /admin/analytics/org/spend`. `workspace_id` is the id of a team, null for what belongs to none. By `description` there is one result for each model, and one for web searches where they have a price. A call has one cost, so `token_type` is always null.',
    query,
    answers: { 200: { text: 'Cost by day', schema: describeReport(result) }, ...badInput, ...forAdmins },
    handle: async ({ query: request }) => {
      const page = bucketsAsked(request, request.bucket_width, ports.clock.nowMs())
      const groups = new Set(asked(request.group_by, request['group_by[]']))
      const columns = new Set<ReportGroup>([
        ...(groups.has('workspace_id') ? (['team_id'] as const) : []),
        ...(groups.has('description') ? (['model'] as const) : []),
      ])
      const findName = (model: string): string =>
        ports.snapshot().mappings.get(model.replace(/\[1m\]$/i, ''))?.displayName ?? model
      const toBodies = groups.has('description') ? describedBy(findName) : listTotals
      const report = await readUsage(ports.database().kysely, (reader) =>
        fillReport(
          page,
          async (day): Promise<readonly Part[]> =>
            toBodies(await readDayCost(reader, day, columns)).map((body) => ({ startMs: day.startMs, body })),
          ({ body }) => body,
        ),
      )
      return ok(report)
    },
  })
}

const undivided = {
  currency: 'USD',
  description: null,
  cost_type: null,
  model: null,
  service_tier: null,
  token_type: null,
  context_window: null,
  inference_geo: null,
} as const

function listTotals(rows: readonly CostRow[]): readonly Result[] {
  return rows.map((row) => ({ ...undivided, amount: exactCents(row.cost_nano_usd), workspace_id: row.team_id }))
}

/** Models of a team first, then its searches, which are of no model. */
function describedBy(findName: (model: string) => string) {
  return (rows: readonly CostRow[]): readonly Result[] =>
    [...Map.groupBy(rows, (row) => row.team_id)].flatMap(([teamId, own]) => {
      const searches = own.reduce((sum, row) => sum + row.search_nano_usd, 0)
      const ofTokens = own
        .filter((row) => row.cost_nano_usd > row.search_nano_usd)
        .map(
          (row): Result => ({
            ...undivided,
            amount: exactCents(row.cost_nano_usd - row.search_nano_usd),
            workspace_id: teamId,
            description: `${findName(row.model ?? '')} usage`,
            cost_type: 'tokens',
            model: row.model,
            service_tier: 'standard',
            inference_geo: 'not_available',
          }),
        )
      if (searches === 0) return ofTokens
      const ofSearches: Result = {
        ...undivided,
        amount: exactCents(searches),
        workspace_id: teamId,
        description: 'Web search usage',
        cost_type: 'web_search',
      }
      return [...ofTokens, ofSearches]
    })
}
