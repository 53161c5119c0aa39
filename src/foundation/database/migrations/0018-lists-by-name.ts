/** A hundred thousand keys or people in the order of their names, a page at a time. */
import { type Kysely, sql } from 'kysely'

export async function up(tx: Kysely<unknown>): Promise<void> {
  await sql`create index virtual_keys_by_name on virtual_keys (lower(name), id)`.execute(tx)
  await sql`create index users_by_subject on users (lower(subject), id)`.execute(tx)
}
