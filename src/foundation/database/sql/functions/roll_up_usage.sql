-- Counts the records of up to so many batches into all roll-ups, and returns how many batches there were. It takes the
-- notes of the batches out of `spend_batches` in the same transaction, so each record is counted once.
--
-- One transaction counts at a time, so rows need no order, and one that waited sees what the one before has counted. A
-- migration that adds a roll-up takes the same lock first and renames a function that is called here. A call of the old
-- text that waits for the lock then fails, instead of leaving the new roll-up out.
create or replace function roll_up_usage(most_batches integer) returns integer language plpgsql
set work_mem = '64MB' set jit = off as $$
declare
  batches xid8[];
  first_at timestamptz;
  last_at timestamptz;
begin
  if not exists (select from spend_batches) then return 0; end if;
  perform pg_advisory_xact_lock(7226091839);
  select array_agg(batch) into batches
    from (select distinct batch from spend_batches order by batch limit most_batches) as oldest;
  if batches is null then return 0; end if;
  select min(spend_batches.first_at), max(spend_batches.last_at) into first_at, last_at
    from spend_batches where batch = any(batches);
  -- `execute` plans the statement each time: it then looks at the partitions that it needs and at no others.
  execute $count$
with
-- The records, with what the sums are made of.
picked as (delete from spend_batches where batch = any($1) returning *),
spans as (
  select batch, min(first_at) as first_at, max(last_at) as last_at
  from picked group by batch, date_trunc('hour', first_at, 'UTC')
),
records as materialized (
  select row.*, spend_facet(team_id, user_id, endpoint_id, model) as facet_id, (at at time zone 'UTC')::date as day,
    date_bin('15 minutes', at, '2000-01-01 00:00:00Z') as quarter
  from (
    select log.*,
      (log.round = 0 and log.flags & 8 = 0)::integer as is_request,
      (log.flags & 8 = 0 and (log.status >= 400 or (log.error_type is not null and log.flags & 2 = 0)))::integer
        as is_error,
      (log.flags & 8 = 0 and log.status < 400 and (context.rate_input is not null or log.flags & 4 <> 0))::integer
        as is_call,
      log.cache_write_5m_tokens::bigint + log.cache_write_1h_tokens as written,
      case when abs(gain.nano_usd) < 9e15 then round(gain.nano_usd) else 0 end::bigint as saved
    from (
      select log.* from spans cross join lateral (
        select * from spend_log where at >= spans.first_at and at <= spans.last_at and at >= $2 and at <= $3
          and batch = spans.batch
      ) as log
    ) as log
    left join spend_contexts as context on context.id = log.context_id
    cross join lateral (
      select 1000 * (
        log.cache_read_tokens * (context.rate_input - context.rate_cache_read)
        + log.cache_write_5m_tokens * (context.rate_input - context.rate_cache_write_5m)
        + log.cache_write_1h_tokens
          * (context.rate_input - coalesce(context.rate_cache_write_1h, context.rate_cache_write_5m))
      ) as nano_usd
    ) as gain
  ) as row
),

-- Attempts belong to the endpoint that was tried.
tries as materialized (
  select log.quarter, spend_facet(log.team_id, log.user_id, tried.endpoint_id, log.model) as facet_id, log.team_id,
    log.user_id, tried.endpoint_id, log.model, tried.throttles, tried.failovers
  from records as log cross join lateral tries_of_endpoints(log.extra -> 'attempts') as tried
  where log.extra ? 'attempts' and log.flags & 8 = 0
),

-- What each facet stands for, and the coarser facets that it is part of.
places as materialized (
  select facet_id, team, person, endpoint, model, spend_facet(team, null, endpoint, model) as org_facet_id,
    spend_facet(null, null, endpoint, model) as path_facet_id
  from (
    select distinct on (facet_id) facet_id, coalesce(team_id, '00000000-0000-0000-0000-000000000000'::uuid) as team,
      coalesce(user_id, '00000000-0000-0000-0000-000000000000'::uuid) as person,
      coalesce(endpoint_id, '00000000-0000-0000-0000-000000000000'::uuid) as endpoint, model
    from (
      select facet_id, team_id, user_id, endpoint_id, model from records
      union all select facet_id, team_id, user_id, endpoint_id, model from tries
    ) as found
  ) as place
),

