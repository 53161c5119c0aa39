/** What the gateway knows without a database: the defaults, one endpoint of its own region, the embedded models. */
import { type Endpoint, routingPrefixOfRegion } from '../domain/endpoint.ts'
import type { IdentityProvider } from '../domain/idp.ts'
import type { ModelMapping } from '../domain/model-mapping.ts'
import { buildPeople } from '../domain/people.ts'
import type { Price } from '../domain/price.ts'
import { defaultSettings } from '../domain/settings.ts'
import { type Section, type Snapshot, sections } from '../domain/snapshot.ts'
import type { User } from '../domain/user.ts'

export interface BuiltInParts {
  readonly region: string
  readonly mappings: readonly ModelMapping[]
  readonly prices: readonly Price[]
  readonly idps: readonly IdentityProvider[]
  readonly users: readonly User[]
  /** Grows while the process runs: without a database nothing else remembers who signed out. */
  readonly endedSessions?: ReadonlySet<string>
  readonly createdAt: string
}

/** Fixed, so that records and logs of several starts name the same endpoint. */
export const BUILT_IN_ENDPOINT_ID = '00000000-0000-7000-8000-000000000001'

export function builtInSnapshot(parts: BuiltInParts): Snapshot {
  const endpoint = builtInEndpoint(parts.region, parts.createdAt)
  return Object.freeze({
    versions: Object.fromEntries(sections.map((name) => [name, 0])) as Record<Section, number>,
    readAtMs: Object.fromEntries(sections.map((name) => [name, 0])) as Record<Section, number>,
    origin: '',
    keysByHash: new Map(),
    keysById: new Map(),
    ...buildPeople(parts.users),
    teams: new Map(),
    idps: parts.idps,
    endpoints: new Map([[endpoint.id, endpoint]]),
    defaultEndpoint: endpoint,
    teamRouting: new Map(),
    mappings: new Map(parts.mappings.map((mapping) => [mapping.vendorPrefix, mapping])),
    prices: new Map(parts.prices.map((price) => [`${price.scope}:${price.modelId}`, price])),
    settings: defaultSettings,
    userBudgets: new Map(),
    teamBudgets: new Map(),
    userTopUps: new Map(),
    teamTopUps: new Map(),
    capabilityOverrides: [],
    revokedSessions: parts.endedSessions ?? new Set<string>(),
  })
}

function builtInEndpoint(region: string, createdAt: string): Endpoint {
  return {
    id: BUILT_IN_ENDPOINT_ID,
    name: region,
    region,
    routingPrefix: routingPrefixOfRegion(region),
    priority: 1,
    enabled: true,
    isDefault: true,
    roleArn: null,
    externalId: null,
    inferenceProfileArn: null,
    aipOverrides: [],
    createdAt,
  }
}
