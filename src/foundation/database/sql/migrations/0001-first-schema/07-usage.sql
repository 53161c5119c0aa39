-- Roll-ups of the spend log, from which charts are read. `roll_up_usage` keeps them.
--
-- Every table with a facet has the same sums. Tables with `_days`, `_hours` and `_quarters` hold sums of that length,
-- and tables with `_blocks` hold eight days in one row. Ranges of weeks and months are added up from blocks.

-- What a sum belongs to is stored once, under a hash of its content (`spend_facet`). A row of a roll-up then names it
-- by eight bytes, and any filter costs as little as none. A facet of a coarser roll-up has the nil uuid in place of
-- what it leaves out, because nulls would not be equal to each other.
create table spend_facets (
  id bigint primary key,
  team_id uuid not null,
  user_id uuid not null,
  endpoint_id uuid not null,
  model text not null
);
create index spend_facets_by_user on spend_facets (user_id);

-- `slots` has a bit for each quarter of an hour with a request. It answers who was active on a day of any time zone.
create table usage_days (
  day date not null,
  facet_id bigint not null,
  slots bit(96) not null,
  requests integer not null,
  errors integer not null,
  calls integer not null,
  unpriced integer not null,
  probes integer not null,
  web_searches integer not null,
  tool_calls integer not null,
  throttles integer not null,
  failovers integer not null,
  cost_nano_usd bigint not null,
  saved_nano_usd bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cache_read_tokens bigint not null,
  cache_write_tokens bigint not null,
  duration_ms bigint not null,
  primary key (day, facet_id)
) with (fillfactor = 80);

-- The facet comes first: a user's few facets are read without those of all others.
create table spend_hours (
  facet_id bigint not null,
  hour timestamptz(0) not null,
  requests integer not null,
  errors integer not null,
  calls integer not null,
  unpriced integer not null,
  probes integer not null,
  web_searches integer not null,
  tool_calls integer not null,
  throttles integer not null,
  failovers integer not null,
  cost_nano_usd bigint not null,
  saved_nano_usd bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cache_read_tokens bigint not null,
  cache_write_tokens bigint not null,
  duration_ms bigint not null,
  primary key (facet_id, hour)
) with (fillfactor = 80);
-- The hours at the edge of a range, for all facets. A BRIN index would not know new rows until the server has vacuumed
-- the table.
create index spend_hours_by_time on spend_hours (hour);

create table usage_blocks (
  block date not null,
  facet_id bigint not null,
  requests integer not null,
  errors integer not null,
  calls integer not null,
  unpriced integer not null,
  probes integer not null,
  web_searches integer not null,
  tool_calls integer not null,
  throttles integer not null,
  failovers integer not null,
  cost_nano_usd bigint not null,
  saved_nano_usd bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cache_read_tokens bigint not null,
  cache_write_tokens bigint not null,
  duration_ms bigint not null,
  primary key (block, facet_id)
);

-- Tables with `org_` have facets without a user. Most questions name no user, and these have a tenth of the rows.
create table org_days (
  day date not null,
  facet_id bigint not null,
  requests integer not null,
  errors integer not null,
  calls integer not null,
  unpriced integer not null,
  probes integer not null,
  web_searches integer not null,
  tool_calls integer not null,
  throttles integer not null,
  failovers integer not null,
  cost_nano_usd bigint not null,
  saved_nano_usd bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cache_read_tokens bigint not null,
  cache_write_tokens bigint not null,
  duration_ms bigint not null,
  primary key (day, facet_id)
) with (fillfactor = 80);

create table org_hours (
  hour timestamptz(0) not null,
  facet_id bigint not null,
  requests integer not null,
  errors integer not null,
  calls integer not null,
  unpriced integer not null,
  probes integer not null,
  web_searches integer not null,
  tool_calls integer not null,
  throttles integer not null,
  failovers integer not null,
  cost_nano_usd bigint not null,
  saved_nano_usd bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cache_read_tokens bigint not null,
  cache_write_tokens bigint not null,
  duration_ms bigint not null,
  primary key (hour, facet_id)
) with (fillfactor = 80);

create table org_blocks (
  block date not null,
  facet_id bigint not null,
  requests integer not null,
  errors integer not null,
  calls integer not null,
  unpriced integer not null,
  probes integer not null,
  web_searches integer not null,
  tool_calls integer not null,
  throttles integer not null,
  failovers integer not null,
  cost_nano_usd bigint not null,
  saved_nano_usd bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cache_read_tokens bigint not null,
  cache_write_tokens bigint not null,
  duration_ms bigint not null,
  primary key (block, facet_id)
);

-- Facets without a user, for time zones whose hours begin at another minute.
create table spend_quarters (
  quarter timestamptz(0) not null,
  facet_id bigint not null,
  requests integer not null,
  errors integer not null,
  cost_nano_usd bigint not null,
  input_tokens bigint not null,
  cache_read_tokens bigint not null,
  cache_write_tokens bigint not null,
  primary key (quarter, facet_id)
) with (fillfactor = 80);

