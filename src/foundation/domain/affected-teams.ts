/** What happens to the teams of an endpoint when it is disabled or deleted. */
import type { Endpoint } from './endpoint.ts'
import { rankEndpoints, type TeamRouting } from './team.ts'

export interface AssignedTeam {
  readonly name: string
  readonly routing: TeamRouting
}

export const disableEffects = ['next_endpoint', 'stopped'] as const
/** A team without an assignment uses the default endpoint (spec: Routing rules 1). */
export const deleteEffects = ['next_endpoint', 'default_endpoint', 'stopped'] as const

export interface AffectedTeam {
  readonly teamId: string
  readonly name: string
  /** Its other enabled endpoints, best priority first. */
  readonly others: readonly Endpoint[]
  readonly ifDisabled: (typeof disableEffects)[number]
  readonly ifDeleted: (typeof deleteEffects)[number]
}

export function listAffectedTeams(
  endpointId: string,
  assigned: readonly AssignedTeam[],
  endpoints: readonly Endpoint[],
): readonly AffectedTeam[] {
  const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]))
  return assigned.map(({ name, routing }) => {
    const others = rankEndpoints(routing, byId)
      .map(({ endpoint }) => endpoint)
      .filter((endpoint) => endpoint.id !== endpointId)
    const ifDisabled = others.length > 0 ? 'next_endpoint' : 'stopped'
    const isOnlyOne = routing.endpoints.every((one) => one.endpointId === endpointId)
    return { teamId: routing.teamId, name, others, ifDisabled, ifDeleted: isOnlyOne ? 'default_endpoint' : ifDisabled }
  })
}
