/** How long an answer may be silent or unread, and how long one is read on for a client that left. Tests shorten them. */

export interface AnswerLimits {
  /** contract: 3.6. A stream gets a ping when nothing was written to it for this long. */
  readonly pingAfterMs: number
  /** When no event has come this long after the hosted service's own head, ours goes out and pings begin. */
  readonly headAfterMs: number
  /** contract: 3.8. An answer whose client left is read on for this long, to learn its usage. */
  readonly drainMs: number
  readonly maxDrains: number
  /**
   * A client for which bytes wait and which has made no room for one of them for this long counts as gone. The system asks
   * for more only when a third of what it holds for a client, a megabyte or so, was taken: in an hour also the slowest do.
   */
  readonly unreadMs: number
}

export const answerLimits: AnswerLimits = {
  pingAfterMs: 10_000,
  headAfterMs: 15_000,
  drainMs: 30_000,
  maxDrains: 50,
  unreadMs: 3_600_000,
}
