/** Tables of prices, budgets and the spend log, which is also the request log. */
export const moneyTables = `
create table model_prices (
  model_id text not null,
  scope text not null check (scope in ('global', 'geo')),
  source text not null check (source in ('seed', 'price_list', 'admin')),
  input numeric not null check (input >= 0),
  output numeric not null check (output >= 0),
  cache_read numeric not null check (cache_read >= 0),
  cache_write_5m numeric not null check (cache_write_5m >= 0),
  cache_write_1h numeric check (cache_write_1h >= 0),
  long_context jsonb,
  updated_at timestamptz(3) not null default now(),
  primary key (model_id, scope, source)
);

create table budgets (
  id uuid primary key,
  user_id uuid constraint budgets_user_unique unique references users on delete cascade,
  team_id uuid constraint budgets_team_unique unique references teams on delete cascade,
  limit_nano_usd bigint not null check (limit_nano_usd > 0),
  period text not null check (period in ('daily', 'weekly', 'monthly')),
  policy text,
  rules jsonb not null,
  member_limit_nano_usd bigint check (member_limit_nano_usd > 0),
  updated_at timestamptz(3) not null default now(),
  constraint budgets_one_subject check ((user_id is null) <> (team_id is null)),
  constraint budgets_members_of_teams check (member_limit_nano_usd is null or team_id is not null)
);

-- What many calls have in common is stored once; its id is a hash of its content, so that every instance
-- finds the same id without asking. Keeps a spend row under 250 bytes.
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

-- Columns stand in the order of their alignment, which saves the padding. No foreign keys: a record must be
-- stored whatever was deleted between the call and the flush.
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
  extra jsonb
) partition by range (at);

create unique index spend_log_request on spend_log (request_id, round, at);
create index spend_log_by_time on spend_log (at);
create index spend_log_by_user on spend_log (user_id, at) where user_id is not null;
create index spend_log_by_team on spend_log (team_id, at) where team_id is not null;
create index spend_log_by_key on spend_log (key_id, at) where key_id is not null;
create index spend_log_by_session on spend_log (session_id, at) where session_id is not null;

-- A day whose partition was not made in time must not lose a row.
create table spend_log_default partition of spend_log default;
`
