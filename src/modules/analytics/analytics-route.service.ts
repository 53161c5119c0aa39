/** What the analytics routes have in common: parameters, refusals, and the way from names to ids. */
import { type ZodType, z } from 'zod'
import type { Database } from '../../foundation/database/database.ts'
import type { UsageRange } from '../../foundation/domain/usage-range.ts'
import { badInput, forAdmins } from '../../foundation/http/answers.ts'
import { apiRoute, ok, type Route } from '../../foundation/http/route.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'
import { requireOwnTeam } from '../people/own-team.ts'
import { resolveFilter } from '../spend/usage/usage-names.store.ts'
import type { UsageFilter } from '../spend/usage/usage-source.store.ts'
import { type AnalyticsQuery, analyticsQuery, rangeBody, rangeSchema, requireRange } from './usage-query.ts'

export interface Question {
  readonly database: Database
  readonly range: UsageRange
  readonly filter: UsageFilter
  readonly query: AnalyticsQuery
  readonly nowMs: number
  /** Set for a lead: nothing of any other team may be told. `filter` names it alone already. */
  readonly onlyTeamId: string | undefined
}

export async function buildQuestion(ports: RoutePorts, query: AnalyticsQuery, onlyTeamId?: string): Promise<Question> {
  const nowMs = ports.clock.nowMs()
  const range = requireRange(query, nowMs)
  const database = ports.database()
  const filter = await resolveFilter(database.kysely, query)
  if (onlyTeamId === undefined) return { database, range, filter, query, nowMs, onlyTeamId }
  requireOwnTeam(ports, onlyTeamId, ...namesIn(query.team))
  return { database, range, filter: { ...filter, teamIds: [onlyTeamId] }, query, nowMs, onlyTeamId }
}

/** One name, also with a comma in it, or several. */
export function namesIn(team: AnalyticsQuery['team']): readonly string[] {
  if (team === undefined) return []
  return team.parts.length === 1 ? team.parts : [team.whole]
}

interface AnalyticsRoute {
  /** After `/admin/analytics/`. */
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly fields: Readonly<Record<string, ZodType>>
  readonly answer: (question: Question) => Promise<object>
}

export function analyticsRoute(ports: RoutePorts, route: AnalyticsRoute): Route {
  return apiRoute({
    method: 'GET',
    path: `/admin/analytics/${route.path}`,
    access: 'admin',
    grants: ['billing:read'],
    tag: 'Analytics',
    summary: route.summary,
    description: route.description,
    query: analyticsQuery,
    answers: {
      200: { text: route.summary, schema: z.object({ range: rangeSchema, ...route.fields }) },
      ...badInput,
      ...forAdmins,
    },
    handle: async ({ query }) => answered(route, await buildQuestion(ports, query)),
    handleForLead: async ({ query }, teamId) => answered(route, await buildQuestion(ports, query, teamId)),
  })
}

async function answered(route: AnalyticsRoute, question: Question) {
  return ok({ range: rangeBody(question.range), ...(await route.answer(question)) })
}
