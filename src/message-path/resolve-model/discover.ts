/** Asks the caller's endpoints which profile an unknown id means, and remembers the exact id that was asked for. */
import { type Endpoint, locationKey } from '../../foundation/domain/endpoint.ts'
import { findProfileParts, isFoundationModelId } from '../../foundation/domain/model-id.ts'
import type { ModelMapping } from '../../foundation/domain/model-mapping.ts'
import type { Clock } from '../../foundation/platform/clock.ts'
import type { InferenceProfile, MappingMemory, ProfileDirectory, SnapshotPort } from '../ports.ts'
import { findByDatedAlias, namesFamily } from './requested-name.ts'
import { type ProfileChoice, type Selection, selectProfile } from './select-profile.ts'

export interface DiscoverPorts {
  readonly snapshot: SnapshotPort
  readonly profiles: ProfileDirectory
  readonly mappings: MappingMemory
  readonly clock: Pick<Clock, 'nowMs'>
}

/** Asking makes sense only for names that a profile could match. */
export function mayDiscover(logicalId: string, endpoints: readonly Endpoint[], ports: DiscoverPorts): boolean {
  return (
    endpoints.length > 0 && namesFamily(logicalId) && !ports.mappings.isKnownMissing(logicalId, readScope(endpoints))
  )
}

export interface Discovery {
  /** The model that was asked for; undefined when no endpoint lists it. */
  readonly mapping: ModelMapping | undefined
  /** The listed model with the undated form of a dated name. */
  readonly alias: ModelMapping | undefined
  /** Whether at least one endpoint could say what it has. */
  readonly isAnswered: boolean
}

export function discover(logicalId: string, endpoints: readonly Endpoint[], ports: DiscoverPorts): Promise<Discovery> {
  return ports.mappings.askOnce(`${readScope(endpoints)} ${logicalId}`, async () => {
    const answers = await Promise.all(endpoints.map((endpoint) => choicesOn(endpoint, ports)))
    const choices = answers.flatMap((answer) => answer.choices)
    const selection = selectProfile(logicalId, choices)
    if (selection !== undefined) {
      const mapping = toMapping(logicalId, selection, ports)
      ports.mappings.remember(mapping)
      return { mapping, alias: undefined, isAnswered: true }
    }
    const alias = findListedAlias(logicalId, choices, ports)
    // While only the listing knows the undated model, every request needs the listing.
    const isSettled = alias === undefined || findByDatedAlias(logicalId, mappingFinder(ports)) !== undefined
    if (isSettled && answers.every((answer) => answer.listed))
      ports.mappings.rememberMissing(logicalId, readScope(endpoints))
    return {
      mapping: undefined,
      alias,
      isAnswered: answers.some((answer) => answer.listed || answer.choices.length > 0),
    }
  })
}

/**
 * The same model that a request for the undated name would find, so that its meaning does not depend on such a request.
 * It is never remembered: Amazon Bedrock might get the dated model later.
 */
export function findListedAlias(
  logicalId: string,
  choices: readonly ProfileChoice[],
  ports: Pick<DiscoverPorts, 'snapshot' | 'clock'>,
): ModelMapping | undefined {
  return findByDatedAlias(logicalId, (undatedId) => {
    const selection = selectProfile(undatedId, choices)
    return selection === undefined ? undefined : toMapping(undatedId, selection, ports)
  })
}

/** Exact equality of the whole id, first what administrators and all instances know, then what this one has just found. */
export function mappingFinder(
  ports: Pick<DiscoverPorts, 'snapshot' | 'mappings'>,
): (id: string) => ModelMapping | undefined {
  const { mappings } = ports.snapshot.current()
  return (id) => mappings.get(id) ?? ports.mappings.findDiscovered(id)
}

interface EndpointChoices {
  readonly listed: boolean
  readonly choices: readonly ProfileChoice[]
}

export async function choicesOn(
  endpoint: Endpoint,
  ports: Pick<DiscoverPorts, 'profiles' | 'mappings'>,
): Promise<EndpointChoices> {
  const known = [...(ports.profiles.availableModels(endpoint.id) ?? [])].map((profileId) => ({ profileId, name: '' }))
  // Models behind its application profiles, by the last health check: no listing shows them.
  const own = known.filter(({ profileId }) => isFoundationModelId(profileId))
  try {
    const profiles = await ports.mappings.listOnce(locationKey(endpoint), () => ports.profiles.listProfiles(endpoint))
    return { listed: true, choices: [...profiles.filter((profile) => isOffered(profile, endpoint)), ...own] }
  } catch {
    // The last health check's ids still answer for most models. failure-modes: discovery fails
    return { listed: false, choices: [...known.filter((choice) => inScope(choice, endpoint)), ...own] }
  }
}

function isOffered(profile: InferenceProfile, endpoint: Endpoint): boolean {
  return profile.status === 'ACTIVE' && inScope(profile, endpoint)
}

/** Only profiles of the endpoint's own scope will be invoked there, so only they prove that it has a model. */
function inScope(choice: ProfileChoice, endpoint: Endpoint): boolean {
  return findProfileParts(choice.profileId)?.prefix === endpoint.routingPrefix
}

function readScope(endpoints: readonly Endpoint[]): string {
  return endpoints.map(locationKey).join(',')
}

function toMapping(
  logicalId: string,
  selection: Selection,
  ports: Pick<DiscoverPorts, 'snapshot' | 'clock'>,
): ModelMapping {
  const sibling = findSibling(selection.hostedModelId, ports)
  return {
    vendorPrefix: logicalId,
    hostedModelId: selection.hostedModelId,
    displayName: sibling?.displayName ?? createDisplayName(selection),
    contextWindow: sibling?.contextWindow ?? null,
    maxOutputTokens: sibling?.maxOutputTokens ?? null,
    source: 'discovery',
    createdAt: new Date(ports.clock.nowMs()).toISOString(),
  }
}

/** Another name of the same hosted model already has its facts. */
function findSibling(hostedModelId: string, ports: Pick<DiscoverPorts, 'snapshot'>): ModelMapping | undefined {
  for (const mapping of ports.snapshot.current().mappings.values()) {
    if (mapping.hostedModelId === hostedModelId) return mapping
  }
  return undefined
}

/** `US Anthropic Claude Sonnet 5` says scope and vendor, which a model picker does not need. */
function createDisplayName(selection: Selection): string {
  const name = selection.name.replace(/^\S+ (?=Anthropic )/, '').replace(/^Anthropic /, '')
  return name === '' ? selection.hostedModelId : name
}
