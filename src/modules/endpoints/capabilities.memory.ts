/**
 * What each profile on each endpoint is known to take. Learned entries last 24 hours; an administrator's word has no
 * end. Lost on restart by design (spec: Capability cache entry): betas are then sent optimistically and learned again.
 */

import type { CapabilityKey, CapabilityOverride } from '../../foundation/domain/capability.ts'
import type { Clock } from '../../foundation/platform/clock.ts'
import type { Capabilities, CapabilityVerdict } from '../../message-path/ports.ts'

/** spec: Limits, capability probe interval and cache TTL. */
export const CAPABILITY_TTL_MS = 24 * 60 * 60_000

/** A client may send any beta name; a profile's real features are a few dozen. */
const MAX_FEATURES_PER_PROFILE = 256
const MAX_PROFILES_PER_ENDPOINT = 256
const MAX_FEATURE_LENGTH = 200

const noFields: readonly string[] = []

type LearnedVerdict = Exclude<CapabilityVerdict, 'unknown'>
export type ProbeVerdict = Exclude<LearnedVerdict, 'suspected'>

export interface CapabilityEntry extends CapabilityKey {
  readonly verdict: LearnedVerdict
  readonly source: 'learned' | 'override'
  /** Null for an administrator's word. */
  readonly expiresInMs: number | null
}

export interface CapabilityMemory extends Capabilities {
  /** A probe's result replaces whatever was learned from traffic; `ageMs` is how long ago another instance found it. */
  readonly settle: (
    endpointId: string,
    profileId: string,
    feature: string,
    verdict: ProbeVerdict,
    ageMs?: number,
  ) => void
  /** Waiting for a probe to settle them. */
  readonly suspects: () => readonly CapabilityKey[]
  /** Refused at least so long ago, and asked for since: worth asking about again. */
  readonly refusalsInUse: (minAgeMs: number) => readonly CapabilityKey[]
  readonly list: () => readonly CapabilityEntry[]
  readonly keepOnly: (endpointIds: ReadonlySet<string>) => void
}

interface Learned {
  readonly verdict: LearnedVerdict
  readonly by: 'traffic' | 'probe'
  readonly learnedAtMs: number
  /** How often it was asked for. */
  uses: number
  readonly usesBefore: number
}

type Features = Map<string, Learned>

/** Calls ask about one profile many times in a row, so it is looked up once. */
interface Latest {
  readonly endpointId: string
  readonly profileId: string
  readonly features: Features
}

interface RefusedFields {
  readonly paths: readonly string[]
  /** When the first of them is forgotten. */
  readonly untilMs: number
}

