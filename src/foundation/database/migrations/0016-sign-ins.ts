/** Who is signed in where, and when the client of a person last asked for the models. */
import { type Kysely, sql } from 'kysely'

export async function up(tx: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
-- The id is the one that the session's tokens carry. Rows stay until the session would have expired anyway.
create table sign_ins (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  via text not null check (via in ('password', 'sso', 'cli', 'device')),
  session_epoch integer not null,
  client text,
  source_address text,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3)
);
create index sign_ins_by_user on sign_ins (user_id, last_used_at);
create index sign_ins_by_expiry on sign_ins (expires_at);

alter table users add column models_listed_at timestamptz(3);`)
    .execute(tx)
}
