/** Spend by day of every user, team and key, kept by the log itself; what instances hold of budgets and rate limits. */
import { type Kysely, sql } from 'kysely'

export async function up(tx: Kysely<unknown>): Promise<void> {
  await sql.raw(spendDays).execute(tx)
  await sql.raw(budgetLeases).execute(tx)
  await sql.raw(rateShares).execute(tx)
}

const spendDays = `
create table spend_days (
  scope text not null check (scope in ('user', 'team', 'key')),
  subject_id uuid not null,
  day date not null,
  spent_nano_usd bigint not null,
  primary key (scope, subject_id, day)
);

-- In the transaction that stores the records: the sums can neither miss one nor count a replay. The order of the rows
-- keeps two instances from waiting for each other in a circle.
create function count_spend_days() returns trigger language plpgsql as $$
begin
  insert into spend_days as known (scope, subject_id, day, spent_nano_usd)
  select subject.scope, subject.id, (stored.at at time zone 'UTC')::date as day, sum(stored.cost_nano_usd)
  from stored
  cross join lateral (values ('user', stored.user_id), ('team', stored.team_id), ('key', stored.key_id))
    as subject (scope, id)
  where subject.id is not null and stored.cost_nano_usd > 0
  group by 1, 2, 3
  order by 1, 2, 3
  on conflict (scope, subject_id, day) do update set spent_nano_usd = known.spent_nano_usd + excluded.spent_nano_usd;
  return null;
end
$$;
create trigger spend_log_counts_days after insert on spend_log
  referencing new table as stored for each statement execute function count_spend_days();

insert into spend_days (scope, subject_id, day, spent_nano_usd)
select subject.scope, subject.id, (spend_log.at at time zone 'UTC')::date, sum(spend_log.cost_nano_usd)
from spend_log
cross join lateral (values ('user', spend_log.user_id), ('team', spend_log.team_id), ('key', spend_log.key_id))
  as subject (scope, id)
where subject.id is not null and spend_log.cost_nano_usd > 0
group by 1, 2, 3;
`

const budgetLeases = `
-- What an instance may still spend of a budget: its running calls, what it has not stored yet, and some room.
create table budget_leases (
  account text not null,
  instance_id uuid not null,
  leased_nano_usd bigint not null,
  expires_at timestamptz not null,
  primary key (account, instance_id)
);
create index budget_leases_by_expiry on budget_leases (expires_at);

-- Admits the wanted calls in order while spend and leases stay below the limit, and sets the lease of the instance to
-- what it keeps and what it got. Each statement sees what was committed before it, so everything read after the lock
-- is as the holder before left it.
create function take_budget(
  the_account text, the_scope text, the_subject uuid, from_day date, to_day date, the_instance uuid,
  keep_nano bigint, wanted_nano bigint[], limit_nano bigint, room_nano bigint, ttl_seconds double precision
) returns table (spent_nano bigint, others_nano bigint, leased_nano bigint, admitted integer) language plpgsql as $$
declare
  total bigint;
  wanted bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended(the_account, 7226091));
  select coalesce(sum(spent_nano_usd), 0) into spent_nano from spend_days
    where scope = the_scope and subject_id = the_subject and day >= from_day and day < to_day;
  select coalesce(sum(leased_nano_usd), 0) into others_nano from budget_leases
    where account = the_account and instance_id <> the_instance and expires_at > clock_timestamp();
  total := spent_nano + others_nano + keep_nano;
  admitted := 0;
  foreach wanted in array wanted_nano loop
    exit when total >= limit_nano;
    total := total + wanted;
    admitted := admitted + 1;
  end loop;
  -- Room for more calls without asking, only while the limit is far away.
  if limit_nano - total > 16 * room_nano then
    total := total + room_nano;
  end if;
  leased_nano := total - spent_nano - others_nano;
  insert into budget_leases as known (account, instance_id, leased_nano_usd, expires_at)
    values (the_account, the_instance, leased_nano, clock_timestamp() + make_interval(secs => ttl_seconds))
    on conflict (account, instance_id)
    do update set leased_nano_usd = excluded.leased_nano_usd, expires_at = excluded.expires_at;
  return next;
end
$$;
`

const rateShares = `
create table live_instances (
  instance_id uuid primary key,
  seen_at timestamptz not null
);

-- The times of the last minute's admitted calls of a key on each instance, oldest first.
create table rate_shares (
  subject text not null,
  instance_id uuid not null,
  used_at timestamptz[] not null,
  updated_at timestamptz not null,
  primary key (subject, instance_id)
);
create index rate_shares_by_update on rate_shares (updated_at);

-- Gives up to so many places of the last minute over all instances; with none, says when the next one is free.
create function take_rate(the_subject text, the_instance uuid, limit_rpm integer, wanted integer)
returns table (granted integer, used integer, free_in_ms double precision) language plpgsql as $$
declare
  present timestamptz;
  expired timestamptz;
begin
  perform pg_advisory_xact_lock(hashtextextended(the_subject, 7226092));
  present := clock_timestamp();
  expired := present - interval '60 seconds';
  select count(*) into used from rate_shares, unnest(used_at) as one where subject = the_subject and one > expired;
  granted := greatest(0, least(wanted, limit_rpm - used));
  if granted > 0 then
    insert into rate_shares as known (subject, instance_id, used_at, updated_at)
      values (the_subject, the_instance, array_fill(present, array[granted]), present)
      on conflict (subject, instance_id) do update set
        used_at = array(select one from unnest(known.used_at) as one where one > expired) || excluded.used_at,
        updated_at = excluded.updated_at;
  end if;
  used := used + granted;
  -- With a lowered limit more than one call has to leave before the next may come.
  select extract(epoch from one - expired) * 1000 into free_in_ms
    from rate_shares, unnest(used_at) as one where subject = the_subject and one > expired
    order by one offset greatest(0, used - limit_rpm) limit 1;
  free_in_ms := coalesce(free_in_ms, 0);
  return next;
end
$$;
`
