-- The gateway itself: versions of the snapshot, secrets, settings, the audit log, instances.

create table cache_versions (
  section text primary key,
  version bigint not null
);

-- Rows that are gone have no revision to be found by. An instance that was away for longer than these rows stay reads
-- its whole section again.
create table snapshot_removals (
  section text not null,
  revision bigint not null,
  key text not null,
  removed_at timestamptz(3) not null default now()
);
create index snapshot_removals_by_revision on snapshot_removals (section, revision);
create index snapshot_removals_by_age on snapshot_removals (removed_at);

create table instance_secrets (
  name text primary key,
  value bytea not null,
  created_at timestamptz(3) not null default now()
);

create table proxy_settings (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz(3) not null default now(),
  updated_by text not null
);

create table audit_log (
  id uuid primary key,
  at timestamptz(3) not null,
  actor text not null,
  action text not null,
  target text,
  before jsonb,
  after jsonb,
  source_address text,
  request_id text
);
create index audit_log_by_time on audit_log (at, id);
create trigger audit_log_rows_stay before update or delete on audit_log
  for each row execute function refuse_audit_change();
create trigger audit_log_stays before truncate on audit_log
  for each statement execute function refuse_audit_change();

-- Names of removed users, teams, keys and endpoints. The spend log keeps only ids and outlives them.
create table former_names (
  id uuid primary key,
  kind text not null,
  name text not null,
  removed_at timestamptz(3) not null default now()
);

create table live_instances (
  instance_id uuid primary key,
  seen_at timestamptz not null
);

-- Each instance writes its own status here.
create table instance_reports (
  instance_id uuid primary key,
  report jsonb not null,
  seen_at timestamptz not null
);
