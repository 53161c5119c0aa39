import type { Endpoint } from './endpoint.ts'

export type RoutingStrategy = 'sticky_user' | 'primary_fallback' | 'round_robin'

export const routingStrategies: readonly RoutingStrategy[] = ['sticky_user', 'primary_fallback', 'round_robin']

export interface Team {
  readonly id: string
  readonly name: string
  readonly createdAt: string
}

/** Which endpoints a team may reach, and how. No assignment means the default endpoint (spec: Routing rules 1). */
export interface TeamRouting {
  readonly teamId: string
  readonly strategy: RoutingStrategy
  /** The team's priority overrides the endpoint's own. */
  readonly endpoints: readonly { readonly endpointId: string; readonly priority: number }[]
}

export interface RankedEndpoint {
  readonly endpoint: Endpoint
  /** The team's own priority; lower is better. */
  readonly priority: number
}

/** The enabled ones of an assignment, best first. */
export function rankEndpoints(
  { endpoints: assigned }: TeamRouting,
  endpoints: ReadonlyMap<string, Endpoint>,
): RankedEndpoint[] {
  const ranked: RankedEndpoint[] = []
  for (const { endpointId, priority } of assigned) {
    const endpoint = endpoints.get(endpointId)
    if (endpoint?.enabled === true) ranked.push({ endpoint, priority })
  }
  return ranked.sort(byPriority)
}

/** Names break ties, so that the order is the same on every instance. */
function byPriority(one: RankedEndpoint, other: RankedEndpoint): number {
  return one.priority - other.priority || (one.endpoint.name < other.endpoint.name ? -1 : 1)
}
