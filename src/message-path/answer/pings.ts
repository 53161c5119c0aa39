/** Keeps silent streams alive: one timer for all of them writes a ping where nothing was sent for a while. */
import type { Clock } from '../../foundation/platform/clock.ts'
import type { AnswerLimits } from './answer-limits.ts'
import { type ListMember, UnorderedList } from './unordered-list.ts'

export interface Pinged extends ListMember {
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

/** One timer for all streams costs the same for five as for five thousand; pings come up to this much late. */
const TICK_MS = 500

export function createPings(clock: Clock, { pingAfterMs }: AnswerLimits): Pings {
  const streams = new UnorderedList<Pinged>()
  const timer = setInterval(
    () => {
      const nowMs = clock.monotonicMs()
      for (const stream of streams.all()) if (nowMs - stream.lastWriteMs >= pingAfterMs) stream.ping()
    },
    Math.min(TICK_MS, pingAfterMs / 4),
  )
  timer.unref()
  return {
    add: (stream) => streams.add(stream),
    remove: (stream) => void streams.remove(stream),
    openStreams: () => streams.size,
    stop: () => clearInterval(timer),
  }
}
