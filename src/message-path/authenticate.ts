/** Who calls, and is the credential still good when the call to Bedrock is to begin? Uploads, queues and searches take minutes. */
import type { IncomingMessage } from 'node:http'
import type { Caller } from '../foundation/domain/caller.ts'
import { problem } from '../foundation/domain/errors.ts'
import type { Clock } from '../foundation/platform/clock.ts'
import type { Reserved } from './call.ts'
import type { PathPorts } from './path-ports.ts'

type AuthenticatePorts = Pick<PathPorts, 'whyNotReady' | 'authenticate'>

export function authenticate({ headers }: IncomingMessage, ports: AuthenticatePorts): Caller | Promise<Caller> {
  const reason = ports.whyNotReady()
  if (reason !== undefined) throw problem('not_ready', { reason }, { headers: { 'retry-after': '2' } })
  return ports.authenticate(headers)
}

/** Less than any instance needs to hear of a revocation; calls that come through at once are not asked again. */
const TRUST_MS = 1_000

export function hasAged({ startedMs }: Reserved, clock: Pick<Clock, 'monotonicMs'>): boolean {
  return clock.monotonicMs() - startedMs > TRUST_MS
}

/** Throws what a new call with the same credential would get, and keeps nothing reserved for it. */
export async function requireStillValid({ request, hold }: Reserved, ports: AuthenticatePorts): Promise<void> {
  try {
    await ports.authenticate(request.headers)
  } catch (error) {
    hold?.release()
    throw error
  }
}
