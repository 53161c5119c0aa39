-- Identity providers, sign-ins that begin at a terminal, refresh tokens, sessions.

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
  -- What signing out of the portal does at the identity provider.
  logout text not null default 'local' constraint idps_logout_known check (logout in ('local', 'provider')),
  constraint idps_issuer_audience_unique unique (issuer_url, audience)
);

-- Holds no token: the client that polls gets a fresh one. Only the hash of the polling secret is kept.
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

-- Used ones stay until they expire, so that a second use is recognized.
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

-- The id is the one in the session's tokens. Rows stay until the session would have expired anyway.
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

create table revoked_sessions (
  id text primary key,
  expires_at timestamptz(3) not null
);
create index revoked_sessions_by_expiry on revoked_sessions (expires_at);
