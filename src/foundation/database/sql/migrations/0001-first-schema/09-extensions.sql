-- Tables of extensions.

-- One document for everyone, which has no team, and at most one for each team.
create table managed_settings (
  id uuid primary key,
  team_id uuid references teams on delete cascade,
  document jsonb not null check (jsonb_typeof(document) = 'object'),
  updated_at timestamptz(3) not null default now(),
  updated_by text not null
);
create unique index managed_settings_one_each
  on managed_settings (coalesce(team_id, '00000000-0000-0000-0000-000000000000'));

-- Named views of the portal. They are removed with their user.
create table saved_views (
  user_id uuid not null references users (id) on delete cascade,
  name text not null,
  path text not null,
  updated_at timestamptz not null default now(),
  primary key (user_id, name)
);

create table scim_settings (
  idp_id uuid primary key references idps on delete cascade,
  admin_group text check (char_length(admin_group) between 1 and 100)
);

create table scim_tokens (
  id uuid primary key,
  idp_id uuid not null references idps on delete cascade,
  name text not null check (char_length(name) between 1 and 100),
  hash bytea not null constraint scim_tokens_hash_unique unique check (octet_length(hash) = 32),
  prefix text not null,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  last_used_at timestamptz(3)
);
create index scim_tokens_by_idp on scim_tokens (idp_id);

-- At most one provider manages a user. The columns are what a provider wants to read back and our users do not have.
create table scim_users (
  user_id uuid primary key references users on delete cascade,
  idp_id uuid not null references idps on delete cascade,
  external_id text,
  display_name text,
  given_name text,
  family_name text,
  formatted_name text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- The provider removed the attribute `active`. Such a user is inactive, and the provider sees no value.
  active_unassigned boolean not null default false,
  constraint scim_users_external_unique unique (idp_id, external_id)
);

create table scim_groups (
  id uuid primary key,
  idp_id uuid not null references idps on delete cascade,
  display_name text not null check (char_length(display_name) between 1 and 100),
  external_id text,
  team_id uuid references teams on delete set null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint scim_groups_external_unique unique (idp_id, external_id)
);
create unique index scim_groups_name_unique on scim_groups (idp_id, lower(display_name));
create index scim_groups_by_team on scim_groups (team_id);

-- The position says which group was joined last. It does not depend on clocks.
create table scim_members (
  group_id uuid not null references scim_groups on delete cascade,
  user_id uuid not null references scim_users on delete cascade,
  position bigint generated always as identity,
  primary key (group_id, user_id)
);
create index scim_members_by_user on scim_members (user_id, position);
