/** Fills a database with an organization and its calls: real tables and indexes, and roll-ups counted as a gateway does. */
import type { Database } from '../../src/foundation/database/database.ts'
import { catchUpUsage, closeUsageBlocks } from '../../src/modules/spend/usage/usage-rollup.store.ts'

export interface FillOptions {
  readonly rows: number
  readonly days: number
  readonly people: number
  readonly nowMs: number
  readonly say: (line: string) => void
}

const DAY_MS = 86_400_000
const TEAMS = 20
/** As large as is reasonable for one transaction. */
const ROWS_AT_ONCE = 50_000

export async function fill({ pool, kysely }: Database, options: FillOptions): Promise<void> {
  await pool.query('select setseed(0.42)')
  await pool.query(organization, [options.people, TEAMS])
  await pool.query(contexts)
  const weights = Array.from({ length: options.days }, (_, index) => {
    const dayMs = Math.floor(options.nowMs / DAY_MS) * DAY_MS - (options.days - 1 - index) * DAY_MS
    const weekday = new Date(dayMs).getUTCDay()
    return { dayMs, weight: (weekday === 0 || weekday === 6 ? 0.25 : 1) * (0.7 + (0.6 * index) / options.days) }
  })
  const total = weights.reduce((sum, { weight }) => sum + weight, 0)
  const startedMs = performance.now()
  let written = 0
  for (const [index, { dayMs, weight }] of weights.entries()) {
    const left = Math.round((options.rows * weight) / total)
    for (let done = 0; done < left; done += ROWS_AT_ONCE)
      await pool.query(calls, [new Date(dayMs).toISOString(), Math.min(ROWS_AT_ONCE, left - done)])
    await catchUpUsage(kysely)
    written += left
    if (index % 15 === 14) options.say(`${written} rows after ${Math.round((performance.now() - startedMs) / 1000)} s`)
  }
  await closeUsageBlocks(kysely, options.nowMs)
  // What a server does on its own in the hours after such a load.
  await pool.query('vacuum analyze')
}

/** Table names of its own, so that the picks below are plain joins. */
const organization = `
with made_teams as (
  insert into teams (id, name) select gen_random_uuid(), 'Team ' || n from generate_series(1, $2::integer) as n
  returning id, name
), numbered as (select id, row_number() over (order by name) as n from made_teams),
made_users as (
  insert into users (id, subject, role, team_id)
  select gen_random_uuid(), 'person' || person || '@example.com', 'member', numbered.id
  from generate_series(1, $1::integer) as person join numbered on numbered.n = 1 + person % $2::integer
  returning id, subject, team_id
)
insert into virtual_keys (id, name, hash, prefix, user_id, team_id, created_by)
select gen_random_uuid(), 'key of ' || subject, sha256(convert_to(subject, 'UTF8')), 'sk-proxy-0000000', id, team_id, 'bench'
from made_users;`

const contexts = `
create table bench_people as
  select row_number() over (order by users.subject) as n, users.id as user_id, users.team_id, virtual_keys.id as key_id
  from users join virtual_keys on virtual_keys.user_id = users.id;
create unique index on bench_people (n);
insert into endpoints (id, name, region, routing_prefix)
  select gen_random_uuid(), name, name, 'us' from unnest(array['us-west-2', 'eu-central-1', 'ap-northeast-1']) as name;
create table bench_models (n integer primary key, model text, context_id bigint, rate_in float8, rate_out float8);
insert into bench_models values
  (0, 'claude-sonnet-5-5', 900001, 3, 15), (1, 'claude-sonnet-5-5', 900001, 3, 15), (2, 'claude-sonnet-5-5', 900001, 3, 15),
  (3, 'claude-haiku-5-5', 900002, 1, 5), (4, 'claude-haiku-5-5', 900002, 1, 5), (5, 'claude-haiku-5-5', 900002, 1, 5),
  (6, 'claude-opus-5', 900003, 5, 25), (7, 'claude-opus-5', 900003, 5, 25), (8, 'claude-sonnet-4-5-20250929', 900004, 3, 15),
  (9, 'claude-opus-5[1m]', 900005, 10, 37.5);
insert into spend_contexts (id, hosted_model, routing, betas_sent, betas_stripped, repairs,
    rate_input, rate_output, rate_cache_read, rate_cache_write_5m, rate_cache_write_1h)
  select distinct context_id, 'us.anthropic.' || model, 'sticky_user: us-west-2 (affinity)', '{}'::text[], '{}'::text[],
    '{}'::text[], rate_in, rate_out, rate_in * 0.1, rate_in * 1.25, rate_in * 2 from bench_models;
insert into spend_contexts (id, routing, betas_sent, betas_stripped, repairs)
  values (900000, 'sticky_user: us-west-2 (affinity)', '{}', '{}', '{}');
create table bench_endpoints as select row_number() over (order by name) as n, id from endpoints;
create table bench_tools as select row_number() over () as n, tool from unnest(array['Read', 'Read', 'Read', 'Bash', 'Bash',
  'Edit', 'Edit', 'Grep', 'Glob', 'TodoWrite', 'Write', 'WebFetch', 'mcp__github__search_code',
  'mcp__github__get_pull_request', 'mcp__jira__get_issue', 'mcp__warehouse__run_query', 'mcp__grafana__query_range',
  'mcp__figma__get_file', 'Task', 'NotebookEdit']) as tool;`

