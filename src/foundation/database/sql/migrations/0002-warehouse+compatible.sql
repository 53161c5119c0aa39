-- Which records of the spend log are in which file of the warehouse. A day in `warehouse_days` is closed: its first file
-- has the records that were there, and what is stored later waits in `warehouse_late` for a later file.
create table warehouse_days (
  day date primary key,
  closed_at timestamptz(3) not null default now()
);

-- A file is planned before it is written, so that whoever repeats a try writes the same records under the same name.
create table warehouse_files (
  day date not null references warehouse_days,
  part integer not null,
  name text not null,
  planned_at timestamptz(3) not null default now(),
  written_at timestamptz(3),
  -- When the manifest of the day had it.
  listed_at timestamptz(3),
  records bigint,
  bytes bigint,
  cost_nano_usd bigint,
  primary key (day, part)
);
create index warehouse_files_unfinished on warehouse_files (day, part) where listed_at is null;

create table warehouse_late (
  day date not null,
  request_id uuid not null,
  round smallint not null,
  at timestamptz(3) not null,
  -- Null until the record has a file.
  part integer,
  primary key (day, request_id, round, at)
);
create index warehouse_late_waiting on warehouse_late (day) where part is null;

-- One row: which instance writes, when the next run is due, and how the last one ended.
create table warehouse_state (
  only_row boolean primary key default true check (only_row),
  next_run_at timestamptz(3) not null default now(),
  holder text,
  held_until timestamptz(3) not null default now(),
  caught_up_at timestamptz(3),
  failures integer not null default 0,
  failed_at timestamptz(3),
  failure text
);
insert into warehouse_state default values;

create trigger spend_log_notes_warehouse after insert on spend_log
  referencing new table as stored for each statement execute function note_warehouse_late();
