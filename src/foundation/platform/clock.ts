/** Time, injected everywhere. Wall time is for stamps and expiry; durations use the monotonic clock, which never jumps. */
// Imported: the global of the same name is a getter, which every look at the clock would pay for.
import { performance } from 'node:perf_hooks'

export interface Clock {
  readonly nowMs: () => number
  readonly monotonicMs: () => number
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
}
