-- Gives up to so many places of the last minute over all instances. With none, says when the next one is free.
create or replace function take_rate(the_subject text, the_instance uuid, limit_rpm integer, wanted integer)
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
  -- With a lowered limit, more than one request has to leave before the next may come.
  select extract(epoch from one - expired) * 1000 into free_in_ms
    from rate_shares, unnest(used_at) as one where subject = the_subject and one > expired
    order by one offset greatest(0, used - limit_rpm) limit 1;
  free_in_ms := coalesce(free_in_ms, 0);
  return next;
end
$$;
