/** Everything the message path needs to know, as one immutable value. Replaced whole; never changed in place. */
import type { Budget } from './budget.ts'
import type { TopUpsBySubject } from './budget-top-up.ts'
import type { CapabilityOverride } from './capability.ts'
import type { Endpoint } from './endpoint.ts'
import type { IdentityProvider } from './idp.ts'
import type { ModelMapping } from './model-mapping.ts'
import type { People } from './people.ts'
import type { Price } from './price.ts'
import type { Settings } from './settings.ts'
import type { Team, TeamRouting } from './team.ts'
import type { VirtualKey } from './virtual-key.ts'

/** Parts that are versioned and reloaded apart, so that a new key does not reload the prices. */
export const sections = [
  'keys',
  'people',
  'idps',
  'endpoints',
  'mappings',
  'prices',
  'settings',
  'budgets',
  'capabilities',
  'sessions',
] as const
export type Section = (typeof sections)[number]

export interface SnapshotParts {
  readonly keys: {
    readonly keysByHash: ReadonlyMap<string, VirtualKey>
    readonly keysById: ReadonlyMap<string, VirtualKey>
  }
  readonly people: People & { readonly teams: ReadonlyMap<string, Team> }
  readonly idps: { readonly idps: readonly IdentityProvider[] }
  readonly endpoints: {
    readonly endpoints: ReadonlyMap<string, Endpoint>
    readonly defaultEndpoint: Endpoint | null
    readonly teamRouting: ReadonlyMap<string, TeamRouting>
  }
  readonly mappings: { readonly mappings: ReadonlyMap<string, ModelMapping> }
  /** Keyed `scope:modelId`; the winning source only (admin, then price list, then seed). */
  readonly prices: { readonly prices: ReadonlyMap<string, Price> }
  readonly settings: { readonly settings: Settings }
  readonly budgets: {
    readonly userBudgets: ReadonlyMap<string, Budget>
    readonly teamBudgets: ReadonlyMap<string, Budget>
    readonly userTopUps: TopUpsBySubject
    readonly teamTopUps: TopUpsBySubject
  }
  readonly capabilities: { readonly capabilityOverrides: readonly CapabilityOverride[] }
  /** Ids of session tokens that were ended before their time. */
  readonly sessions: { readonly revokedSessions: ReadonlySet<string> }
}

type Union = SnapshotParts[Section]
type Merge<T> = (T extends unknown ? (value: T) => void : never) extends (value: infer All) => void ? All : never

export interface SnapshotMeta {
  readonly versions: Readonly<Record<Section, number>>
  /** When each was read, by the clock of the database. */
  readonly readAtMs: Readonly<Record<Section, number>>
  /** Where it was read: what was written since is known only there. */
  readonly origin: string
}

export type Snapshot = Readonly<Merge<Union>> & SnapshotMeta
