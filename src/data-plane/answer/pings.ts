/** Keeps silent streams alive: one timer for all of them writes a ping where nothing was sent for ten seconds. */
import type { Clock } from '../../platform/clock.ts'

export interface Pinged {
  /** Monotonic time of the last byte written. */
  lastWriteMs: number
  readonly ping: () => void
}

export interface Pings {
  readonly add: (stream: Pinged) => void
  readonly remove: (stream: Pinged) => void
  readonly openStreams: () => number
  readonly stop: () => void
}

export const PING_AFTER_MS = 10_000
/** One timer for all streams costs the same for five as for five thousand; pings come up to this much late. */
const TICK_MS = 500

export function createPings(clock: Clock): Pings {
  const streams = new Set<Pinged>()
  const timer = setInterval(() => {
    const nowMs = clock.monotonicMs()
    for (const stream of streams) if (nowMs - stream.lastWriteMs >= PING_AFTER_MS) stream.ping()
  }, TICK_MS)
  timer.unref()
  return {
    add: (stream) => void streams.add(stream),
    remove: (stream) => void streams.delete(stream),
    openStreams: () => streams.size,
    stop: () => clearInterval(timer),
  }
}
