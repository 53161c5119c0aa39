/** Is the credential still good when the hosted call is to begin? Uploads, queues and searches take minutes. */
import type { Clock } from '../foundation/platform/clock.ts'
import type { Reserved } from './context.ts'
import type { Passage } from './passage.ts'
import type { PathPorts } from './path-ports.ts'

/** Less than any instance needs to hear of a revocation; calls that come through at once are not asked again. */
const TRUST_MS = 1_000

export function hasAged({ startedMs }: Reserved, clock: Pick<Clock, 'monotonicMs'>): boolean {
  return clock.monotonicMs() - startedMs > TRUST_MS
}

/** Throws what a new call with the same credential would get, and keeps nothing reserved for it. */
export async function requireStillValid(passage: Passage, { hold }: Reserved, ports: PathPorts): Promise<void> {
  try {
    await ports.authenticate(passage.request.headers)
  } catch (error) {
    hold?.release()
    throw error
  }
}
