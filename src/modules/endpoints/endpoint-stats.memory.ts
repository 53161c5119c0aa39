/**
 * What each endpoint did in the last hour: here in minute buckets, elsewhere as other instances told it last. Shown,
 * never used for routing (spec: Endpoint). Lost on restart, which is safe for the same reason.
 */
import type { EndpointHour, EndpointHours } from '../../foundation/domain/instance-report.ts'
import { mayFailOver, type ProviderFailure } from '../../foundation/domain/provider-failure.ts'
import type { Clock } from '../../foundation/platform/clock.ts'
import {
  addCounts,
  addToHistogram,
  createHistogram,
  findPercentile,
  HISTOGRAM_BINS,
  readCounts,
} from './latency-histogram.memory.ts'

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
  /** On all instances. */
  readonly lastHour: (endpointId: string) => EndpointStatsOfHour
  /** For the other instances. */
  readonly ownHours: () => EndpointHours
  /** All that the others saw; it takes the place of what they told before. */
  readonly hearOthers: (hours: readonly EndpointHours[]) => void
  readonly keepOnly: (endpointIds: ReadonlySet<string>) => void
}

const MINUTES = 60
const MINUTE_MS = 60_000

interface Sums {
  requests: number
  errors: number
  throttles: number
  failovers: number
  readonly durations: Uint32Array
  readonly firstTokens: Uint32Array
}

interface MinuteBucket extends Sums {
  minute: number
}

export function createEndpointStats(clock: Pick<Clock, 'monotonicMs'>): EndpointStats {
  const bucketsOf = new Map<string, (MinuteBucket | undefined)[]>()
  let others: readonly EndpointHours[] = []

  const currentMinute = (): number => Math.floor(clock.monotonicMs() / MINUTE_MS)

  const currentBucket = (endpointId: string): MinuteBucket => {
    let buckets = bucketsOf.get(endpointId)
    if (buckets === undefined) bucketsOf.set(endpointId, (buckets = new Array(MINUTES).fill(undefined)))
    const minute = currentMinute()
    const bucket = (buckets[minute % MINUTES] ??= { minute, ...noSums() })
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
    lastHour: (endpointId) => {
      const sums = sumUp(bucketsOf.get(endpointId) ?? [], currentMinute())
      for (const hours of others) addHour(sums, hours[endpointId])
      return toStats(sums)
    },
    ownHours: () => {
      const minute = currentMinute()
      return Object.fromEntries([...bucketsOf].map(([id, buckets]) => [id, toHour(sumUp(buckets, minute))]))
    },
    hearOthers: (hours) => {
      others = hours
    },
    keepOnly: (endpointIds) => {
      for (const id of bucketsOf.keys()) if (!endpointIds.has(id)) bucketsOf.delete(id)
    },
  }
}

/** A body that the model refuses is the client's fault; missing access or a wrong ARN is the endpoint's. */
function isEndpointsFault(failure: ProviderFailure): boolean {
  return mayFailOver(failure) || (failure.status >= 401 && failure.status <= 404)
}

function noSums(): Sums {
  return {
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

function sumUp(buckets: readonly (MinuteBucket | undefined)[], minute: number): Sums {
  const sums = noSums()
  for (const bucket of buckets) {
    if (bucket === undefined || minute - bucket.minute >= MINUTES) continue
    addNumbers(sums, bucket)
    for (let bin = 0; bin < HISTOGRAM_BINS; bin += 1) {
      sums.durations[bin] = (sums.durations[bin] ?? 0) + (bucket.durations[bin] ?? 0)
      sums.firstTokens[bin] = (sums.firstTokens[bin] ?? 0) + (bucket.firstTokens[bin] ?? 0)
    }
  }
  return sums
}

function addHour(sums: Sums, hour: EndpointHour | undefined): void {
  if (hour === undefined) return
  addNumbers(sums, hour)
  addCounts(sums.durations, hour.durations)
  addCounts(sums.firstTokens, hour.firstTokens)
}

function addNumbers(sums: Sums, more: Pick<EndpointHour, 'requests' | 'errors' | 'throttles' | 'failovers'>): void {
  sums.requests += more.requests
  sums.errors += more.errors
  sums.throttles += more.throttles
  sums.failovers += more.failovers
}

function toHour({ durations, firstTokens, ...numbers }: Sums): EndpointHour {
  return { ...numbers, durations: readCounts(durations), firstTokens: readCounts(firstTokens) }
}

function toStats({ durations, firstTokens, ...numbers }: Sums): EndpointStatsOfHour {
  return {
    ...numbers,
    latencyP50Ms: findPercentile(durations, 0.5),
    latencyP95Ms: findPercentile(durations, 0.95),
    firstTokenP50Ms: findPercentile(firstTokens, 0.5),
  }
}
