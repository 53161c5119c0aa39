/** Budget simulation: what a budget would do, before anybody sets it. */
import type { BudgetPorts } from '../../modules/budgets/budget-ports.ts'
import { simulateRoute } from './simulate.route.ts'

export function createBudgetSimulation(ports: BudgetPorts) {
  return { routes: [simulateRoute(ports)], loops: [] }
}
