/** Storing and removing a budget, each with its entry in the audit trail. */

import type { Change } from '../../foundation/database/change.ts'
import type { Budget } from '../../foundation/domain/budget.ts'
import type { NanoUsd } from '../../foundation/domain/money.ts'
import { defined } from '../../foundation/platform/defined.ts'
import { budgetTerms } from './budget.fields.ts'
import type { BudgetInForce } from './budget-ports.ts'
import { type BudgetRecord, createBudgetStore } from './budgets.store.ts'

const toTarget = ({ scope, subjectId }: Pick<Budget, 'scope' | 'subjectId'>): string => `${scope}:${subjectId}`

/** `before` is what it takes the place of. */
export async function storeBudget(
  { tx, audit }: Change,
  before: BudgetRecord | undefined,
  budget: Budget & { readonly policy: string | null },
): Promise<BudgetRecord> {
  const after = await createBudgetStore(tx).put(budget)
  audit({
    action: 'budget.set',
    target: toTarget(budget),
    ...defined({ before: before && budgetTerms(before) }),
    after: budgetTerms(after),
  })
  return after
}

/** What holds now, with another limit, becomes the own budget: also where it was a limit that many share. */
export function storeWithLimit(
  change: Change,
  { terms, policy, stored }: BudgetInForce,
  limitNanoUsd: NanoUsd,
): Promise<BudgetRecord> {
  const { scope, subjectId, period, rules, source } = terms
  const before = source === 'own' || source === 'team' ? stored : undefined
  const memberLimitNanoUsd = before?.memberLimitNanoUsd ?? null
  return storeBudget(change, before, { scope, subjectId, limitNanoUsd, period, rules, memberLimitNanoUsd, policy })
}

export async function removeBudget({ tx, audit }: Change, before: BudgetRecord): Promise<void> {
  await createBudgetStore(tx).remove(before)
  audit({ action: 'budget.remove', target: toTarget(before), before: budgetTerms(before) })
}
