/**
 * Decides when a delivery that failed is tried again (contract: 5 s to 1 h, for 24 h).
 * A few lines; a dependency would be larger.
 */

const FIRST_MS = 5_000
const LONGEST_MS = 3_600_000
const GIVE_UP_AFTER_MS = 86_400_000

/** Null when its time is up. `random` is from 0 to 1, and keeps instances and events from marching in step. */
export function decideNextAttempt(attempt: number, ageMs: number, random: number): number | null {
  if (ageMs >= GIVE_UP_AFTER_MS) return null
  const pauseMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt - 1, 20)) * (0.75 + random * 0.5)
  // The last try falls on the end of the day and not some time before it.
  const leftMs = Math.max(0, GIVE_UP_AFTER_MS - ageMs)
  return Math.max(FIRST_MS, Math.min(pauseMs, leftMs, LONGEST_MS))
}
