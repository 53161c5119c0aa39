/** Budgets, people and figures in the shape of the vendor's Admin API, so that programs written for it need another address only. */
import type { Route } from '../../foundation/http/route.ts'
import type { BudgetPorts } from '../../modules/budgets/budget-ports.ts'
import { costReportRoute } from './cost-report.route.ts'
import { directoryRoutes } from './directory.routes.ts'
import { effectiveLimitsRoute } from './effective-limits.route.ts'
import { increaseRequestRoutes } from './increase-requests.routes.ts'
import { spendLimitRoutes } from './spend-limits.routes.ts'
import { usageReportRoute } from './usage-report.route.ts'

export function organizationRoutes(ports: BudgetPorts): Route[] {
  return [
    usageReportRoute(ports),
    costReportRoute(ports),
    ...directoryRoutes(ports),
    ...spendLimitRoutes(ports),
    effectiveLimitsRoute(ports),
    ...increaseRequestRoutes(ports),
  ]
}
