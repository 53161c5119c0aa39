/** Runs a task again and again: never twice at once, at once on demand, stoppable. */

export interface Repeating {
  readonly stop: () => Promise<void>
  readonly status: () => RepeatStatus
}

export interface RepeatStatus {
  /** Since the last run that succeeded, or since the start while none has. */
  readonly ageMs: number
  /** Runs that failed, since the start. */
  readonly errors: number
}

export interface RepeatOptions {
  readonly name: string
  readonly intervalMs: number
  /** After a failure the next try comes this soon; defaults to the interval. */
  readonly retryMs?: number
  /** Up to this share of the interval is added at random, so that instances do not march in step. */
  readonly jitter?: number
  readonly run: (signal: AbortSignal) => Promise<void>
  readonly onError: (name: string, error: unknown) => void
}

export function every(options: RepeatOptions): Repeating {
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let lastSuccessMs = performance.now()
  let errors = 0

  const schedule = (delayMs: number): void => {
    if (stopping.signal.aborted) return
    const spread = delayMs * (options.jitter ?? 0) * Math.random()
    timer = setTimeout(() => {
      running = runOnce()
    }, delayMs + spread)
  }

  const runOnce = async (): Promise<void> => {
    try {
      await options.run(stopping.signal)
      lastSuccessMs = performance.now()
      schedule(options.intervalMs)
    } catch (error) {
      errors += 1
      if (!stopping.signal.aborted) options.onError(options.name, error)
      schedule(options.retryMs ?? options.intervalMs)
    }
  }

  schedule(options.intervalMs)
  return {
    stop: async () => {
      stopping.abort()
      clearTimeout(timer)
      await running
    },
    status: () => ({ ageMs: performance.now() - lastSuccessMs, errors }),
  }
}
