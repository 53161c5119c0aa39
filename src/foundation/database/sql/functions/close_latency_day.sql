-- Computes the histograms of users and teams of a day from its records. It does not hold the lock of the counting,
-- which every reader of roll-ups waits for. Instead the caller inserts the mark before the records are read. A record
-- that this misses is counted later and deletes the mark, so there is nothing left to complete.
create or replace function close_latency_day(wanted date) returns void language plpgsql
set work_mem = '64MB' set jit = off as $$
begin
  perform pg_advisory_xact_lock(7226091840);
  if exists (select from latency_marks where day = wanted and is_complete) then return; end if;
  -- Histograms with more calls than the log were made of records that are deleted now. They stay as they are.
  if coalesce((
      select sum(one) from person_latency_days cross join unnest(calls) as one where day = wanted and kind = 0
    ), 0) <= (
      select count(*) from spend_log
      where at >= wanted::timestamp at time zone 'UTC' and at < (wanted + 1)::timestamp at time zone 'UTC'
        and flags & 8 = 0 and status < 400
    )
  then
    delete from person_latency_days where day = wanted;
    delete from team_latency_days where day = wanted;
    with timed as materialized (
      select log.team_id, log.user_id, log.endpoint_id, log.model, timed.kind, latency_bucket(timed.ms) as bucket,
        count(*)::integer as calls
      from spend_log as log
      left join spend_contexts as context on context.id = log.context_id
      cross join lateral (values (0::smallint, log.duration_ms), (1::smallint, log.first_token_ms)) as timed (kind, ms)
      where log.at >= wanted::timestamp at time zone 'UTC' and log.at < (wanted + 1)::timestamp at time zone 'UTC'
        and log.flags & 8 = 0 and log.status < 400 and (context.rate_input is not null or log.flags & 4 <> 0)
        and timed.ms is not null
      group by 1, 2, 3, 4, 5, 6
    ), people as (
      insert into person_latency_days
      select facet_id, wanted, kind, array_agg(bucket order by bucket), array_agg(calls order by bucket)
      from (
        select spend_facet(team_id, user_id, endpoint_id, model) as facet_id, kind, bucket, sum(calls)::integer as calls
        from timed group by 1, 2, 3
      ) as counted group by 1, 3
    )
    insert into team_latency_days
    select facet_id, wanted, kind, array_agg(bucket order by bucket), array_agg(calls order by bucket)
    from (
      select spend_facet(team_id, null, endpoint_id, model) as facet_id, kind, bucket, sum(calls)::integer as calls
      from timed group by 1, 2, 3
    ) as counted group by 1, 3;
  end if;
  update latency_marks set is_complete = true where day = wanted;
end
$$;
