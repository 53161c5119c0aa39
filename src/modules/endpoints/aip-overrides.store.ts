/** Models that an endpoint invokes through an application inference profile. Writes touch the section `endpoints`. */
import { type Kysely, type Selectable, sql } from 'kysely'
import type { AipOverrideTable, Schema } from '../../foundation/database/schema.ts'
import type { AipOverride } from '../../foundation/domain/endpoint.ts'

export interface AipOverrideRecord extends AipOverride {
  readonly createdAt: string
  readonly updatedAt: string
}

type Row = Selectable<AipOverrideTable>

export function toAipOverride(row: Row): AipOverride {
  return {
    endpointId: row.endpoint_id,
    modelId: row.model_id,
    aipArn: row.aip_arn,
    reason: row.reason,
    setBy: row.set_by,
  }
}

function toRecord(row: Row): AipOverrideRecord {
  return {
    ...toAipOverride(row),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

export function createAipOverrideStore(db: Kysely<Schema>) {
  return {
    list: async (endpointId: string): Promise<readonly AipOverrideRecord[]> => {
      const rows = await db
        .selectFrom('aip_overrides')
        .selectAll()
        .where('endpoint_id', '=', endpointId)
        .orderBy('model_id')
        .execute()
      return rows.map(toRecord)
    },

    /** An unknown endpoint is a MissingReferenceError. */
    put: async (override: AipOverride): Promise<{ record: AipOverrideRecord; created: boolean }> => {
      const values = { aip_arn: override.aipArn, reason: override.reason, set_by: override.setBy }
      const row = await db
        .insertInto('aip_overrides')
        .values({ endpoint_id: override.endpointId, model_id: override.modelId, ...values })
        .onConflict((conflict) =>
          conflict.columns(['endpoint_id', 'model_id']).doUpdateSet({ ...values, updated_at: new Date() }),
        )
        .returningAll()
        // xmax is zero only in a row that no transaction has updated yet.
        .returning(sql<boolean>`xmax = 0`.as('created'))
        .executeTakeFirstOrThrow()
      return { record: toRecord(row), created: row.created }
    },

    remove: async (endpointId: string, modelId: string): Promise<boolean> => {
      const result = await db
        .deleteFrom('aip_overrides')
        .where('endpoint_id', '=', endpointId)
        .where('model_id', '=', modelId)
        .executeTakeFirst()
      return result.numDeletedRows > 0n
    },
  }
}
