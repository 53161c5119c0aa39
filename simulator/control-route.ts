import type { Neighbours } from './neighbours/neighbours.ts'
import type { SimulatorState } from './state.ts'

export type ControlContext = {
  readonly state: SimulatorState
  readonly neighbours: Neighbours
  readonly query: URLSearchParams
  readonly body: unknown
}

/** Answers with the reply's body; a thrown TypeError becomes a 400 with its message. */
export type ControlRoute = (context: ControlContext, parameter: string) => unknown
