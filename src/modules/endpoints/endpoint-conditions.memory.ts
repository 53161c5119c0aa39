/**
 * Whether an endpoint may be tried now: its health by the last check, and a pause after failures in a row. Kept by
 * endpoint id, so reloading the configuration does not forget it. Lost on restart, which is safe: the first check and
 * the first failures build it up again.
 */

import { type Endpoint, type HealthStatus, locationKey } from '../../foundation/domain/endpoint.ts'
import { mayFailOver } from '../../foundation/domain/provider-failure.ts'
import type { Clock } from '../../foundation/platform/clock.ts'
import type { EndpointConditions } from '../../message-path/ports.ts'
import type { EndpointStats } from './endpoint-stats.memory.ts'

export interface EndpointHealth {
  readonly status: HealthStatus
  /** For administrators, in words; null when all is well. */
  readonly reason: string | null
  readonly checkedAtMs: number | null
  /** Undefined until a check has listed them. */
  readonly availableModels: ReadonlySet<string> | undefined
  /** Foundation models of application profiles, by ARN. */
  readonly modelsBehind?: ReadonlyMap<string, string> | undefined
}

export interface EndpointConditionMemory extends EndpointConditions {
  /** Ignored when the endpoint has moved since the check began. */
  readonly setHealth: (endpoint: Endpoint, health: EndpointHealth) => void
  /** A listing made between two checks may show models that are new: they are available from now on. */
  readonly noteProfiles: (endpoint: Endpoint, profileIds: readonly string[]) => void
  /** An override that was just set has a known model before the next check. */
  readonly noteModelBehind: (endpoint: Endpoint, aipArn: string, modelId: string) => void
  readonly readHealth: (endpointId: string) => EndpointHealth
  readonly availableModels: (endpointId: string) => ReadonlySet<string> | undefined
  readonly modelBehind: (endpointId: string, aipArn: string) => string | undefined
  /** Forgets endpoints that no longer exist. */
  readonly keepOnly: (endpointIds: ReadonlySet<string>) => void
}

const FAILURES_TO_PAUSE = 3
const FAILURE_WINDOW_MS = 30_000
const FIRST_PAUSE_MS = 15_000
/** Just under two minutes: traffic has to be back within 120 s of recovery, and a request must come first to try. */
const MAX_PAUSE_MS = 110_000
/** A trial whose caller went away never reports; after this long another call may try. */
const TRIAL_LEASE_MS = 15_000

interface Pause {
  /** Times of the failures since the last success. */
  failuresMs: number[]
  /** 0 while there is no pause. After it has ended it keeps its value until a trial has succeeded. */
  pausedUntilMs: number
  pausedAtMs: number
  pauseMs: number
  trialUntilMs: number
}

export const neverChecked: EndpointHealth = {
  status: 'unknown',
  reason: null,
  checkedAtMs: null,
  availableModels: undefined,
}

/** A health together with the endpoint that it was found for. */
interface Checked {
  readonly endpoint: Endpoint
  readonly health: EndpointHealth
}