-- Sums by quarter of an hour and facet. All other sums are added up from these.
moments as (
  select quarter, facet_id, true as is_use,
    coalesce(sum(is_request), 0)::bigint as requests,
    coalesce(sum(is_error), 0)::bigint as errors,
    coalesce(sum(is_call), 0)::bigint as calls,
    coalesce(sum((flags & 12 = 4)::integer), 0)::bigint as unpriced,
    coalesce(sum((flags & 8 <> 0)::integer), 0)::bigint as probes,
    coalesce(sum(web_searches), 0)::bigint as web_searches,
    coalesce(sum(case when tools is null then 0 else array_length(string_to_array(tools, E'\n'), 1) end), 0)::bigint
      as tool_calls,
    0::bigint as throttles,
    0::bigint as failovers,
    coalesce(sum(cost_nano_usd), 0)::bigint as cost_nano_usd,
    coalesce(sum(saved), 0)::bigint as saved_nano_usd,
    coalesce(sum(input_tokens), 0)::bigint as input_tokens,
    coalesce(sum(output_tokens), 0)::bigint as output_tokens,
    coalesce(sum(cache_read_tokens), 0)::bigint as cache_read_tokens,
    coalesce(sum(written), 0)::bigint as cache_write_tokens,
    coalesce(sum(is_call * duration_ms), 0)::bigint as duration_ms
  from records group by 1, 2
  union all
  select quarter, facet_id, false,
    0, 0, 0, 0, 0, 0, 0, coalesce(sum(throttles), 0)::bigint, coalesce(sum(failovers), 0)::bigint, 0, 0, 0, 0, 0, 0, 0
  from tries group by 1, 2
),
fine as materialized (
  select moments.*, (quarter at time zone 'UTC')::date as day, date_trunc('hour', quarter, 'UTC') as hour,
    case
      when is_use then B'1'::bit(96) >> (extract(hour from quarter at time zone 'UTC')::integer * 4
        + extract(minute from quarter at time zone 'UTC')::integer / 15)
      else B'0'::bit(96)
    end as slots,
    places.team, places.person, places.org_facet_id
  from moments join places using (facet_id)
),

into_facets as (
  insert into spend_facets (id, team_id, user_id, endpoint_id, model)
  select distinct on (id) wanted.* from (
    select facet_id, team, person, endpoint, model from places
    union all
    select org_facet_id, team, '00000000-0000-0000-0000-000000000000'::uuid, endpoint, model from places
    union all
    select path_facet_id, '00000000-0000-0000-0000-000000000000'::uuid, '00000000-0000-0000-0000-000000000000'::uuid,
      endpoint, model from places
  ) as wanted (id, team, person, endpoint, model)
  where not exists (select from spend_facets as known where known.id = wanted.id)
  on conflict (id) do nothing
),

