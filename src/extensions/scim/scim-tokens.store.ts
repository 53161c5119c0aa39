/** Bearer tokens by which identity providers provision. Only hashes are kept; no section of the snapshot holds them. */
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Schema } from '../../foundation/database/schema.ts'
import type { ScimTokenTable } from '../../foundation/database/scim/scim-schema.ts'
import { newId } from '../../foundation/platform/ids.ts'

export interface ScimTokenRecord {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly createdBy: string
  readonly createdAt: string
  readonly expiresAtMs: number | null
  readonly lastUsedAtMs: number | null
}

export interface NewScimToken {
  readonly idpId: string
  readonly name: string
  readonly hash: Buffer
  readonly prefix: string
  readonly createdBy: string
  readonly expiresAtMs: number | null
}

/** The provider behind a token. */
export interface ScimClient {
  readonly tokenId: string
  readonly idpId: string
  readonly idpName: string
  readonly issuerUrl: string
}

function toRecord(row: Selectable<ScimTokenTable>): ScimTokenRecord {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
    expiresAtMs: row.expires_at?.getTime() ?? null,
    lastUsedAtMs: row.last_used_at?.getTime() ?? null,
  }
}

export function createScimTokenStore(db: Kysely<Schema>) {
  return {
    insert: async (token: NewScimToken): Promise<ScimTokenRecord> => {
      const row = await db
        .insertInto('scim_tokens')
        .values({
          id: newId(),
          idp_id: token.idpId,
          name: token.name,
          hash: token.hash,
          prefix: token.prefix,
          created_by: token.createdBy,
          expires_at: token.expiresAtMs === null ? null : new Date(token.expiresAtMs),
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      return toRecord(row)
    },

    list: async (idpId: string): Promise<readonly ScimTokenRecord[]> => {
      const rows = await db.selectFrom('scim_tokens').selectAll().where('idp_id', '=', idpId).execute()
      return rows.map(toRecord)
    },

    remove: async (idpId: string, id: string): Promise<ScimTokenRecord | undefined> => {
      const row = await db
        .deleteFrom('scim_tokens')
        .where('idp_id', '=', idpId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      return row && toRecord(row)
    },

    /** Undefined for an unknown or expired token, and while its provider is disabled. */
    findClient: async (hash: Buffer, nowMs: number): Promise<ScimClient | undefined> => {
      const now = new Date(nowMs)
      const row = await db
        .selectFrom('scim_tokens')
        .innerJoin('idps', 'idps.id', 'scim_tokens.idp_id')
        .select(['scim_tokens.id', 'scim_tokens.idp_id', 'idps.name', 'idps.issuer_url', 'scim_tokens.last_used_at'])
        .where('scim_tokens.hash', '=', hash)
        .where('idps.enabled', '=', true)
        .where((eb) => eb.or([eb('scim_tokens.expires_at', 'is', null), eb('scim_tokens.expires_at', '>', now)]))
        .executeTakeFirst()
      if (row === undefined) return undefined
      // To the minute is enough for finding tokens that nobody uses, and spares a write with every call.
      if (row.last_used_at === null || nowMs - row.last_used_at.getTime() > 60_000)
        await sql`update scim_tokens set last_used_at = ${now} where id = ${row.id}`.execute(db)
      return { tokenId: row.id, idpId: row.idp_id, idpName: row.name, issuerUrl: row.issuer_url }
    },
  }
}

/** Ids of enabled providers with a token that still works. */
export async function findProvisioningIdps(db: Kysely<Schema>, nowMs: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('scim_tokens')
    .innerJoin('idps', 'idps.id', 'scim_tokens.idp_id')
    .select('scim_tokens.idp_id')
    .distinct()
    .where('idps.enabled', '=', true)
    .where((eb) =>
      eb.or([eb('scim_tokens.expires_at', 'is', null), eb('scim_tokens.expires_at', '>', new Date(nowMs))]),
    )
    .execute()
  return rows.map((row) => row.idp_id)
}
