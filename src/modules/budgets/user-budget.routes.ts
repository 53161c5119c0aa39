/** The budget of a user and what was added to it. */
import type { Route } from '../../foundation/http/route.ts'
import { userBudget } from './budget.fields.ts'
import { budgetRoutes } from './budget-of-subject.routes.ts'
import type { BudgetPorts } from './budget-ports.ts'
import { topUpRoutes } from './budget-top-ups.routes.ts'

export function userBudgetRoutes(ports: BudgetPorts): Route[] {
  const owner = { scope: 'user', tag: 'Users', path: '/admin/users/{user_id}', param: 'user_id' } as const
  return [...budgetRoutes(ports, { ...owner, body: userBudget }), ...topUpRoutes(ports, owner)]
}