-- Days, hours and quarters of an hour.
into_usage_days as (
  insert into usage_days as known (
    day, facet_id, slots,
    requests, errors, calls, unpriced, probes, web_searches, tool_calls, throttles, failovers, cost_nano_usd,
    saved_nano_usd, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, duration_ms
  )
  select day, facet_id, bit_or(slots),
    sum(requests), sum(errors), sum(calls), sum(unpriced), sum(probes), sum(web_searches), sum(tool_calls),
    sum(throttles), sum(failovers), sum(cost_nano_usd), sum(saved_nano_usd), sum(input_tokens), sum(output_tokens),
    sum(cache_read_tokens), sum(cache_write_tokens), sum(duration_ms)
  from fine group by day, facet_id
  on conflict (day, facet_id) do update set
    slots = known.slots | excluded.slots,
    requests = known.requests + excluded.requests, errors = known.errors + excluded.errors,
    calls = known.calls + excluded.calls, unpriced = known.unpriced + excluded.unpriced,
    probes = known.probes + excluded.probes, web_searches = known.web_searches + excluded.web_searches,
    tool_calls = known.tool_calls + excluded.tool_calls, throttles = known.throttles + excluded.throttles,
    failovers = known.failovers + excluded.failovers, cost_nano_usd = known.cost_nano_usd + excluded.cost_nano_usd,
    saved_nano_usd = known.saved_nano_usd + excluded.saved_nano_usd,
    input_tokens = known.input_tokens + excluded.input_tokens,
    output_tokens = known.output_tokens + excluded.output_tokens,
    cache_read_tokens = known.cache_read_tokens + excluded.cache_read_tokens,
    cache_write_tokens = known.cache_write_tokens + excluded.cache_write_tokens,
    duration_ms = known.duration_ms + excluded.duration_ms
),
into_person_days as (
  insert into person_days as known (day, user_id, slots, requests, cost_nano_usd, tokens)
  select day, person, bit_or(slots), sum(requests), sum(cost_nano_usd),
    sum(input_tokens + output_tokens + cache_read_tokens + cache_write_tokens)
  from fine where is_use group by day, person
  on conflict (day, user_id) do update set
    slots = known.slots | excluded.slots,
    requests = known.requests + excluded.requests, cost_nano_usd = known.cost_nano_usd + excluded.cost_nano_usd,
    tokens = known.tokens + excluded.tokens
),
into_spend_hours as (
  insert into spend_hours as known (
    facet_id, hour,
    requests, errors, calls, unpriced, probes, web_searches, tool_calls, throttles, failovers, cost_nano_usd,
    saved_nano_usd, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, duration_ms
  )
  select facet_id, hour,
    sum(requests), sum(errors), sum(calls), sum(unpriced), sum(probes), sum(web_searches), sum(tool_calls),
    sum(throttles), sum(failovers), sum(cost_nano_usd), sum(saved_nano_usd), sum(input_tokens), sum(output_tokens),
    sum(cache_read_tokens), sum(cache_write_tokens), sum(duration_ms)
  from fine group by facet_id, hour
  on conflict (facet_id, hour) do update set
    requests = known.requests + excluded.requests, errors = known.errors + excluded.errors,
    calls = known.calls + excluded.calls, unpriced = known.unpriced + excluded.unpriced,
    probes = known.probes + excluded.probes, web_searches = known.web_searches + excluded.web_searches,
    tool_calls = known.tool_calls + excluded.tool_calls, throttles = known.throttles + excluded.throttles,
    failovers = known.failovers + excluded.failovers, cost_nano_usd = known.cost_nano_usd + excluded.cost_nano_usd,
    saved_nano_usd = known.saved_nano_usd + excluded.saved_nano_usd,
    input_tokens = known.input_tokens + excluded.input_tokens,
    output_tokens = known.output_tokens + excluded.output_tokens,
    cache_read_tokens = known.cache_read_tokens + excluded.cache_read_tokens,
    cache_write_tokens = known.cache_write_tokens + excluded.cache_write_tokens,
    duration_ms = known.duration_ms + excluded.duration_ms
),
into_org_days as (
  insert into org_days as known (
    day, facet_id,
    requests, errors, calls, unpriced, probes, web_searches, tool_calls, throttles, failovers, cost_nano_usd,
    saved_nano_usd, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, duration_ms
  )
  select day, org_facet_id,
    sum(requests), sum(errors), sum(calls), sum(unpriced), sum(probes), sum(web_searches), sum(tool_calls),
    sum(throttles), sum(failovers), sum(cost_nano_usd), sum(saved_nano_usd), sum(input_tokens), sum(output_tokens),
    sum(cache_read_tokens), sum(cache_write_tokens), sum(duration_ms)
  from fine group by day, org_facet_id
  on conflict (day, facet_id) do update set
    requests = known.requests + excluded.requests, errors = known.errors + excluded.errors,
    calls = known.calls + excluded.calls, unpriced = known.unpriced + excluded.unpriced,
    probes = known.probes + excluded.probes, web_searches = known.web_searches + excluded.web_searches,
    tool_calls = known.tool_calls + excluded.tool_calls, throttles = known.throttles + excluded.throttles,
    failovers = known.failovers + excluded.failovers, cost_nano_usd = known.cost_nano_usd + excluded.cost_nano_usd,
    saved_nano_usd = known.saved_nano_usd + excluded.saved_nano_usd,
    input_tokens = known.input_tokens + excluded.input_tokens,
    output_tokens = known.output_tokens + excluded.output_tokens,
    cache_read_tokens = known.cache_read_tokens + excluded.cache_read_tokens,
    cache_write_tokens = known.cache_write_tokens + excluded.cache_write_tokens,
    duration_ms = known.duration_ms + excluded.duration_ms
),
into_org_hours as (
  insert into org_hours as known (
    hour, facet_id,
    requests, errors, calls, unpriced, probes, web_searches, tool_calls, throttles, failovers, cost_nano_usd,
    saved_nano_usd, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, duration_ms
  )
  select hour, org_facet_id,
    sum(requests), sum(errors), sum(calls), sum(unpriced), sum(probes), sum(web_searches), sum(tool_calls),
    sum(throttles), sum(failovers), sum(cost_nano_usd), sum(saved_nano_usd), sum(input_tokens), sum(output_tokens),
    sum(cache_read_tokens), sum(cache_write_tokens), sum(duration_ms)
  from fine group by hour, org_facet_id
  on conflict (hour, facet_id) do update set
    requests = known.requests + excluded.requests, errors = known.errors + excluded.errors,
    calls = known.calls + excluded.calls, unpriced = known.unpriced + excluded.unpriced,
    probes = known.probes + excluded.probes, web_searches = known.web_searches + excluded.web_searches,
    tool_calls = known.tool_calls + excluded.tool_calls, throttles = known.throttles + excluded.throttles,
    failovers = known.failovers + excluded.failovers, cost_nano_usd = known.cost_nano_usd + excluded.cost_nano_usd,
    saved_nano_usd = known.saved_nano_usd + excluded.saved_nano_usd,
    input_tokens = known.input_tokens + excluded.input_tokens,
    output_tokens = known.output_tokens + excluded.output_tokens,
    cache_read_tokens = known.cache_read_tokens + excluded.cache_read_tokens,
    cache_write_tokens = known.cache_write_tokens + excluded.cache_write_tokens,
    duration_ms = known.duration_ms + excluded.duration_ms
),
into_spend_quarters as (
  insert into spend_quarters as known (
    quarter, facet_id, requests, cost_nano_usd, input_tokens, cache_read_tokens, cache_write_tokens, errors
  )
  select quarter, org_facet_id, sum(requests), sum(cost_nano_usd), sum(input_tokens), sum(cache_read_tokens),
    sum(cache_write_tokens), sum(errors)
  from fine where is_use group by quarter, org_facet_id
  on conflict (quarter, facet_id) do update set
    requests = known.requests + excluded.requests, cost_nano_usd = known.cost_nano_usd + excluded.cost_nano_usd,
    input_tokens = known.input_tokens + excluded.input_tokens,
    cache_read_tokens = known.cache_read_tokens + excluded.cache_read_tokens,
    cache_write_tokens = known.cache_write_tokens + excluded.cache_write_tokens,
    errors = known.errors + excluded.errors
),
into_team_hours as (
  insert into team_hours as known (
    hour, team_id, requests, cost_nano_usd, input_tokens, cache_read_tokens, cache_write_tokens
  )
  select hour, team, sum(requests), sum(cost_nano_usd), sum(input_tokens), sum(cache_read_tokens),
    sum(cache_write_tokens)
  from fine where is_use group by hour, team
  on conflict (hour, team_id) do update set
    requests = known.requests + excluded.requests, cost_nano_usd = known.cost_nano_usd + excluded.cost_nano_usd,
    input_tokens = known.input_tokens + excluded.input_tokens,
    cache_read_tokens = known.cache_read_tokens + excluded.cache_read_tokens,
    cache_write_tokens = known.cache_write_tokens + excluded.cache_write_tokens
),
into_team_quarters as (
  insert into team_quarters as known (
    quarter, team_id, requests, cost_nano_usd, input_tokens, cache_read_tokens, cache_write_tokens
  )
  select quarter, team, sum(requests), sum(cost_nano_usd), sum(input_tokens), sum(cache_read_tokens),
    sum(cache_write_tokens)
  from fine where is_use group by quarter, team
  on conflict (quarter, team_id) do update set
    requests = known.requests + excluded.requests, cost_nano_usd = known.cost_nano_usd + excluded.cost_nano_usd,
    input_tokens = known.input_tokens + excluded.input_tokens,
    cache_read_tokens = known.cache_read_tokens + excluded.cache_read_tokens,
    cache_write_tokens = known.cache_write_tokens + excluded.cache_write_tokens
),
into_spend_days as (
  insert into spend_days as known (scope, subject_id, day, spent_nano_usd)
  select 'key', key_id, day, sum(cost_nano_usd) from records
  where key_id is not null and cost_nano_usd > 0 group by 2, 3
  on conflict (scope, subject_id, day) do update set
    spent_nano_usd = known.spent_nano_usd + excluded.spent_nano_usd
),
into_first_calls as (
  insert into first_calls as known
  select user_id, min(at) from records where user_id is not null group by 1
  on conflict (user_id) do update set at = excluded.at where excluded.at < known.at
),

