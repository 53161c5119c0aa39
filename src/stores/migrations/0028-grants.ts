/** What a person may see beside the role. Nobody has any until an administrator gives one. */
import { type Kysely, sql } from 'kysely'

export async function up(tx: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column grants text[] not null default '{}'`.execute(tx)
}