create table team_hours (
  hour timestamptz(0) not null,
  team_id uuid not null,
  requests integer not null,
  cost_nano_usd bigint not null,
  input_tokens bigint not null,
  cache_read_tokens bigint not null,
  cache_write_tokens bigint not null,
  primary key (hour, team_id)
) with (fillfactor = 80);

create table team_quarters (
  quarter timestamptz(0) not null,
  team_id uuid not null,
  requests integer not null,
  cost_nano_usd bigint not null,
  input_tokens bigint not null,
  cache_read_tokens bigint not null,
  cache_write_tokens bigint not null,
  primary key (quarter, team_id)
) with (fillfactor = 80);

create table person_days (
  day date not null,
  user_id uuid not null,
  slots bit(96) not null,
  requests integer not null,
  cost_nano_usd bigint not null,
  tokens bigint not null,
  primary key (day, user_id)
) with (fillfactor = 80);

create table person_blocks (
  block date not null,
  user_id uuid not null,
  requests integer not null,
  cost_nano_usd bigint not null,
  tokens bigint not null,
  primary key (block, user_id)
);

create table first_calls (
  user_id uuid primary key,
  at timestamptz(3) not null
);

-- Histograms of latency. `kind` 0 is the whole duration, 1 the time to the first token. Facets here have only an
-- endpoint and a model.
create table latency_days (
  day date not null,
  facet_id bigint not null,
  kind smallint not null,
  bucket smallint not null,
  calls integer not null,
  primary key (day, facet_id, kind, bucket)
) with (fillfactor = 80);

create table latency_blocks (
  block date not null,
  facet_id bigint not null,
  kind smallint not null,
  bucket smallint not null,
  calls integer not null,
  primary key (block, facet_id, kind, bucket)
);

-- The days whose histograms of users and teams were computed. A record that arrives later deletes the mark, and the
-- day's records are read until the histograms are computed again.
create table latency_marks (
  day date primary key,
  is_complete boolean not null
);

-- One row holds the whole histogram: buckets and their counts. They are computed once, after the day, because adding
-- records one by one would change a row for almost every request.
create table person_latency_days (
  facet_id bigint not null,
  day date not null,
  kind smallint not null,
  buckets smallint[] not null,
  calls integer[] not null,
  primary key (facet_id, day, kind)
);
create index person_latency_days_by_day on person_latency_days using brin (day) with (pages_per_range = 16);

create table team_latency_days (
  facet_id bigint not null,
  day date not null,
  kind smallint not null,
  buckets smallint[] not null,
  calls integer[] not null,
  primary key (facet_id, day, kind)
);
create index team_latency_days_by_day on team_latency_days using brin (day) with (pages_per_range = 16);

create table team_latency_blocks (
  block date not null,
  facet_id bigint not null,
  kind smallint not null,
  bucket smallint not null,
  calls integer not null,
  primary key (block, facet_id, kind, bucket)
);
create index team_latency_blocks_by_facet on team_latency_blocks (facet_id, block);

create table tool_days (
  day date not null,
  facet_id bigint not null,
  tool text not null,
  calls integer not null,
  primary key (day, facet_id, tool)
) with (fillfactor = 80);

create table tool_blocks (
  block date not null,
  facet_id bigint not null,
  tool text not null,
  calls integer not null,
  primary key (block, facet_id, tool)
);

-- Without models and endpoints, for questions about all users.
create table person_tool_blocks (
  block date not null,
  user_id uuid not null,
  tool text not null,
  calls integer not null,
  primary key (block, user_id, tool)
);

-- How many users called a tool, without a row for each of them. A row has a bit for each of 1,024 neighboring numbers.
-- Numbers are given once and never again, so that a bit means the same user in every row.
create table person_numbers (
  user_id uuid primary key,
  number integer not null unique generated always as identity (minvalue 0 start with 0)
);

create table path_tool_days (
  day date not null,
  facet_id bigint not null,
  tool text not null,
  part integer not null,
  calls integer not null,
  people bit(1024) not null,
  primary key (day, facet_id, tool, part)
) with (fillfactor = 80);

create table path_tool_blocks (
  block date not null,
  facet_id bigint not null,
  tool text not null,
  part integer not null,
  calls integer not null,
  people bit(1024) not null,
  primary key (block, facet_id, tool, part)
);

create table team_tool_days (
  day date not null,
  team_id uuid not null,
  tool text not null,
  part integer not null,
  calls integer not null,
  people bit(1024) not null,
  primary key (day, team_id, tool, part)
) with (fillfactor = 80);

create table team_tool_blocks (
  block date not null,
  team_id uuid not null,
  tool text not null,
  part integer not null,
  calls integer not null,
  people bit(1024) not null,
  primary key (block, team_id, tool, part)
);

