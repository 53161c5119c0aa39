/**
 * Tells viewers what happens: calls of this instance as soon as they are stored, everything of all instances by reading
 * the database once a second, and nothing at all while nobody watches. Lost on restart, which is safe: viewers connect
 * again, and lists show what they missed.
 */
import { LRUCache } from 'lru-cache'
import type { HealthStatus } from '../../foundation/domain/endpoint.ts'
import type { LiveEvent } from '../../foundation/domain/live-event.ts'
import type { SpendRecord } from '../../foundation/domain/spend-record.ts'
import { callEvent, type RecentEvent } from './recent-events.store.ts'

export interface LiveFeedParts {
  /** Undefined while there is no database. */
  readonly readRecent: (sinceMs: number) => Promise<readonly RecentEvent[]> | undefined
  readonly endpoints: () => readonly { readonly id: string; readonly name: string }[]
  readonly findHealth: (endpointId: string) => { readonly status: HealthStatus; readonly reason: string | null }
  readonly nowMs: () => number
  readonly onError: (error: unknown) => void
}

export interface LiveFeed {
  /** Returns what ends it. */
  readonly watch: (take: (event: LiveEvent) => void) => () => void
  readonly stored: (records: readonly SpendRecord[]) => void
  readonly stop: () => void
}

const POLL_MS = 1_000
/** Rows carry the time at which they were made; a commit may come this much later. Calls that take longer on another instance are not shown. */
const LOOK_BACK_MS = 60_000
const MAX_SEEN = 5_000

export function createLiveFeed(parts: LiveFeedParts): LiveFeed {
  const viewers = new Set<(event: LiveEvent) => void>()
  const seen = new LRUCache<string, true>({ max: MAX_SEEN })
  const health = new Map<string, HealthStatus>()
  let timer: NodeJS.Timeout | undefined
  let isReading = false
  /** Nothing was looked at since somebody began to watch: what there is now is no news. */
  let isFirst = true

  const tell = (event: LiveEvent): void => {
    for (const take of viewers) take(event)
  }

  const tellNew = (events: readonly RecentEvent[]): void => {
    for (const { id, event } of events) {
      if (seen.has(id)) continue
      seen.set(id, true)
      tell(event)
    }
  }

  const lookAtHealth = (isNews: boolean): void => {
    for (const { id, name } of parts.endpoints()) {
      const { status, reason } = parts.findHealth(id)
      if (isNews && health.get(id) !== status)
        tell({ topic: 'health', endpointId: id, endpoint: name, status, reason, atMs: parts.nowMs() })
      health.set(id, status)
    }
  }

  const read = async (): Promise<void> => {
    if (isReading) return
    isReading = true
    const isNews = !isFirst
    try {
      lookAtHealth(isNews)
      const events = (await parts.readRecent(parts.nowMs() - LOOK_BACK_MS)) ?? []
      if (isNews) tellNew(events)
      else {
        for (const { id } of events) seen.set(id, true)
        isFirst = false
      }
    } catch (error) {
      // failure-modes: live feed. Viewers see this instance's own calls; what others did is in the lists.
      parts.onError(error)
    } finally {
      isReading = false
    }
  }

  const start = (): void => {
    isFirst = true
    void read()
    timer = setInterval(() => void read(), POLL_MS).unref()
  }

  const stop = (): void => {
    clearInterval(timer)
    timer = undefined
  }

  return {
    watch: (take) => {
      viewers.add(take)
      if (timer === undefined) start()
      return () => {
        viewers.delete(take)
        if (viewers.size === 0) stop()
      }
    },
    stored: (records) => {
      if (viewers.size > 0) tellNew(records.map(callEvent))
    },
    stop: () => {
      viewers.clear()
      stop()
    },
  }
}
