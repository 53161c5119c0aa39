/** Sign-ins that begin at a terminal, their refresh tokens, and the settings that signed-in clients are given. */
import { type Kysely, sql } from 'kysely'

export async function up(tx: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
-- Holds no token: the one who polls is given a fresh one. Only the hash of the polling secret is kept.
create table login_requests (
  id uuid primary key,
  kind text not null check (kind in ('cli', 'device')),
  secret_hash bytea not null constraint login_requests_secret_unique unique check (octet_length(secret_hash) = 32),
  user_code text not null constraint login_requests_user_code_unique unique,
  asked_from text not null,
  client text,
  state text not null default 'pending' check (state in ('pending', 'approved', 'denied')),
  user_id uuid references users on delete cascade,
  polled_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  constraint login_requests_approved check ((state = 'approved') = (user_id is not null))
);
create index login_requests_by_expiry on login_requests (expires_at);

-- Used ones stay until they expire, so that a second use is recognised.
create table refresh_tokens (
  hash bytea primary key check (octet_length(hash) = 32),
  family uuid not null,
  user_id uuid not null references users on delete cascade,
  session_epoch integer not null,
  used_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index refresh_tokens_by_family on refresh_tokens (family);
create index refresh_tokens_by_user on refresh_tokens (user_id);
create index refresh_tokens_by_expiry on refresh_tokens (expires_at);

-- One document for everybody (no team) and at most one for each team.
create table managed_settings (
  id uuid primary key,
  team_id uuid references teams on delete cascade,
  document jsonb not null check (jsonb_typeof(document) = 'object'),
  updated_at timestamptz(3) not null default now(),
  updated_by text not null
);
create unique index managed_settings_one_each on managed_settings (coalesce(team_id, '00000000-0000-0000-0000-000000000000'));
`)
    .execute(tx)
}
