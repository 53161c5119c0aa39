/** How long an answer may be silent, and how long one is read on for a client that left. Tests shorten them. */

export interface AnswerLimits {
  /** contract: 3.6. A stream gets a ping when nothing was written to it for this long. */
  readonly pingAfterMs: number
  /** When no event has come this long after the hosted service's own head, ours goes out and pings begin. */
  readonly headAfterMs: number
  /** contract: 3.8. An answer whose client left is read on for this long, to learn its usage. */
  readonly drainMs: number
  readonly maxDrains: number
}

export const answerLimits: AnswerLimits = {
  pingAfterMs: 10_000,
  headAfterMs: 15_000,
  drainMs: 30_000,
  maxDrains: 50,
}
