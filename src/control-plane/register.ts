/** Every route of the control plane that deals with people, keys, settings and notifications: one explicit list. */
import type { Route } from '../http/route.ts'
import { analyticsRoutes } from './analytics/analytics.routes.ts'
import { auditRoutes } from './audit/audit.routes.ts'
import { budgetRequestRoutes } from './budget-requests/budget-requests.routes.ts'
import { budgetListRoutes } from './budgets/budgets.routes.ts'
import { simulateRoute } from './budgets/simulate.route.ts'
import { takeBackRoute } from './budgets/top-ups.routes.ts'
import type { ControlPorts } from './control-ports.ts'
import { eventsRoute } from './events/events.route.ts'
import { idpRoutes } from './idps/idps.routes.ts'
import { keyRoutes } from './keys/keys.routes.ts'
import { meRoutes } from './me/me.routes.ts'
import { notificationRoutes } from './notifications/notifications.routes.ts'
import { organizationRoutes } from './organization/organization.routes.ts'
import { type PricingPorts, pricingRoutes } from './pricing/pricing.routes.ts'
import { reconciliationRoute } from './reconciliation/reconciliation.route.ts'
import { peopleChanges } from './register-scim.ts'
import { requestRoutes } from './requests/requests.routes.ts'
import { scimAdminRoutes } from './scim/scim-admin.routes.ts'
import { securityRoutes } from './security/security.routes.ts'
import type { SecurityPorts } from './security/security-ports.ts'
import { sessionRoutes } from './sessions/sessions.routes.ts'
import { settingRoutes } from './settings/settings.routes.ts'
import { signInRecordRoutes } from './sign-ins/sign-ins.routes.ts'
import { healthHistoryRoute } from './status/health-history.route.ts'
import { logRoute } from './status/log.route.ts'
import { recountRoute } from './status/recount.route.ts'
import { statusRoutes } from './status/status.routes.ts'
import type { StatusPorts } from './status/status-ports.ts'
import { teamRoutes } from './teams/teams.routes.ts'
import { userRoutes } from './users/users.routes.ts'
import { webSearchRoutes } from './web-search/web-search.routes.ts'

export type RegisteredPorts = ControlPorts & PricingPorts & StatusPorts & SecurityPorts

export function controlRoutes(ports: RegisteredPorts): Route[] {
  return [
    ...keyRoutes(ports),
    ...teamRoutes(ports),
    ...userRoutes(ports),
    ...signInRecordRoutes(ports),
    ...idpRoutes(ports),
    ...scimAdminRoutes({ ...ports, people: peopleChanges }),
    ...settingRoutes(ports),
    ...webSearchRoutes(ports),
    ...budgetListRoutes(ports),
    simulateRoute(ports),
    takeBackRoute(ports),
    ...budgetRequestRoutes(ports),
    ...organizationRoutes(ports),
    ...pricingRoutes(ports),
    ...auditRoutes(ports),
    ...securityRoutes(ports),
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
    ...meRoutes(ports),
  ]
}