-- Sessions are summed by their user, team and key first. Ids have no smallest one, and as texts they are slow.
into_spend_sessions as (
  insert into spend_sessions as known
  select session_id, min(label), min(user_id::text)::uuid, min(team_id::text)::uuid, min(key_id::text)::uuid,
    min(first_at), max(last_at), sum(requests), sum(errors), sum(cost_nano_usd), sum(input_tokens), sum(output_tokens),
    sum(cache_read_tokens), sum(cache_write_tokens)
  from (
    select session_id, user_id, team_id, key_id,
      min(case when extra is not null then extra -> 'ids' ->> 'session' end) as label,
      min(at) as first_at, max(at) as last_at, sum(is_request) as requests, sum(is_error) as errors,
      sum(cost_nano_usd) as cost_nano_usd, sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens,
      sum(cache_read_tokens) as cache_read_tokens, sum(written) as cache_write_tokens
    from records where session_id is not null group by 1, 2, 3, 4
  ) as parts group by 1
  on conflict (session_id) do update set
    started_at = least(known.started_at, excluded.started_at),
    last_at = greatest(known.last_at, excluded.last_at),
    requests = known.requests + excluded.requests, errors = known.errors + excluded.errors,
    cost_nano_usd = known.cost_nano_usd + excluded.cost_nano_usd,
    input_tokens = known.input_tokens + excluded.input_tokens,
    output_tokens = known.output_tokens + excluded.output_tokens,
    cache_read_tokens = known.cache_read_tokens + excluded.cache_read_tokens,
    cache_write_tokens = known.cache_write_tokens + excluded.cache_write_tokens
),

