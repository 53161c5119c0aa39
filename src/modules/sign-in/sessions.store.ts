/** Session tokens that were ended before their time. `revoke` touches the section `sessions`. */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../foundation/database/schema.ts'
import { type SectionReader, slices } from '../../foundation/snapshot/snapshot-sections.store.ts'

export function createSessionStore(db: Kysely<Schema>) {
  return {
    /** Idempotent. The entry is needed only until the token would have expired anyway. */
    revoke: async (id: string, expiresAtMs: number): Promise<void> => {
      await db
        .insertInto('revoked_sessions')
        .values({ id, expires_at: new Date(expiresAtMs) })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute()
    },

    /** Needs no version bump: what it forgets is refused by its own expiry. */
    forgetExpired: async (nowMs: number): Promise<number> => {
      const result = await db
        .deleteFrom('revoked_sessions')
        .where('expires_at', '<', new Date(nowMs))
        .executeTakeFirst()
      return Number(result.numDeletedRows)
    },
  }
}

export const readSessionSection: SectionReader<'sessions'> = async (tx) => {
  const revoked = new Set<string>()
  for await (const rows of slices<{ id: string }>(tx, sql`select id from revoked_sessions where expires_at > now()`))
    for (const row of rows) revoked.add(row.id)
  return { revokedSessions: revoked }
}
