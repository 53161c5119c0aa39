/** Views of the portal that people have named; they go with the person. */
import { type Kysely, sql } from 'kysely'

export async function up(tx: Kysely<unknown>): Promise<void> {
  await sql`
    create table saved_views (
      user_id uuid not null references users (id) on delete cascade,
      name text not null,
      path text not null,
      updated_at timestamptz not null default now(),
      primary key (user_id, name)
    )`.execute(tx)
}