export function createCapabilities(
  clock: Pick<Clock, 'monotonicMs'>,
  currentOverrides: () => readonly CapabilityOverride[],
): CapabilityMemory {
  const endpoints = new Map<string, Map<string, Features>>()
  const overrides = createOverrideIndex(currentOverrides)
  let latest: Latest | undefined
  /** Of the profiles asked about, until something is learned of them. */
  const refusedFields = new WeakMap<Features, RefusedFields>()

  const findFeatures = (endpointId: string, profileId: string): Features | undefined => {
    if (latest?.profileId === profileId && latest.endpointId === endpointId) return latest.features
    const features = endpoints.get(endpointId)?.get(profileId)
    if (features !== undefined) latest = { endpointId, profileId, features }
    return features
  }

  const findFresh = (
    endpointId: string,
    profileId: string,
    feature: string,
    nowMs: number = clock.monotonicMs(),
  ): Learned | undefined => {
    const features = findFeatures(endpointId, profileId)
    const learned = features?.get(feature)
    if (learned === undefined || nowMs - learned.learnedAtMs < CAPABILITY_TTL_MS) return learned
    features?.delete(feature)
    return undefined
  }

  const store = (key: CapabilityKey, verdict: LearnedVerdict, by: Learned['by'], ageMs = 0): void => {
    const { feature } = key
    if (feature.length > MAX_FEATURE_LENGTH) return
    const features = findFeatures(key.endpointId, key.profileId) ?? addProfile(key.endpointId, key.profileId)
    refusedFields.delete(features)
    const uses = features.get(feature)?.uses ?? 0
    if (!features.has(feature) && features.size >= MAX_FEATURES_PER_PROFILE) dropLeastUsed(features)
    features.set(feature, { verdict, by, learnedAtMs: clock.monotonicMs() - ageMs, uses, usesBefore: uses })
  }

  const addProfile = (endpointId: string, profileId: string): Features => {
    // Another one may have to leave for it.
    latest = undefined
    return openFeatures(endpoints, endpointId, profileId)
  }

  const entries = (): readonly CapabilityEntry[] => {
    const nowMs = clock.monotonicMs()
    return [
      ...learnedEntries(endpoints, nowMs).filter((entry) => overrides.find(entry) === undefined),
      ...overrides.list(),
    ]
  }

  const verdicts = (endpointId: string, profileId: string): ((feature: string) => CapabilityVerdict) => {
    const findOverride = overrides.of(endpointId, profileId)
    const nowMs = clock.monotonicMs()
    return (feature) => {
      const override = findOverride?.(feature)
      if (override !== undefined) return override
      const learned = findFresh(endpointId, profileId, feature, nowMs)
      if (learned === undefined) return 'unknown'
      learned.uses += 1
      return learned.verdict
    }
  }

  return {
    verdict: (endpointId, profileId, feature) => verdicts(endpointId, profileId)(feature),
    verdicts,
    learn: (endpointId, profileId, feature, verdict) => {
      if (overrides.of(endpointId, profileId)?.(feature) !== undefined) return
      const known = findFresh(endpointId, profileId, feature)
      if (mayReplace(known?.verdict, verdict)) {
        store({ endpointId, profileId, feature }, verdict === 'doubted' ? 'suspected' : verdict, 'traffic')
      }
    },
    settle: (endpointId, profileId, feature, verdict, ageMs) =>
      store({ endpointId, profileId, feature }, verdict, 'probe', ageMs),
    knownGoodBetas: (endpointId, profileId) => {
      const good = new Set<string>()
      const nowMs = clock.monotonicMs()
      for (const [feature, learned] of endpoints.get(endpointId)?.get(profileId) ?? []) {
        if (learned.verdict === 'supported' && nowMs - learned.learnedAtMs < CAPABILITY_TTL_MS) good.add(feature)
      }
      for (const row of currentOverrides()) {
        if (row.endpointId !== endpointId || row.profileId !== profileId) continue
        if (row.supported) good.add(row.feature)
        else good.delete(row.feature)
      }
      return good
    },
    refusedFields: (endpointId, profileId) => {
      const features = findFeatures(endpointId, profileId)
      if (features === undefined) return noFields
      const nowMs = clock.monotonicMs()
      const known = refusedFields.get(features)
      if (known !== undefined && nowMs < known.untilMs) return known.paths
      const found = listRefusedFields(features, nowMs)
      refusedFields.set(features, found)
      return found.paths
    },
    suspects: () =>
      entries()
        .filter((entry) => entry.verdict === 'suspected')
        .map(({ endpointId, profileId, feature }) => ({ endpointId, profileId, feature })),
    refusalsInUse: (minAgeMs) => {
      const nowMs = clock.monotonicMs()
      return learnedEntries(endpoints, nowMs, isRefusalInUse)
        .filter((entry) => CAPABILITY_TTL_MS - (entry.expiresInMs ?? 0) >= minAgeMs)
        .filter((entry) => overrides.find(entry) === undefined)
        .map(({ endpointId, profileId, feature }) => ({ endpointId, profileId, feature }))
    },
    list: entries,
    keepOnly: (endpointIds) => {
      latest = undefined
      for (const id of endpoints.keys()) if (!endpointIds.has(id)) endpoints.delete(id)
    },
  }
}

/**
 * Traffic may fill a gap or report a refusal; it never turns a known refusal into support, because calls that left
 * before the refusal was known come back later. A suspicion yields to anything firmer.
 */
function mayReplace(known: LearnedVerdict | undefined, learned: LearnedVerdict | 'doubted'): boolean {
  if (known === undefined || learned === 'unsupported') return true
  if (learned === 'doubted') return known === 'supported'
  return known === 'suspected' && learned === 'supported'
}

