/** Request records keep why a request failed. Records that were written before have no reason. */
import { type Kysely, sql } from 'kysely'

export async function up(tx: Kysely<unknown>): Promise<void> {
  await sql`alter table spend_log add column reason_kind text, add column reason jsonb`.execute(tx)
  // Failures are few: with all columns that analytics filter by, they are counted without reading the log itself.
  await sql`create index spend_log_by_reason on spend_log (at)
    include (reason_kind, flags, team_id, user_id, endpoint_id, model) where reason_kind is not null`.execute(tx)
}
