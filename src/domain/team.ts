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
