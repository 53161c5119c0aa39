/** The hours at the edges of a range are found at once, also before the server has tidied up behind new rows. */
import { type Kysely, sql } from 'kysely'

export async function up(tx: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
drop index spend_hours_by_time;
create index spend_hours_by_time on spend_hours (hour);`)
    .execute(tx)
}
