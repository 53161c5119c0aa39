/** Each call of a team begins one endpoint further on (spec: Routing rules 5). */
import type { Ordered, StrategyInput } from './strategy.ts'

export function roundRobin({ usable, teamId, memory }: StrategyInput): Ordered {
  const start = memory.nextTurn(teamId) % usable.length
  return {
    candidates: start === 0 ? usable : [...usable.slice(start), ...usable.slice(0, start)],
    because: `turn ${start + 1} of ${usable.length}`,
  }
}
