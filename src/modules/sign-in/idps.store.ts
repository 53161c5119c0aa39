/** Identity providers. Writes touch the section `idps`. */
import { type Kysely, type Selectable, sql } from 'kysely'
import type { IdpTable } from '../../foundation/database/idp-schema.ts'
import type { Schema } from '../../foundation/database/schema.ts'
import type { IdentityProvider } from '../../foundation/domain/idp.ts'
import { newId } from '../../foundation/platform/ids.ts'
import type { SectionReader } from '../../foundation/snapshot/snapshot-sections.store.ts'

export interface IdpRecord extends IdentityProvider {
  readonly hasClientSecret: boolean
  readonly createdAt: string
}

export type NewIdp = Omit<IdentityProvider, 'id'> & {
  /** Encrypted by the caller; null when there is none. */
  readonly clientSecret: Buffer | null
}

export type IdpPatch = Partial<NewIdp>

type Row = Selectable<IdpTable>

export function toIdentityProvider(row: Row): IdentityProvider {
  return {
    id: row.id,
    name: row.name,
    issuerUrl: row.issuer_url,
    audience: row.audience,
    clientId: row.client_id,
    jwksUrl: row.jwks_url,
    userClaim: row.user_claim,
    autoProvision: row.auto_provision,
    defaultRole: row.default_role,
    allowedDomains: row.allowed_domains,
    enabled: row.enabled,
    logout: row.logout,
  }
}

function toRecord(row: Row): IdpRecord {
  return {
    ...toIdentityProvider(row),
    hasClientSecret: row.client_secret !== null,
    createdAt: row.created_at.toISOString(),
  }
}

function toColumns(idp: IdpPatch) {
  return {
    name: idp.name,
    issuer_url: idp.issuerUrl,
    audience: idp.audience,
    client_id: idp.clientId,
    client_secret: idp.clientSecret,
    jwks_url: idp.jwksUrl,
    user_claim: idp.userClaim,
    auto_provision: idp.autoProvision,
    default_role: idp.defaultRole,
    allowed_domains: idp.allowedDomains && [...idp.allowedDomains],
    enabled: idp.enabled,
    logout: idp.logout,
  }
}

type InsertedColumns = {
  [K in keyof ReturnType<typeof toColumns>]-?: Exclude<ReturnType<typeof toColumns>[K], undefined>
}

export function createIdpStore(db: Kysely<Schema>) {
  const find = async (id: string): Promise<IdpRecord | undefined> => {
    const row = await db.selectFrom('idps').selectAll().where('id', '=', id).executeTakeFirst()
    return row && toRecord(row)
  }

  const insertRow = (idp: NewIdp) =>
    db.insertInto('idps').values({ id: newId(), ...(toColumns(idp) as InsertedColumns) })

  return {
    find,

    list: async (): Promise<readonly IdpRecord[]> => {
      const rows = await db.selectFrom('idps').selectAll().orderBy('created_at').orderBy('id').execute()
      return rows.map(toRecord)
    },

    /** The encrypted client secret, for the code exchange only. */
    findClientSecret: async (id: string): Promise<Buffer | undefined> => {
      const row = await db.selectFrom('idps').select('client_secret').where('id', '=', id).executeTakeFirst()
      return row?.client_secret ?? undefined
    },

    insert: async (idp: NewIdp): Promise<IdpRecord> =>
      toRecord(await insertRow(idp).returningAll().executeTakeFirstOrThrow()),

    /** spec: Authentication 9. An issuer that is known already is left as it is. */
    insertUnlessIssuerKnown: async (idp: NewIdp): Promise<IdpRecord | undefined> => {
      // Serialises the starts of several instances, whose environments may differ in the audience.
      await sql`select pg_advisory_xact_lock(hashtext(${`idp ${idp.issuerUrl}`}))`.execute(db)
      const known = await db.selectFrom('idps').select('id').where('issuer_url', '=', idp.issuerUrl).executeTakeFirst()
      if (known !== undefined) return undefined
      const row = await insertRow(idp)
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst()
      return row && toRecord(row)
    },

    update: async (id: string, patch: IdpPatch): Promise<IdpRecord | undefined> => {
      const columns = toColumns(patch)
      if (Object.values(columns).every((value) => value === undefined)) return find(id)
      const row = await db.updateTable('idps').set(columns).where('id', '=', id).returningAll().executeTakeFirst()
      return row && toRecord(row)
    },

    remove: async (id: string): Promise<boolean> => {
      const result = await db.deleteFrom('idps').where('id', '=', id).executeTakeFirst()
      return result.numDeletedRows > 0n
    },
  }
}

export type IdpStore = ReturnType<typeof createIdpStore>

export const readIdpSection: SectionReader<'idps'> = async (tx) => {
  const rows = await tx.selectFrom('idps').selectAll().orderBy('created_at').orderBy('id').execute()
  return { idps: Object.freeze(rows.map((row) => Object.freeze(toIdentityProvider(row)))) }
}
