/** Tokens by time, key, team, person and model, as the vendor's usage report has them. */
import { z } from 'zod'
import { invalidParameter } from '../../foundation/domain/errors.ts'
import type { Span } from '../../foundation/domain/usage-range.ts'
import { badInput, forAdmins } from '../../foundation/http/answers.ts'
import { text } from '../../foundation/http/fields.ts'
import { apiRoute, ok, type Route } from '../../foundation/http/route.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'
import {
  createUsageReport,
  isInSums,
  type ReportFilter,
  type ReportGroup,
  type ReportQuestion,
  type ReportRow,
} from '../../modules/analytics/usage-report.store.ts'
import { readUsage } from '../../modules/spend/usage/usage-reader.store.ts'
import { bucketsAsked, bucketsQuery, describeReport, fillReport, widths } from './report-buckets.fields.ts'
import { asked, describeSeveral, knownIds } from './vendor-lists.fields.ts'

/** What the vendor groups by, and where the log has it. */
const groupColumns: Readonly<Record<string, ReportGroup>> = {
  workspace_id: 'team_id',
  api_key_id: 'key_id',
  account_id: 'user_id',
  model: 'model',
}

/** The gateway asks for nothing else, whatever a caller wishes: these words are true of every call. */
const constants = { service_tier: 'standard', inference_geo: 'not_available', speed: 'standard' } as const

const grouped = z.enum([
  'api_key_id',
  'workspace_id',
  'model',
  'account_id',
  'service_account_id',
  'service_tier',
  'context_window',
  'inference_geo',
  'speed',
])

const unkept = z.never({ error: 'is not kept here, so nothing can be chosen by it. Leave it out.' }).optional()

const query = z.strictObject({
  ...bucketsQuery,
  bucket_width: z.enum(['1d', '1h', '1m']).default('1d'),
  ...describeSeveral('group_by', grouped),
  ...describeSeveral('api_key_ids', text(200)),
  ...describeSeveral('workspace_ids', text(200)),
  ...describeSeveral('account_ids', text(200)),
  ...describeSeveral('service_account_ids', text(200)),
  ...describeSeveral('models', text(256)),
  ...describeSeveral(
    'service_tiers',
    z.enum(['standard', 'batch', 'priority', 'priority_on_demand', 'flex', 'flex_discount']),
  ),
  ...describeSeveral('inference_geos', z.enum(['global', 'us', 'not_available'])),
  ...describeSeveral('speeds', z.enum(['standard', 'fast'])),
  context_window: unkept,
  'context_window[]': unkept,
})
type UsageQuery = z.infer<typeof query>

const count = z.int().min(0)
const name = z.string().nullable()

const result = z.object({
  uncached_input_tokens: count,
  cache_creation: z.object({ ephemeral_1h_input_tokens: count, ephemeral_5m_input_tokens: count }),
  cache_read_input_tokens: count,
  output_tokens: count,
  server_tool_use: z.object({ web_search_requests: count }),
  api_key_id: name,
  workspace_id: name,
  account_id: name,
  service_account_id: name,
  model: name,
  service_tier: name,
  context_window: name,
  inference_geo: name,
  speed: name,
})

export function usageReportRoute(ports: RoutePorts): Route {
  return apiRoute({
    method: 'GET',
    path: '/v1/organizations/usage_report/messages',
    access: 'admin',
    grants: ['billing:read'],
    tag: 'Organization',
    summary: 'Tokens by time, as the vendor reports them',
    description:
      'For programs written for the Admin API of the vendor. `workspace_id` is the id of a team, `api_key_id` of a virtual key, `account_id` of a person; null also for calls without one. Buckets are of UTC; one without use has no results. A page has at most 31 days, 168 hours or 1,440 minutes, fewer where there are very many results. `service_tier`, `speed` and `inference_geo` are the same for every call; `context_window` and `service_account_id` are always null. Days by team and model are known as long as charts are; hours, minutes, keys and people as long as single records (`spend_retention_days`).',
    query,
    answers: { 200: { text: 'Usage by bucket', schema: describeReport(result) }, ...badInput, ...forAdmins },
    handle: async ({ query: request }) => {
      const page = bucketsAsked(request, request.bucket_width, ports.clock.nowMs())
      const groups = new Set(asked(request.group_by, request['group_by[]']))
      const question = buildQuestion(request, groups)
      if (question === undefined) return ok(await fillReport(page, async () => [], toResult(groups)))
      const report = await readUsage(ports.database().kysely, async (reader) => {
        const usage = createUsageReport(reader)
        const read = async (piece: Span): Promise<readonly ReportRow[]> => {
          const rows = await usage.read(piece, question)
          if (rows.length === 0 && !isInSums(question) && (await usage.areRecordsGone(piece))) throw recordsGone(piece)
          return rows
        }
        return fillReport(page, read, toResult(groups))
      })
      return ok(report)
    },
  })
}

/** Undefined when nothing can match. */
function buildQuestion(request: UsageQuery, groups: ReadonlySet<string>): ReportQuestion | undefined {
  const both = <N extends 'service_tiers' | 'inference_geos' | 'speeds' | 'service_account_ids'>(name: N) =>
    asked<string>(request[name], request[`${name}[]`])
  const misses =
    both('service_tiers')?.includes(constants.service_tier) === false ||
    both('inference_geos')?.includes(constants.inference_geo) === false ||
    both('speeds')?.includes(constants.speed) === false ||
    both('service_account_ids') !== undefined
  if (misses) return undefined
  const filter: ReportFilter = {
    teamIds: knownIds(asked(request.workspace_ids, request['workspace_ids[]'])),
    keyIds: knownIds(asked(request.api_key_ids, request['api_key_ids[]'])),
    userIds: knownIds(asked(request.account_ids, request['account_ids[]'])),
    models: asked(request.models, request['models[]']),
  }
  const columns = new Set([...groups].flatMap((group) => groupColumns[group] ?? []))
  return { widthMs: widths[request.bucket_width].ms, groups: columns, filter }
}

function toResult(groups: ReadonlySet<string>) {
  const constant = (group: keyof typeof constants): string | null => (groups.has(group) ? constants[group] : null)
  return (row: ReportRow): z.infer<typeof result> => ({
    uncached_input_tokens: row.input_tokens,
    cache_creation: {
      ephemeral_1h_input_tokens: row.cache_write_1h_tokens,
      ephemeral_5m_input_tokens: row.cache_write_5m_tokens,
    },
    cache_read_input_tokens: row.cache_read_tokens,
    output_tokens: row.output_tokens,
    server_tool_use: { web_search_requests: row.web_searches },
    api_key_id: row.key_id,
    workspace_id: row.team_id,
    account_id: row.user_id,
    service_account_id: null,
    model: row.model,
    service_tier: constant('service_tier'),
    context_window: null,
    inference_geo: constant('inference_geo'),
    speed: constant('speed'),
  })
}

function recordsGone({ startMs }: Span): Error {
  const day = new Date(startMs).toISOString().slice(0, 10)
  return invalidParameter(
    'starting_at',
    `the single records of ${day} are not kept any more. Begin later, or ask by workspace_id and model with bucket_width 1d.`,
  )
}
