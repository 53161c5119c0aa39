/** Places on the pages of this module that extensions fill. */
import type { Slot } from '../../app/slot.tsx'
import type { BudgetBody } from './budget-subject.ts'

export type TriedTerms = Pick<BudgetBody, 'limit_usd' | 'period' | 'policy'>

interface BudgetPreviewProps {
  readonly scope: 'user' | 'team' | 'members' | 'default'
  readonly subjectId?: string | undefined
  /** The terms in the form; undefined while they are none. */
  readonly read: (values: Readonly<Record<string, string>>) => TriedTerms | undefined
}

/** Under a limit in the form of a budget. */
export const budgetPreviews: Slot<BudgetPreviewProps> = { name: 'previews of a budget' }
