/**
 * Roll-ups for every chart, kept by the log in the transaction that stores the records.
 *
 * Who, where and which model a sum belongs to is stored once, in `spend_facets`, under a hash of its content: a row of a
 * roll-up then names it by eight bytes, and any filter costs as little as none. A facet of a coarser roll-up has the nil
 * uuid in place of what it leaves out.
 */
import { type Kysely, sql } from 'kysely'

export async function up(tx: Kysely<unknown>): Promise<void> {
  for (const statement of [facets, functions, tables, countFunction, fillFromLog, views])
    await sql.raw(statement).execute(tx)
}

export const nobody = `'00000000-0000-0000-0000-000000000000'::uuid`

/** The hashes are Postgres' own: four calls of C code instead of a digest over text. */
const facets = `
create table spend_facets (
  id bigint primary key,
  team_id uuid not null,
  user_id uuid not null,
  endpoint_id uuid not null,
  model text not null
);
create index spend_facets_by_user on spend_facets (user_id);

create function spend_facet(team uuid, person uuid, endpoint uuid, model text) returns bigint
language sql immutable parallel safe as $$
  select uuid_hash_extended(coalesce(team, ${nobody}), uuid_hash_extended(coalesce(person, ${nobody}),
    uuid_hash_extended(coalesce(endpoint, ${nobody}), hashtextextended(model, 0))))
$$;`

/**
 * Buckets grow by 2 %, so that the middle of one is at most 1 % from anything in it; 0 ms has a bucket of its own.
 * A cell that a spreadsheet would take for a formula is made text by an apostrophe.
 */
const functions = `
create function latency_bucket(ms integer) returns smallint language sql immutable parallel safe as $$
  select case when ms <= 0 then -1 else ceil(ln(ms::float8) / ln(1.02::float8)) end::smallint
$$;

create function csv_cell(value text) returns text language sql immutable parallel safe as $$
  select case
    when value is null then ''
    when value ~ '^[=+@\\t\\r-]' then '"''' || replace(value, '"', '""') || '"'
    when value ~ '[",\\r\\n]' then '"' || replace(value, '"', '""') || '"'
    else value
  end
$$;

-- How many tries an endpoint refused for lack of room, and how often a call left it for another one.
create function spend_tries(attempts jsonb)
returns table (endpoint_id uuid, throttles integer, failovers integer) language sql immutable as $$
  select one.endpoint, count(*) filter (where one.status = 429)::integer,
    count(*) filter (where one.next is not null and one.next <> one.endpoint)::integer
  from (
    select attempt ->> 'endpointId' as text_id, (attempt ->> 'status')::integer as status, place,
      case when attempt ->> 'endpointId' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
        then (attempt ->> 'endpointId')::uuid end as endpoint,
      lead(case when attempt ->> 'endpointId' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
        then (attempt ->> 'endpointId')::uuid end) over (order by place) as next
    from jsonb_array_elements(attempts) with ordinality as tried (attempt, place)
  ) as one
  where one.endpoint is not null
  group by one.endpoint
$$;`

export const measures = `
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
  duration_ms bigint not null`

export const measureNames = [...measures.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name ?? '')

export const added = (names: readonly string[]): string =>
  names.map((name) => `${name} = known.${name} + excluded.${name}`).join(', ')

/** Hours by facet first: a person's few facets are read without those of everybody else. */
const tables = `
drop trigger spend_log_counts_hours on spend_log;
drop function count_spend_hours();
drop table spend_hours;

create table spend_hours (
  facet_id bigint not null,
  hour timestamptz(0) not null,${measures},
  primary key (facet_id, hour)
) with (fillfactor = 80);
-- Rows come in the order of time, so the smallest kind of index finds the hours at the edge of a range.
create index spend_hours_by_time on spend_hours using brin (hour) with (pages_per_range = 16);

-- \`slots\` has a bit for each quarter of an hour in which there was a call: who was active on a day of any time zone.
create table usage_days (
  day date not null,
  facet_id bigint not null,
  slots bit(96) not null,${measures},
  primary key (day, facet_id)
) with (fillfactor = 80);

-- By team, endpoint and model only, which keeps quarters of an hour few enough for charts in any time zone.
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

-- By endpoint and model only. \`kind\` 0 is the whole duration, 1 the time to the first token.
create table latency_days (
  day date not null,
  facet_id bigint not null,
  kind smallint not null,
  bucket smallint not null,
  calls integer not null,
  primary key (day, facet_id, kind, bucket)
) with (fillfactor = 80);

create table tool_days (
  day date not null,
  facet_id bigint not null,
  tool text not null,
  calls integer not null,
  primary key (day, facet_id, tool)
) with (fillfactor = 80);

create table first_calls (
  user_id uuid primary key,
  at timestamptz(3) not null
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
create index spend_sessions_by_start on spend_sessions (started_at, session_id);`

