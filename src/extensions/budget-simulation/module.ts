/** Budget simulation: what a budget would do, before anybody sets it. */
import type { Core, Extension } from '../../foundation/http/module.ts'
import type { Route } from '../../foundation/http/route.ts'
import type { BudgetPorts } from '../../modules/budgets/budget-ports.ts'
import type { Budgets } from '../../modules/budgets/module.ts'
import { simulateRoute } from './simulate.route.ts'

export function createExtension(
  core: Core,
  { budgets }: { readonly budgets: Pick<Budgets, 'readStandings'> },
): Extension {
  return { routes: listRoutes({ ...core, readStandings: budgets.readStandings }), loops: [] }
}

export function listRoutes(ports: BudgetPorts): readonly Route[] {
  return [simulateRoute(ports)]
}
