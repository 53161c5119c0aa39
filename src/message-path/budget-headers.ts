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

/** As `toFixed(6)` of the dollars, by whole numbers, which is cheaper: every answer has it. */
export function sixDecimals(amount: NanoUsd): string {
  const micros = Math.round(Math.abs(amount) / 1_000)
  const whole = Math.floor(micros / 1_000_000)
  const sign = amount < 0 && micros > 0 ? '-' : ''
  return `${sign}${whole}.${String(micros - whole * 1_000_000).padStart(6, '0')}`
}
