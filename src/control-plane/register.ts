/** Every route of the control plane that deals with people, keys, settings and notifications: one explicit list. */
import type { Route } from '../http/route.ts'
import { auditRoutes } from './audit/audit.routes.ts'
import { budgetListRoutes } from './budgets/budgets.routes.ts'
import type { ControlPorts } from './control-ports.ts'
import { idpRoutes } from './idps/idps.routes.ts'
import { keyRoutes } from './keys/keys.routes.ts'
import { meRoutes } from './me/me.routes.ts'
import { notificationRoutes } from './notifications/notifications.routes.ts'
import { peopleChanges } from './register-scim.ts'
import { scimAdminRoutes } from './scim/scim-admin.routes.ts'
import { settingRoutes } from './settings/settings.routes.ts'
import { teamRoutes } from './teams/teams.routes.ts'
import { userRoutes } from './users/users.routes.ts'
import { webSearchRoutes } from './web-search/web-search.routes.ts'

export function controlRoutes(ports: ControlPorts): Route[] {
  return [
    ...keyRoutes(ports),
    ...teamRoutes(ports),
    ...userRoutes(ports),
    ...idpRoutes(ports),
    ...scimAdminRoutes({ ...ports, people: peopleChanges }),
    ...settingRoutes(ports),
    ...webSearchRoutes(ports),
    ...budgetListRoutes(ports),
    ...auditRoutes(ports),
    ...notificationRoutes(ports),
    ...meRoutes(ports),
  ]
}
