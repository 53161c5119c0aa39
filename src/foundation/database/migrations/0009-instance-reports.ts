/** Where every instance says how it is. */
import { type Kysely, sql } from 'kysely'

export async function up(tx: Kysely<unknown>): Promise<void> {
  await sql`create table instance_reports (
    instance_id uuid primary key,
    report jsonb not null,
    seen_at timestamptz not null
  )`.execute(tx)
}