create table spend_sessions (
  session_id uuid primary key,
  label text,
  user_id uuid,
  team_id uuid,
  key_id uuid,
  started_at timestamptz(3) not null,
  last_at timestamptz(3) not null,
  requests integer not null,
  errors integer not null,
  cost_nano_usd bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cache_read_tokens bigint not null,
  cache_write_tokens bigint not null
) with (fillfactor = 80);
create index spend_sessions_by_start on spend_sessions (started_at, session_id);

-- The parts of a cost: tokens of charged requests by the scope that was invoked and by the length of the prompt. A
-- question such as "at the prices of another model" reads these sums, also for days whose records were deleted. `tier`
-- says how many of the lengths in `charged_tier` the prompt exceeds. `search_nano_usd` is the cost of web searches,
-- which depends on no model. The facets have no user: a user has few enough records to read them.
create table charged_days (
  day date not null,
  facet_id bigint not null,
  scope text not null,
  tier smallint not null,
  calls integer not null,
  cost_nano_usd bigint not null,
  search_nano_usd bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cache_read_tokens bigint not null,
  cache_write_5m_tokens bigint not null,
  cache_write_1h_tokens bigint not null,
  primary key (day, facet_id, scope, tier)
) with (fillfactor = 80);

-- A block is closed once, a day after its last day. A record that arrives later opens it, and its days are read until
-- it is closed again.
create table closed_blocks (
  block date primary key
);

-- Days whose records were deleted. Their histograms cannot be computed again, so late records are added to them.
create table dropped_days (
  day date primary key
);

-- Days and blocks whose sums the database refused. Their parts are read instead.
create table unclosed_periods (
  kind text not null,
  first_day date not null,
  noted_at timestamptz(3) not null default now(),
  code text not null,
  reason text not null,
  primary key (kind, first_day)
);

-- The measures of single records, for the edges of a range that lie inside an hour. Attempts belong to the endpoint
-- that was tried, so they have rows of their own.
create view spend_facts (
  at, key_id, model, facet_id, requests, errors, calls, unpriced, probes, web_searches, tool_calls, throttles,
  failovers, cost_nano_usd, saved_nano_usd, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens,
  duration_ms
) as
select
  at, key_id, model, spend_facet(team_id, user_id, endpoint_id, model),
  is_request, is_error, is_call, (flags & 12 = 4)::integer, (flags & 8 <> 0)::integer, web_searches,
  case when tools is null then 0 else array_length(string_to_array(tools, E'\n'), 1) end, 0, 0,
  cost_nano_usd, saved, input_tokens, output_tokens, cache_read_tokens, written, is_call * duration_ms
from (
  select
    log.*,
    (log.round = 0 and log.flags & 8 = 0)::integer as is_request,
    (log.flags & 8 = 0 and (log.status >= 400 or (log.error_type is not null and log.flags & 2 = 0)))::integer
      as is_error,
    (log.flags & 8 = 0 and log.status < 400 and (context.rate_input is not null or log.flags & 4 <> 0))::integer
      as is_call,
    log.cache_write_5m_tokens::bigint + log.cache_write_1h_tokens as written,
    case when abs(gain.nano_usd) < 9e15 then round(gain.nano_usd) else 0 end::bigint as saved
  from (select * from spend_log where batch <> '0') as log
  left join spend_contexts as context on context.id = log.context_id
  cross join lateral (
    select 1000 * (
      log.cache_read_tokens * (context.rate_input - context.rate_cache_read)
      + log.cache_write_5m_tokens * (context.rate_input - context.rate_cache_write_5m)
      + log.cache_write_1h_tokens
        * (context.rate_input - coalesce(context.rate_cache_write_1h, context.rate_cache_write_5m))
    ) as nano_usd
  ) as gain
) as log
union all
select
  log.at, log.key_id, log.model, spend_facet(log.team_id, log.user_id, tried.endpoint_id, log.model),
  0, 0, 0, 0, 0, 0, 0, tried.throttles, tried.failovers, 0, 0, 0, 0, 0, 0, 0
from (select * from spend_log where batch <> '0') as log
cross join lateral tries_of_endpoints(log.extra -> 'attempts') as tried
where log.extra ? 'attempts' and log.flags & 8 = 0;

-- The same for `charged_days`.
create view charged_facts as
select
  at, batch, team_id, user_id, endpoint_id, model, scope, prompt_tokens, cost_nano_usd, search_nano_usd,
  input_tokens, output_tokens, cache_read_tokens, cache_write_5m_tokens, cache_write_1h_tokens
from (
  select
    log.*,
    charged_scope(coalesce(context.hosted_model, log.model)) as scope,
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
  from (select * from spend_log where batch <> '0') as log
  join spend_contexts as context on context.id = log.context_id
  where log.flags & 8 = 0 and context.rate_input is not null
) as charged;
