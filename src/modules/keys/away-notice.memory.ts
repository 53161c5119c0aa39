/** Says that budgets and rate limits are decided without the database, at a pace that fills no log. */
import type { Clock } from '../../foundation/platform/clock.ts'
import type { Logger } from '../../foundation/platform/logger.ts'

const QUIET_MS = 10_000

/** Losing what it remembers costs one more line of the log. */
export function createAwayNotice(log: Logger, clock: Pick<Clock, 'monotonicMs'>): (error: unknown) => void {
  let saidAtMs = Number.NEGATIVE_INFINITY
  return (error) => {
    if (clock.monotonicMs() - saidAtMs < QUIET_MS) return
    saidAtMs = clock.monotonicMs()
    log.warn({ err: error }, 'budgets and rate limits are judged without the database')
  }
}
