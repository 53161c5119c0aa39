-- The spend log, which is also the request log, and the sums that budgets are decided by.

-- What many requests have in common is stored once. The id is a hash of the content, so that every instance finds the
-- same id without asking. This keeps a row of the spend log under 250 bytes.
create table spend_contexts (
  id bigint primary key,
  hosted_model text,
  routing text,
  betas_sent text[] not null,
  betas_stripped text[] not null,
  repairs text[] not null,
  rate_input double precision,
  rate_output double precision,
  rate_cache_read double precision,
  rate_cache_write_5m double precision,
  rate_cache_write_1h double precision
);

-- When a context was last used, so that it can be deleted after the last record that has it.
create table spend_context_marks (
  id bigint primary key,
  last_used date not null
);

-- The fixed-size columns are in the order of their alignment, which saves the padding. There are no foreign keys: a
-- record is stored whatever was deleted since the request.
create table spend_log (
  at timestamptz(3) not null,
  cost_nano_usd bigint not null,
  context_id bigint not null,
  input_tokens integer not null,
  output_tokens integer not null,
  cache_read_tokens integer not null,
  cache_write_5m_tokens integer not null,
  cache_write_1h_tokens integer not null,
  duration_ms integer not null,
  first_token_ms integer,
  attempt_ms integer,
  round smallint not null,
  status smallint not null,
  flags smallint not null,
  web_searches smallint not null,
  streaming boolean not null,
  request_id uuid not null,
  key_id uuid,
  user_id uuid,
  team_id uuid,
  endpoint_id uuid,
  session_id uuid,
  model text not null,
  stop_reason text,
  error_type text,
  agent_id text,
  parent_agent_id text,
  tools text,
  extra jsonb,
  -- The transaction that stored the record. Batch 0 is counted by nothing: its records were set aside.
  batch xid8 not null default pg_current_xact_id(),
  reason_kind text,
  reason jsonb
) partition by range (at);

create unique index spend_log_request on spend_log (request_id, round, at);
create index spend_log_by_time on spend_log (at);
create index spend_log_by_user on spend_log (user_id, at) where user_id is not null;
create index spend_log_by_team on spend_log (team_id, at) where team_id is not null;
create index spend_log_by_key on spend_log (key_id, at) where key_id is not null;
create index spend_log_by_session on spend_log (session_id, at) where session_id is not null;
-- Failed requests are rare. Without this index, each page of their list reads the whole log.
create index spend_log_failed on spend_log (at) where status >= 400;
-- With all columns that analytics filter by, so that failures are counted without reading the log itself.
create index spend_log_by_reason on spend_log (at)
  include (reason_kind, flags, team_id, user_id, endpoint_id, model) where reason_kind is not null;
-- Requests that went on after their first round are found without reading all the others.
create index spend_log_later_rounds on spend_log (at) where round > 0;

-- A day whose partition was not created in time must not lose a row.
create table spend_log_default partition of spend_log default;

-- Spend by day of every user, team and key.
create table spend_days (
  scope text not null check (scope in ('user', 'team', 'key')),
  subject_id uuid not null,
  day date not null,
  spent_nano_usd bigint not null,
  primary key (scope, subject_id, day)
) with (fillfactor = 80);
create trigger spend_log_counts_days after insert on spend_log
  referencing new table as stored for each statement execute function count_spend_days();

-- Batches that the roll-ups have not counted yet. The transaction that counts a batch deletes its rows, so that each
-- record is counted once, whatever is killed in between. A row spans at most an hour, so that one late record does not
-- make the counting read everything in between.
create table spend_batches (
  batch xid8 not null,
  first_at timestamptz(3) not null,
  last_at timestamptz(3) not null
);
create trigger spend_log_notes_batch after insert on spend_log
  referencing new table as stored for each statement execute function note_spend_batch();

-- Records that the roll-ups cannot take, for example because a sum would become too large for its column.
create table uncounted_records (
  request_id uuid not null,
  round smallint not null,
  at timestamptz(3) not null,
  noted_at timestamptz(3) not null default now(),
  code text not null,
  reason text not null,
  primary key (request_id, round, at)
);
