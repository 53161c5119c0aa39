/** Hourly sums of the spend log by everything that charts are divided by. */
import { type Kysely, sql } from 'kysely'

export async function up(tx: Kysely<unknown>): Promise<void> {
  await sql.raw(spendHours).execute(tx)
  await sql.raw(countFunction).execute(tx)
  await sql.raw(fillFromLog).execute(tx)
}

const sums = `
  count(*), count(*) filter (where status >= 400), sum(cost_nano_usd),
  sum(input_tokens), sum(output_tokens), sum(cache_read_tokens),
  sum(cache_write_5m_tokens), sum(cache_write_1h_tokens), sum(web_searches),
  sum(coalesce(array_length(string_to_array(tools, E'\\n'), 1), 0)),
  sum(duration_ms), coalesce(sum(first_token_ms), 0), count(first_token_ms),
  count(*) filter (where flags & 4 <> 0), count(*) filter (where flags & 8 <> 0)`

const groups = `
  date_trunc('hour', at, 'UTC'), coalesce(team_id, nobody), coalesce(user_id, nobody), coalesce(key_id, nobody),
  coalesce(endpoint_id, nobody), model, (status / 100)::smallint`

/** The nil uuid stands for nobody: nulls would not be equal to each other in the key. */
const spendHours = `
create table spend_hours (
  hour timestamptz(0) not null,
  team_id uuid not null,
  user_id uuid not null,
  key_id uuid not null,
  endpoint_id uuid not null,
  model text not null,
  status_class smallint not null,
  requests bigint not null,
  errors bigint not null,
  cost_nano_usd bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cache_read_tokens bigint not null,
  cache_write_5m_tokens bigint not null,
  cache_write_1h_tokens bigint not null,
  web_searches bigint not null,
  tool_calls bigint not null,
  duration_ms bigint not null,
  first_token_ms bigint not null,
  first_tokens bigint not null,
  unpriced bigint not null,
  probes bigint not null,
  primary key (hour, team_id, user_id, key_id, endpoint_id, model, status_class)
) with (fillfactor = 80);`

const added = [
  'requests',
  'errors',
  'cost_nano_usd',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_5m_tokens',
  'cache_write_1h_tokens',
  'web_searches',
  'tool_calls',
  'duration_ms',
  'first_token_ms',
  'first_tokens',
  'unpriced',
  'probes',
]

/** Rows in the order of the key: two instances that store at once must not wait for each other in a circle. */
const countFunction = `
create function count_spend_hours() returns trigger language plpgsql as $$
declare
  nobody constant uuid := '00000000-0000-0000-0000-000000000000';
begin
  insert into spend_hours as known
  select ${groups}, ${sums}
  from stored
  group by 1, 2, 3, 4, 5, 6, 7
  order by 1, 2, 3, 4, 5, 6, 7
  on conflict (hour, team_id, user_id, key_id, endpoint_id, model, status_class) do update set
    ${added.map((name) => `${name} = known.${name} + excluded.${name}`).join(',\n    ')};
  return null;
end
$$;
create trigger spend_log_counts_hours after insert on spend_log
  referencing new table as stored for each statement execute function count_spend_hours();`

const fillFromLog = `
insert into spend_hours
select ${groups}, ${sums}
from spend_log, (select '00000000-0000-0000-0000-000000000000'::uuid as nobody) as constants
group by 1, 2, 3, 4, 5, 6, 7;`
