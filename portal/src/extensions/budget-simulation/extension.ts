/** What a budget would do, in the form that sets it. */
import type { PortalExtension } from '../../app/portal-extension.ts'
import { fill } from '../../app/slot.tsx'
import { budgetPreviews } from '../../modules/budgets/slots.ts'

export const budgetSimulation: PortalExtension = {
  fillings: [fill(budgetPreviews, async () => (await import('./budget-preview.tsx')).BudgetPreview)],
}
