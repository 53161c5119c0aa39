/** Decides a request for more budget, with its entry in the audit log. */
import type { Change } from '../../foundation/database/change.ts'
import { auditedRequest, requestTarget } from './budget-request.fields.ts'
import { type BudgetDecisionMade, type BudgetRequestRecord, createBudgetRequestStore } from './budget-requests.store.ts'

const actions = {
  approved: 'budget_request.approve',
  declined: 'budget_request.decline',
  withdrawn: 'budget_request.withdraw',
} as const

/** `before` is locked. */
export async function decideRequest(
  { tx, audit }: Change,
  before: BudgetRequestRecord,
  decision: BudgetDecisionMade,
): Promise<BudgetRequestRecord> {
  const after = await createBudgetRequestStore(tx).decide(before.id, decision)
  audit({
    action: actions[decision.status],
    target: requestTarget(after),
    before: auditedRequest(before),
    after: auditedRequest(after),
  })
  return after
}
