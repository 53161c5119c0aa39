/** Sign-ins that a terminal has asked for and a browser confirms. All instances share them. */
import { type Kysely, type Selectable, sql } from 'kysely'
import type { LoginRequestTable, Schema } from '../../foundation/database/schema.ts'
import { newId } from '../../foundation/platform/ids.ts'

export type LoginRequestKind = LoginRequestTable['kind']

export interface LoginRequest {
  readonly kind: LoginRequestKind
  readonly userCode: string
  readonly askedFrom: string
  readonly client: string | null
  readonly state: 'pending' | 'approved' | 'denied'
  readonly createdAtMs: number
  readonly expiresAtMs: number
}

export interface NewLoginRequest {
  readonly kind: LoginRequestKind
  readonly secretHash: Buffer
  readonly userCode: string
  readonly askedFrom: string
  readonly client: string | null
  readonly lifetimeSeconds: number
}

/** The session of the person who says yes. */
export interface ApprovingSession {
  readonly id: string
  readonly userId: string
  readonly epoch: number
}

/** `early`: asked again before `minPauseSeconds` had passed. */
export type Poll =
  | { readonly kind: 'taken'; readonly userId: string }
  | { readonly kind: 'pending' }
  | { readonly kind: 'early' }
  | { readonly kind: 'denied' }
  | { readonly kind: 'expired' }
  | { readonly kind: 'unknown' }

/** Kept a while after their end, so that a late poll hears "expired" and not "unknown". */
const KEPT_SECONDS = 3_600

/** Times are the database's own throughout: instances may disagree about the time. */
const inSeconds = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`

export function createLoginRequestStore(db: Kysely<Schema>) {
  return {
    /** Throws `ConflictError` when the user code is in use. */
    insert: async ({ lifetimeSeconds, ...request }: NewLoginRequest): Promise<void> => {
      await db.deleteFrom('login_requests').where('expires_at', '<', inSeconds(-KEPT_SECONDS)).execute()
      await db
        .insertInto('login_requests')
        .values({
          id: newId(),
          kind: request.kind,
          secret_hash: request.secretHash,
          user_code: request.userCode,
          asked_from: request.askedFrom,
          client: request.client,
          user_id: null,
          expires_at: inSeconds(lifetimeSeconds),
        })
        .execute()
    },

    /** Those that still wait for an answer. */
    findPending: async (userCode: string): Promise<LoginRequest | undefined> => {
      const row = await db
        .selectFrom('login_requests')
        .selectAll()
        .where('user_code', '=', userCode)
        .where('state', '=', 'pending')
        .where('expires_at', '>', sql<Date>`now()`)
        .executeTakeFirst()
      return row && toLoginRequest(row)
    },

    /** Answers once; undefined when it was answered before, has expired or never was, and for a session that has ended. */
    settle: async (
      kind: LoginRequestKind,
      userCode: string,
      answer: { readonly approvedBy: ApprovingSession } | 'denied',
    ): Promise<LoginRequest | undefined> => {
      const row = await db
        .updateTable('login_requests')
        .set(answer === 'denied' ? { state: 'denied' } : { state: 'approved', user_id: answer.approvedBy.userId })
        .where('kind', '=', kind)
        .where('user_code', '=', userCode)
        .where('state', '=', 'pending')
        .where('expires_at', '>', sql<Date>`now()`)
        .where(answer === 'denied' ? sql<boolean>`true` : isOpen(answer.approvedBy))
        .returningAll()
        .executeTakeFirst()
      return row && toLoginRequest(row)
    },

    /** Of any number of polls at once exactly one takes the approval: the row goes with it. */
    poll: async (kind: LoginRequestKind, secretHash: Buffer, minPauseSeconds: number): Promise<Poll> => {
      const taken = await db
        .deleteFrom('login_requests')
        .where('kind', '=', kind)
        .where('secret_hash', '=', secretHash)
        .where('state', '=', 'approved')
        .where('expires_at', '>', sql<Date>`now()`)
        .returning('user_id')
        .executeTakeFirst()
      if (taken?.user_id != null) return { kind: 'taken', userId: taken.user_id }
      const row = await db
        .selectFrom('login_requests')
        .select(['state', sql<boolean>`expires_at <= now()`.as('is_over')])
        .select(sql<boolean>`coalesce(polled_at > ${inSeconds(-minPauseSeconds)}, false)`.as('is_early'))
        .where('kind', '=', kind)
        .where('secret_hash', '=', secretHash)
        .executeTakeFirst()
      if (row === undefined) return { kind: 'unknown' }
      if (row.is_over) return { kind: 'expired' }
      if (row.state === 'denied') return { kind: 'denied' }
      if (minPauseSeconds > 0)
        await db
          .updateTable('login_requests')
          .set({ polled_at: sql<Date>`now()` })
          .where('secret_hash', '=', secretHash)
          .execute()
      return { kind: row.is_early ? 'early' : 'pending' }
    },
  }
}

/**
 * Asked of the database: an instance hears of a sign-out seconds later, and what is approved meanwhile would outlive it.
 * The lock makes who ends all sessions of the person wait, and then find the approval.
 */
function isOpen({ id, userId, epoch }: ApprovingSession) {
  return sql<boolean>`(
    exists (select from users where users.id = ${userId}::uuid and active and session_epoch = ${epoch}::int for share)
    and not exists (select from revoked_sessions where revoked_sessions.id = ${id}))`
}

function toLoginRequest(row: Selectable<LoginRequestTable>): LoginRequest {
  return {
    kind: row.kind,
    userCode: row.user_code,
    askedFrom: row.asked_from,
    client: row.client,
    state: row.state,
    createdAtMs: row.created_at.getTime(),
    expiresAtMs: row.expires_at.getTime(),
  }
}
