-- Teams, users and their virtual keys.

create table teams (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 100),
  routing_strategy text not null default 'sticky_user'
    check (routing_strategy in ('sticky_user', 'primary_fallback', 'round_robin')),
  created_at timestamptz(3) not null default now()
);
create unique index teams_name_unique on teams (lower(name));
create trigger teams_name_stays after delete on teams for each row execute function remember_name('team');

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
  models_listed_at timestamptz(3),
  -- What the user may see in addition to the role.
  grants text[] not null default '{}',
  -- The version of the section `people` in which the row was last written. Instances read only rows that changed.
  revision bigint not null default 0,
  constraint users_identity_unique unique (issuer, oidc_subject),
  constraint users_identity_whole check ((issuer is null) = (oidc_subject is null))
);
create unique index users_bootstrap_unique on users (bootstrap) where bootstrap;
create index users_by_team on users (team_id);
-- Pages of 100,000 users in the order of their names.
create index users_by_subject on users (lower(subject), id);
create index users_by_revision on users (revision);
create trigger users_name_stays after delete on users for each row execute function remember_name('user');
-- A trigger and not the stores: users are moved one by one, by groups of an identity provider, and when a team is
-- removed. None of these may make someone lead of a team that no administrator gave them.
create trigger lead_of_the_team_that_is_left before update of team_id on users for each row
  when (old.team_id is not null and new.team_id is distinct from old.team_id)
  execute function lead_of_the_team_that_is_left();
-- Triggers and not the stores: rows also change with their teams. The columns are all but the stamps of use, because
-- nothing is decided by those.
create trigger stamp_revision
  before insert or update of id, subject, email, role, grants, team_id, active, issuer, oidc_subject, bootstrap,
    session_epoch, created_at on users
  for each row execute function stamp_revision('people');
create trigger note_removal after delete on users for each row execute function note_removal('people');

-- A removed user's keys are removed too. A key without its owner must not work without the owner's budget.
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
  created_at timestamptz(3) not null default now(),
  revision bigint not null default 0
);
create index virtual_keys_by_user on virtual_keys (user_id);
create index virtual_keys_by_team on virtual_keys (team_id);
create index virtual_keys_by_age on virtual_keys (created_at, id);
create index virtual_keys_by_name on virtual_keys (lower(name), id);
create index virtual_keys_by_end on virtual_keys (expires_at) where revoked_at is null;
create index virtual_keys_by_revision on virtual_keys (revision);
-- Keys whose grace has ended since they were read.
create index virtual_keys_by_revocation on virtual_keys (revoked_at) where revoked_at is not null;
create trigger virtual_keys_name_stays after delete on virtual_keys for each row execute function remember_name('key');
create trigger stamp_revision
  before insert or update of id, name, hash, prefix, user_id, team_id, rate_limit_rpm, allowed_models, expires_at,
    revoked_at, created_by, created_at on virtual_keys
  for each row execute function stamp_revision('keys');
create trigger note_removal after delete on virtual_keys for each row execute function note_removal('keys');
create trigger note_other_hash after update of hash on virtual_keys for each row
  when (old.hash is distinct from new.hash) execute function note_removal('keys');

-- Where keys are used from, for the day on which one is found on the internet. There is no reference to the key,
-- because a reference would lock the key's row.
create table key_addresses (
  key_id uuid not null,
  address text not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (key_id, address)
);

-- Which expiry of which key was announced how many days before. Rows outlive a deleted key by some days.
create table key_expiry_notices (
  key_id uuid not null,
  expires_at timestamptz(3) not null,
  days smallint not null,
  primary key (key_id, expires_at, days)
);
create index key_expiry_notices_by_end on key_expiry_notices (expires_at);

-- The times of a key's admitted requests in the last minute on each instance, oldest first.
create table rate_shares (
  subject text not null,
  instance_id uuid not null,
  used_at timestamptz[] not null,
  updated_at timestamptz not null,
  primary key (subject, instance_id)
);
create index rate_shares_by_update on rate_shares (updated_at);
