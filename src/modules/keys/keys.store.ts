/** Virtual keys. Every write but `touchLastUsed` touches the section `keys`. */
import { type Kysely, type Selectable, sql } from 'kysely'
import { raiseStamps, type Stamp } from '../../foundation/database/newer-stamps.ts'
import { mentions, type Page, type PageRequest, readPage } from '../../foundation/database/paging.ts'
import type { KeyTable, Schema } from '../../foundation/database/schema.ts'
import type { KeyStatus, VirtualKey } from '../../foundation/domain/virtual-key.ts'
import { newId } from '../../foundation/platform/ids.ts'
import { createKeyAddresses } from './key-addresses.store.ts'

export interface KeyRecord extends VirtualKey {
  readonly createdBy: string
  readonly lastUsedAtMs: number | null
}

export interface NewKey {
  readonly name: string
  /** SHA-256 of the whole key, hex. */
  readonly hash: string
  readonly prefix: string
  readonly userId: string | null
  readonly teamId: string | null
  readonly rateLimitRpm: number | null
  readonly allowedModels: readonly string[] | null
  readonly expiresAtMs: number | null
  readonly createdBy: string
}

export type KeyPatch = Partial<
  Pick<NewKey, 'name' | 'rateLimitRpm' | 'userId' | 'teamId' | 'expiresAtMs' | 'allowedModels'>
>

export interface KeyFilter extends PageRequest {
  readonly userId?: string
  readonly teamId?: string
  readonly status?: KeyStatus
}

type Row = Selectable<KeyTable>

export function toVirtualKey(row: Row): VirtualKey {
  return {
    id: row.id,
    name: row.name,
    hash: row.hash.toString('hex'),
    prefix: row.prefix,
    userId: row.user_id,
    teamId: row.team_id,
    rateLimitRpm: row.rate_limit_rpm,
    allowedModels: row.allowed_models,
    expiresAtMs: row.expires_at?.getTime() ?? null,
    revokedAtMs: row.revoked_at?.getTime() ?? null,
    createdAt: row.created_at.toISOString(),
  }
}

function toKeyRecord(row: Row): KeyRecord {
  return { ...toVirtualKey(row), createdBy: row.created_by, lastUsedAtMs: row.last_used_at?.getTime() ?? null }
}

function dateOrNull(timeMs: number | null): Date | null {
  return timeMs === null ? null : new Date(timeMs)
}

const order = {
  sorts: {
    created_at: { expression: sql`created_at`, type: 'timestamptz' },
    name: { expression: sql`lower(name)`, type: 'text' },
    last_used_at: { expression: sql`coalesce(last_used_at, '-infinity')`, type: 'timestamptz' },
    expires_at: { expression: sql`coalesce(expires_at, 'infinity')`, type: 'timestamptz' },
  },
  defaultSort: '-created_at',
  id: sql`id`,
  idType: 'uuid',
} as const

export function createKeyStore(db: Kysely<Schema>) {
  const find = async (id: string): Promise<KeyRecord | undefined> => {
    const row = await db.selectFrom('virtual_keys').selectAll().where('id', '=', id).executeTakeFirst()
    return row && toKeyRecord(row)
  }

  return {
    find,

    insert: async (key: NewKey): Promise<KeyRecord> => {
      const row = await db
        .insertInto('virtual_keys')
        .values({
          id: newId(),
          name: key.name,
          hash: Buffer.from(key.hash, 'hex'),
          prefix: key.prefix,
          user_id: key.userId,
          team_id: key.teamId,
          rate_limit_rpm: key.rateLimitRpm,
          allowed_models: key.allowedModels === null ? null : [...key.allowedModels],
          expires_at: dateOrNull(key.expiresAtMs),
          created_by: key.createdBy,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      return toKeyRecord(row)
    },

    list: (filter: KeyFilter): Promise<Page<KeyRecord>> => {
      let query = db.selectFrom('virtual_keys').selectAll()
      if (filter.userId !== undefined) query = query.where('user_id', '=', filter.userId)
      if (filter.teamId !== undefined) query = query.where('team_id', '=', filter.teamId)
      if (filter.status !== undefined) query = query.where(sql<boolean>`${statusExpression} = ${filter.status}`)
      const found = mentions([sql.ref('name'), sql.ref('prefix')], filter.q)
      if (found !== undefined) query = query.where(found)
      return readPage(query, order, filter, toKeyRecord)
    },

    update: async (id: string, patch: KeyPatch): Promise<KeyRecord | undefined> => {
      const values = {
        name: patch.name,
        user_id: patch.userId,
        team_id: patch.teamId,
        rate_limit_rpm: patch.rateLimitRpm,
        allowed_models: patch.allowedModels && [...patch.allowedModels],
        expires_at: patch.expiresAtMs === undefined ? undefined : dateOrNull(patch.expiresAtMs),
      }
      if (Object.values(values).every((value) => value === undefined)) return find(id)
      const row = await db
        .updateTable('virtual_keys')
        .set(values)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      return row && toKeyRecord(row)
    },

    /**
     * Idempotent: an earlier time stays. A rotated key ends after its grace. Counted from the earlier of both clocks: a time that
     * is still to come by either of them would be no revocation yet.
     */
    revoke: async (id: string, nowMs: number, graceSeconds = 0): Promise<KeyRecord | undefined> => {
      const present = sql`least(${new Date(nowMs)}::timestamptz, date_trunc('milliseconds', now()))`
      const row = await db
        .updateTable('virtual_keys')
        .set({ revoked_at: sql<Date>`least(revoked_at, ${present} + make_interval(secs => ${graceSeconds}))` })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      return row && toKeyRecord(row)
    },

    remove: async (id: string): Promise<boolean> => {
      const result = await db.deleteFrom('virtual_keys').where('id', '=', id).executeTakeFirst()
      await createKeyAddresses(db).removeAll(id)
      return result.numDeletedRows > 0n
    },

    /** Active ones that nobody has used since then, though they existed. */
    countUnusedSince: async (timeMs: number): Promise<number> => {
      const time = new Date(timeMs)
      const row = await db
        .selectFrom('virtual_keys')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where(sql<boolean>`${statusExpression} = 'active'`)
        .where('created_at', '<', time)
        .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', time)]))
        .executeTakeFirstOrThrow()
      return row.count
    },

    touchLastUsed: (uses: readonly Stamp[]): Promise<void> => raiseStamps(db, ['virtual_keys', 'last_used_at'], uses),
  }
}

export type KeyStore = ReturnType<typeof createKeyStore>

/** The rule of `keyStatus`, for filtering in the database. */
const statusExpression = sql`case
  when revoked_at <= now() then 'revoked'
  when expires_at <= now() then 'expired'
  else 'active' end`
