/** The end of life: readiness goes off at once, work may finish, and what has not by the deadline is told to stop. */

export interface Work {
  readonly done: () => void
}

export interface Drain {
  readonly isDraining: () => boolean
  readonly inFlight: () => number
  /** Registers work that must finish; `stop` is called when time is up and the work is still there. */
  readonly track: (stop: () => void) => Work
  readonly begin: () => void
  /** Resolves true when all work ended by itself, false when the deadline had to stop some. */
  readonly finished: (timeoutMs: number) => Promise<boolean>
}

/** After being told to stop, work gets this long to write its last event and its record. */
const STOP_GRACE_MS = 1_500

export function createDrain(): Drain {
  const open = new Set<() => void>()
  let draining = false
  let whenEmpty: (() => void) | undefined

  const untilEmpty = (timeoutMs: number): Promise<boolean> => {
    if (open.size === 0) return Promise.resolve(true)
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        whenEmpty = undefined
        resolve(false)
      }, timeoutMs)
      whenEmpty = () => {
        clearTimeout(timer)
        resolve(true)
      }
    })
  }

  return {
    isDraining: () => draining,
    inFlight: () => open.size,
    track: (stop) => {
      // A wrapper of its own, so that one function tracked twice counts twice.
      const entry = (): void => stop()
      open.add(entry)
      return {
        done: () => {
          if (open.delete(entry) && open.size === 0) whenEmpty?.()
        },
      }
    },
    begin: () => {
      draining = true
    },
    finished: async (timeoutMs) => {
      if (await untilEmpty(timeoutMs)) return true
      for (const stop of [...open]) stop()
      await untilEmpty(STOP_GRACE_MS)
      return false
    },
  }
}
