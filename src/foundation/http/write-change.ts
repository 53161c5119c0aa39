/** What the routes of the control plane need from the rest of the gateway, and the one way in which they write. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Sender } from '../../modules/notifications/send-event.ts'
import type { Actor } from '../database/audit.ts'
import { type Change, change } from '../database/change.ts'
import type { Database } from '../database/database.ts'
import type { AccessRule } from '../domain/access.ts'
import type { Budget } from '../domain/budget.ts'
import { problem } from '../domain/errors.ts'
import type { LiveEvent } from '../domain/live-event.ts'
import type { NanoUsd } from '../domain/money.ts'
import type { Destination } from '../domain/notification-destination.ts'
import type { Settings } from '../domain/settings.ts'
import type { Section, Snapshot } from '../domain/snapshot.ts'
import type { User } from '../domain/user.ts'
import type { RunSearch } from '../domain/web-search.ts'
import type { Clock } from '../platform/clock.ts'
import type { FetchJson } from '../platform/outgoing-http.ts'
import type { Call } from './route.ts'
import { toPublicError } from './store-problems.ts'

export interface ControlPorts {
  /** Throws `database_required` without a configured database, `database_unavailable` before it was first reached. */
  readonly database: () => Database
  /** Brings this instance's own snapshot up to date after a write; never fails, see `createChanged`. */
  readonly changed: () => Promise<void>
  readonly snapshot: () => Snapshot
  readonly clock: Clock
  /** What a setting is while nobody has stored it; the environment decides some. */
  readonly settingDefaults: Settings
  /** Of the current month. From memory and never failing, since a committed write may wait for it; none is 0. */
  readonly spendOfKeys: (keyIds: readonly string[]) => Promise<ReadonlyMap<string, NanoUsd>>
  /** Where each budget stands in its current period, in the order of the question. */
  readonly standingsOf: (budgets: readonly Budget[]) => Promise<readonly BudgetStanding[]>
  /** `context` names the row that the secret belongs to; it opens nowhere else. */
  readonly encryptSecret: (plain: string, context: string) => Buffer
  readonly decryptSecret: (sealed: Buffer, context: string) => string
  readonly search: RunSearch
  /** Undefined when the gateway may call the URL, else why not. */
  readonly checkUrl: (url: string) => string | undefined
  /** The same for an address that a person sets for themselves alone. */
  readonly checkOwnUrl: (url: string) => string | undefined
  readonly fetchJson: FetchJson
  readonly notifications: NotificationPorts
  readonly live: LivePorts
  /** Under which origin everybody reaches the gateway; undefined while nobody has said so. */
  readonly findKnownUrl: () => string | undefined
}

export interface LivePorts {
  /** Returns what ends it. */
  readonly watch: (take: (event: LiveEvent) => void) => () => void
  /** Looks at the credential again, as if it had just been sent. */
  readonly mayStillWatch: (rule: AccessRule, headers: IncomingHttpHeaders, scheme: 'http' | 'https') => Promise<boolean>
}

export interface NotificationPorts {
  /** Of BUDGET_NOTIFICATION_URL: used while no destination is active. */
  readonly fallback: Destination | null
  readonly send: Sender['send']
}

export interface BudgetStanding {
  readonly spendNanoUsd: NanoUsd
  readonly percent: number
  readonly status: 'ok' | 'warning' | 'shaped' | 'blocked'
  readonly resetsAtMs: number
}

type AnyCall = Call<unknown, unknown, unknown>

/** The person behind a call to a route that only persons may call. */
export function personOf(call: Pick<AnyCall, 'caller'>): User {
  if (call.caller === undefined || call.caller.kind === 'key') throw problem('person_required')
  return call.caller.user
}

/** For what a route tells administrators beyond those whom a grant lets in. */
export function isAdministrator({ caller }: Pick<AnyCall, 'caller'>): boolean {
  return caller !== undefined && caller.kind !== 'key' && caller.user.role === 'admin'
}

export function actorOf(call: Pick<AnyCall, 'caller' | 'sourceAddress' | 'requestId'>): Actor {
  return { name: personOf(call).subject, sourceAddress: call.sourceAddress, requestId: call.requestId }
}

/** Rows, version and audit entry in one transaction; then this instance sees the change before its caller does. */
export async function write<R>(
  ports: Pick<ControlPorts, 'database' | 'changed'>,
  call: Pick<AnyCall, 'caller' | 'sourceAddress' | 'requestId'>,
  sections: readonly Section[],
  work: (change: Change) => Promise<R>,
): Promise<R> {
  const result = await change(ports.database(), { sections, actor: actorOf(call) }, work).catch((error: unknown) => {
    throw toPublicError(error)
  })
  await ports.changed()
  return result
}

export function createChanged(
  reload: () => Promise<void>,
  onFailed: (error: unknown) => void,
): ControlPorts['changed'] {
  return async () => {
    try {
      await reload()
    } catch (error) {
      // failure-modes: snapshot reload. The write is committed, so the request has succeeded whatever happens here.
      onFailed(error)
    }
  }
}
