/** Keeps a user on one endpoint, where the prompt cache is warm (spec: Routing rules 3). */
import { findSubject } from '../../foundation/domain/caller.ts'
import type { Endpoint } from '../../foundation/domain/endpoint.ts'
import type { Routed } from '../call.ts'
import type { RoutingMemory } from '../ports.ts'
import type { Ordered, RankedCandidate, StrategyInput } from './strategy.ts'

/**
 * The affinity is set when there is none and renewed when it is used. When its endpoint cannot be used for this call
 * (it pauses, is unhealthy or lacks the model) the call goes elsewhere and the affinity stays: one user's failures or
 * one rare model must not move anybody. It moves when the user's own call fails over, which is the next stage's to say.
 */
export function stickyUser({ usable, subject, memory }: StrategyInput): Ordered {
  const keptOn = memory.findAffinity(subject)
  const kept = keptOn === undefined ? undefined : usable.find((candidate) => candidate.endpoint.id === keptOn)
  const ordered = spreadEquals(usable, subject)
  if (kept !== undefined) {
    memory.setAffinity(subject, kept.endpoint.id)
    const others = ordered.filter((candidate) => candidate !== kept)
    return { candidates: [kept, ...others], because: 'affinity' }
  }
  if (keptOn !== undefined) return { candidates: ordered, because: 'for this call, its usual endpoint cannot be used' }
  const first = ordered[0]
  if (first !== undefined) memory.setAffinity(subject, first.endpoint.id)
  return { candidates: ordered, because: 'new affinity' }
}

/** The call was answered elsewhere. Only a user who was kept on the endpoint that failed moves; other strategies know no affinity. */
export function moveAffinity({ candidates, caller }: Routed, answered: Endpoint, memory: RoutingMemory): void {
  const first = candidates[0]
  if (first === undefined || first.endpoint.id === answered.id) return
  const subject = findSubject(caller)
  if (memory.findAffinity(subject) === first.endpoint.id) memory.setAffinity(subject, answered.id)
}

/**
 * Equal priorities are ordered by a hash of user and endpoint: users spread evenly, each user always gets the same
 * order, and when an endpoint goes only its own users move.
 */
function spreadEquals(usable: readonly RankedCandidate[], subject: string): readonly RankedCandidate[] {
  const hasEquals = usable.some((candidate, index) => index > 0 && candidate.priority === usable[index - 1]?.priority)
  if (!hasEquals) return usable
  return usable
    .map((candidate) => ({ candidate, weight: hashPair(subject, candidate.endpoint.id) }))
    .sort((one, other) => one.candidate.priority - other.candidate.priority || other.weight - one.weight)
    .map(({ candidate }) => candidate)
}

/** FNV-1a over both names with a final mix: ids that differ in one digit must not land side by side. */
function hashPair(subject: string, endpointId: string): number {
  let hash = 0x811c9dc5
  const text = `${subject} ${endpointId}`
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
