/** What every routing strategy is given and gives back. A strategy only orders; trying is the next stage's work. */
import type { Candidate } from '../call.ts'
import type { RoutingMemory } from '../ports.ts'

export interface RankedCandidate extends Candidate {
  readonly priority: number
}

export interface StrategyInput {
  /** Usable now, best priority first. Never empty. */
  readonly usable: readonly RankedCandidate[]
  /** The user, or the key when it belongs to nobody. */
  readonly subject: string
  readonly teamId: string
  readonly memory: RoutingMemory
}

export interface Ordered {
  readonly candidates: readonly RankedCandidate[]
  /** Why the first one is first, in a few words. */
  readonly because: string
}

export type Strategy = (input: StrategyInput) => Ordered
