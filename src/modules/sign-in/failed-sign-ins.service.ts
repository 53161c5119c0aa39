/** Writes refused password sign-ins to the log and wrong passwords to the audit trail, at a pace that cannot harm the database. */

import { appendAudit } from '../../foundation/database/audit.ts'
import type { Database } from '../../foundation/database/database.ts'
import type { Clock } from '../../foundation/platform/clock.ts'
import type { Logger } from '../../foundation/platform/logger.ts'
import type { FailedSignIn } from './login/password.routes.ts'
import { toSource } from './login-throttle.memory.ts'

const PAUSE_MS = 1_000
/** From all addresses together: an attacker can have many. */
const MAX_PER_PAUSE = 10
const MAX_NAME_LENGTH = 100

export interface FailedSignInParts {
  readonly findDatabase: () => Database | undefined
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly log: Logger
}

/** Never throws and never waits. */
export function createFailedSignIns({ findDatabase, clock, log }: FailedSignInParts): (failed: FailedSignIn) => void {
  const writtenAtMs = new Map<string, number>()

  function mayWrite(source: string): boolean {
    const nowMs = clock.monotonicMs()
    for (const [known, atMs] of writtenAtMs) if (nowMs - atMs >= PAUSE_MS) writtenAtMs.delete(known)
    if (writtenAtMs.has(source) || writtenAtMs.size >= MAX_PER_PAUSE) return false
    writtenAtMs.set(source, nowMs)
    return true
  }

  return ({ username, reason, sourceAddress, requestId }) => {
    // Without the name: people type their password into the wrong field.
    log.warn({ id: requestId, source_address: sourceAddress, reason }, 'a password sign-in was refused')
    const database = findDatabase()
    // Refusals without a comparison are not limited by the throttle, so they have the log line alone.
    if (reason !== 'wrong_password' || database === undefined || !mayWrite(toSource(sourceAddress))) return
    const after = { via: 'password', username: [...username].slice(0, MAX_NAME_LENGTH).join('') }
    appendAudit(database.kysely, { name: 'sign-in', sourceAddress, requestId }, [
      { action: 'sign-in.failed', target: null, after },
    ]).catch((error: unknown) => {
      // failure-modes: side write failed. The caller has been refused, and the log line above is there.
      log.warn({ id: requestId, err: error }, 'a failed sign-in could not be recorded')
    })
  }
}
