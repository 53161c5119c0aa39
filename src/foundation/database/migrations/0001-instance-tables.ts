/** Tables about the gateway itself: versions, secrets, settings, ended sessions, the audit trail. */
export const instanceTables = `
create table cache_versions (
  section text primary key,
  version bigint not null
);

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

create table revoked_sessions (
  id text primary key,
  expires_at timestamptz(3) not null
);
create index revoked_sessions_by_expiry on revoked_sessions (expires_at);

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

-- Names of removed people, teams, keys and endpoints: the spend log keeps ids only and outlives them.
create table former_names (
  id uuid primary key,
  kind text not null,
  name text not null,
  removed_at timestamptz(3) not null default now()
);

-- Retention may delete old rows (at least a day old by its setting); nothing else may change the trail.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.at < now() - interval '23 hours' then
    return old;
  end if;
  raise exception 'the audit log is append-only';
end
$$;
create trigger audit_log_rows_stay before update or delete on audit_log
  for each row execute function refuse_audit_change();
create trigger audit_log_stays before truncate on audit_log
  for each statement execute function refuse_audit_change();
`
