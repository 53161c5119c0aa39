/** What a client is told about the budget in force, on every answer. */
import { usdFromNano } from '../domain/money.ts'
import type { BudgetView } from './ports.ts'

export function budgetHeaders(view: BudgetView, status = view.status): Readonly<Record<string, string>> {
  return {
    'x-gateway-budget-status': status,
    'x-gateway-budget-percent': String(Math.round(view.percent * 100) / 100),
    'x-gateway-budget-remaining-usd': usdFromNano(view.remainingNanoUsd).toFixed(6),
    'x-gateway-budget-resets': new Date(view.resetsAtMs).toISOString(),
  }
}
