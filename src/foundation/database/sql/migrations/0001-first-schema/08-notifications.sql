-- Destinations of notifications, events that wait to be sent, and the result of each delivery.

-- At most one row for each slot. Activation moves the row of the draft.
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
  keys boolean not null default false,
  digest boolean not null default false,
  constraint notification_configs_tested check ((tested_fingerprint is null) = (tested_at is null))
);

-- Rows stay after they are settled: the unique key prevents that an event is sent twice.
create table notification_outbox (
  id uuid primary key,
  dedupe_key text not null constraint notification_outbox_once unique,
  event jsonb not null,
  category text not null check (category in ('budget', 'rate_limit', 'keys', 'digest')),
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

-- When an event that may be sent only now and then was last sent.
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
