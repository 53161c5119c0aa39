/** Whether the session is about to end: two minutes before, while there is time to finish a thought. */
import { useEffect, useState } from 'react'

const WARN_SECONDS = 120
/** Browsers can wait no longer; a page that stays open for weeks hears of the end when it is there. */
const MAX_TIMER_MS = 2_147_483_647

export interface SessionEnding {
  readonly isNear: boolean
  /** Whoever does not want to sign in again is not asked twice. */
  readonly decline: () => void
}

export function useSessionEnding(secondsLeft: number | undefined): SessionEnding {
  const [state, setState] = useState<'far' | 'near' | 'declined'>('far')
  useEffect(() => {
    if (secondsLeft === undefined) return undefined
    const waitMs = (secondsLeft - WARN_SECONDS) * 1000
    if (waitMs > 0) setState('far')
    if (waitMs > MAX_TIMER_MS) return undefined
    const warn = (): void => setState((known) => (known === 'declined' ? known : 'near'))
    const timer = setTimeout(warn, Math.max(0, waitMs))
    return () => clearTimeout(timer)
  }, [secondsLeft])
  return { isNear: state === 'near', decline: () => setState('declined') }
}
