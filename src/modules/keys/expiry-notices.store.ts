/** Which keys end soon and were not told yet. Timed by the database's clock, as everything that waits in the outbox is. */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../foundation/database/schema.ts'
import type { ExpiryStage } from '../../foundation/domain/notification-notice.ts'

export interface EndingKey {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly userId: string | null
  readonly teamId: string | null
  readonly expiresAtMs: number
  readonly lastUsedAtMs: number | null
}

export interface ClaimedKeys {
  readonly count: number
  /** Those that end first, as many as were asked for. */
  readonly first: readonly EndingKey[]
  readonly lastExpiresAtMs: number
}

interface Row {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly user_id: string | null
  readonly team_id: string | null
  readonly expires_at: Date
  readonly last_used_at: Date | null
  readonly found: number
  readonly last_end: Date
}

export function createExpiryNotices(db: Kysely<Schema>) {
  return {
    /**
     * Keys of one stage that are now the caller's to tell, `most` of them at a time: no other instance gets them, unless the
     * transaction is undone. Left out is what ends earlier in any case: a revoked key, one in the grace of its rotation, one
     * whose owner may not sign in any more; and a key that was made after this stage was over.
     */
    claim: async ({ days, untilDays }: ExpiryStage, most: number, shown: number): Promise<ClaimedKeys> => {
      // In hours: a day of the session's time zone may have 23 of them.
      const before = (count: number) => sql`make_interval(hours => ${count * 24}::int)`
      const { rows } = await sql<Row>`
        with due as (
          select keys.id, keys.expires_at from virtual_keys keys left join users on users.id = keys.user_id
          where keys.revoked_at is null and coalesce(users.active, true)
            and keys.expires_at > now() + ${before(untilDays)} and keys.expires_at <= now() + ${before(days)}
            and keys.created_at <= keys.expires_at - ${before(days)}
            and not exists (
              select from key_expiry_notices told
              where told.key_id = keys.id and told.expires_at = keys.expires_at and told.days = ${days}
            )
          order by keys.expires_at, keys.id limit ${most}
        ), claimed as (
          insert into key_expiry_notices (key_id, expires_at, days) select id, expires_at, ${days} from due
          on conflict do nothing returning key_id
        )
        select id, name, prefix, user_id, team_id, expires_at, last_used_at,
          count(*) over () as found, max(expires_at) over () as last_end
        from claimed join virtual_keys on id = key_id order by expires_at, id limit ${shown}`.execute(db)
      return {
        count: rows[0]?.found ?? 0,
        first: rows.map(toEndingKey),
        lastExpiresAtMs: rows[0]?.last_end.getTime() ?? 0,
      }
    },

    /** Keys that end within so many days, told or not; those that end first, and how many there are. */
    ending: async (days: number, shown: number): Promise<Pick<ClaimedKeys, 'count' | 'first'>> => {
      const { rows } = await sql<Row>`
        select keys.id, keys.name, prefix, user_id, keys.team_id, expires_at, last_used_at, count(*) over () as found
        from virtual_keys keys left join users on users.id = keys.user_id
        where keys.revoked_at is null and coalesce(users.active, true)
          and keys.expires_at > now() and keys.expires_at <= now() + make_interval(hours => ${days * 24}::int)
        order by keys.expires_at, keys.id limit ${shown}`.execute(db)
      return { count: rows[0]?.found ?? 0, first: rows.map(toEndingKey) }
    },

    /** Nothing is told of what is over. */
    forgetEnded: async (): Promise<void> => {
      await sql`delete from key_expiry_notices where expires_at < now() - interval '1 day'`.execute(db)
    },
  }
}

function toEndingKey(row: Row): EndingKey {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    userId: row.user_id,
    teamId: row.team_id,
    expiresAtMs: row.expires_at.getTime(),
    lastUsedAtMs: row.last_used_at?.getTime() ?? null,
  }
}
