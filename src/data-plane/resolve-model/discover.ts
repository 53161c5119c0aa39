/** Asks the caller's endpoints which profile an unknown id means, and remembers the exact id that was asked for. */
import type { Endpoint } from '../../domain/endpoint.ts'
import { problem } from '../../domain/errors.ts'
import { findProfileParts, isFoundationModelId } from '../../domain/model-id.ts'
import type { ModelMapping } from '../../domain/model-mapping.ts'
import type { Clock } from '../../platform/clock.ts'
import type { InferenceProfile, MappingMemory, ProfileDirectory, SnapshotPort } from '../ports.ts'
import { namesFamily } from './model-name.ts'
import { type ProfileChoice, type Selection, selectProfile } from './select-profile.ts'

export interface DiscoverPorts {
  readonly snapshot: SnapshotPort
  readonly profiles: ProfileDirectory
  readonly mappings: MappingMemory
  readonly clock: Pick<Clock, 'nowMs'>
}

/** Asking makes sense only for names that a profile could match. */
export function mayDiscover(logicalId: string, endpoints: readonly Endpoint[], ports: DiscoverPorts): boolean {
  return endpoints.length > 0 && namesFamily(logicalId) && !ports.mappings.isKnownMissing(logicalId, scopeOf(endpoints))
}

/** Undefined when no endpoint has such a model. */
export function discover(
  logicalId: string,
  endpoints: readonly Endpoint[],
  ports: DiscoverPorts,
): Promise<ModelMapping | undefined> {
  return ports.mappings.askOnce(`${scopeOf(endpoints)} ${logicalId}`, async () => {
    const answers = await Promise.all(endpoints.map((endpoint) => choicesOn(endpoint, ports)))
    const selection = selectProfile(
      logicalId,
      answers.flatMap((answer) => answer.choices),
    )
    if (selection !== undefined) {
      const mapping = toMapping(logicalId, selection, ports)
      ports.mappings.remember(mapping)
      return mapping
    }
    if (answers.every((answer) => answer.listed)) ports.mappings.rememberMissing(logicalId, scopeOf(endpoints))
    // A model that may exist is not "not found" because nobody could be asked; the client may try again.
    else if (!answers.some((answer) => answer.listed || answer.choices.length > 0)) {
      throw problem('no_endpoint', {}, { headers: { 'retry-after': '30' } })
    }
    return undefined
  })
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
    const profiles = await ports.mappings.listingOf(endpoint.id, () => ports.profiles.listProfiles(endpoint))
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

function scopeOf(endpoints: readonly Endpoint[]): string {
  return endpoints.map((endpoint) => endpoint.id).join(',')
}

function toMapping(logicalId: string, selection: Selection, ports: DiscoverPorts): ModelMapping {
  const sibling = findSibling(selection.hostedModelId, ports)
  return {
    vendorPrefix: logicalId,
    hostedModelId: selection.hostedModelId,
    displayName: sibling?.displayName ?? displayNameOf(selection),
    contextWindow: sibling?.contextWindow ?? null,
    maxOutputTokens: sibling?.maxOutputTokens ?? null,
    source: 'discovery',
    createdAt: new Date(ports.clock.nowMs()).toISOString(),
  }
}

/** Another name of the same hosted model already has its facts. */
function findSibling(hostedModelId: string, ports: DiscoverPorts): ModelMapping | undefined {
  for (const mapping of ports.snapshot.current().mappings.values()) {
    if (mapping.hostedModelId === hostedModelId) return mapping
  }
  return undefined
}

/** `US Anthropic Claude Sonnet 5` says scope and vendor, which a model picker does not need. */
function displayNameOf(selection: Selection): string {
  const name = selection.name.replace(/^\S+ (?=Anthropic )/, '').replace(/^Anthropic /, '')
  return name === '' ? selection.hostedModelId : name
}