/** One row for each record, with what the sums are made of. `from` is the log or the rows of one statement. */
export const rowsOf = (from: string): string => `
  select log.*,
    (log.round = 0 and log.flags & 8 = 0)::integer as is_request,
    (log.flags & 8 = 0 and (log.status >= 400 or (log.error_type is not null and log.flags & 2 = 0)))::integer as is_error,
    (log.flags & 8 = 0 and log.status < 400 and (context.rate_input is not null or log.flags & 4 <> 0))::integer as is_call,
    log.cache_write_5m_tokens::bigint + log.cache_write_1h_tokens as written,
    case when abs(gain.nano_usd) < 9e15 then round(gain.nano_usd) else 0 end::bigint as saved
  from ${from} as log left join spend_contexts as context on context.id = log.context_id
  cross join lateral (select 1000 * (
    log.cache_read_tokens * (context.rate_input - context.rate_cache_read)
    + log.cache_write_5m_tokens * (context.rate_input - context.rate_cache_write_5m)
    + log.cache_write_1h_tokens
      * (context.rate_input - coalesce(context.rate_cache_write_1h, context.rate_cache_write_5m))) as nano_usd) as gain`

/** In the order of the columns. Tries are counted apart: they belong to the endpoint that was tried. */
export const ofRecord = [
  'is_request',
  'is_error',
  'is_call',
  '(flags & 12 = 4)::integer',
  '(flags & 8 <> 0)::integer',
  'web_searches',
  `case when tools is null then 0 else array_length(string_to_array(tools, E'\\n'), 1) end`,
  '0',
  '0',
  'cost_nano_usd',
  'saved',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'written',
  'is_call * duration_ms',
]
const perRecord = ofRecord.join(', ')
export const sums = ofRecord.map((value) => `sum(${value})`).join(', ')

export const tried = (from: string): string => `
  from ${from} as log cross join lateral spend_tries(log.extra -> 'attempts') as tried
  where log.extra ? 'attempts' and log.flags & 8 = 0`

export const triedSums = `0, 0, 0, 0, 0, 0, 0, sum(tried.throttles), sum(tried.failovers), 0, 0, 0, 0, 0, 0, 0`

const fullFacet = `spend_facet(team_id, user_id, endpoint_id, model)`
const triedFacet = `spend_facet(log.team_id, log.user_id, tried.endpoint_id, log.model)`
export const dayOf = (time: string): string => `(${time} at time zone 'UTC')::date`

/** The bit of the quarter of an hour. */
export const slotOf = (time: string): string =>
  `B'1'::bit(96) >> (extract(hour from ${time} at time zone 'UTC')::integer * 4
    + extract(minute from ${time} at time zone 'UTC')::integer / 15)`

