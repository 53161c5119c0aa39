/** Decides which endpoints a call may try, in which order, and under which id each of them serves the model. */
import { findSubject, payingTeamId } from '../../foundation/domain/caller.ts'
import type { Endpoint } from '../../foundation/domain/endpoint.ts'
import { problem } from '../../foundation/domain/errors.ts'
import { findProfileParts, modelIdForText } from '../../foundation/domain/model-id.ts'
import type { RankedEndpoint, RoutingStrategy } from '../../foundation/domain/team.ts'
import type { ResolvedModel, Route, Routed } from '../call.ts'
import type { EndpointConditions, MappingMemory, ProfileDirectory, RoutingMemory, SnapshotPort } from '../ports.ts'
import { primaryFallback } from './primary-fallback.ts'
import { roundRobin } from './round-robin.ts'
import { stickyUser } from './sticky-user.ts'
import type { Ordered, RankedCandidate, Strategy } from './strategy.ts'
import { findTarget } from './target.ts'
import { findReach, sortByUsability } from './usable-endpoints.ts'

export interface RoutePorts {
  readonly snapshot: SnapshotPort
  readonly profiles: Pick<ProfileDirectory, 'availableModels'>
  readonly mappings: Pick<MappingMemory, 'findDiscovered'>
  readonly routing: RoutingMemory
  readonly conditions: EndpointConditions
}

const strategies: Readonly<Record<RoutingStrategy, Strategy>> = {
  sticky_user: stickyUser,
  primary_fallback: primaryFallback,
  round_robin: roundRobin,
}

type Resolved = Pick<Routed, 'caller' | 'model'>

export function route(call: Resolved, ports: RoutePorts): Route {
  const reach = findReach(ports.snapshot.current(), call.caller)
  if (reach.endpoints.length === 0) throw problem('no_endpoint')
  const { candidates: offered, missing } = findOffers(reach.endpoints, call.model, ports)
  const { usable, lastResort, skipped, onlyUnhealthy } = sortByUsability(offered, ports.conditions)
  const { first, others } = splitByNamedScope(usable, call.model.namedTarget)
  const ordered = order(reach.strategy, first, call, ports)
  const candidates = [...ordered.candidates, ...others, ...lastResort]
  const head = candidates[0]
  // If the first endpoint comes back from a pause, this call is its one trial.
  if (head !== undefined) ports.conditions.claimTrial(head.endpoint.id)
  const notes: Notes = {
    strategy: reach.strategy,
    because: onlyUnhealthy ? `${ordered.because}; all are unhealthy` : ordered.because,
    pausing: lastResort.length,
    skipped: [...missing, ...skipped],
  }
  return { candidates, routing: sentence(candidates, notes) }
}

/**
 * Who can be asked about a model without calling it: nobody's turn is taken, nobody is kept there and no trial is made.
 * Undefined when the caller has no endpoint at all.
 */
export function findEndpointWith(
  { caller, model }: Resolved,
  ports: Omit<RoutePorts, 'routing'>,
): Endpoint | undefined {
  const { endpoints } = findReach(ports.snapshot.current(), caller)
  if (endpoints.length === 0) return undefined
  const { usable, lastResort } = sortByUsability(findOffers(endpoints, model, ports).candidates, ports.conditions)
  return (usable[0] ?? lastResort[0])?.endpoint
}

interface Found {
  readonly candidates: readonly RankedCandidate[]
  readonly missing: readonly string[]
}

type OfferPorts = Pick<RoutePorts, 'snapshot' | 'profiles' | 'mappings'>

/** contract: 3.11. At least one. */
function findOffers(endpoints: readonly RankedEndpoint[], model: ResolvedModel, ports: OfferPorts): Found {
  const { mappings } = ports.snapshot.current()
  const targetPorts = {
    availableModels: ports.profiles.availableModels,
    findMapping: (id: string) => mappings.get(id) ?? ports.mappings.findDiscovered(id),
  }
  const candidates: RankedCandidate[] = []
  const missing: string[] = []
  for (const { endpoint, priority } of endpoints) {
    const target = findTarget(endpoint, model, targetPorts)
    if (target === undefined) missing.push(`${endpoint.name} (does not have the model)`)
    else candidates.push({ endpoint, modelId: target.modelId, via: target.via, priority })
  }
  if (candidates.length === 0) throw problem('model_not_available', { model: modelIdForText(model.requestedId) })
  return { candidates, missing }
}

/**
 * A caller that names a profile id means its scope, so endpoints of that scope come first. The others stay as
 * fall-backs under their own scope (spec: Routing rules 6).
 */
function splitByNamedScope(
  usable: readonly RankedCandidate[],
  namedTarget: string | null,
): { readonly first: readonly RankedCandidate[]; readonly others: readonly RankedCandidate[] } {
  const prefix = namedTarget === null ? undefined : findProfileParts(namedTarget)?.prefix
  if (prefix === undefined) return { first: usable, others: [] }
  const first = usable.filter(({ endpoint }) => endpoint.routingPrefix === prefix)
  if (first.length === 0) return { first: usable, others: [] }
  return { first, others: usable.filter(({ endpoint }) => endpoint.routingPrefix !== prefix) }
}

function order(
  strategy: RoutingStrategy | null,
  usable: readonly RankedCandidate[],
  call: Resolved,
  ports: RoutePorts,
): Ordered {
  if (usable.length === 0) return { candidates: [], because: 'all pause after failures, this one returns first' }
  if (strategy === null) return { candidates: usable, because: 'no assignment' }
  return strategies[strategy]({
    usable,
    subject: findSubject(call.caller),
    teamId: payingTeamId(call.caller) ?? '',
    memory: ports.routing,
  })
}

interface Notes {
  readonly strategy: RoutingStrategy | null
  readonly because: string
  /** How many at the end are only a last resort. */
  readonly pausing: number
  readonly skipped: readonly string[]
}

/**
 * `sticky_user: eu-main (affinity), then us-backup; left out: ap-1 (unhealthy)`. Joined at once: a text that is added up
 * from pieces stays in pieces, which makes writing the record twice as dear.
 */
function sentence(candidates: readonly RankedCandidate[], notes: Notes): string {
  const words = [
    notes.strategy ?? 'default endpoint',
    ': ',
    candidates[0]?.endpoint.name ?? '',
    ' (',
    notes.because,
    ')',
  ]
  const firstPausing = candidates.length - notes.pausing
  for (let index = 1; index < candidates.length; index += 1) {
    words.push(', then ', candidates[index]?.endpoint.name ?? '')
    if (index >= firstPausing) words.push(' (pausing)')
  }
  if (notes.skipped.length > 0) words.push('; left out: ', notes.skipped.join(', '))
  return words.join('')
}
