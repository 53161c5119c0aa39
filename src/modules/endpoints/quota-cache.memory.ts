/**
 * The service quotas of each endpoint, for five minutes: reading them takes more than a dozen calls. Lost on restart,
 * which is safe: they are asked for again.
 */
import type { Endpoint } from '../../foundation/domain/endpoint.ts'
import type { Clock } from '../../foundation/platform/clock.ts'

/** spec: Limits, quota cache. */
export const QUOTA_CACHE_MS = 5 * 60_000

export interface FetchedQuotas<Quota> {
  readonly quotas: readonly Quota[]
  readonly fetchedAtMs: number
}

interface Entry<Quota> {
  readonly account: string
  readonly askedAtMs: number
  readonly answer: Promise<FetchedQuotas<Quota>>
}

export interface QuotaCache<Quota> {
  readonly read: (endpoint: Endpoint) => Promise<FetchedQuotas<Quota>>
  readonly keepOnly: (endpointIds: ReadonlySet<string>) => void
}

export function createQuotaCache<Quota>(
  clock: Clock,
  fetchQuotas: (endpoint: Endpoint) => Promise<readonly Quota[]>,
): QuotaCache<Quota> {
  const entries = new Map<string, Entry<Quota>>()

  return {
    read: (endpoint) => {
      const account = JSON.stringify([endpoint.region, endpoint.roleArn, endpoint.externalId])
      const known = entries.get(endpoint.id)
      const isFresh = known !== undefined && clock.monotonicMs() - known.askedAtMs < QUOTA_CACHE_MS
      if (isFresh && known.account === account) return known.answer
      const answer = fetchQuotas(endpoint).then((quotas) => ({ quotas, fetchedAtMs: clock.nowMs() }))
      const entry = { account, askedAtMs: clock.monotonicMs(), answer }
      entries.set(endpoint.id, entry)
      // Whoever mends a permission wants to see it at once, so a failure is not kept.
      answer.catch(() => {
        if (entries.get(endpoint.id) === entry) entries.delete(endpoint.id)
      })
      return answer
    },
    keepOnly: (endpointIds) => {
      for (const id of entries.keys()) if (!endpointIds.has(id)) entries.delete(id)
    },
  }
}
