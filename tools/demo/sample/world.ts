/** What the sample needs to know of the database: the ids that its endpoints, teams, people and keys got. */
import { type ModelSeed, type SeedModel, seedPrices } from '../../../src/foundation/domain/model-seed.ts'
import type { Price } from '../../../src/foundation/domain/price.ts'
import { type SampleTeam, sampleTeams } from './organization.ts'
import { type SampleKey, sampleKeys } from './sample-keys.ts'

export interface WorldIds {
  readonly endpoints: ReadonlyMap<string, string>
  readonly teams: ReadonlyMap<string, string>
  /** By subject. */
  readonly people: ReadonlyMap<string, string>
  /** By `keyLabel`. */
  readonly keys: ReadonlyMap<string, string>
}

export interface World extends WorldIds {
  /** The moment of the first start: the sample grows towards it. */
  readonly anchorMs: number
  /** By client id. */
  readonly models: ReadonlyMap<string, SeedModel>
  /** By `scope:modelId`. */
  readonly prices: ReadonlyMap<string, Price>
}

/** Names of keys repeat from person to person. */
export function keyLabel(key: Pick<SampleKey, 'name' | 'owner' | 'team'>): string {
  return `${key.owner ?? key.team ?? ''}/${key.name}`
}

export function createWorld(anchorMs: number, seed: ModelSeed, ids: WorldIds): World {
  return {
    ...ids,
    anchorMs,
    models: new Map(seed.models.flatMap((model) => model.client_ids.map((clientId) => [clientId, model]))),
    prices: new Map(seedPrices(seed, '').map((price) => [`${price.scope}:${price.modelId}`, price])),
  }
}

/** Who a sample call is for. */
export interface SampleCaller {
  readonly userId: string | null
  readonly teamId: string | null
  readonly keyId: string | null
  readonly team: SampleTeam | null
}

export function findTeam(name: string | null): SampleTeam | null {
  return sampleTeams.find((team) => team.name === name) ?? null
}

/** The key that somebody's own machine uses; most people sign in instead and have none. */
export function personalKeyId(world: World, subject: string, atMs: number): string | null {
  const key = sampleKeys.find((one) => one.owner === subject && one.name !== 'demo')
  if (key === undefined) return null
  const endedDaysAgo =
    key.revokedDaysAgo ?? (key.expiresInDays !== null && key.expiresInDays < 0 ? -key.expiresInDays : null)
  if (endedDaysAgo !== null && atMs > world.anchorMs - endedDaysAgo * 86_400_000) return null
  return world.keys.get(keyLabel(key)) ?? null
}
