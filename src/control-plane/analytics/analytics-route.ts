/** What the analytics routes have in common: parameters, refusals, and the way from names to ids. */
import { type ZodType, z } from 'zod'
import type { UsageRange } from '../../domain/usage-range.ts'
import { apiRoute, ok, type Route } from '../../http/route.ts'
import type { Database } from '../../stores/database.ts'
import { resolveFilter } from '../../stores/usage/usage-names.ts'
import type { UsageFilter } from '../../stores/usage/usage-source.ts'
import { badInput, forAdmins } from '../answers.ts'
import type { ControlPorts } from '../control-ports.ts'
import { filterQuery, rangeBody, rangeQuery, rangeSchema, requireRange } from '../usage-query.ts'

export const analyticsQuery = z.strictObject({ ...rangeQuery, ...filterQuery })
export type AnalyticsQuery = z.infer<typeof analyticsQuery>

export interface Question {
  readonly database: Database
  readonly range: UsageRange
  readonly filter: UsageFilter
  readonly query: AnalyticsQuery
  readonly nowMs: number
}

export async function questionOf(ports: ControlPorts, query: AnalyticsQuery): Promise<Question> {
  const nowMs = ports.clock.nowMs()
  const range = requireRange(query, nowMs)
  const database = ports.database()
  return { database, range, filter: await resolveFilter(database.kysely, query), query, nowMs }
}

interface AnalyticsRoute {
  readonly name: string
  readonly summary: string
  readonly description: string
  readonly fields: Readonly<Record<string, ZodType>>
  readonly answer: (question: Question) => Promise<object>
}

export function analyticsRoute(ports: ControlPorts, route: AnalyticsRoute): Route {
  return apiRoute({
    method: 'GET',
    path: `/admin/analytics/org/${route.name}`,
    access: 'admin',
    tag: 'Analytics',
    summary: route.summary,
    description: route.description,
    query: analyticsQuery,
    answers: {
      200: { text: route.summary, schema: z.object({ range: rangeSchema, ...route.fields }) },
      ...badInput,
      ...forAdmins,
    },
    handle: async ({ query }) => {
      const question = await questionOf(ports, query)
      return ok({ range: rangeBody(question.range), ...(await route.answer(question)) })
    },
  })
}
