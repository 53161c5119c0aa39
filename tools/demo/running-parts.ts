/** What runs and must be stopped, last started first. */

export interface RunningParts {
  readonly add: (stop: () => Promise<void>) => void
  /** Stops everything; what cannot be stopped does not keep the rest from being stopped. */
  readonly stopAll: () => Promise<readonly unknown[]>
}

export function createRunningParts(): RunningParts {
  const stops: (() => Promise<void>)[] = []
  return {
    add: (stop) => void stops.push(stop),
    stopAll: async () => {
      const failures: unknown[] = []
      for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) {
        try {
          await stop()
        } catch (error) {
          failures.push(error)
        }
      }
      return failures
    },
  }
}