export function createEndpointConditions(
  clock: Pick<Clock, 'monotonicMs'>,
  stats: EndpointStats,
  /** The endpoint as it is configured now. */
  findEndpoint: (endpointId: string) => Endpoint | undefined,
): EndpointConditionMemory {
  const healths = new Map<string, Checked>()
  const pauses = new Map<string, Pause>()

  const isInPlace = (endpoint: Endpoint): boolean => {
    const current = findEndpoint(endpoint.id)
    return current === endpoint || (current !== undefined && locationKey(current) === locationKey(endpoint))
  }

  const readHealth = (endpointId: string): EndpointHealth => {
    const checked = healths.get(endpointId)
    if (checked === undefined) return neverChecked
    if (isInPlace(checked.endpoint)) return checked.health
    // An application profile has the same model wherever the endpoint moves.
    return { ...neverChecked, modelsBehind: checked.health.modelsBehind }
  }

  const succeeded = (endpointId: string, startedMs: number): void => {
    const pause = pauses.get(endpointId)
    // A long stream that began before the pause says nothing about calls made now.
    if (pause !== undefined && startedMs >= pause.pausedAtMs) pauses.delete(endpointId)
  }

  return {
    findHealth: (endpointId) => readHealth(endpointId).status,
    readHealth,
    availableModels: (endpointId) => readHealth(endpointId).availableModels,
    modelBehind: (endpointId, aipArn) => healths.get(endpointId)?.health.modelsBehind?.get(aipArn),
    noteProfiles: (endpoint, profileIds) => {
      if (!isInPlace(endpoint)) return
      const health = readHealth(endpoint.id)
      const known = health.availableModels
      // Before the first check everything is tried anyway.
      if (known === undefined || profileIds.every((id) => known.has(id))) return
      healths.set(endpoint.id, { endpoint, health: { ...health, availableModels: new Set([...known, ...profileIds]) } })
    },
    noteModelBehind: (endpoint, aipArn, modelId) => {
      if (!isInPlace(endpoint)) return
      const health = readHealth(endpoint.id)
      if (health.modelsBehind?.get(aipArn) === modelId) return
      const modelsBehind = new Map(health.modelsBehind).set(aipArn, modelId)
      healths.set(endpoint.id, { endpoint, health: { ...health, modelsBehind } })
    },
    setHealth: (endpoint, health) => {
      if (isInPlace(endpoint)) healths.set(endpoint.id, { endpoint, health })
    },
    coolingUntilMs: (endpointId) => {
      const pause = pauses.get(endpointId)
      if (pause === undefined || pause.pausedUntilMs === 0) return 0
      const nowMs = clock.monotonicMs()
      if (nowMs < pause.pausedUntilMs) return pause.pausedUntilMs
      return nowMs < pause.trialUntilMs ? pause.trialUntilMs : 0
    },
    claimTrial: (endpointId) => {
      const pause = pauses.get(endpointId)
      if (pause === undefined || pause.pausedUntilMs === 0) return false
      const nowMs = clock.monotonicMs()
      if (nowMs < pause.pausedUntilMs || nowMs < pause.trialUntilMs) return false
      pause.trialUntilMs = nowMs + TRIAL_LEASE_MS
      return true
    },
    recordAlive: (endpointId) => succeeded(endpointId, clock.monotonicMs()),
    recordSuccess: (endpointId, durationMs, firstTokenMs) => {
      stats.recordSuccess(endpointId, durationMs, firstTokenMs)
      succeeded(endpointId, clock.monotonicMs() - durationMs)
    },
    recordFailure: (endpointId, failure) => {
      stats.recordFailure(endpointId, failure)
      // A refusal of the request itself says nothing about the next: an endpoint that throttles refuses all the same.
      if (mayFailOver(failure)) failed(pauses, endpointId, clock.monotonicMs())
    },
    recordFailover: (endpointId) => stats.recordFailover(endpointId),
    keepOnly: (endpointIds) => {
      for (const id of healths.keys()) if (!endpointIds.has(id)) healths.delete(id)
      for (const id of pauses.keys()) if (!endpointIds.has(id)) pauses.delete(id)
      stats.keepOnly(endpointIds)
    },
  }
}

/** Only failures without a success between them count: a busy endpoint that fails one call in a hundred stays in use. */
function failed(pauses: Map<string, Pause>, endpointId: string, nowMs: number): void {
  const pause = pauses.get(endpointId)
  if (pause === undefined) {
    pauses.set(endpointId, { failuresMs: [nowMs], pausedUntilMs: 0, pausedAtMs: 0, pauseMs: 0, trialUntilMs: 0 })
    return
  }
  if (pause.pausedUntilMs === 0) {
    pause.failuresMs = [...pause.failuresMs.filter((atMs) => nowMs - atMs < FAILURE_WINDOW_MS), nowMs]
    if (pause.failuresMs.length >= FAILURES_TO_PAUSE) startPause(pause, FIRST_PAUSE_MS, nowMs)
    return
  }
  // Calls that were under way when the pause began fail late; they must not lengthen it.
  if (nowMs >= pause.pausedUntilMs) startPause(pause, Math.min(pause.pauseMs * 2, MAX_PAUSE_MS), nowMs)
}

function startPause(pause: Pause, pauseMs: number, nowMs: number): void {
  pause.failuresMs = []
  pause.pauseMs = pauseMs
  pause.pausedAtMs = nowMs
  pause.pausedUntilMs = nowMs + pauseMs
  pause.trialUntilMs = 0
}
