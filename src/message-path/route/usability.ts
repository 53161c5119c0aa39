/** Sorts candidates by whether they may be tried now. */
import type { EndpointConditions } from '../ports.ts'
import type { RankedCandidate } from './strategy.ts'

export interface Usability {
  readonly usable: readonly RankedCandidate[]
  /** Asked only when every usable one has failed, or when there is none; the pause that ends first comes first. */
  readonly lastResort: readonly RankedCandidate[]
  /** Left out of this call, with the reason. */
  readonly skipped: readonly string[]
  /** No endpoint passed its last check, so the failed ones are tried. */
  readonly onlyUnhealthy: boolean
}

/**
 * Unhealthy endpoints are left out while any other exists: their typical error (no access) would hide the throttle of a
 * good one from the client. Pausing ones are kept as the last resort, because a call must succeed if any endpoint works.
 */
export function sortByUsability(candidates: readonly RankedCandidate[], conditions: EndpointConditions): Usability {
  const unhealthy: RankedCandidate[] = []
  const sound: RankedCandidate[] = []
  for (const candidate of candidates) {
    if (conditions.findHealth(candidate.endpoint.id) === 'unhealthy') unhealthy.push(candidate)
    else sound.push(candidate)
  }
  const considered = sound.length > 0 ? sound : unhealthy
  const usable: RankedCandidate[] = []
  const cooling: { readonly candidate: RankedCandidate; readonly untilMs: number }[] = []
  for (const candidate of considered) {
    const untilMs = conditions.coolingUntilMs(candidate.endpoint.id)
    if (untilMs === 0) usable.push(candidate)
    else cooling.push({ candidate, untilMs })
  }
  if (cooling.length > 1) cooling.sort((one, other) => one.untilMs - other.untilMs)
  return {
    usable,
    lastResort: cooling.map(({ candidate }) => candidate),
    skipped: sound.length > 0 ? unhealthy.map(({ endpoint }) => `${endpoint.name} (unhealthy)`) : [],
    onlyUnhealthy: sound.length === 0,
  }
}
