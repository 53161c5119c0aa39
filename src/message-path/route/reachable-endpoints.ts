/** Which endpoints a caller's team may use, best priority first (spec: Routing rules 1). */
import { type Caller, payingTeamId } from '../../foundation/domain/caller.ts'
import type { Endpoint } from '../../foundation/domain/endpoint.ts'
import type { Snapshot } from '../../foundation/domain/snapshot.ts'
import { type RankedEndpoint, type RoutingStrategy, rankEndpoints } from '../../foundation/domain/team.ts'

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
