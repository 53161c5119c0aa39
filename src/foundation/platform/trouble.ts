/** What fails again and again, told so that a log can still be read: when it begins, once a minute while it lasts, and when it is over. */
import { type Clock, systemClock } from './clock.ts'

export interface Trouble {
  /** Calls `tell` if it is time, with how often it was met since it began. */
  readonly met: (tell: (times: number) => void) => void
  /** Calls `tell` if there was any. */
  readonly over: (tell?: (times: number) => void) => void
}

const PAUSE_MS = 60_000

export function createTrouble(clock: Pick<Clock, 'monotonicMs'> = systemClock): Trouble {
  let times = 0
  let toldAtMs = 0
  return {
    met: (tell) => {
      times += 1
      const nowMs = clock.monotonicMs()
      if (times > 1 && nowMs - toldAtMs < PAUSE_MS) return
      toldAtMs = nowMs
      tell(times)
    },
    over: (tell) => {
      if (times > 0) tell?.(times)
      times = 0
    },
  }
}
