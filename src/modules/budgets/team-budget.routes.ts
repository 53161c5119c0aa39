/** The budget of a team and what was added to it. */
import type { Route } from '../../foundation/http/route.ts'
import { teamBudget } from './budget.fields.ts'
import { budgetRoutes } from './budget-of-subject.routes.ts'
import type { BudgetPorts } from './budget-ports.ts'
import { topUpRoutes } from './budget-top-ups.routes.ts'

export function teamBudgetRoutes(ports: BudgetPorts): Route[] {
  const owner = { scope: 'team', tag: 'Teams', path: '/admin/teams/{team_id}', param: 'team_id' } as const
  return [...budgetRoutes(ports, { ...owner, body: teamBudget }), ...topUpRoutes(ports, owner)]
}
