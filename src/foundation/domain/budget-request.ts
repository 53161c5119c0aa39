/** Somebody asks for more money than their budget has. */
export const budgetRequestStatuses = ['open', 'approved', 'declined', 'withdrawn'] as const
export type BudgetRequestStatus = (typeof budgetRequestStatuses)[number]

/** Until the budget starts again, or for good. */
export const grantForms = ['top_up', 'raise'] as const
export type GrantForm = (typeof grantForms)[number]
