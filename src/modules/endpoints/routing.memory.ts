/** Which endpoint a user is kept on, and whose turn it is. Lost on restart, which is safe: prompt caches are warmed again, nothing else changes. */

import type { Clock } from '../../foundation/platform/clock.ts'
import type { RoutingMemory } from '../../message-path/ports.ts'

/** spec: Limits, sticky affinity. */
export const AFFINITY_IDLE_MS = 30 * 60_000

const MAX_SUBJECTS = 100_000
const MAX_TEAMS = 10_000

interface Affinity {
  readonly endpointId: string
  readonly usedAtMs: number
}

export interface RoutingMemoryLimits {
  readonly maxSubjects?: number
  readonly maxTeams?: number
}

export function createRoutingMemory(
  clock: Pick<Clock, 'monotonicMs'>,
  limits: RoutingMemoryLimits = {},
): RoutingMemory & { readonly size: () => number } {
  const maxSubjects = limits.maxSubjects ?? MAX_SUBJECTS
  const maxTeams = limits.maxTeams ?? MAX_TEAMS
  const affinities = new Map<string, Affinity>()
  const turns = new Map<string, number>()

  return {
    findAffinity: (subject) => {
      const affinity = affinities.get(subject)
      if (affinity === undefined) return undefined
      if (clock.monotonicMs() - affinity.usedAtMs < AFFINITY_IDLE_MS) return affinity.endpointId
      affinities.delete(subject)
      return undefined
    },
    setAffinity: (subject, endpointId) => {
      // To the young end: the longest unused subject is dropped first.
      affinities.delete(subject)
      affinities.set(subject, { endpointId, usedAtMs: clock.monotonicMs() })
      dropOldest(affinities, maxSubjects)
    },
    nextTurn: (teamId) => {
      const turn = turns.get(teamId) ?? 0
      turns.set(teamId, turn >= Number.MAX_SAFE_INTEGER ? 0 : turn + 1)
      dropOldest(turns, maxTeams)
      return turn
    },
    size: () => affinities.size,
  }
}

function dropOldest(map: Map<string, unknown>, maxSize: number): void {
  while (map.size > maxSize) {
    const oldest = map.keys().next()
    if (oldest.done === true) return
    map.delete(oldest.value)
  }
}
