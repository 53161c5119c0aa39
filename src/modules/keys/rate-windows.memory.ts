/**
 * Exact sliding minute per key: a ring of the times of admitted calls. Lost on restart, which is safe: at most one
 * minute of calls is forgotten.
 * Our own, because a decision is exact and needs no promise.
 */

import type { Clock } from '../../foundation/platform/clock.ts'
import type { RateDecision, RateWindows } from '../../message-path/ports.ts'

export const RATE_WINDOW_MS = 60_000

/** Capacity is a power of two, so that a position wraps by a mask; it grows with the calls really made, not with the limit. */
interface Ring {
  times: Float64Array
  head: number
  count: number
  /** As of the latest call. */
  limitRpm: number
}

const FIRST_CAPACITY = 16

export interface RecentCalls {
  readonly subject: string
  readonly limitRpm: number
  readonly agesMs: readonly number[]
}

export interface LocalRateWindows extends RateWindows {
  readonly take: (id: string, limitRpm: number) => RateDecision
  readonly size: () => number
  /** How long ago the calls of the last minute were, oldest first. */
  readonly agesMs: () => readonly RecentCalls[]
}

export function createRateWindows(clock: Pick<Clock, 'monotonicMs'>): LocalRateWindows {
  const rings = new Map<string, Ring>()
  let sweptAtMs = clock.monotonicMs()

  return {
    take: (id, limitRpm) => {
      const nowMs = clock.monotonicMs()
      if (nowMs - sweptAtMs >= RATE_WINDOW_MS) {
        sweptAtMs = nowMs
        dropIdle(rings, nowMs)
      }
      // A limit below one would never free a place; refusing keeps the arithmetic below away from it.
      if (!(limitRpm >= 1)) return { kind: 'limited', retryAfterSeconds: RATE_WINDOW_MS / 1_000 }
      let ring = rings.get(id)
      if (ring === undefined) {
        ring = { times: new Float64Array(FIRST_CAPACITY), head: 0, count: 0, limitRpm }
        rings.set(id, ring)
      }
      ring.limitRpm = limitRpm
      dropExpired(ring, nowMs)
      if (ring.count >= limitRpm) {
        // With a limit that was lowered meanwhile, more than one call has to leave first.
        return { kind: 'limited', retryAfterSeconds: secondsUntilFree(timeAt(ring, ring.count - limitRpm), nowMs) }
      }
      append(ring, nowMs)
      return {
        kind: 'taken',
        remaining: limitRpm - ring.count,
        resetSeconds: secondsUntilFree(timeAt(ring, 0), nowMs),
        takenAtMs: nowMs,
      }
    },
    giveBack: (id, takenAtMs) => {
      const ring = rings.get(id)
      if (ring !== undefined) remove(ring, takenAtMs)
    },
    size: () => rings.size,
    agesMs: () => {
      const nowMs = clock.monotonicMs()
      return [...rings].map(([subject, ring]) => {
        dropExpired(ring, nowMs)
        const { limitRpm } = ring
        return {
          subject,
          limitRpm,
          agesMs: Array.from({ length: ring.count }, (_, index) => nowMs - timeAt(ring, index)),
        }
      })
    },
  }
}

function timeAt(ring: Ring, index: number): number {
  return ring.times[(ring.head + Math.trunc(index)) & (ring.times.length - 1)] ?? 0
}

function secondsUntilFree(takenAtMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((takenAtMs + RATE_WINDOW_MS - nowMs) / 1_000))
}

function dropExpired(ring: Ring, nowMs: number): void {
  const mask = ring.times.length - 1
  while (ring.count > 0 && nowMs - (ring.times[ring.head] ?? 0) >= RATE_WINDOW_MS) {
    ring.head = (ring.head + 1) & mask
    ring.count -= 1
  }
}

function append(ring: Ring, nowMs: number): void {
  if (ring.count === ring.times.length) {
    const wider = new Float64Array(ring.times.length * 2)
    for (let index = 0; index < ring.count; index += 1) wider[index] = timeAt(ring, index)
    ring.times = wider
    ring.head = 0
  }
  ring.times[(ring.head + ring.count) & (ring.times.length - 1)] = nowMs
  ring.count += 1
}

/** The very time goes, not the newest: leaving an older one in its place would free that place too early. */
function remove(ring: Ring, takenAtMs: number): void {
  const mask = ring.times.length - 1
  for (let index = ring.count - 1; index >= 0; index -= 1) {
    if (timeAt(ring, index) !== takenAtMs) continue
    for (let later = index; later < ring.count - 1; later += 1) {
      ring.times[(ring.head + later) & mask] = timeAt(ring, later + 1)
    }
    ring.count -= 1
    return
  }
}

/** Once a minute, so memory holds only keys that called within the last two. */
function dropIdle(rings: Map<string, Ring>, nowMs: number): void {
  for (const [id, ring] of rings) {
    if (ring.count === 0 || nowMs - timeAt(ring, ring.count - 1) >= RATE_WINDOW_MS) rings.delete(id)
  }
}
