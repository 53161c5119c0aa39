/** Work that runs on a timer: how it is declared, and how all of it runs. */
import { every, type RepeatOptions, type RepeatStatus } from './every.ts'
import type { Logger } from './logger.ts'
import { createTrouble } from './trouble.ts'

export interface Loop {
  readonly name: string
  readonly intervalMs: number
  readonly firstMs?: number
  readonly retryMs?: number
  readonly jitter?: number
  readonly run: (signal: AbortSignal) => Promise<void>
}

/** Soon after the start too: an instance that is replaced every half hour would never do it. */
export const hourly = { intervalMs: 3_600_000, firstMs: 300_000 } as const

export interface LoopStatus extends RepeatStatus {
  readonly name: string
  readonly intervalMs: number
}

export interface RunningLoops {
  readonly status: () => readonly LoopStatus[]
  readonly stop: () => Promise<void>
}

export function startLoops(loops: readonly Loop[], log: Logger): RunningLoops {
  const running = loops.map((loop) => ({ loop, repeating: every({ ...loop, ...toldRarely(loop, log) }) }))
  return {
    status: () =>
      running.map(({ loop: { name, intervalMs }, repeating }) => ({ name, intervalMs, ...repeating.status() })),
    stop: async () => {
      await Promise.all(running.map(({ repeating }) => repeating.stop()))
    },
  }
}

/** An outage of the database fails half of them every second, for as long as it lasts. */
function toldRarely(loop: Loop, log: Logger): Pick<RepeatOptions, 'run' | 'onError'> {
  const trouble = createTrouble()
  return {
    run: async (signal) => {
      await loop.run(signal)
      trouble.over((failures) => log.info({ loop: loop.name, failures }, 'a loop works again'))
    },
    onError: (name, error) =>
      trouble.met((failures) => log.warn({ loop: name, failures, err: error }, 'a loop failed and will try again')),
  }
}
