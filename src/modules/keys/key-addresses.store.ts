/** From where keys are used: the addresses of each that were seen last. */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../foundation/database/schema.ts'

export interface KeyAddress {
  readonly address: string
  readonly firstSeenAtMs: number
  readonly lastSeenAtMs: number
}

export interface KeyVisit {
  readonly keyId: string
  readonly address: string
  readonly atMs: number
}

/** A key of a fleet of build machines comes from new addresses all the time, and the latest are those that matter. */
export const MAX_ADDRESSES = 100

export function createKeyAddresses(db: Kysely<Schema>) {
  return {
    /** Latest first. */
    list: async (keyId: string): Promise<readonly KeyAddress[]> => {
      const rows = await db
        .selectFrom('key_addresses')
        .selectAll()
        .where('key_id', '=', keyId)
        .orderBy('last_seen_at', 'desc')
        .orderBy('address')
        .limit(MAX_ADDRESSES)
        .execute()
      return rows.map((row) => ({
        address: row.address,
        firstSeenAtMs: row.first_seen_at.getTime(),
        lastSeenAtMs: row.last_seen_at.getTime(),
      }))
    },

    /** Each pair of key and address once. Instances report late and out of order: both ends of the time only widen. */
    note: async (visits: readonly KeyVisit[]): Promise<void> => {
      if (visits.length === 0) return
      const ids = visits.map(({ keyId }) => keyId)
      const addresses = visits.map(({ address }) => address)
      const times = visits.map(({ atMs }) => new Date(atMs).toISOString())
      // In order, so that two instances never wait for each other; a key that was deleted meanwhile leaves nothing.
      const { rows } = await sql<{ key_id: string }>`
        insert into key_addresses as known (key_id, address, first_seen_at, last_seen_at)
        select seen.key_id, seen.address, seen.at, seen.at
        from unnest(${ids}::uuid[], ${addresses}::text[], ${times}::timestamptz[]) as seen (key_id, address, at)
        where exists (select from virtual_keys where virtual_keys.id = seen.key_id)
        order by seen.key_id, seen.address
        on conflict (key_id, address) do update set
          first_seen_at = least(known.first_seen_at, excluded.first_seen_at),
          last_seen_at = greatest(known.last_seen_at, excluded.last_seen_at)
        returning key_id`.execute(db)
      const touched = [...new Set(rows.map((row) => row.key_id))]
      await sql`
        delete from key_addresses where (key_id, address) in (
          select key_id, address from (
            select key_id, address, row_number() over (partition by key_id order by last_seen_at desc, address) as place
            from key_addresses where key_id = any(${touched}::uuid[])
          ) as placed
          where place > ${MAX_ADDRESSES}
          order by key_id, address)`.execute(db)
    },

    removeAll: async (keyId: string): Promise<void> => {
      await db.deleteFrom('key_addresses').where('key_id', '=', keyId).execute()
    },
  }
}

const DAY_MS = 86_400_000

/** An address is kept for as long as the records of calls that came from it. */
export async function forgetOldKeyAddresses(
  db: Kysely<Schema>,
  { nowMs, spendDays }: { readonly nowMs: number; readonly spendDays: number },
): Promise<void> {
  await db
    .deleteFrom('key_addresses')
    .where('last_seen_at', '<', new Date(nowMs - spendDays * DAY_MS))
    .execute()
}
