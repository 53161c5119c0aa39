/** The views that a person has named. Read when they are asked for, so in no snapshot section. */
import type { Kysely, Selectable } from 'kysely'
import type { SavedViewTable, Schema } from '../../foundation/database/schema.ts'

export interface SavedView {
  readonly name: string
  readonly path: string
  readonly updatedAt: string
}

function toView(row: Selectable<SavedViewTable>): SavedView {
  return { name: row.name, path: row.path, updatedAt: row.updated_at.toISOString() }
}

export function createSavedViewStore(db: Kysely<Schema>) {
  return {
    list: async (userId: string): Promise<readonly SavedView[]> => {
      const rows = await db
        .selectFrom('saved_views')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('name')
        .execute()
      return rows.map(toView)
    },

    /** In a transaction: undefined when it would be one more than the most. */
    put: async (
      userId: string,
      view: Pick<SavedView, 'name' | 'path'>,
      most: number,
    ): Promise<SavedView | undefined> => {
      // Two of the same person wait for each other here, or both would find room for the last one.
      await db.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
      const { others } = await db
        .selectFrom('saved_views')
        .select(({ fn }) => fn.countAll<number>().as('others'))
        .where('user_id', '=', userId)
        .where('name', '<>', view.name)
        .executeTakeFirstOrThrow()
      if (others >= most) return undefined
      const values = { path: view.path, updated_at: new Date() }
      const row = await db
        .insertInto('saved_views')
        .values({ user_id: userId, name: view.name, ...values })
        .onConflict((conflict) => conflict.columns(['user_id', 'name']).doUpdateSet(values))
        .returningAll()
        .executeTakeFirstOrThrow()
      return toView(row)
    },

    remove: async (userId: string, name: string): Promise<boolean> => {
      const { numDeletedRows } = await db
        .deleteFrom('saved_views')
        .where('user_id', '=', userId)
        .where('name', '=', name)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}
