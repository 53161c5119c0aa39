/** Budgets, users and figures in the shape of Anthropic's Admin API, so that programs written for it need another address only. */
import type { Core, Extension } from '../../foundation/http/module.ts'
import type { Route } from '../../foundation/http/route.ts'
import type { BudgetPorts } from '../../modules/budgets/budget-ports.ts'
import type { Budgets } from '../../modules/budgets/module.ts'
import { organizationRoutes } from './organization.routes.ts'

export function createExtension(
  core: Core,
  { budgets }: { readonly budgets: Pick<Budgets, 'readStandings'> },
): Extension {
  return { routes: listRoutes({ ...core, readStandings: budgets.readStandings }), loops: [] }
}

export function listRoutes(ports: BudgetPorts): readonly Route[] {
  return organizationRoutes(ports)
}
