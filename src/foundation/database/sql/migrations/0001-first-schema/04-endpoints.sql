-- Endpoints, what they support, model names and prices, search providers.

create table endpoints (
  id uuid primary key,
  name text not null constraint endpoints_name_unique unique check (char_length(name) between 1 and 100),
  region text not null,
  routing_prefix text not null,
  priority integer not null default 100,
  enabled boolean not null default true,
  is_default boolean not null default false,
  role_arn text,
  external_id text,
  inference_profile_arn text,
  created_at timestamptz(3) not null default now(),
  constraint endpoints_default_enabled check (enabled or not is_default)
);
create unique index endpoints_one_default on endpoints (is_default) where is_default;
create trigger endpoints_name_stays after delete on endpoints for each row execute function remember_name('endpoint');

create table aip_overrides (
  endpoint_id uuid not null references endpoints on delete cascade,
  model_id text not null,
  aip_arn text not null,
  reason text,
  set_by text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (endpoint_id, model_id)
);

create table team_endpoints (
  team_id uuid not null references teams on delete cascade,
  endpoint_id uuid not null references endpoints on delete cascade,
  priority integer not null,
  primary key (team_id, endpoint_id)
);
create index team_endpoints_by_endpoint on team_endpoints (endpoint_id);

create table capability_overrides (
  endpoint_id uuid not null references endpoints on delete cascade,
  profile_id text not null,
  feature text not null,
  supported boolean not null,
  reason text,
  set_by text not null,
  updated_at timestamptz(3) not null default now(),
  primary key (endpoint_id, profile_id, feature)
);

-- When each feature was probed, with which result, and which instance probes now. All instances share these rows.
create table capability_probes (
  endpoint_id uuid not null references endpoints on delete cascade,
  profile_id text not null,
  feature text not null,
  verdict text check (verdict in ('supported', 'unsupported')),
  settled_at timestamptz(3),
  next_at timestamptz(3) not null,
  claimed_until timestamptz(3),
  failure text,
  primary key (endpoint_id, profile_id, feature),
  constraint capability_probes_settled check ((verdict is null) = (settled_at is null))
);

create table model_mappings (
  vendor_prefix text primary key check (vendor_prefix <> ''),
  hosted_model_id text not null,
  display_name text not null,
  context_window integer,
  max_output_tokens integer,
  source text not null check (source in ('seed', 'discovery', 'admin')),
  created_at timestamptz(3) not null default now()
);

create table model_prices (
  model_id text not null,
  scope text not null check (scope in ('global', 'geo', 'us-gov')),
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

-- A row without a user is the provider of the mode `global`.
create table search_providers (
  id uuid primary key,
  user_id uuid references users on delete cascade,
  provider_type text not null,
  api_key bytea,
  api_url text,
  max_results integer not null check (max_results between 1 and 20),
  updated_at timestamptz(3) not null default now()
);
create unique index search_providers_one_each
  on search_providers ((coalesce(user_id, '00000000-0000-0000-0000-000000000000')));
