/** Whose budget it is, and the writes that set and remove it. */
import { api, type Body } from '../../api/client.ts'

export type BudgetSubject =
  | { readonly kind: 'team' | 'user'; readonly id: string; readonly name: string }
  | { readonly kind: 'default' }

export type BudgetBody = Body<'/admin/teams/{team_id}/budget', 'put'>

export type OwnedSubject = Exclude<BudgetSubject, { kind: 'default' }>

/** What changes when a budget does. */
export const budgetPaths = [
  '/admin/budgets',
  '/admin/budget-requests',
  '/admin/teams',
  '/admin/users',
  '/admin/settings',
  '/me/budget',
] as const

export function nameOf(subject: BudgetSubject): string {
  return subject.kind === 'default' ? 'everybody without one' : subject.name
}

export function putBudget(subject: BudgetSubject, body: BudgetBody): Promise<unknown> {
  const { member_limit_usd: _, ...own } = body
  switch (subject.kind) {
    case 'team':
      return api.put('/admin/teams/{team_id}/budget', { params: { path: { team_id: subject.id } }, body })
    case 'user':
      return api.put('/admin/users/{user_id}/budget', { params: { path: { user_id: subject.id } }, body: own })
    case 'default':
      return api.put('/admin/settings/{key}', { params: { path: { key: 'default_budget' } }, body: { value: own } })
  }
}

export function removeBudget(subject: BudgetSubject): Promise<unknown> {
  switch (subject.kind) {
    case 'team':
      return api.delete('/admin/teams/{team_id}/budget', { params: { path: { team_id: subject.id } } })
    case 'user':
      return api.delete('/admin/users/{user_id}/budget', { params: { path: { user_id: subject.id } } })
    case 'default':
      return api.put('/admin/settings/{key}', { params: { path: { key: 'default_budget' } }, body: { value: null } })
  }
}
