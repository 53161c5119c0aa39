/** What the routes of budgets need from the rest of the gateway. */
import type { Budget } from '../../foundation/domain/budget.ts'
import type { NanoUsd } from '../../foundation/domain/money.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'
import type { KeyPorts } from '../keys/key-ports.ts'

export interface BudgetPorts extends RoutePorts {
  /** Where each budget stands in its current period, in the order of the question. */
  readonly standingsOf: (budgets: readonly Budget[]) => Promise<readonly BudgetStanding[]>
  /** Under which origin everybody reaches the gateway; undefined while nobody has said so. */
  readonly findKnownUrl: () => string | undefined
}

/** Where keys and budgets stand, for every route that shows it. */
export type SpendAnswers = Pick<KeyPorts, 'spendOfKeys'> & Pick<BudgetPorts, 'standingsOf'>

export interface BudgetStanding {
  readonly spendNanoUsd: NanoUsd
  readonly percent: number
  readonly status: 'ok' | 'warning' | 'shaped' | 'blocked'
  readonly resetsAtMs: number
}
