/**
 * Pairs found by discovery, ids that no endpoint has, and the last listing of each endpoint. Lost on restart, which is
 * safe: found pairs come back from the store, the rest is asked again.
 */

import type { ModelMapping } from '../../foundation/domain/model-mapping.ts'
import type { Clock } from '../../foundation/platform/clock.ts'
import type { InferenceProfile, MappingMemory } from '../../message-path/ports.ts'

/** How long an unknown id stays unknown, and how long one listing answers for all unknown ids. */
export const UNKNOWN_MODEL_MS = 60_000

const MAX_DISCOVERED = 1_000
const MAX_MISSING = 10_000
const MAX_LISTINGS = 1_000

interface Listing {
  readonly askedAtMs: number
  readonly profiles: Promise<readonly InferenceProfile[]>
}

export function createMappingMemory(
  clock: Pick<Clock, 'monotonicMs'>,
  /**
   * Writes the pair for all instances and says whether the snapshot has it now; must not throw and must not overwrite
   * an existing row.
   */
  persist: (mapping: ModelMapping) => Promise<boolean>,
): MappingMemory {
  const discovered = new Map<string, ModelMapping>()
  const missingUntilMs = new Map<string, number>()
  const listings = new Map<string, Listing>()
  const openQuestions = new Map<string, Promise<unknown>>()

  return {
    remember: (mapping) => {
      setBounded(discovered, mapping.vendorPrefix, mapping, MAX_DISCOVERED)
      // From then on the snapshot answers, so that a mapping which an administrator deletes is gone here as well.
      void persist(mapping).then((stored) => {
        if (stored && discovered.get(mapping.vendorPrefix) === mapping) discovered.delete(mapping.vendorPrefix)
      })
    },
    findDiscovered: (requestedId) => discovered.get(requestedId),
    isKnownMissing: (requestedId, scope) => {
      const key = missingKey(requestedId, scope)
      const untilMs = missingUntilMs.get(key)
      if (untilMs === undefined) return false
      if (clock.monotonicMs() < untilMs) return true
      missingUntilMs.delete(key)
      return false
    },
    rememberMissing: (requestedId, scope) => {
      setBounded(missingUntilMs, missingKey(requestedId, scope), clock.monotonicMs() + UNKNOWN_MODEL_MS, MAX_MISSING)
    },
    askOnce: <T>(question: string, ask: () => Promise<T>): Promise<T> => {
      const open = openQuestions.get(question) as Promise<T> | undefined
      if (open !== undefined) return open
      const answer = ask().finally(() => openQuestions.delete(question))
      openQuestions.set(question, answer)
      return answer
    },
    // A failed listing is kept as well: refused calls would otherwise be repeated with every unknown id.
    listOnce: (location, list) => {
      const nowMs = clock.monotonicMs()
      const known = listings.get(location)
      if (known !== undefined && nowMs - known.askedAtMs < UNKNOWN_MODEL_MS) return known.profiles
      const profiles = list()
      setBounded(listings, location, { askedAtMs: nowMs, profiles }, MAX_LISTINGS)
      return profiles
    },
  }
}

/** A requested id that is asked for has no space, so no two pairs give one key. */
function missingKey(requestedId: string, scope: string): string {
  return `${scope} ${requestedId}`
}

function setBounded<T>(map: Map<string, T>, key: string, value: T, maxSize: number): void {
  map.delete(key)
  map.set(key, value)
  if (map.size <= maxSize) return
  const oldest = map.keys().next()
  if (oldest.done !== true) map.delete(oldest.value)
}
