/** What each endpoint did in the last hour, in minute buckets. Shown, never used for routing (spec: Endpoint). Lost on restart, which is safe for the same reason. */
import { mayFailOver, type ProviderFailure } from '../domain/provider-failure.ts'
import type { Clock } from '../platform/clock.ts'
import { addToHistogram, createHistogram, HISTOGRAM_BINS, percentileOf } from './latency-histogram.ts'

export interface EndpointStatsOfHour {
  readonly requests: number
  readonly errors: number
  readonly throttles: number
  readonly failovers: number
  readonly latencyP50Ms: number | null
  readonly latencyP95Ms: number | null
  readonly firstTokenP50Ms: number | null
}

export interface EndpointStats {
  readonly recordSuccess: (endpointId: string, durationMs: number, firstTokenMs: number | null) => void
  readonly recordFailure: (endpointId: string, failure: ProviderFailure) => void
  /** A call left this endpoint for another one. */
  readonly recordFailover: (endpointId: string) => void
  readonly lastHour: (endpointId: string) => EndpointStatsOfHour
  readonly keepOnly: (endpointIds: ReadonlySet<string>) => void
}

const MINUTES = 60
const MINUTE_MS = 60_000

interface MinuteBucket {
  minute: number
  requests: number
  errors: number
  throttles: number
  failovers: number
  readonly durations: Uint32Array
  readonly firstTokens: Uint32Array
}

export function createEndpointStats(clock: Pick<Clock, 'monotonicMs'>): EndpointStats {
  const bucketsOf = new Map<string, (MinuteBucket | undefined)[]>()

  const currentBucket = (endpointId: string): MinuteBucket => {
    let buckets = bucketsOf.get(endpointId)
    if (buckets === undefined) bucketsOf.set(endpointId, (buckets = new Array(MINUTES).fill(undefined)))
    const minute = Math.floor(clock.monotonicMs() / MINUTE_MS)
    const bucket = (buckets[minute % MINUTES] ??= emptyBucket(minute))
    if (bucket.minute !== minute) reuse(bucket, minute)
    return bucket
  }

  return {
    recordSuccess: (endpointId, durationMs, firstTokenMs) => {
      const bucket = currentBucket(endpointId)
      bucket.requests += 1
      addToHistogram(bucket.durations, durationMs)
      if (firstTokenMs !== null) addToHistogram(bucket.firstTokens, firstTokenMs)
    },
    recordFailure: (endpointId, failure) => {
      const bucket = currentBucket(endpointId)
      bucket.requests += 1
      if (failure.status === 429) bucket.throttles += 1
      if (isEndpointsFault(failure)) bucket.errors += 1
    },
    recordFailover: (endpointId) => {
      currentBucket(endpointId).failovers += 1
    },
    lastHour: (endpointId) => sumUp(bucketsOf.get(endpointId) ?? [], Math.floor(clock.monotonicMs() / MINUTE_MS)),
    keepOnly: (endpointIds) => {
      for (const id of bucketsOf.keys()) if (!endpointIds.has(id)) bucketsOf.delete(id)
    },
  }
}

/** A body that the model refuses is the client's fault; missing access or a wrong ARN is the endpoint's. */
function isEndpointsFault(failure: ProviderFailure): boolean {
  return mayFailOver(failure) || (failure.status >= 401 && failure.status <= 404)
}

function emptyBucket(minute: number): MinuteBucket {
  return {
    minute,
    requests: 0,
    errors: 0,
    throttles: 0,
    failovers: 0,
    durations: createHistogram(),
    firstTokens: createHistogram(),
  }
}

function reuse(bucket: MinuteBucket, minute: number): void {
  bucket.minute = minute
  bucket.requests = bucket.errors = bucket.throttles = bucket.failovers = 0
  bucket.durations.fill(0)
  bucket.firstTokens.fill(0)
}

function sumUp(buckets: readonly (MinuteBucket | undefined)[], minute: number): EndpointStatsOfHour {
  const sum = emptyBucket(minute)
  for (const bucket of buckets) {
    if (bucket === undefined || minute - bucket.minute >= MINUTES) continue
    sum.requests += bucket.requests
    sum.errors += bucket.errors
    sum.throttles += bucket.throttles
    sum.failovers += bucket.failovers
    for (let bin = 0; bin < HISTOGRAM_BINS; bin += 1) {
      sum.durations[bin] = (sum.durations[bin] ?? 0) + (bucket.durations[bin] ?? 0)
      sum.firstTokens[bin] = (sum.firstTokens[bin] ?? 0) + (bucket.firstTokens[bin] ?? 0)
    }
  }
  return {
    requests: sum.requests,
    errors: sum.errors,
    throttles: sum.throttles,
    failovers: sum.failovers,
    latencyP50Ms: percentileOf(sum.durations, 0.5),
    latencyP95Ms: percentileOf(sum.durations, 0.95),
    firstTokenP50Ms: percentileOf(sum.firstTokens, 0.5),
  }
}
