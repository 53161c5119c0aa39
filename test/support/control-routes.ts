/** The routes of the control plane as data: to run them on ports of a test, or to compare answers with what they declare. */
import { extensions } from '../../src/app/extensions.ts'
import type { Route } from '../../src/foundation/http/route.ts'
import { type Analytics, listAnalyticsRoutes } from '../../src/modules/analytics/module.ts'
import type { BudgetPorts } from '../../src/modules/budgets/budget-ports.ts'
import { listBudgetRoutes } from '../../src/modules/budgets/module.ts'
import { listEndpointRoutes } from '../../src/modules/endpoints/module.ts'
import type { KeyPorts } from '../../src/modules/keys/key-ports.ts'
import { listKeyRoutes } from '../../src/modules/keys/module.ts'
import { modelMappingRoutes } from '../../src/modules/models/model-mappings.routes.ts'
import { type PricingPorts, pricingRoutes } from '../../src/modules/models/pricing.routes.ts'
import { resolveModelRoute } from '../../src/modules/models/resolve-model.route.ts'
import { listNotificationRoutes } from '../../src/modules/notifications/module.ts'
import type { NotificationPorts } from '../../src/modules/notifications/notification-ports.ts'
import type { EventPorts } from '../../src/modules/operations/live-ports.ts'
import { listOperationRoutes } from '../../src/modules/operations/module.ts'
import type { StatusPorts } from '../../src/modules/operations/status-ports.ts'
import { listPeopleRoutes, type People } from '../../src/modules/people/module.ts'
import type { PeoplePorts } from '../../src/modules/people/people-ports.ts'
import { listSettingRoutes } from '../../src/modules/settings/module.ts'
import type { SettingPorts } from '../../src/modules/settings/setting-ports.ts'
import type { IdpPorts } from '../../src/modules/sign-in/idps/idp-ports.ts'
import { listAccountRoutes } from '../../src/modules/sign-in/module.ts'
import { listWebSearchRoutes } from '../../src/modules/web-search/module.ts'
import type { WebSearchPorts } from '../../src/modules/web-search/web-search-ports.ts'

type Together<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer All) => void ? All : never

/** Of the modules, with what they offer to extensions. */
export type ModulePorts = PeoplePorts &
  KeyPorts &
  IdpPorts &
  PricingPorts &
  WebSearchPorts &
  BudgetPorts &
  SettingPorts &
  NotificationPorts &
  StatusPorts &
  EventPorts &
  Pick<Analytics, 'readQuestion'> & { readonly people: People['changes'] }

/** With what the extensions in the list ask for. */
export type ControlPorts = ModulePorts & Together<Parameters<(typeof extensions)[number]['listRoutes']>[0]>

/** Named, because an empty list alone would say nothing about its elements. */
const listed: readonly { listRoutes: (ports: ControlPorts) => readonly Route[] }[] = extensions

/** Everything but endpoints and models, which have a test client of their own. */
export function listControlRoutes(ports: ControlPorts): readonly Route[] {
  return [
    ...listNotificationRoutes(ports),
    ...listPeopleRoutes(ports),
    ...listKeyRoutes(ports),
    ...listAccountRoutes(ports),
    ...pricingRoutes(ports),
    ...listWebSearchRoutes(ports),
    ...listBudgetRoutes(ports),
    ...listSettingRoutes(ports),
    ...listAnalyticsRoutes(ports),
    ...listOperationRoutes(ports),
    // What Claude Code reads has a test client of its own.
    ...listed.flatMap(({ listRoutes }) => listRoutes(ports)).filter(({ tag }) => tag !== 'Managed settings'),
  ]
}

/** Described only: nothing behind them is needed. */
export function listEndpointAndModelRoutes(): readonly Route[] {
  const nothing = {} as never
  return [...listEndpointRoutes(nothing), ...modelMappingRoutes(nothing), resolveModelRoute(nothing)]
}
