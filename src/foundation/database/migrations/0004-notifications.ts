/** Where notifications go, what waits to be sent, and what became of it. */
import { type Kysely, sql } from 'kysely'

export async function up(tx: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
-- At most one row for each slot; activation moves the row of the draft.
create table notification_configs (
  slot text primary key check (slot in ('active', 'draft')),
  destination_type text not null check (destination_type in ('webhook', 'topic', 'event_bus')),
  destination text not null,
  secret bytea,
  budget boolean not null,
  rate_limit boolean not null,
  tested_fingerprint text,
  tested_at timestamptz(3),
  updated_at timestamptz(3) not null default now(),
  updated_by text not null,
  constraint notification_configs_tested check ((tested_fingerprint is null) = (tested_at is null))
);

-- Rows stay after they are settled: the unique key is what keeps an event from being told twice.
create table notification_outbox (
  id uuid primary key,
  dedupe_key text not null constraint notification_outbox_once unique,
  event jsonb not null,
  category text not null check (category in ('budget', 'rate_limit')),
  state text not null default 'pending' check (state in ('pending', 'delivered', 'dropped', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz(3) not null default now(),
  claimed_until timestamptz(3),
  -- The last failure was the destination's and not about this event.
  was_outage boolean not null default false,
  created_at timestamptz(3) not null default now()
);
create index notification_outbox_due on notification_outbox (next_attempt_at) where state = 'pending';
create index notification_outbox_by_age on notification_outbox (created_at) where state <> 'pending';

-- When something that may be told only now and then was told last.
create table notification_intervals (
  key text primary key,
  fired_at timestamptz(3) not null
);

create table notification_deliveries (
  id uuid primary key,
  event_id uuid not null,
  event_type text not null,
  destination_type text not null,
  destination text not null,
  status text not null check (status in ('delivered', 'failed')),
  attempt integer not null,
  response_status integer,
  error text,
  duration_ms integer not null,
  created_at timestamptz(3) not null default now()
);
create index notification_deliveries_by_age on notification_deliveries (created_at, id);
`)
    .execute(tx)
}
