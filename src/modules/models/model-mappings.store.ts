/** Requested model ids and the hosted models they mean. Writes touch the section `mappings`. */
import { type Kysely, type Selectable, sql } from 'kysely'
import { containing, type Page, type PageRequest, readPage } from '../../foundation/database/paging.ts'
import type { MappingTable, Schema } from '../../foundation/database/schema.ts'
import type { ModelMapping } from '../../foundation/domain/model-mapping.ts'
import { mapInSlices, type SectionReader } from '../../foundation/snapshot/snapshot-sections.store.ts'

export type NewMapping = Omit<ModelMapping, 'createdAt'>

export function toModelMapping(row: Selectable<MappingTable>): ModelMapping {
  return {
    vendorPrefix: row.vendor_prefix,
    hostedModelId: row.hosted_model_id,
    displayName: row.display_name,
    contextWindow: row.context_window,
    maxOutputTokens: row.max_output_tokens,
    source: row.source,
    createdAt: row.created_at.toISOString(),
  }
}

function toRow(mapping: NewMapping) {
  return {
    vendor_prefix: mapping.vendorPrefix,
    hosted_model_id: mapping.hostedModelId,
    display_name: mapping.displayName,
    context_window: mapping.contextWindow,
    max_output_tokens: mapping.maxOutputTokens,
    source: mapping.source,
  }
}

const order = {
  sorts: {
    vendor_prefix: { expression: sql`vendor_prefix`, type: 'text' },
    created_at: { expression: sql`created_at`, type: 'timestamptz' },
  },
  defaultSort: 'vendor_prefix',
  id: sql`vendor_prefix`,
  idType: 'text',
} as const

export function createModelMappingStore(db: Kysely<Schema>) {
  return {
    find: async (vendorPrefix: string): Promise<ModelMapping | undefined> => {
      const row = await db
        .selectFrom('model_mappings')
        .selectAll()
        .where('vendor_prefix', '=', vendorPrefix)
        .executeTakeFirst()
      return row && toModelMapping(row)
    },

    list: (request: PageRequest): Promise<Page<ModelMapping>> => {
      const pattern = containing(request.q)
      const all = db.selectFrom('model_mappings').selectAll()
      const query =
        pattern === undefined
          ? all
          : all.where((eb) =>
              eb.or([
                eb('vendor_prefix', 'ilike', pattern),
                eb('hosted_model_id', 'ilike', pattern),
                eb('display_name', 'ilike', pattern),
              ]),
            )
      return readPage(query, order, request, toModelMapping)
    },

    /** For the seed and for discovery: rows that exist stay as they are. Returns how many were new. */
    insertUnlessPresent: async (mappings: readonly NewMapping[]): Promise<number> => {
      if (mappings.length === 0) return 0
      const result = await db
        .insertInto('model_mappings')
        .values(mappings.map(toRow))
        .onConflict((conflict) => conflict.column('vendor_prefix').doNothing())
        .executeTakeFirst()
      return Number(result.numInsertedOrUpdatedRows ?? 0n)
    },

    put: async (mapping: NewMapping): Promise<ModelMapping> => {
      const { vendor_prefix, ...values } = toRow(mapping)
      const row = await db
        .insertInto('model_mappings')
        .values({ vendor_prefix, ...values })
        .onConflict((conflict) => conflict.column('vendor_prefix').doUpdateSet(values))
        .returningAll()
        .executeTakeFirstOrThrow()
      return toModelMapping(row)
    },

    remove: async (vendorPrefix: string): Promise<boolean> => {
      const result = await db.deleteFrom('model_mappings').where('vendor_prefix', '=', vendorPrefix).executeTakeFirst()
      return result.numDeletedRows > 0n
    },
  }
}

export const readMappingSection: SectionReader<'mappings'> = async (tx) => ({
  mappings: await mapInSlices(tx, 'model_mappings', toModelMapping, (mapping) => mapping.vendorPrefix),
})
