/** Analytics: reports, the request log, conversations and exports, for the organization and for each user. */
import type { Core, Module } from '../../foundation/http/module.ts'
import type { Route } from '../../foundation/http/route.ts'
import type { BudgetPorts } from '../budgets/budget-ports.ts'
import { analyticsRoutes } from './analytics.routes.ts'
import { buildQuestion, type Question } from './analytics-route.service.ts'
import { ownUsageRoutes } from './own-usage.routes.ts'
import { requestRoutes } from './requests/requests.routes.ts'
import { sessionRoutes } from './requests/sessions.routes.ts'
import type { AnalyticsQuery } from './usage-query.ts'

export interface Analytics extends Module {
  /** Reads the range and the filters of a report, for reports that extensions add. */
  readonly readQuestion: (query: AnalyticsQuery, onlyTeamId?: string) => Promise<Question>
}

export function createAnalytics(core: Core, { readStandings }: Pick<BudgetPorts, 'readStandings'>): Analytics {
  return {
    readQuestion: (query, onlyTeamId) => buildQuestion(core, query, onlyTeamId),
    routes: listAnalyticsRoutes({ ...core, readStandings }),
    loops: [],
  }
}

export function listAnalyticsRoutes(ports: BudgetPorts): readonly Route[] {
  return [...analyticsRoutes(ports), ...requestRoutes(ports), ...sessionRoutes(ports), ...ownUsageRoutes(ports)]
}
