import type { Behaviour } from '../behaviour.ts'
import type { Exchange } from '../exchange.ts'
import type { LedgerEntry } from '../ledger.ts'
import type { SimulatorState } from '../state.ts'
import type { Caller } from './authenticate.ts'

/** One authenticated call on the AWS face. */
export type Call = {
  readonly state: SimulatorState
  readonly exchange: Exchange
  readonly entry: LedgerEntry
  readonly caller: Caller
  readonly behaviour: Behaviour
}
