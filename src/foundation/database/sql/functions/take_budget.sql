-- Admits the wanted requests in order while spend and leases stay below the limit, and sets the lease of the instance
-- to what it keeps and what it got. Each statement sees what was committed before it, so everything that is read after
-- the lock is as the previous holder left it.
create or replace function take_budget(
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
  -- Room for more requests without asking, only while the limit is far away.
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
