/**
 * Limits how often one source may try something that costs us, or that could be guessed.
 * A few lines on `lru-cache`; a dependency would be larger.
 */
import { LRUCache } from 'lru-cache'
import { problem } from '../domain/errors.ts'
import type { Clock } from '../platform/clock.ts'

const MAX_SOURCES = 10_000
const MINUTE_MS = 60_000
/** Short, so that not even the polls of a minute come to the database at once. */
const POLL_WINDOW_MS = 5_000
/** Four hundred people behind one address who ask every two seconds. */
const POLLS_PER_WINDOW = 1_000

export interface AttemptLimit {
  /** Counts one attempt; throws the public error when there were too many. */
  readonly requireRoom: (source: string) => void
}

/** Kept by each process for itself: losing it at a restart gives an attacker one more minute's worth. */
export function createAttemptLimit(clock: Clock, perMinute: number): AttemptLimit {
  return createLimit(clock, perMinute, MINUTE_MS)
}

/** For asking again and again, which is right, but asks the database each time, and anybody may. */
export function createPollLimit(clock: Clock): AttemptLimit {
  return createLimit(clock, POLLS_PER_WINDOW, POLL_WINDOW_MS)
}

function createLimit(clock: Clock, most: number, windowMs: number): AttemptLimit {
  const attempts = new LRUCache<string, { startedMs: number; count: number }>({ max: MAX_SOURCES })
  return {
    requireRoom(source) {
      const nowMs = clock.monotonicMs()
      const known = attempts.get(source)
      const window = known !== undefined && nowMs - known.startedMs < windowMs ? known : { startedMs: nowMs, count: 0 }
      window.count += 1
      attempts.set(source, window)
      if (window.count <= most) return
      const seconds = Math.max(1, Math.ceil((window.startedMs + windowMs - nowMs) / 1000))
      throw problem('login_throttled', { seconds }, { headers: { 'retry-after': String(seconds) } })
    },
  }
}
