/**
 * When something has to be looked at again, each by itself: a slow one never delays the others, and one whose
 * configuration has changed is looked at without waiting for its turn. Lost on restart, which is safe: everything is due.
 */
import type { Clock } from '../../foundation/platform/clock.ts'

export interface LookSchedule {
  /** True when this one is due and nobody is at it; the caller must then say `finished`. */
  readonly begin: (id: string, fingerprint: string) => boolean
  readonly finished: (id: string, againInMs?: number) => void
  /** How many have begun and not finished. */
  readonly running: () => number
  readonly keepOnly: (ids: ReadonlySet<string>) => void
}

export interface LookOptions {
  readonly intervalMs: number
  /** Up to this share of the interval is added or taken at random, so that instances do not march in step. */
  readonly spread: number
  readonly random?: () => number
}

interface Look {
  fingerprint: string
  dueAtMs: number
  isRunning: boolean
}

export function createLookSchedule(clock: Pick<Clock, 'monotonicMs'>, options: LookOptions): LookSchedule {
  const looks = new Map<string, Look>()
  const random = options.random ?? Math.random
  const nextDueMs = (): number => clock.monotonicMs() + options.intervalMs * (1 + options.spread * (2 * random() - 1))

  return {
    begin: (id, fingerprint) => {
      const look = looks.get(id)
      if (look === undefined) {
        looks.set(id, { fingerprint, dueAtMs: nextDueMs(), isRunning: true })
        return true
      }
      const isDue = look.fingerprint !== fingerprint || clock.monotonicMs() >= look.dueAtMs
      if (look.isRunning || !isDue) return false
      look.fingerprint = fingerprint
      look.dueAtMs = nextDueMs()
      look.isRunning = true
      return true
    },
    finished: (id, againInMs) => {
      const look = looks.get(id)
      if (look === undefined) return
      look.isRunning = false
      if (againInMs !== undefined) look.dueAtMs = clock.monotonicMs() + againInMs
    },
    running: () => {
      let running = 0
      for (const look of looks.values()) if (look.isRunning) running += 1
      return running
    },
    keepOnly: (ids) => {
      for (const id of looks.keys()) if (!ids.has(id)) looks.delete(id)
    },
  }
}
