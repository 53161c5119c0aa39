/** What the routes of the control plane need from the rest of the gateway, and the one way in which they write. */
import type { Actor } from '../database/audit.ts'
import { type Change, change } from '../database/change.ts'
import type { Database } from '../database/database.ts'
import { problem } from '../domain/errors.ts'
import type { Section, Snapshot } from '../domain/snapshot.ts'
import type { User } from '../domain/user.ts'
import type { Clock } from '../platform/clock.ts'
import type { Call } from './route.ts'
import { toPublicError } from './store-problems.ts'

/** What the routes of every module work with. */
export interface RoutePorts {
  /** Throws `database_required` without a configured database, `database_unavailable` before it was first reached. */
  readonly database: () => Database
  /** Brings this instance's own snapshot up to date after a write; never fails, see `createChanged`. */
  readonly changed: () => Promise<void>
  readonly snapshot: () => Snapshot
  readonly clock: Clock
}

type AnyCall = Call<unknown, unknown, unknown>

/** The person behind a call to a route that only persons may call. */
export function requirePerson(call: Pick<AnyCall, 'caller'>): User {
  if (call.caller === undefined || call.caller.kind === 'key') throw problem('person_required')
  return call.caller.user
}

/** For what a route tells administrators beyond those whom a grant lets in. */
export function isAdministrator({ caller }: Pick<AnyCall, 'caller'>): boolean {
  return caller !== undefined && caller.kind !== 'key' && caller.user.role === 'admin'
}

export function readActor(call: Pick<AnyCall, 'caller' | 'sourceAddress' | 'requestId'>): Actor {
  return { name: requirePerson(call).subject, sourceAddress: call.sourceAddress, requestId: call.requestId }
}

/** Rows, version and audit entry in one transaction; then this instance sees the change before its caller does. */
export async function write<R>(
  ports: Pick<RoutePorts, 'database' | 'changed'>,
  call: Pick<AnyCall, 'caller' | 'sourceAddress' | 'requestId'>,
  sections: readonly Section[],
  work: (change: Change) => Promise<R>,
): Promise<R> {
  const result = await change(ports.database(), { sections, actor: readActor(call) }, work).catch((error: unknown) => {
    throw toPublicError(error)
  })
  await ports.changed()
  return result
}

export function createChanged(reload: () => Promise<void>, onFailed: (error: unknown) => void): RoutePorts['changed'] {
  return async () => {
    try {
      await reload()
    } catch (error) {
      // failure-modes: snapshot reload. The write is committed, so the request has succeeded whatever happens here.
      onFailed(error)
    }
  }
}
