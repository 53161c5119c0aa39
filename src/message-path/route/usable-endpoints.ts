/** Which endpoints a caller's team may use, best priority first (spec: Routing rules 1). */
import { type Caller, payingTeamId } from '../../foundation/domain/caller.ts'
import type { Endpoint } from '../../foundation/domain/endpoint.ts'
import type { Snapshot } from '../../foundation/domain/snapshot.ts'
import { type RankedEndpoint, type RoutingStrategy, rankEndpoints } from '../../foundation/domain/team.ts'
import type { EndpointConditions } from '../ports.ts'
import type { RankedCandidate } from './strategy.ts'

export interface Reach {
  /** Null when the team has no assignment, so that the default endpoint serves alone. */
  readonly strategy: RoutingStrategy | null
  readonly endpoints: readonly RankedEndpoint[]
}

export function findReach(snapshot: Snapshot, caller: Caller): Reach {
  const teamId = payingTeamId(caller)
  const assignment = teamId === null ? undefined : snapshot.teamRouting.get(teamId)
  if (assignment === undefined || assignment.endpoints.length === 0) {
    const main = snapshot.defaultEndpoint
    const endpoints = main?.enabled === true ? [{ endpoint: main, priority: main.priority }] : []
    return { strategy: null, endpoints }
  }
  // A team whose endpoints are all switched off gets none: the default one may be in a region it must not use.
  return { strategy: assignment.strategy, endpoints: rankEndpoints(assignment, snapshot.endpoints) }
}

export function reachableEndpoints(snapshot: Snapshot, caller: Caller): readonly Endpoint[] {
  return findReach(snapshot, caller).endpoints.map(({ endpoint }) => endpoint)
}

export interface Usability {
  readonly usable: readonly RankedCandidate[]
  /** Asked only when every usable one has failed, or when there is none; the pause that ends first comes first. */
  readonly lastResort: readonly RankedCandidate[]
  /** Left out of this call, with the reason. */
  readonly skipped: readonly string[]
  /** No endpoint passed its last check, so the failed ones are tried. */
  readonly onlyUnhealthy: boolean
}

/**
 * Unhealthy endpoints are left out while any other exists: their typical error (no access) would hide the throttle of a
 * good one from the client. Pausing ones are kept as the last resort, because a call must succeed if any endpoint works.
 */
export function sortByUsability(candidates: readonly RankedCandidate[], conditions: EndpointConditions): Usability {
  const unhealthy: RankedCandidate[] = []
  const sound: RankedCandidate[] = []
  for (const candidate of candidates) {
    if (conditions.findHealth(candidate.endpoint.id) === 'unhealthy') unhealthy.push(candidate)
    else sound.push(candidate)
  }
  const considered = sound.length > 0 ? sound : unhealthy
  const usable: RankedCandidate[] = []
  const cooling: { readonly candidate: RankedCandidate; readonly untilMs: number }[] = []
  for (const candidate of considered) {
    const untilMs = conditions.coolingUntilMs(candidate.endpoint.id)
    if (untilMs === 0) usable.push(candidate)
    else cooling.push({ candidate, untilMs })
  }
  if (cooling.length > 1) cooling.sort((one, other) => one.untilMs - other.untilMs)
  return {
    usable,
    lastResort: cooling.map(({ candidate }) => candidate),
    skipped: sound.length > 0 ? unhealthy.map(({ endpoint }) => `${endpoint.name} (unhealthy)`) : [],
    onlyUnhealthy: sound.length === 0,
  }
}
