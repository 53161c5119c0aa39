/** Sample endpoints, callers and snapshots for the tests of the stages. */
import type { Caller } from '../foundation/domain/caller.ts'
import type { AipOverride, Endpoint } from '../foundation/domain/endpoint.ts'
import type { ModelMapping } from '../foundation/domain/model-mapping.ts'
import { buildPeople } from '../foundation/domain/people.ts'
import { defaultSettings } from '../foundation/domain/settings.ts'
import { type Section, type Snapshot, sections } from '../foundation/domain/snapshot.ts'
import type { RoutingStrategy, TeamRouting } from '../foundation/domain/team.ts'
import type { VirtualKey } from '../foundation/domain/virtual-key.ts'

const at = '2026-11-15T00:00:00Z'

/** Its id is its name, so that tests read well. */
export function sampleEndpoint(name: string, fields: Partial<Endpoint> = {}): Endpoint {
  return {
    id: name,
    name,
    region: 'eu-central-1',
    routingPrefix: 'eu',
    priority: 10,
    enabled: true,
    isDefault: false,
    roleArn: null,
    externalId: null,
    inferenceProfileArn: null,
    aipOverrides: [],
    createdAt: at,
    ...fields,
  }
}

export function sampleOverride(endpointId: string, modelId: string, aipArn: string): AipOverride {
  return { endpointId, modelId, aipArn, reason: null, setBy: 'admin' }
}

export function sampleMapping(vendorPrefix: string, hostedModelId: string): ModelMapping {
  return {
    vendorPrefix,
    hostedModelId,
    displayName: vendorPrefix,
    contextWindow: 200_000,
    maxOutputTokens: 64_000,
    source: 'seed',
    createdAt: at,
  }
}

/** A virtual key without a user, so that the key itself is the subject. */
export function sampleCaller(id: string, fields: Partial<VirtualKey> = {}): Caller {
  const key: VirtualKey = {
    id,
    name: id,
    hash: '',
    prefix: 'sk-proxy-0000000',
    userId: null,
    teamId: null,
    rateLimitRpm: null,
    allowedModels: null,
    expiresAtMs: null,
    revokedAtMs: null,
    createdAt: at,
    ...fields,
  }
  return { kind: 'key', key, user: null, team: null }
}

export interface SampleSnapshot {
  readonly endpoints?: readonly Endpoint[]
  readonly mappings?: readonly ModelMapping[]
  readonly teamRouting?: readonly TeamRouting[]
}

export function sampleSnapshot(parts: SampleSnapshot): Snapshot {
  const endpoints = parts.endpoints ?? []
  return {
    keysByHash: new Map(),
    keysById: new Map(),
    ...buildPeople([]),
    teams: new Map(),
    idps: [],
    endpoints: new Map(endpoints.map((endpoint) => [endpoint.id, endpoint])),
    defaultEndpoint: endpoints.find((endpoint) => endpoint.isDefault) ?? null,
    teamRouting: new Map((parts.teamRouting ?? []).map((routing) => [routing.teamId, routing])),
    mappings: new Map((parts.mappings ?? []).map((mapping) => [mapping.vendorPrefix, mapping])),
    prices: new Map(),
    settings: defaultSettings,
    userBudgets: new Map(),
    teamBudgets: new Map(),
    userTopUps: new Map(),
    teamTopUps: new Map(),
    capabilityOverrides: [],
    revokedSessions: new Set(),
    versions: Object.fromEntries(sections.map((section) => [section, 1])) as Record<Section, number>,
    readAtMs: Object.fromEntries(sections.map((section) => [section, 0])) as Record<Section, number>,
    origin: '',
  }
}

/** The team reaches these endpoints, the first with priority 1, the next with 2, and so on. */
export function sampleTeamRouting(
  teamId: string,
  strategy: RoutingStrategy,
  endpointIds: readonly string[],
): TeamRouting {
  return {
    teamId,
    strategy,
    endpoints: endpointIds.map((endpointId, index) => ({ endpointId, priority: index + 1 })),
  }
}
