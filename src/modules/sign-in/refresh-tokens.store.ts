/** Refresh tokens: each works once and is replaced by its successor; only hashes are kept. */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../foundation/database/schema.ts'

export interface NewRefreshToken {
  readonly hash: Buffer
  /** All successors of one sign-in. */
  readonly family: string
  readonly userId: string
  readonly sessionEpoch: number
  readonly lifetimeSeconds: number
}

export interface UsedRefreshToken {
  readonly family: string
  readonly userId: string
  readonly sessionEpoch: number
}

/** `replayed`: used before, and too long ago for a race. Somebody has a copy, so the whole family must end. */
export type RefreshTokenUse =
  | ({ readonly kind: 'used' } & UsedRefreshToken)
  | { readonly kind: 'replayed'; readonly family: string; readonly userId: string }
  | { readonly kind: 'unknown' }

/** Two programs of one person may send the same token in the same moment; later than this it is somebody else. */
const RACE_SECONDS = 30

export function createRefreshTokenStore(db: Kysely<Schema>) {
  return {
    /** Also one that was used: its session goes on with its successor. */
    find: async (hash: Buffer): Promise<Pick<UsedRefreshToken, 'family' | 'userId'> | undefined> => {
      const row = await db
        .selectFrom('refresh_tokens')
        .select(['family', 'user_id'])
        .where('hash', '=', hash)
        .executeTakeFirst()
      return row && { family: row.family, userId: row.user_id }
    },

    removeFamily: async (family: string): Promise<void> => {
      await db.deleteFrom('refresh_tokens').where('family', '=', family).execute()
      await db
        .updateTable('sign_ins')
        .set({ ended_at: sql<Date>`now()` })
        .where('id', '=', family)
        .where('ended_at', 'is', null)
        .execute()
    },

    insert: async (token: NewRefreshToken): Promise<void> => {
      await db.deleteFrom('refresh_tokens').where('expires_at', '<', sql<Date>`now()`).execute()
      await db
        .insertInto('refresh_tokens')
        .values({
          hash: token.hash,
          family: token.family,
          user_id: token.userId,
          session_epoch: token.sessionEpoch,
          expires_at: sql<Date>`now() + make_interval(secs => ${token.lifetimeSeconds})`,
        })
        .execute()
    },

    /** In one transaction with the insertion of the successor, or a failure between the two looks like a theft. */
    use: async (hash: Buffer): Promise<RefreshTokenUse> => {
      // First the sign-in, as signing it out does: in the other order the two could wait for each other.
      await sql`
        select from sign_ins where id = (select family from refresh_tokens where hash = ${hash}) for update`.execute(db)
      const row = await db
        .updateTable('refresh_tokens')
        .set({ used_at: sql<Date>`now()` })
        .where('hash', '=', hash)
        .where('used_at', 'is', null)
        .where('expires_at', '>', sql<Date>`now()`)
        .returning(['family', 'user_id', 'session_epoch'])
        .executeTakeFirst()
      if (row !== undefined)
        return { kind: 'used', family: row.family, userId: row.user_id, sessionEpoch: row.session_epoch }
      const replayed = await db
        .selectFrom('refresh_tokens')
        .select(['family', 'user_id'])
        .where('hash', '=', hash)
        .where('used_at', '<', sql<Date>`now() - make_interval(secs => ${RACE_SECONDS})`)
        .executeTakeFirst()
      if (replayed === undefined) return { kind: 'unknown' }
      return { kind: 'replayed', family: replayed.family, userId: replayed.user_id }
    },
  }
}
