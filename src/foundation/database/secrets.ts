/** Secrets that all instances share, made by whichever instance asks first. */
import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'

export function createSecretStore(db: Kysely<Schema>) {
  return {
    /** Every caller on every instance gets the same bytes, also when all ask at once on an empty database. */
    getOrCreate: async (name: string, make: () => Buffer): Promise<Buffer> => {
      const select = () => db.selectFrom('instance_secrets').select('value').where('name', '=', name)
      const known = await select().executeTakeFirst()
      if (known !== undefined) return known.value
      await db
        .insertInto('instance_secrets')
        .values({ name, value: make() })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute()
      // Read back instead of returning ours: the insert of another instance may have come first.
      return (await select().executeTakeFirstOrThrow()).value
    },
  }
}
