/** What a client is told about the budget in force, on every answer. */
import type { NanoUsd } from '../foundation/domain/money.ts'
import type { BudgetView } from './ports.ts'

export function budgetHeaders(view: BudgetView, status = view.status): Readonly<Record<string, string>> {
  return addBudgetHeaders({}, view, status)
}

export function addBudgetHeaders(
  headers: Record<string, string>,
  view: BudgetView,
  status = view.status,
): Record<string, string> {
  headers['x-gateway-budget-status'] = status
  headers['x-gateway-budget-percent'] = String(Math.round(view.percent * 100) / 100)
  headers['x-gateway-budget-remaining-usd'] = sixDecimals(view.remainingNanoUsd)
  headers['x-gateway-budget-resets'] = new Date(view.resetsAtMs).toISOString()
  return headers
}

/** Rounded before it is shown, so that what rounds to nothing has no sign. */
export function sixDecimals(amount: NanoUsd): string {
  const micros = Math.sign(amount) * Math.round(Math.abs(amount) / 1_000)
  return (micros / 1_000_000).toFixed(6)
}
