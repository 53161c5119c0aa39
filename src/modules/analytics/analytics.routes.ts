/** Analytics of the whole organization. */
import type { Route } from '../../foundation/http/route.ts'
import type { BudgetPorts } from '../budgets/budget-ports.ts'
import { activityRoute } from './activity.route.ts'
import { adoptionRoute } from './adoption.route.ts'
import { exploreRoute } from './explore.route.ts'
import { exportRoute } from './export.route.ts'
import { modelsRoute } from './models.route.ts'
import { overviewRoute } from './overview.route.ts'
import { spendRoute } from './spend.route.ts'
import { toolsRoute } from './tools.route.ts'
import { unitPriceRoute } from './unit-price.route.ts'

export function analyticsRoutes(ports: BudgetPorts): Route[] {
  return [
    overviewRoute(ports),
    spendRoute(ports),
    activityRoute(ports),
    modelsRoute(ports),
    toolsRoute(ports),
    exploreRoute(ports),
    unitPriceRoute(ports),
    adoptionRoute(ports),
    exportRoute(ports),
  ]
}