-- Tools. New users get their number in the same statement. What it inserts is visible only in what it returns. Bits are
-- made once for each user and gathered once, because both are many times as long as a number.
new_people as (
  insert into person_numbers (user_id)
  select distinct person from places where person <> '00000000-0000-0000-0000-000000000000'::uuid
    and not exists (select from person_numbers as known where known.user_id = places.person)
  returning user_id, number
),
called as materialized (
  select day, facet_id, tool, count(*) as calls
  from records cross join lateral unnest(string_to_array(tools, E'\n')) as tool
  where tools is not null and flags & 8 = 0 group by 1, 2, 3
),
numbered as (
  select person, coalesce(number / 1024, 0) as part,
    case when number is null then B'0'::bit(1024) else B'1'::bit(1024) >> number % 1024 end as bit
  from (select distinct person from places) as known left join (
    select * from person_numbers union all select user_id, number from new_people
  ) as given on given.user_id = person
),
gathered as materialized (
  select day, path_facet_id, team, tool, part, sum(calls) as calls, bit_or(bit) as people
  from called join places using (facet_id) join numbered using (person) group by 1, 2, 3, 4, 5
),
into_tool_days as (
  insert into tool_days as known select * from called
  on conflict (day, facet_id, tool) do update set
    calls = known.calls + excluded.calls
),
into_path_tool_days as (
  insert into path_tool_days as known
  select day, path_facet_id, tool, part, sum(calls), bit_or(people) from gathered group by 1, 2, 3, 4
  on conflict (day, facet_id, tool, part) do update set
    calls = known.calls + excluded.calls, people = known.people | excluded.people
),
into_team_tool_days as (
  insert into team_tool_days as known
  select day, team, tool, part, sum(calls), bit_or(people) from gathered group by 1, 2, 3, 4
  on conflict (day, team_id, tool, part) do update set
    calls = known.calls + excluded.calls, people = known.people | excluded.people
),

