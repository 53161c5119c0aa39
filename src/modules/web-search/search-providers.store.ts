/** Web search providers: one of each user, and one for the mode `global`. Read per request, so in no snapshot section. */
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Schema, SearchProviderTable } from '../../foundation/database/schema.ts'
import { newId } from '../../foundation/platform/ids.ts'

export interface SearchProviderRecord {
  /** Null is the provider of the mode `global`. */
  readonly userId: string | null
  readonly providerType: string
  /** Encrypted by the caller. */
  readonly apiKey: Buffer | null
  readonly apiUrl: string | null
  readonly maxResults: number
  readonly updatedAt: string
}

export type SearchAddress = Pick<SearchProviderRecord, 'providerType' | 'apiUrl'>

function toRecord(row: Selectable<SearchProviderTable>): SearchProviderRecord {
  return {
    userId: row.user_id,
    providerType: row.provider_type,
    apiKey: row.api_key,
    apiUrl: row.api_url,
    maxResults: row.max_results,
    updatedAt: row.updated_at.toISOString(),
  }
}

const owner = sql`coalesce(user_id, '00000000-0000-0000-0000-000000000000')`

export function createSearchProviderStore(db: Kysely<Schema>) {
  return {
    find: async (userId: string | null): Promise<SearchProviderRecord | undefined> => {
      const query = db.selectFrom('search_providers').selectAll()
      const row = await (userId === null
        ? query.where('user_id', 'is', null)
        : query.where('user_id', '=', userId)
      ).executeTakeFirst()
      return row && toRecord(row)
    },

    /** Each address once: everybody's, or those that people have chosen for themselves. */
    addresses: async (of: 'everybody' | 'people'): Promise<readonly SearchAddress[]> => {
      const rows = await db
        .selectFrom('search_providers')
        .select(['provider_type', 'api_url'])
        .distinct()
        .where('user_id', of === 'everybody' ? 'is' : 'is not', null)
        .execute()
      return rows.map((row) => ({ providerType: row.provider_type, apiUrl: row.api_url }))
    },

    put: async (provider: Omit<SearchProviderRecord, 'updatedAt'>): Promise<SearchProviderRecord> => {
      const values = {
        provider_type: provider.providerType,
        api_key: provider.apiKey,
        api_url: provider.apiUrl,
        max_results: provider.maxResults,
        updated_at: new Date(),
      }
      const row = await db
        .insertInto('search_providers')
        .values({ id: newId(), user_id: provider.userId, ...values })
        .onConflict((conflict) => conflict.expression(owner).doUpdateSet(values))
        .returningAll()
        .executeTakeFirstOrThrow()
      return toRecord(row)
    },

    remove: async (userId: string | null): Promise<boolean> => {
      const query = db.deleteFrom('search_providers')
      const result = await (userId === null
        ? query.where('user_id', 'is', null)
        : query.where('user_id', '=', userId)
      ).executeTakeFirst()
      return result.numDeletedRows > 0n
    },
  }
}