/**
 * People differ in how much they do, keep to a model for days and to an endpoint nearly always, and call a small model now
 * and then; most calls fall into working hours, and a session is a person's half day.
 */
const calls = `
with picked as materialized (
  select 1 + floor(power(random(), 1.6) * (select count(*) from bench_people))::integer as person,
    random() as taste, random() as luck, random() as luck2,
    $1::timestamptz + (5 + (random() + random() + random()) / 3 * 16) * interval '1 hour' as at,
    exp(1.1 * sqrt(-2 * ln(random() + 1e-9)) * cos(2 * pi() * random())) as spread,
    floor(random() * 3)::integer as tool_count, 1 + floor(random() * 20)::integer as tool1, 1 + floor(random() * 20)::integer as tool2
  from generate_series(1, $2::integer)
), chosen as (
  select picked.*, case when taste < 0.3 then 3 else (person + extract(day from $1::timestamptz)::integer / 10) % 10 end as model,
    1 + (person + (luck2 > 0.97)::integer) % 3 as endpoint
  from picked
)
insert into spend_log (at, cost_nano_usd, context_id, input_tokens, output_tokens, cache_read_tokens, cache_write_5m_tokens,
  cache_write_1h_tokens, duration_ms, first_token_ms, attempt_ms, round, status, flags, web_searches, streaming, request_id,
  key_id, user_id, team_id, endpoint_id, session_id, model, stop_reason, error_type, tools, extra)
select least(chosen.at, now()), case when luck < 0.985 then
    round((20 * rate_in + 500 * spread * rate_out + 40000 * spread * rate_in * 0.1 + 2000 * rate_in * 1.25) * 1000) else 0 end,
  case when luck < 0.985 then bench_models.context_id else 900000 end,
  case when luck < 0.985 then 20 else 0 end, case when luck < 0.985 then (500 * spread)::integer else 0 end,
  case when luck < 0.985 then (40000 * spread)::integer else 0 end, case when luck < 0.985 then 2000 else 0 end, 0,
  (900 + 6000 * spread)::integer, case when luck < 0.985 then (400 + 300 * spread)::integer end,
  case when luck < 0.97 then (890 + 6000 * spread)::integer end, 0, case when luck < 0.985 then 200 when luck < 0.995 then 429 else 529 end,
  0, (luck2 < 0.01)::integer, true, gen_random_uuid(), key_id, user_id, team_id, bench_endpoints.id,
  md5(user_id::text || $1::text || (extract(hour from chosen.at) < 13)::text)::uuid, bench_models.model,
  case when luck < 0.985 then 'end_turn' end, case when luck >= 0.985 then 'rate_limit_error' end,
  case tool_count when 0 then null when 1 then one.tool else one.tool || E'\\n' || two.tool end,
  case when luck >= 0.97 then jsonb_build_object('attempts', jsonb_build_array(
    jsonb_build_object('endpointId', bench_endpoints.id, 'hostedModel', 'x', 'status', 429, 'error', 'ThrottlingException', 'durationMs', 90),
    jsonb_build_object('endpointId', (select id from bench_endpoints where n = 1 + chosen.endpoint % 3), 'hostedModel', 'x', 'status', 200,
      'error', null, 'durationMs', 900))) end
from chosen
join bench_people on bench_people.n = chosen.person
join bench_models on bench_models.n = chosen.model
join bench_endpoints on bench_endpoints.n = chosen.endpoint
join bench_tools as one on one.n = chosen.tool1
join bench_tools as two on two.n = chosen.tool2`
