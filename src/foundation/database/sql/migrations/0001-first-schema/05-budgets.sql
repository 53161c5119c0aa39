-- Limits of users and teams, increases, requests for more, and what instances hold of a budget.

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

-- Temporary increases of a limit.
create table budget_top_ups (
  id uuid primary key,
  user_id uuid references users on delete cascade,
  team_id uuid references teams on delete cascade,
  amount_nano_usd bigint not null check (amount_nano_usd > 0),
  ends_at timestamptz(3) not null,
  reason text,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  constraint budget_top_ups_one_subject check ((user_id is null) <> (team_id is null))
);
create index budget_top_ups_by_user on budget_top_ups (user_id) where user_id is not null;
create index budget_top_ups_by_team on budget_top_ups (team_id) where team_id is not null;

-- With a team, the user asks for more of the team's budget.
create table budget_requests (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  team_id uuid references teams on delete cascade,
  amount_nano_usd bigint not null check (amount_nano_usd > 0),
  reason text,
  status text not null default 'open' check (status in ('open', 'approved', 'declined', 'withdrawn')),
  created_at timestamptz(3) not null default now(),
  decided_at timestamptz(3),
  decided_by text,
  note text,
  granted_nano_usd bigint check (granted_nano_usd > 0),
  granted_as text check (granted_as in ('top_up', 'raise')),
  constraint budget_requests_decided check ((status = 'open') = (decided_at is null)),
  constraint budget_requests_granted
    check ((status = 'approved') = (granted_nano_usd is not null and granted_as is not null))
);
create unique index budget_requests_open_unique on budget_requests (user_id) where status = 'open';
create index budget_requests_by_time on budget_requests (created_at, id);

-- What an instance may still spend of a budget: its running requests, what it has not stored yet, and some room.
create table budget_leases (
  account text not null,
  instance_id uuid not null,
  leased_nano_usd bigint not null,
  expires_at timestamptz not null,
  primary key (account, instance_id)
);
create index budget_leases_by_expiry on budget_leases (expires_at);
