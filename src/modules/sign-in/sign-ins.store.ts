/** Who is signed in where. `end` touches the section `sessions`, `endAll` the section `people`. */
import { type Kysely, type Selectable, sql } from 'kysely'
import { containing, type Page, type PageRequest, readPage } from '../../foundation/database/paging.ts'
import type { Schema, SignInTable } from '../../foundation/database/schema.ts'
import type { SignInVia } from '../../foundation/domain/sign-in.ts'
import { createUserStore } from '../people/users.store.ts'
import { createSessionStore } from './sessions.store.ts'

export interface NewSignIn {
  readonly id: string
  readonly userId: string
  readonly via: SignInVia
  readonly sessionEpoch: number
  /** What was signed in, in a few words. */
  readonly client: string | null
  readonly sourceAddress: string | null
  readonly createdAtMs: number
  readonly expiresAtMs: number
}

export interface SignInRecord extends NewSignIn {
  readonly lastUsedAtMs: number
}

/** A session that was presented, as its token describes it. */
export interface SeenSession {
  readonly id: string
  readonly userId: string
  readonly via: SignInVia
  readonly epoch: number
  readonly issuedAtMs: number
  readonly expiresAtMs: number
  readonly seenAtMs: number
}

export interface OpenAt {
  readonly nowMs: number
  /** A lowered lifetime also ends sessions that were issued under the longer one. */
  readonly ttlHours: number
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
/** How often the use of one session is worth a write. */
export const USE_PAUSE_MS = 300_000
/** Longer than any session can live. */
const REVOCATION_KEPT_MS = 8_760 * 3_600_000

const order = {
  sorts: {
    last_used_at: { expression: sql`sign_ins.last_used_at`, type: 'timestamptz' },
    created_at: { expression: sql`sign_ins.created_at`, type: 'timestamptz' },
  },
  defaultSort: '-last_used_at',
  id: sql`sign_ins.id`,
  idType: 'uuid',
} as const

/** The client's own sign-in renews itself: its lifetime is that of the refresh token. */
function endsAt(ttlHours: number) {
  return sql<Date>`case when sign_ins.via = 'device' then sign_ins.expires_at
    else least(sign_ins.expires_at, sign_ins.created_at + make_interval(hours => ${ttlHours}::int)) end`
}

export function createSignInStore(db: Kysely<Schema>) {
  const allOpen = ({ nowMs, ttlHours }: OpenAt) =>
    db
      .selectFrom('sign_ins')
      .innerJoin('users', 'users.id', 'sign_ins.user_id')
      .where('sign_ins.ended_at', 'is', null)
      // A sign-in is stored a moment after it has happened: who signs out in that moment has ended it before it was there.
      .where(sql<boolean>`not exists (select from revoked_sessions where revoked_sessions.id = sign_ins.id::text)`)
      .where('users.active', '=', true)
      .whereRef('sign_ins.session_epoch', '=', 'users.session_epoch')
      .where(sql<boolean>`${endsAt(ttlHours)} > ${new Date(nowMs).toISOString()}::timestamptz`)
  const selectOpen = (userId: string, open: OpenAt) => allOpen(open).where('sign_ins.user_id', '=', userId)

  return {
    /** Also for somebody whom this database does not know, of whom then nothing is kept. False when it was ended. */
    keep: async (signIn: NewSignIn, usedAtMs = signIn.createdAtMs): Promise<boolean> => {
      await sql`
        insert into sign_ins
          (id, user_id, via, session_epoch, client, source_address, created_at, last_used_at, expires_at)
        select ${signIn.id}::uuid, users.id, ${signIn.via}, ${signIn.sessionEpoch}::int, ${signIn.client},
          ${signIn.sourceAddress}, ${iso(signIn.createdAtMs)}::timestamptz, ${iso(usedAtMs)}::timestamptz,
          ${iso(signIn.expiresAtMs)}::timestamptz
        from users where users.id = ${signIn.userId}::uuid
        on conflict (id) do update set
          via = excluded.via, client = coalesce(sign_ins.client, excluded.client),
          source_address = coalesce(sign_ins.source_address, excluded.source_address),
          last_used_at = greatest(sign_ins.last_used_at, excluded.last_used_at), expires_at = excluded.expires_at
        where sign_ins.ended_at is null`.execute(db)
      const ended = await db
        .selectFrom('sign_ins')
        .select('id')
        .where('id', '=', signIn.id)
        .where('ended_at', 'is not', null)
        .executeTakeFirst()
      return ended === undefined
    },

    /** Those that can still be used. */
    list: (userId: string, open: OpenAt, request: PageRequest): Promise<Page<SignInRecord>> => {
      let query = selectOpen(userId, open).selectAll('sign_ins').select(endsAt(open.ttlHours).as('ends_at'))
      const pattern = containing(request.q)
      if (pattern !== undefined)
        query = query.where((eb) =>
          eb.or([eb('sign_ins.client', 'ilike', pattern), eb('sign_ins.source_address', 'ilike', pattern)]),
        )
      return readPage(query, order, request, toRecord)
    },

    /** Those of everybody that can still be used and were not since then. */
    countIdleSince: async (timeMs: number, open: OpenAt): Promise<number> => {
      const row = await allOpen(open)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('sign_ins.last_used_at', '<', new Date(timeMs))
        .executeTakeFirstOrThrow()
      return row.count
    },

    /** Also one that has ended, for as long as it is kept. */
    findOwner: async (id: string): Promise<{ readonly userId: string; readonly hasEnded: boolean } | undefined> => {
      const row = await db
        .selectFrom('sign_ins')
        .select(['user_id', 'ended_at'])
        .where('id', '=', id)
        .executeTakeFirst()
      return row && { userId: row.user_id, hasEnded: row.ended_at !== null }
    },

    /** Idempotent, and also for sessions of which nothing was kept. */
    end: async (id: string, nowMs: number): Promise<void> => {
      // Tokens of earlier releases carry ids of another form, and are in no list.
      if (!UUID.test(id)) return await createSessionStore(db).revoke(id, nowMs + REVOCATION_KEPT_MS)
      const row = await db
        .updateTable('sign_ins')
        .set({ ended_at: new Date(nowMs) })
        .where('id', '=', id)
        .returning('expires_at')
        .executeTakeFirst()
      await createSessionStore(db).revoke(id, row?.expires_at.getTime() ?? nowMs + REVOCATION_KEPT_MS)
      await db.deleteFrom('refresh_tokens').where('family', '=', id).execute()
    },

    /** Those of which nothing was kept too: the person's epoch rises. Gives the number of open ones. */
    endAll: async (userId: string, open: OpenAt): Promise<number> => {
      const ids = (await selectOpen(userId, open).select('sign_ins.id').execute()).map(({ id }) => id)
      await db
        .updateTable('sign_ins')
        .set({ ended_at: new Date(open.nowMs) })
        .where('user_id', '=', userId)
        .where('ended_at', 'is', null)
        .execute()
      await db.deleteFrom('refresh_tokens').where('user_id', '=', userId).execute()
      await createUserStore(db).endSessions(userId)
      return ids.length
    },

    /** A sign-in that could not be stored in its moment appears with its first use. Several instances share the pause. */
    noteUse: async (seen: readonly SeenSession[]): Promise<void> => {
      const known = seen.filter(({ id }) => UUID.test(id))
      if (known.length === 0) return
      await sql`
        insert into sign_ins (id, user_id, via, session_epoch, created_at, expires_at, last_used_at)
        select seen.id, users.id, seen.via, seen.epoch, seen.issued_at, seen.expires_at, seen.at
        from unnest(
          ${known.map(({ id }) => id)}::uuid[], ${known.map(({ userId }) => userId)}::uuid[],
          ${known.map(({ via }) => via)}::text[], ${known.map(({ epoch }) => epoch)}::int[],
          ${known.map(({ issuedAtMs }) => iso(issuedAtMs))}::timestamptz[],
          ${known.map(({ expiresAtMs }) => iso(expiresAtMs))}::timestamptz[],
          ${known.map(({ seenAtMs }) => iso(seenAtMs))}::timestamptz[]
        ) as seen (id, user_id, via, epoch, issued_at, expires_at, at)
        join users on users.id = seen.user_id
        order by seen.id
        on conflict (id) do update set last_used_at = excluded.last_used_at
        where sign_ins.ended_at is null
          and excluded.last_used_at >= sign_ins.last_used_at + make_interval(secs => ${USE_PAUSE_MS / 1000})`.execute(
        db,
      )
    },

    forgetExpired: async (nowMs: number): Promise<number> => {
      const result = await db.deleteFrom('sign_ins').where('expires_at', '<', new Date(nowMs)).executeTakeFirst()
      return Number(result.numDeletedRows)
    },
  }
}

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString()
}

function toRecord(row: Selectable<SignInTable> & { readonly ends_at: Date }): SignInRecord {
  return {
    id: row.id,
    userId: row.user_id,
    via: row.via,
    sessionEpoch: row.session_epoch,
    client: row.client,
    sourceAddress: row.source_address,
    createdAtMs: row.created_at.getTime(),
    lastUsedAtMs: row.last_used_at.getTime(),
    expiresAtMs: row.ends_at.getTime(),
  }
}