/** Every statement takes its rows in the order of the key: two instances must not wait for each other in a circle. */
function statementsOver(from: string): readonly string[] {
  const rows = `(${rowsOf(from)}) as log`
  return [
    `insert into spend_facets (id, team_id, user_id, endpoint_id, model)
      select distinct on (id) id, team, person, endpoint, model from (
        select spend_facet(team, person, endpoint, model) as id, team, person, endpoint, model from (
          select distinct coalesce(team_id, ${nobody}) as team, coalesce(user_id, ${nobody}) as person,
            coalesce(endpoint_id, ${nobody}) as endpoint, model from ${from}
          union select coalesce(team_id, ${nobody}), ${nobody}, coalesce(endpoint_id, ${nobody}), model from ${from}
          union select ${nobody}, ${nobody}, coalesce(endpoint_id, ${nobody}), model from ${from}
          union select coalesce(log.team_id, ${nobody}), coalesce(log.user_id, ${nobody}), tried.endpoint_id, log.model
            ${tried(from)}
        ) as found (team, person, endpoint, model)
      ) as named
      where not exists (select from spend_facets as known where known.id = named.id)
      order by id
      on conflict (id) do nothing`,
    `insert into usage_days as known
      select ${dayOf('at')}, ${fullFacet},
        bit_or(${slotOf('at')}), ${sums}
      from ${rows} group by 1, 2 order by 1, 2
      on conflict (day, facet_id) do update set slots = known.slots | excluded.slots, ${added(measureNames)}`,
    `insert into usage_days as known
      select ${dayOf('log.at')}, ${triedFacet}, B'0'::bit(96), ${triedSums}
      ${tried(from)} group by 1, 2 order by 1, 2
      on conflict (day, facet_id) do update set throttles = known.throttles + excluded.throttles,
        failovers = known.failovers + excluded.failovers`,
    `insert into spend_hours as known
      select ${fullFacet}, date_trunc('hour', at, 'UTC'), ${sums}
      from ${rows} group by 1, 2 order by 1, 2
      on conflict (facet_id, hour) do update set ${added(measureNames)}`,
    `insert into spend_hours as known
      select ${triedFacet}, date_trunc('hour', log.at, 'UTC'), ${triedSums}
      ${tried(from)} group by 1, 2 order by 1, 2
      on conflict (facet_id, hour) do update set throttles = known.throttles + excluded.throttles,
        failovers = known.failovers + excluded.failovers`,
    `insert into spend_quarters as known
      select date_bin('15 minutes', at, '2000-01-01 00:00:00Z'), spend_facet(team_id, null, endpoint_id, model),
        sum(is_request), sum(is_error), sum(cost_nano_usd), sum(input_tokens), sum(cache_read_tokens), sum(written)
      from ${rows} group by 1, 2 order by 1, 2
      on conflict (quarter, facet_id) do update set ${added([
        'requests',
        'errors',
        'cost_nano_usd',
        'input_tokens',
        'cache_read_tokens',
        'cache_write_tokens',
      ])}`,
    `insert into latency_days as known
      select ${dayOf('at')}, spend_facet(null, null, endpoint_id, model), timed.kind, latency_bucket(timed.ms), count(*)
      from ${rows} cross join lateral (values (0::smallint, duration_ms), (1::smallint, first_token_ms)) as timed (kind, ms)
      where is_call = 1 and timed.ms is not null
      group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict (day, facet_id, kind, bucket) do update set calls = known.calls + excluded.calls`,
    `insert into tool_days as known
      select ${dayOf('at')}, ${fullFacet}, tool, count(*)
      from ${from} as log cross join lateral unnest(string_to_array(tools, E'\\n')) as tool
      where flags & 8 = 0
      group by 1, 2, 3 order by 1, 2, 3
      on conflict (day, facet_id, tool) do update set calls = known.calls + excluded.calls`,
    `insert into first_calls as known
      select user_id, min(at) from ${from} as log where user_id is not null group by 1 order by 1
      on conflict (user_id) do update set at = excluded.at where excluded.at < known.at`,
    `insert into spend_sessions as known
      select session_id, min(extra -> 'ids' ->> 'session'), min(user_id::text)::uuid, min(team_id::text)::uuid,
        min(key_id::text)::uuid, min(at), max(at), sum(is_request), sum(is_error), sum(cost_nano_usd), sum(input_tokens),
        sum(output_tokens), sum(cache_read_tokens), sum(written)
      from ${rows} where session_id is not null group by 1 order by 1
      on conflict (session_id) do update set started_at = least(known.started_at, excluded.started_at),
        last_at = greatest(known.last_at, excluded.last_at),
        ${added(['requests', 'errors', 'cost_nano_usd', 'input_tokens', 'output_tokens', 'cache_read_tokens', 'cache_write_tokens'])}`,
  ]
}

const countFunction = `
create function count_usage() returns trigger language plpgsql as $$
begin
  ${statementsOver('stored').join(';\n  ')};
  return null;
end
$$;
create trigger spend_log_counts_usage after insert on spend_log
  referencing new table as stored for each statement execute function count_usage();`

const fillFromLog = `${statementsOver('spend_log').join(';\n')};`

export function factsOf(from: string): string {
  return `view spend_facts (at, key_id, model, facet_id, ${measureNames.join(', ')}) as
  select at, key_id, model, ${fullFacet}, ${perRecord} from (${rowsOf(from)}) as log
  union all
  select log.at, log.key_id, log.model, ${triedFacet}, 0, 0, 0, 0, 0, 0, 0, tried.throttles, tried.failovers, 0, 0, 0, 0, 0, 0, 0
  ${tried(from)}`
}

/**
 * The measures of single records, for the edges of a range that lie inside an hour. The index is for lists of failed
 * calls: they are rare, and without it each page reads the whole log.
 */
const views = `
create ${factsOf('spend_log')};

create index spend_log_failed on spend_log (at) where status >= 400;`
