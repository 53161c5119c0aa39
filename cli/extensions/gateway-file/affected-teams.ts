/** Finds the teams that a plan stops or moves to the default endpoint, for each endpoint that it disables or deletes. */
import type { GatewayDocument } from './document.ts'
import type { AffectedTeam, Step } from './plan.ts'
import { listResources, type ResourceKind } from './resources.ts'

type Fields = Step['resource']['fields']
interface Routing {
  readonly team: string
  readonly endpoints: readonly string[]
}

/** The whole plan counts: it can also enable other endpoints, replace a routing, or disable all endpoints of a team. */
export function withAffectedTeams(current: GatewayDocument, steps: readonly Step[]): readonly Step[] {
  const endpoints = fieldsAfter(current, steps, 'endpoint')
  const routings = [...fieldsAfter(current, steps, 'team-routing')].map(
    ([team, fields]): Routing => ({ team, endpoints: (fields['endpoints'] as { name: string }[]).map(nameOf) }),
  )
  return steps.map((step) => {
    if (!takesEndpointAway(step)) return step
    const teams = routings.filter((one) => one.endpoints.includes(step.name)).toSorted(byTeam)
    return { ...step, affectedTeams: teams.flatMap((routing) => affectedTeam(routing, endpoints)) }
  })
}

function takesEndpointAway({ kind, action, changes }: Step): boolean {
  if (kind !== 'endpoint' || action === 'create') return false
  return action === 'delete' || changes.some(({ field, to }) => field === 'enabled' && to === false)
}

function affectedTeam({ team, endpoints: assigned }: Routing, after: ReadonlyMap<string, Fields>): AffectedTeam[] {
  const left = assigned.map((name) => after.get(name)).filter((endpoint) => endpoint !== undefined)
  // A team without an assignment uses the default endpoint (spec: Routing rules 1).
  if (left.length === 0) return [{ name: team, effect: 'default_endpoint' }]
  return left.some((endpoint) => endpoint['enabled'] !== false) ? [] : [{ name: team, effect: 'stopped' }]
}

/** The resources of a kind as the plan leaves them, by name. */
function fieldsAfter(
  current: GatewayDocument,
  steps: readonly Step[],
  kind: ResourceKind,
): ReadonlyMap<string, Fields> {
  const after = new Map(
    listResources(current)
      .filter((resource) => resource.kind === kind)
      .map(({ name, fields }) => [name, fields]),
  )
  for (const { action, resource } of steps.filter((step) => step.kind === kind)) {
    if (action === 'delete') after.delete(resource.name)
    else after.set(resource.name, resource.fields)
  }
  return after
}

const nameOf = ({ name }: { readonly name: string }): string => name

function byTeam(one: Routing, other: Routing): number {
  return one.team < other.team ? -1 : 1
}