-- Latencies. Only late records of days whose records were deleted are added to the histograms of users and teams.
into_latency_days as (
  insert into latency_days as known
  select day, path_facet_id, 0::smallint as kind, latency_bucket(duration_ms) as bucket, count(*) as calls
  from records join places using (facet_id) where is_call = 1 and duration_ms is not null group by 1, 2, 4
  union all
  select day, path_facet_id, 1::smallint as kind, latency_bucket(first_token_ms) as bucket, count(*) as calls
  from records join places using (facet_id) where is_call = 1 and first_token_ms is not null group by 1, 2, 4
  on conflict (day, facet_id, kind, bucket) do update set
    calls = known.calls + excluded.calls
),
late as materialized (
  select day, facet_id, org_facet_id, 0::smallint as kind, latency_bucket(duration_ms) as bucket,
    count(*)::integer as calls
  from records join places using (facet_id)
  where is_call = 1 and duration_ms is not null and day in (select day from dropped_days) group by 1, 2, 3, 5
  union all
  select day, facet_id, org_facet_id, 1::smallint as kind, latency_bucket(first_token_ms) as bucket,
    count(*)::integer as calls
  from records join places using (facet_id)
  where is_call = 1 and first_token_ms is not null and day in (select day from dropped_days) group by 1, 2, 3, 5
),
into_person_latency_days as (
  insert into person_latency_days as known (facet_id, day, kind, buckets, calls)
  select facet_id, day, kind, array_agg(bucket order by bucket), array_agg(calls order by bucket)
  from (select facet_id, day, kind, bucket, sum(calls)::integer as calls from late group by 1, 2, 3, 4) as counted
  group by 1, 2, 3
  on conflict (facet_id, day, kind) do update set (buckets, calls) = (
    select array_agg(bucket order by bucket), array_agg(calls order by bucket) from (
      select bucket, sum(held.calls)::integer as calls from (
        select * from unnest(known.buckets, known.calls)
        union all select * from unnest(excluded.buckets, excluded.calls)
      ) as held (bucket, calls) group by 1
    ) as added
  )
),
into_team_latency_days as (
  insert into team_latency_days as known (facet_id, day, kind, buckets, calls)
  select facet_id, day, kind, array_agg(bucket order by bucket), array_agg(calls order by bucket)
  from (
    select org_facet_id as facet_id, day, kind, bucket, sum(calls)::integer as calls from late group by 1, 2, 3, 4
  ) as counted
  group by 1, 2, 3
  on conflict (facet_id, day, kind) do update set (buckets, calls) = (
    select array_agg(bucket order by bucket), array_agg(calls order by bucket) from (
      select bucket, sum(held.calls)::integer as calls from (
        select * from unnest(known.buckets, known.calls)
        union all select * from unnest(excluded.buckets, excluded.calls)
      ) as held (bucket, calls) group by 1
    ) as added
  )
),

-- The parts of costs.
into_charged_days as (
  insert into charged_days as known
  select (at at time zone 'UTC')::date, spend_facet(team_id, null, endpoint_id, model), scope,
    charged_tier(prompt_tokens), count(*), sum(cost_nano_usd), sum(search_nano_usd), sum(input_tokens),
    sum(output_tokens), sum(cache_read_tokens), sum(cache_write_5m_tokens), sum(cache_write_1h_tokens)
  from (
    select log.*, charged_scope(coalesce(context.hosted_model, log.model)) as scope,
      log.input_tokens::bigint + log.cache_read_tokens + log.cache_write_5m_tokens + log.cache_write_1h_tokens
        as prompt_tokens,
      case
        when log.web_searches = 0 then 0
        else greatest(0, log.cost_nano_usd - floor(0.5 + 1000 * (
          log.input_tokens * context.rate_input
          + log.output_tokens * context.rate_output
          + log.cache_read_tokens * context.rate_cache_read
          + log.cache_write_5m_tokens * context.rate_cache_write_5m
          + log.cache_write_1h_tokens * coalesce(context.rate_cache_write_1h, context.rate_cache_write_5m)
        )))
      end::bigint as search_nano_usd
    from records as log join spend_contexts as context on context.id = log.context_id
    where log.flags & 8 = 0 and context.rate_input is not null
  ) as charged group by 1, 2, 3, 4
  on conflict (day, facet_id, scope, tier) do update set
    calls = known.calls + excluded.calls, cost_nano_usd = known.cost_nano_usd + excluded.cost_nano_usd,
    search_nano_usd = known.search_nano_usd + excluded.search_nano_usd,
    input_tokens = known.input_tokens + excluded.input_tokens,
    output_tokens = known.output_tokens + excluded.output_tokens,
    cache_read_tokens = known.cache_read_tokens + excluded.cache_read_tokens,
    cache_write_5m_tokens = known.cache_write_5m_tokens + excluded.cache_write_5m_tokens,
    cache_write_1h_tokens = known.cache_write_1h_tokens + excluded.cache_write_1h_tokens
),

-- Blocks and histograms that these records belong to are computed again.
reopened_blocks as (
  delete from closed_blocks where block in (select day - (day - date '2000-01-01') % 8 from fine)
),
reopened_days as (
  delete from latency_marks where day in (select day from fine) and day not in (select day from dropped_days)
)
select 1
  $count$ using batches, first_at, last_at;
  return cardinality(batches);
end
$$;
