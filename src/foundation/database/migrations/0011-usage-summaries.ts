/**
 * Coarser roll-ups for questions that name nobody, which are most: sums by day without people, people by day without
 * anything else, teams by hour. They have a tenth of the rows, and do not grow with the number of calls.
 */
import { type Kysely, sql } from 'kysely'
import {
  added,
  dayOf,
  measureNames,
  measures,
  nobody,
  rowsOf,
  slotOf,
  sums,
  tried,
  triedSums,
} from './0010-usage-rollups.ts'

export async function up(tx: Kysely<unknown>): Promise<void> {
  for (const statement of [tables, countFunction, `${statementsOver('spend_log').join(';\n')};`])
    await sql.raw(statement).execute(tx)
}

const teamTable = (name: string, moment: string): string => `
create table ${name} (
  ${moment} timestamptz(0) not null,
  team_id uuid not null,
  requests integer not null,
  cost_nano_usd bigint not null,
  input_tokens bigint not null,
  cache_read_tokens bigint not null,
  cache_write_tokens bigint not null,
  primary key (${moment}, team_id)
) with (fillfactor = 80);`

const tables = `
-- A facet without a person.
create table org_days (
  day date not null,
  facet_id bigint not null,${measures},
  primary key (day, facet_id)
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

${teamTable('team_hours', 'hour')}

-- For zones whose hours begin elsewhere.
${teamTable('team_quarters', 'quarter')}`

const teamSums = ['requests', 'cost_nano_usd', 'input_tokens', 'cache_read_tokens', 'cache_write_tokens']

const countTeams = (table: string, moment: string, value: string, rows: string): string => `
  insert into ${table} as known
  select ${value}, coalesce(team_id, ${nobody}), sum(is_request), sum(cost_nano_usd), sum(input_tokens),
    sum(cache_read_tokens), sum(written)
  from ${rows} group by 1, 2 order by 1, 2
  on conflict (${moment}, team_id) do update set ${added(teamSums)}`

function statementsOver(from: string): readonly string[] {
  const rows = `(${rowsOf(from)}) as log`
  const triedFacet = 'spend_facet(log.team_id, null, tried.endpoint_id, log.model)'
  return [
    `insert into spend_facets (id, team_id, user_id, endpoint_id, model)
      select distinct on (1) ${triedFacet}, coalesce(log.team_id, ${nobody}), ${nobody}, tried.endpoint_id, log.model
      ${tried(from)} order by 1 on conflict (id) do nothing`,
    `insert into org_days as known
      select ${dayOf('at')}, spend_facet(team_id, null, endpoint_id, model), ${sums} from ${rows} group by 1, 2 order by 1, 2
      on conflict (day, facet_id) do update set ${added(measureNames)}`,
    `insert into org_days as known
      select ${dayOf('log.at')}, ${triedFacet}, ${triedSums} ${tried(from)} group by 1, 2 order by 1, 2
      on conflict (day, facet_id) do update set throttles = known.throttles + excluded.throttles,
        failovers = known.failovers + excluded.failovers`,
    `insert into person_days as known
      select ${dayOf('at')}, coalesce(user_id, ${nobody}), bit_or(${slotOf('at')}), sum(is_request), sum(cost_nano_usd),
        sum(input_tokens + output_tokens::bigint + cache_read_tokens + written)
      from ${rows} group by 1, 2 order by 1, 2
      on conflict (day, user_id) do update set slots = known.slots | excluded.slots,
        ${added(['requests', 'cost_nano_usd', 'tokens'])}`,
    countTeams('team_hours', 'hour', `date_trunc('hour', at, 'UTC')`, rows),
    countTeams('team_quarters', 'quarter', `date_bin('15 minutes', at, '2000-01-01 00:00:00Z')`, rows),
  ]
}

const countFunction = `
create function count_usage_summaries() returns trigger language plpgsql as $$
begin
  ${statementsOver('stored').join(';\n  ')};
  return null;
end
$$;
create trigger spend_log_counts_usage_summaries after insert on spend_log
  referencing new table as stored for each statement execute function count_usage_summaries();`
