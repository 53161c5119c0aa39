/** Limits how often one source may try something that costs us, or that could be guessed. */
import { LRUCache } from 'lru-cache'
import { problem } from '../domain/errors.ts'
import type { Clock } from '../platform/clock.ts'

const MAX_SOURCES = 10_000
const WINDOW_MS = 60_000

export interface AttemptLimit {
  /** Counts one attempt; throws the public error when there were too many in a minute. */
  readonly requireRoom: (source: string) => void
}

/** Kept by each process for itself: losing it at a restart gives an attacker one more minute's worth. */
export function createAttemptLimit(clock: Clock, perMinute: number): AttemptLimit {
  const attempts = new LRUCache<string, { startedMs: number; count: number }>({ max: MAX_SOURCES })
  return {
    requireRoom(source) {
      const nowMs = clock.monotonicMs()
      const known = attempts.get(source)
      const window = known !== undefined && nowMs - known.startedMs < WINDOW_MS ? known : { startedMs: nowMs, count: 0 }
      window.count += 1
      attempts.set(source, window)
      if (window.count <= perMinute) return
      const seconds = Math.max(1, Math.ceil((window.startedMs + WINDOW_MS - nowMs) / 1000))
      throw problem('login_throttled', { seconds }, { headers: { 'retry-after': String(seconds) } })
    },
  }
}
