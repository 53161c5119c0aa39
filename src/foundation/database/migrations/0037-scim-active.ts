/** Whether a provider removed the attribute `active` of a user. Such a user is inactive, and the provider sees no value. */
import { type Kysely, sql } from 'kysely'

export async function up(tx: Kysely<unknown>): Promise<void> {
  await sql`alter table scim_users add column active_unassigned boolean not null default false`.execute(tx)
}
