/** Taking back what was added to a budget. */
import { z } from 'zod'
import { problem } from '../../foundation/domain/errors.ts'
import { badInput, forAdmins, unknownId } from '../../foundation/http/answers.ts'
import { id } from '../../foundation/http/fields.ts'
import { apiRoute, noContent, type Route } from '../../foundation/http/route.ts'
import { write } from '../../foundation/http/write-change.ts'
import type { BudgetPorts } from './budget-ports.ts'
import { auditedTopUp } from './budget-top-ups.routes.ts'
import { createTopUpStore } from './budget-top-ups.store.ts'

export function takeBackRoute(ports: BudgetPorts): Route {
  return apiRoute({
    method: 'DELETE',
    path: '/admin/budgets/top-ups/{top_up_id}',
    access: 'admin',
    tag: 'Budgets',
    summary: 'Take a top-up back',
    description: 'What is spent stays spent: a budget that is above its limit then stops calls as its rules say.',
    params: z.object({ top_up_id: id }),
    answers: { 204: { text: 'Taken back' }, ...badInput, ...unknownId, ...forAdmins },
    handle: async (call) => {
      await write(ports, call, ['budgets'], async ({ tx, audit }) => {
        const topUps = createTopUpStore(tx)
        const before = await topUps.find(call.params.top_up_id)
        if (before === undefined) throw problem('not_found', { what: 'top-up' })
        await topUps.remove(before.id)
        audit({
          action: 'budget.take-back',
          target: `${before.scope}:${before.subjectId}`,
          before: auditedTopUp(before),
        })
      })
      return noContent
    },
  })
}
