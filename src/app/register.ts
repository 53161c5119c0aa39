/** Every route of the control plane that deals with people, keys, settings and notifications: one explicit list. */

import { organizationRoutes } from '../extensions/admin-api/organization.routes.ts'
import { createBudgetSimulation } from '../extensions/budget-simulation/module.ts'
import { reconciliationRoute } from '../extensions/reconciliation/reconciliation.route.ts'
import { createSavedViews } from '../extensions/saved-views/module.ts'
import { scimAdminRoutes } from '../extensions/scim/scim-admin.routes.ts'
import { findProvisioningIdps } from '../extensions/scim/scim-tokens.store.ts'
import { securityRoutes } from '../extensions/security-review/security.routes.ts'
import type { SecurityPorts } from '../extensions/security-review/security-ports.ts'
import { digestRoute } from '../extensions/weekly-digest/digest.route.ts'
import { createWhatIf } from '../extensions/what-if/module.ts'
import type { Route } from '../foundation/http/route.ts'
import { analyticsRoutes } from '../modules/analytics/analytics.routes.ts'
import { questionOf } from '../modules/analytics/analytics-route.service.ts'
import { requestRoutes } from '../modules/analytics/requests/requests.routes.ts'
import { sessionRoutes } from '../modules/analytics/requests/sessions.routes.ts'
import { budgetRequestRoutes } from '../modules/budgets/budget-requests.routes.ts'
import { budgetListRoutes } from '../modules/budgets/budgets.routes.ts'
import { teamBudgetRoutes } from '../modules/budgets/team-budget.routes.ts'
import { takeBackRoute } from '../modules/budgets/top-ups.routes.ts'
import { userBudgetRoutes } from '../modules/budgets/user-budget.routes.ts'
import { keyRoutes } from '../modules/keys/keys.routes.ts'
import { moveKeys } from '../modules/keys/move-keys.service.ts'
import { type PricingPorts, pricingRoutes } from '../modules/models/pricing.routes.ts'
import { notificationRoutes } from '../modules/notifications/notifications.routes.ts'
import { auditRoutes } from '../modules/operations/audit.routes.ts'
import { eventsRoute } from '../modules/operations/events.route.ts'
import { healthHistoryRoute } from '../modules/operations/health-history.route.ts'
import { logRoute } from '../modules/operations/log.route.ts'
import { recountRoute } from '../modules/operations/recount.route.ts'
import { statusRoutes } from '../modules/operations/status.routes.ts'
import type { StatusPorts } from '../modules/operations/status-ports.ts'
import { teamRoutes } from '../modules/people/teams.routes.ts'
import { userRoutes } from '../modules/people/users.routes.ts'
import { settingRoutes } from '../modules/settings/settings.routes.ts'
import { idpRoutes } from '../modules/sign-in/idps/idps.routes.ts'
import { signInRecordRoutes } from '../modules/sign-in/sign-ins/sign-ins.routes.ts'
import { catchUpUsage } from '../modules/spend/usage/usage-rollup.store.ts'
import { webSearchRoutes } from '../modules/web-search/web-search.routes.ts'
import type { ControlPorts } from './control.ts'
import { meRoutes } from './me.routes.ts'
import { peopleChanges } from './register-scim.ts'

export type RegisteredPorts = ControlPorts & PricingPorts & StatusPorts & SecurityPorts

export function controlRoutes(ports: RegisteredPorts): Route[] {
  return [
    ...keyRoutes(ports),
    ...teamRoutes(ports),
    ...teamBudgetRoutes(ports),
    ...userRoutes({ ...ports, moveKeys, catchUpUsage: ({ kysely }) => catchUpUsage(kysely) }),
    ...userBudgetRoutes(ports),
    ...signInRecordRoutes(ports),
    ...idpRoutes(ports),
    ...scimAdminRoutes({ ...ports, people: peopleChanges }),
    ...settingRoutes(ports),
    ...webSearchRoutes(ports),
    ...budgetListRoutes(ports),
    takeBackRoute(ports),
    ...budgetRequestRoutes(ports),
    ...organizationRoutes(ports),
    ...pricingRoutes(ports),
    ...auditRoutes(ports),
    ...securityRoutes({ ...ports, findProvisioningIdps }),
    ...statusRoutes(ports),
    healthHistoryRoute(ports),
    logRoute(ports),
    recountRoute(ports),
    ...analyticsRoutes(ports),
    reconciliationRoute(ports),
    ...requestRoutes(ports),
    ...sessionRoutes(ports),
    eventsRoute(ports),
    ...notificationRoutes(ports),
    digestRoute(ports),
    ...meRoutes(ports),
    ...createSavedViews(ports).routes,
    ...createBudgetSimulation(ports).routes,
    ...createWhatIf({ ...ports, readQuestion: (query, teamId) => questionOf(ports, query, teamId) }).routes,
  ]
}
