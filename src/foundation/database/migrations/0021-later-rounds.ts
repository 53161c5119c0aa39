/** Requests that went on after their first round are found without reading all the others. */
import { type Kysely, sql } from 'kysely'

export async function up(tx: Kysely<unknown>): Promise<void> {
  await sql`create index spend_log_later_rounds on spend_log (at) where round > 0`.execute(tx)
}
