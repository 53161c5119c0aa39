/** What the routes of budgets need from the rest of the gateway. */
import type { Budget } from '../../foundation/domain/budget.ts'
import type { BudgetTerms } from '../../foundation/domain/budget-terms.ts'
import type { NanoUsd } from '../../foundation/domain/money.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'
import type { KeyPorts } from '../keys/key-ports.ts'
import type { BudgetRecord } from './budgets.store.ts'

export interface BudgetPorts extends RoutePorts {
  /** Where each budget stands in its current period, in the order of the question. */
  readonly readStandings: (budgets: readonly Budget[]) => Promise<readonly BudgetStanding[]>
  /** Under which origin everybody reaches the gateway; undefined while nobody has said so. */
  readonly findKnownUrl: () => string | undefined
}

/** Where keys and budgets stand, for every route that shows it. */
export type SpendAnswers = Pick<KeyPorts, 'spendOfKeys'> & Pick<BudgetPorts, 'readStandings'>

export interface BudgetStanding {
  readonly spendNanoUsd: NanoUsd
  readonly percent: number
  readonly status: 'ok' | 'warning' | 'shaped' | 'blocked'
  readonly resetsAtMs: number
}

export interface BudgetInForce {
  readonly terms: BudgetTerms
  /** The preset that the rules came from; null for own rules. */
  readonly policy: string | null
  /** The row behind the terms; none behind the default. */
  readonly stored: BudgetRecord | undefined
}
