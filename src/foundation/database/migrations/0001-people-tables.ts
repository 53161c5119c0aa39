/** Tables of teams, users, virtual keys and identity providers. */
export const peopleTables = `
create table teams (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 100),
  routing_strategy text not null default 'sticky_user'
    check (routing_strategy in ('sticky_user', 'primary_fallback', 'round_robin')),
  created_at timestamptz(3) not null default now()
);
create unique index teams_name_unique on teams (lower(name));

create table users (
  id uuid primary key,
  subject text not null constraint users_subject_unique unique check (char_length(subject) between 1 and 320),
  email text check (char_length(email) <= 320),
  role text not null check (role in ('member', 'admin')),
  team_id uuid references teams on delete set null,
  active boolean not null default true,
  issuer text,
  oidc_subject text,
  bootstrap boolean not null default false,
  session_epoch integer not null default 0,
  last_seen_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint users_identity_unique unique (issuer, oidc_subject),
  constraint users_identity_whole check ((issuer is null) = (oidc_subject is null))
);
create unique index users_bootstrap_unique on users (bootstrap) where bootstrap;
create index users_by_team on users (team_id);

-- A removed user's keys go with the user: a key that lost its owner must never work on without the owner's budget.
create table virtual_keys (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 100),
  hash bytea not null constraint virtual_keys_hash_unique unique check (octet_length(hash) = 32),
  prefix text not null,
  user_id uuid references users on delete cascade,
  team_id uuid references teams on delete set null,
  rate_limit_rpm integer check (rate_limit_rpm >= 1),
  allowed_models text[],
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  created_by text not null,
  created_at timestamptz(3) not null default now()
);
create index virtual_keys_by_user on virtual_keys (user_id);
create index virtual_keys_by_team on virtual_keys (team_id);
create index virtual_keys_by_age on virtual_keys (created_at, id);

create table idps (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 100),
  issuer_url text not null,
  audience text not null check (audience <> ''),
  client_id text,
  client_secret bytea,
  jwks_url text,
  user_claim text not null default 'auto'
    check (user_claim in ('email', 'preferred_username', 'upn', 'oid', 'name', 'sub', 'auto')),
  auto_provision boolean not null default true,
  default_role text not null default 'member' check (default_role in ('member', 'admin')),
  allowed_domains text[],
  enabled boolean not null default true,
  created_at timestamptz(3) not null default now(),
  constraint idps_issuer_audience_unique unique (issuer_url, audience)
);

create function remember_name() returns trigger language plpgsql as $$
declare
  removed jsonb := to_jsonb(old);
begin
  insert into former_names (id, kind, name)
  values (old.id, tg_argv[0], coalesce(removed ->> 'subject', removed ->> 'name'))
  on conflict (id) do nothing;
  return null;
end
$$;
create trigger teams_name_stays after delete on teams for each row execute function remember_name('team');
create trigger users_name_stays after delete on users for each row execute function remember_name('user');
create trigger virtual_keys_name_stays after delete on virtual_keys
  for each row execute function remember_name('key');
`
