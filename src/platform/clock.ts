/** Time, injected everywhere. Wall time is for stamps and expiry; durations use the monotonic clock, which never jumps. */
export interface Clock {
  readonly nowMs: () => number
  readonly monotonicMs: () => number
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
}
