/**
 * When a context was last used, so that it can go after the last record that has it. What is there counts as used now. A
 * table of its own: a column would need a lock for which this waits on writers that wait for what an earlier change holds.
 */
import { type Kysely, sql } from 'kysely'

export async function up(tx: Kysely<unknown>): Promise<void> {
  await sql`create table spend_context_marks (id bigint primary key, last_used date not null)`.execute(tx)
  await sql`insert into spend_context_marks select id, current_date from spend_contexts`.execute(tx)
}
