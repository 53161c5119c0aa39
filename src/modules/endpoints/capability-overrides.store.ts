/** Administrators' verdicts on what a profile supports. Writes touch the section `capabilities`. */
import type { Kysely, Selectable } from 'kysely'
import type { CapabilityTable, Schema } from '../../foundation/database/schema.ts'
import type { CapabilityKey, CapabilityOverride } from '../../foundation/domain/capability.ts'
import type { SectionReader } from '../../foundation/snapshot/snapshot-sections.store.ts'

export function toCapabilityOverride(row: Selectable<CapabilityTable>): CapabilityOverride {
  return {
    endpointId: row.endpoint_id,
    profileId: row.profile_id,
    feature: row.feature,
    supported: row.supported,
    reason: row.reason,
    setBy: row.set_by,
    updatedAt: row.updated_at.toISOString(),
  }
}

export function createCapabilityOverrideStore(db: Kysely<Schema>) {
  return {
    list: async (): Promise<readonly CapabilityOverride[]> => {
      const rows = await db
        .selectFrom('capability_overrides')
        .selectAll()
        .orderBy('endpoint_id')
        .orderBy('profile_id')
        .orderBy('feature')
        .execute()
      return rows.map(toCapabilityOverride)
    },

    /** An unknown endpoint is a MissingReferenceError. */
    put: async (override: Omit<CapabilityOverride, 'updatedAt'>): Promise<CapabilityOverride> => {
      const values = {
        supported: override.supported,
        reason: override.reason,
        set_by: override.setBy,
        updated_at: new Date(),
      }
      const row = await db
        .insertInto('capability_overrides')
        .values({
          endpoint_id: override.endpointId,
          profile_id: override.profileId,
          feature: override.feature,
          ...values,
        })
        .onConflict((conflict) => conflict.columns(['endpoint_id', 'profile_id', 'feature']).doUpdateSet(values))
        .returningAll()
        .executeTakeFirstOrThrow()
      return toCapabilityOverride(row)
    },

    remove: async (key: CapabilityKey): Promise<boolean> => {
      const result = await db
        .deleteFrom('capability_overrides')
        .where('endpoint_id', '=', key.endpointId)
        .where('profile_id', '=', key.profileId)
        .where('feature', '=', key.feature)
        .executeTakeFirst()
      return result.numDeletedRows > 0n
    },
  }
}

export const readCapabilitySection: SectionReader<'capabilities'> = async (tx) => {
  const rows = await tx.selectFrom('capability_overrides').selectAll().execute()
  return { capabilityOverrides: Object.freeze(rows.map((row) => Object.freeze(toCapabilityOverride(row)))) }
}
