/** Which endpoint a user is kept on, and whose turn it is. Lost on restart, which is safe: prompt caches are warmed again, nothing else changes. */

import type { Clock } from '../../foundation/platform/clock.ts'
import type { RoutingMemory } from '../../message-path/ports.ts'

/** spec: Limits, sticky affinity. */
export const AFFINITY_IDLE_MS = 30 * 60_000

const MAX_SUBJECTS = 100_000
const MAX_TEAMS = 10_000
/** Moving an entry to the young end costs more than a look-up, so it happens at most once a minute per subject. */
const REORDER_AFTER_MS = 60_000

interface Affinity {
  endpointId: string
  usedAtMs: number
  orderedAtMs: number
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
      const nowMs = clock.monotonicMs()
      const known = affinities.get(subject)
      if (known !== undefined && nowMs - known.orderedAtMs < REORDER_AFTER_MS) {
        known.endpointId = endpointId
        known.usedAtMs = nowMs
        return
      }
      affinities.delete(subject)
      affinities.set(subject, { endpointId, usedAtMs: nowMs, orderedAtMs: nowMs })
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
