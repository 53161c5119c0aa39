/** The budgets that the caller's own calls are charged to, and where they stand. */
import { z } from 'zod'
import { listBudgetTerms } from '../../foundation/domain/budget-terms.ts'
import { problem } from '../../foundation/domain/errors.ts'
import { forReaders } from '../../foundation/http/answers.ts'
import { apiRoute, ok, type Route } from '../../foundation/http/route.ts'
import { inForceBodies, inForceSchema } from './budget-in-force.service.ts'
import type { BudgetPorts } from './budget-ports.ts'

export function ownBudgetRoutes(ports: BudgetPorts): Route[] {
  return [
    apiRoute({
      method: 'GET',
      path: '/me/budget',
      access: 'self-read',
      tag: 'Me',
      summary: 'The budgets my calls are charged to',
      description: 'The person first, then the team that pays; empty when neither is limited.',
      answers: {
        200: { text: 'The budgets', schema: z.object({ budgets: z.array(inForceSchema) }) },
        ...forReaders,
      },
      handle: async ({ caller }) => {
        if (caller === undefined) throw problem('missing_credential')
        const terms = listBudgetTerms(caller, ports.snapshot(), ports.clock.nowMs)
        return ok({ budgets: terms.length === 0 ? [] : await inForceBodies(ports, terms) })
      },
    }),
  ]
}