function listRefusedFields(features: Features, nowMs: number): RefusedFields {
  const paths: string[] = []
  let untilMs = Number.POSITIVE_INFINITY
  for (const [feature, { verdict, learnedAtMs }] of features) {
    const endsMs = learnedAtMs + CAPABILITY_TTL_MS
    if (verdict !== 'unsupported' || !feature.includes('.') || nowMs >= endsMs) continue
    paths.push(feature)
    untilMs = Math.min(untilMs, endsMs)
  }
  return { paths, untilMs }
}

function openFeatures(endpoints: Map<string, Map<string, Features>>, endpointId: string, profileId: string): Features {
  let profiles = endpoints.get(endpointId)
  if (profiles === undefined) endpoints.set(endpointId, (profiles = new Map()))
  let features = profiles.get(profileId)
  if (features === undefined) {
    if (profiles.size >= MAX_PROFILES_PER_ENDPOINT) profiles.delete(profiles.keys().next().value ?? '')
    profiles.set(profileId, (features = new Map()))
  }
  return features
}

/**
 * Features that clients really use are asked for with every call, so invented names push out each other. What a probe
 * found stays: it would not be found again for a day.
 */
function dropLeastUsed(features: Features): void {
  let leastUsed: string | undefined
  let fewestUses = Number.POSITIVE_INFINITY
  for (const [feature, learned] of features) {
    if (learned.by === 'probe' || learned.uses >= fewestUses) continue
    leastUsed = feature
    fewestUses = learned.uses
    if (fewestUses === 0) break
  }
  features.delete(leastUsed ?? features.keys().next().value ?? '')
}

function isRefusalInUse({ verdict, uses, usesBefore }: Learned): boolean {
  return verdict === 'unsupported' && uses > usesBefore
}

function learnedEntries(
  endpoints: Map<string, Map<string, Features>>,
  nowMs: number,
  isWanted: (learned: Learned) => boolean = () => true,
): CapabilityEntry[] {
  const found: CapabilityEntry[] = []
  for (const [endpointId, profiles] of endpoints) {
    for (const [profileId, features] of profiles) {
      for (const [feature, learned] of features) {
        if (!isWanted(learned)) continue
        const { verdict, learnedAtMs } = learned
        const expiresInMs = learnedAtMs + CAPABILITY_TTL_MS - nowMs
        if (expiresInMs > 0) found.push({ endpointId, profileId, feature, verdict, source: 'learned', expiresInMs })
      }
    }
  }
  return found
}

interface OverrideIndex {
  /** Undefined while nobody has overridden anything, which is the rule. */
  readonly of: (endpointId: string, profileId: string) => ((feature: string) => ProbeVerdict | undefined) | undefined
  readonly find: (key: CapabilityKey) => ProbeVerdict | undefined
  readonly list: () => readonly CapabilityEntry[]
}

/** Rebuilt when the snapshot brings another list; the list is immutable, so its identity tells. */
function createOverrideIndex(currentOverrides: () => readonly CapabilityOverride[]): OverrideIndex {
  let indexed: readonly CapabilityOverride[] | undefined
  let byKey = new Map<string, ProbeVerdict>()
  const of: OverrideIndex['of'] = (endpointId, profileId) => {
    const overrides = currentOverrides()
    if (overrides !== indexed) {
      indexed = overrides
      byKey = new Map(
        overrides.map((row) => [
          `${row.endpointId} ${row.profileId} ${row.feature}`,
          row.supported ? 'supported' : 'unsupported',
        ]),
      )
    }
    const known = byKey
    return known.size === 0 ? undefined : (feature) => known.get(`${endpointId} ${profileId} ${feature}`)
  }
  return {
    of,
    find: (key) => of(key.endpointId, key.profileId)?.(key.feature),
    list: () =>
      currentOverrides().map(({ endpointId, profileId, feature, supported }) => ({
        endpointId,
        profileId,
        feature,
        verdict: supported ? 'supported' : 'unsupported',
        source: 'override',
        expiresInMs: null,
      })),
  }
}
