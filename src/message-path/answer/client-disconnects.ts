/** What happens when the client leaves: the hosted service bills the whole answer, so it is read on for a while to learn its usage. */
import type { AnswerLimits } from './answer-limits.ts'

export interface ClientDisconnects {
  /** Calls `giveUp` when time is up, or at once when too many answers are being read to nobody. */
  readonly begin: (giveUp: () => void) => { readonly done: () => void }
  readonly drains: () => number
}

export function createClientDisconnects({ drainMs, maxDrains }: AnswerLimits): ClientDisconnects {
  let drains = 0
  return {
    begin: (giveUp) => {
      if (drains >= maxDrains) {
        giveUp()
        return { done: () => {} }
      }
      drains += 1
      let open = true
      const timer = setTimeout(giveUp, drainMs)
      return {
        done: () => {
          if (!open) return
          open = false
          drains -= 1
          clearTimeout(timer)
        },
      }
    },
    drains: () => drains,
  }
}
