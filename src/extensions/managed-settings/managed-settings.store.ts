/** Documents of client settings that administrators edit: one for everybody, one for each team that needs its own. */
import type { Kysely } from 'kysely'
import type { Schema } from '../../foundation/database/schema.ts'
import { newId } from '../../foundation/platform/ids.ts'

export type SettingsDocument = Readonly<Record<string, unknown>>

export interface ManagedSettingsRecord {
  readonly document: SettingsDocument
  readonly updatedAt: string
  readonly updatedBy: string
}

/** `null` stands for everybody. */
export type ManagedScope = string | null

export function createManagedSettingsStore(db: Kysely<Schema>) {
  return {
    find: async (scope: ManagedScope): Promise<ManagedSettingsRecord | undefined> => {
      const row = await db
        .selectFrom('managed_settings')
        .selectAll()
        .where('team_id', scope === null ? 'is' : '=', scope)
        .executeTakeFirst()
      return row && toRecord(row)
    },

    /** What applies to a member of this team, the document for everybody first. */
    listFor: async (teamId: string | null): Promise<readonly SettingsDocument[]> => {
      const rows = await db
        .selectFrom('managed_settings')
        .select('document')
        .where((eb) => eb.or([eb('team_id', 'is', null), ...(teamId === null ? [] : [eb('team_id', '=', teamId)])]))
        .orderBy('team_id', (order) => order.asc().nullsFirst())
        .execute()
      return rows.map((row) => row.document)
    },

    put: async (scope: ManagedScope, document: SettingsDocument, updatedBy: string): Promise<ManagedSettingsRecord> => {
      const values = { document: JSON.stringify(document), updated_at: new Date(), updated_by: updatedBy }
      const updated = await db
        .updateTable('managed_settings')
        .set(values)
        .where('team_id', scope === null ? 'is' : '=', scope)
        .returningAll()
        .executeTakeFirst()
      if (updated !== undefined) return toRecord(updated)
      const row = await db
        .insertInto('managed_settings')
        .values({ id: newId(), team_id: scope, ...values })
        .returningAll()
        .executeTakeFirstOrThrow()
      return toRecord(row)
    },

    remove: async (scope: ManagedScope): Promise<boolean> => {
      const result = await db
        .deleteFrom('managed_settings')
        .where('team_id', scope === null ? 'is' : '=', scope)
        .executeTakeFirst()
      return result.numDeletedRows > 0n
    },
  }
}

function toRecord(row: { document: SettingsDocument; updated_at: Date; updated_by: string }): ManagedSettingsRecord {
  return { document: row.document, updatedAt: row.updated_at.toISOString(), updatedBy: row.updated_by }
}
