/** The best priority first, then the next; nobody is kept anywhere (spec: Routing rules 4). */
import type { Ordered, StrategyInput } from './strategy.ts'

export function primaryFallback({ usable }: StrategyInput): Ordered {
  return { candidates: usable, because: 'best priority' }
}
