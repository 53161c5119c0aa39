/** Money on top of a limit until its period ends, and people who ask for it. */
import { type Kysely, sql } from 'kysely'

export async function up(tx: Kysely<unknown>): Promise<void> {
  for (const statement of [topUps, topUpsByUser, topUpsByTeam, requests, oneOpen, requestsByTime])
    await sql.raw(statement).execute(tx)
}

const topUps = `
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
)`

const topUpsByUser = `create index budget_top_ups_by_user on budget_top_ups (user_id) where user_id is not null`
const topUpsByTeam = `create index budget_top_ups_by_team on budget_top_ups (team_id) where team_id is not null`

/** With a team it is the budget of the team that more is asked for. */
const requests = `
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
  constraint budget_requests_granted check ((status = 'approved') = (granted_nano_usd is not null and granted_as is not null))
)`

const oneOpen = `create unique index budget_requests_open_unique on budget_requests (user_id) where status = 'open'`
const requestsByTime = `create index budget_requests_by_time on budget_requests (created_at, id)`
