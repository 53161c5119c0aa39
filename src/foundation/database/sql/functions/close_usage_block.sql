-- Adds up the eight days of a block. This holds the lock of the counting, so that no record of the block is counted
-- meanwhile.
create or replace function close_usage_block(first_day date) returns void language plpgsql
set work_mem = '64MB' set jit = off as $$
begin
  perform pg_advisory_xact_lock(7226091839);

  delete from usage_blocks where block = first_day;
  insert into usage_blocks
    select first_day, facet_id,
      sum(requests), sum(errors), sum(calls), sum(unpriced), sum(probes), sum(web_searches), sum(tool_calls),
      sum(throttles), sum(failovers), sum(cost_nano_usd), sum(saved_nano_usd), sum(input_tokens), sum(output_tokens),
      sum(cache_read_tokens), sum(cache_write_tokens), sum(duration_ms)
    from usage_days where day >= first_day and day < first_day + 8 group by 2;

  delete from org_blocks where block = first_day;
  insert into org_blocks
    select first_day, facet_id,
      sum(requests), sum(errors), sum(calls), sum(unpriced), sum(probes), sum(web_searches), sum(tool_calls),
      sum(throttles), sum(failovers), sum(cost_nano_usd), sum(saved_nano_usd), sum(input_tokens), sum(output_tokens),
      sum(cache_read_tokens), sum(cache_write_tokens), sum(duration_ms)
    from org_days where day >= first_day and day < first_day + 8 group by 2;

  delete from person_blocks where block = first_day;
  insert into person_blocks
    select first_day, user_id, sum(requests), sum(cost_nano_usd), sum(tokens)
    from person_days where day >= first_day and day < first_day + 8 group by 2;

  delete from tool_blocks where block = first_day;
  insert into tool_blocks
    select first_day, facet_id, tool, sum(calls)
    from tool_days where day >= first_day and day < first_day + 8 group by 2, 3;

  delete from person_tool_blocks where block = first_day;
  insert into person_tool_blocks
    select first_day, facet.user_id, tool, sum(calls)
    from tool_days join spend_facets as facet on facet.id = facet_id
    where day >= first_day and day < first_day + 8 group by 2, 3;

  delete from latency_blocks where block = first_day;
  insert into latency_blocks
    select first_day, facet_id, kind, bucket, sum(calls)
    from latency_days where day >= first_day and day < first_day + 8 group by 2, 3, 4;

  delete from path_tool_blocks where block = first_day;
  insert into path_tool_blocks
    select first_day, facet_id, tool, part, sum(calls), bit_or(people)
    from path_tool_days where day >= first_day and day < first_day + 8 group by 2, 3, 4;

  delete from team_tool_blocks where block = first_day;
  insert into team_tool_blocks
    select first_day, team_id, tool, part, sum(calls), bit_or(people)
    from team_tool_days where day >= first_day and day < first_day + 8 group by 2, 3, 4;

  -- Latencies of teams come from the histograms of the days, which also know deleted records. The block stays open
  -- until all of them are complete.
  if exists (
    select from org_days
    where day >= first_day and day < first_day + 8 and day not in (select day from latency_marks where is_complete)
  ) then
    return;
  end if;
  -- Fewer calls than before mean that days were deleted before they had histograms. The block then stays as it is.
  if coalesce((select sum(calls) from team_latency_blocks where block = first_day and kind = 0), 0) <=
    coalesce((
      select sum(one) from team_latency_days cross join unnest(calls) as one
      where day >= first_day and day < first_day + 8 and kind = 0
    ), 0)
  then
    delete from team_latency_blocks where block = first_day;
    insert into team_latency_blocks
      select first_day, facet_id, kind, held.bucket, sum(held.calls)
      from team_latency_days cross join unnest(buckets, team_latency_days.calls) as held (bucket, calls)
      where day >= first_day and day < first_day + 8 group by 2, 3, 4;
  end if;
  insert into closed_blocks values (first_day) on conflict do nothing;
end
$$;
