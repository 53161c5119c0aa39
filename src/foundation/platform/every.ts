/**
 * Runs a task again and again: never twice at once, at once on demand, stoppable.
 * Our own, because the status page shows of each task how late it is, when it ran and how often it failed.
 */

export interface Repeating {
  readonly stop: () => Promise<void>
  readonly status: () => RepeatStatus
}

export interface RepeatStatus {
  /** Since the last run that succeeded, or since the start while none has. */
  readonly ageMs: number
  /** Runs that failed, since the start. */
  readonly errors: number
  /** Wall-clock times; null before the first. */
  readonly lastStartAtMs: number | null
  readonly lastSuccessAtMs: number | null
  readonly lastErrorAtMs: number | null
  /** What the last run that failed threw, null before; stays after a success, for whoever looks later. */
  readonly lastError: unknown
  readonly isRunning: boolean
  /** How long the running or the next run is over its time. */
  readonly lagMs: number
}

type LastRuns = Pick<RepeatStatus, 'lastStartAtMs' | 'lastSuccessAtMs' | 'lastErrorAtMs' | 'lastError'>

export interface RepeatOptions {
  readonly name: string
  readonly intervalMs: number
  /** The first run comes this soon; defaults to the interval. */
  readonly firstMs?: number
  /** After a failure the next try comes this soon; defaults to the interval. */
  readonly retryMs?: number
  /** Up to this share of the interval is added at random, so that instances do not march in step. */
  readonly jitter?: number
  readonly run: (signal: AbortSignal) => Promise<void>
  readonly onError: (name: string, error: unknown) => void
}

/** Node's timers take a longer wait for no wait at all. */
const MAX_TIMER_MS = 2 ** 31 - 1

export function every(options: RepeatOptions): Repeating {
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let lastSuccessMs = performance.now()
  let errors = 0
  let isRunning = false
  let dueMs = 0
  let last: LastRuns = { lastStartAtMs: null, lastSuccessAtMs: null, lastErrorAtMs: null, lastError: null }

  const schedule = (delayMs: number): void => {
    if (stopping.signal.aborted) return
    const wholeDelayMs = delayMs * (1 + (options.jitter ?? 0) * Math.random())
    dueMs = performance.now() + wholeDelayMs
    wait(wholeDelayMs)
  }

  const wait = (delayMs: number): void => {
    timer = setTimeout(
      () => {
        if (delayMs > MAX_TIMER_MS) wait(delayMs - MAX_TIMER_MS)
        else running = runOnce()
      },
      Math.min(delayMs, MAX_TIMER_MS),
    )
  }

  const runOnce = async (): Promise<void> => {
    last = { ...last, lastStartAtMs: Date.now() }
    // A run may take as long as the pause between two before it counts as late.
    dueMs = performance.now() + options.intervalMs
    isRunning = true
    try {
      await options.run(stopping.signal)
      isRunning = false
      lastSuccessMs = performance.now()
      last = { ...last, lastSuccessAtMs: Date.now() }
      schedule(options.intervalMs)
    } catch (error) {
      isRunning = false
      errors += 1
      last = { ...last, lastErrorAtMs: Date.now(), lastError: error }
      if (!stopping.signal.aborted) options.onError(options.name, error)
      schedule(options.retryMs ?? options.intervalMs)
    }
  }

  schedule(options.firstMs ?? options.intervalMs)
  return {
    stop: async () => {
      stopping.abort()
      clearTimeout(timer)
      await running
    },
    status: () => {
      const nowMs = performance.now()
      return { ageMs: nowMs - lastSuccessMs, errors, ...last, isRunning, lagMs: Math.max(0, nowMs - dueMs) }
    },
  }
}
