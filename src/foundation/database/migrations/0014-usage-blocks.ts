/**
 * Eight days in one row: what ranges of weeks and months are added up from. A block is closed once, a day after its last
 * one, from the sums of its days; a record that comes later opens it again, and until it is closed anew its days are read.
 */
import { type Kysely, sql } from 'kysely'
import { measureNames, measures } from './0010-usage-rollups.ts'
import { rollUpFunction } from './0013-usage-increments.ts'

export async function up(tx: Kysely<unknown>): Promise<void> {
  for (const statement of [tables, closeFunction(), openFunction, rollUpFunction(reopenBlocks)])
    await sql.raw(statement).execute(tx)
}

/** Blocks are counted from a day long before any record. */
export const blockOf = (day: string): string => `${day} - (${day} - date '2000-01-01') % 8`

const personMeasures = `
  requests integer not null,
  cost_nano_usd bigint not null,
  tokens bigint not null`

const tables = `
create table closed_blocks (block date primary key);

create table usage_blocks (
  block date not null,
  facet_id bigint not null,${measures},
  primary key (block, facet_id)
);

create table org_blocks (
  block date not null,
  facet_id bigint not null,${measures},
  primary key (block, facet_id)
);

create table person_blocks (
  block date not null,
  user_id uuid not null,${personMeasures},
  primary key (block, user_id)
);

create table tool_blocks (
  block date not null,
  facet_id bigint not null,
  tool text not null,
  calls integer not null,
  primary key (block, facet_id, tool)
);

-- The same without models and endpoints, for questions about everybody.
create table person_tool_blocks (
  block date not null,
  user_id uuid not null,
  tool text not null,
  calls integer not null,
  primary key (block, user_id, tool)
);

create table latency_blocks (
  block date not null,
  facet_id bigint not null,
  kind smallint not null,
  bucket smallint not null,
  calls integer not null,
  primary key (block, facet_id, kind, bucket)
);

-- By team, endpoint and model. There is no such sum by day: almost every call would have a row of its own.
create table team_latency_blocks (
  block date not null,
  facet_id bigint not null,
  kind smallint not null,
  bucket smallint not null,
  calls integer not null,
  primary key (block, facet_id, kind, bucket)
);
create index team_latency_blocks_by_facet on team_latency_blocks (facet_id, block);`

const allSums = measureNames.map((name) => `sum(${name})`).join(', ')
export const inBlock = 'day >= first_day and day < first_day + 8'

const merged: Readonly<Record<string, string>> = {
  usage_blocks: `select first_day, facet_id, ${allSums} from usage_days where ${inBlock} group by 2`,
  org_blocks: `select first_day, facet_id, ${allSums} from org_days where ${inBlock} group by 2`,
  person_blocks: `select first_day, user_id, sum(requests), sum(cost_nano_usd), sum(tokens) from person_days
    where ${inBlock} group by 2`,
  tool_blocks: `select first_day, facet_id, tool, sum(calls) from tool_days where ${inBlock} group by 2, 3`,
  person_tool_blocks: `select first_day, facet.user_id, tool, sum(calls) from tool_days
    join spend_facets as facet on facet.id = facet_id where ${inBlock} group by 2, 3`,
  latency_blocks: `select first_day, facet_id, kind, bucket, sum(calls) from latency_days
    where ${inBlock} group by 2, 3, 4`,
}

/** The same calls as in \`latency_days\`, from the records. */
const latencyOf = (kind: number, column: string): string => `
    select first_day, spend_facet(log.team_id, null, log.endpoint_id, log.model), ${kind}::smallint,
      latency_bucket(log.${column}), count(*)
    from spend_log as log left join spend_contexts as context on context.id = log.context_id
    where log.at >= first_day::timestamp at time zone 'UTC' and log.at < (first_day + 8)::timestamp at time zone 'UTC'
      and log.flags & 8 = 0 and log.status < 400 and (context.rate_input is not null or log.flags & 4 <> 0)
      and log.${column} is not null
    group by 2, 4`

const teamLatenciesOfRecords = `if coalesce((select sum(calls) from team_latency_blocks where block = first_day and kind = 0), 0) <=
    (select count(*) from spend_log where at >= first_day::timestamp at time zone 'UTC'
      and at < (first_day + 8)::timestamp at time zone 'UTC' and flags & 8 = 0 and status < 400) then
    delete from team_latency_blocks where block = first_day;
    insert into team_latency_blocks ${latencyOf(0, 'duration_ms')} union all ${latencyOf(1, 'first_token_ms')};
  end if;`

/**
 * Under the lock of the counting, so that no record of the block is counted meanwhile. Histograms of teams are left as
 * they are when there were more calls in them: then records that they were made of have been dropped.
 */
export const closeFunction = (
  more: Readonly<Record<string, string>> = {},
  teamLatencies = teamLatenciesOfRecords,
): string => `
create or replace function close_usage_block(first_day date) returns void language plpgsql
set work_mem = '64MB' set jit = off as $$
begin
  perform pg_advisory_xact_lock(7226091839);
  ${Object.entries({ ...merged, ...more })
    .map(([table, select]) => `delete from ${table} where block = first_day;\n  insert into ${table} ${select};`)
    .join('\n  ')}
  ${teamLatencies}
  insert into closed_blocks values (first_day) on conflict do nothing;
end
$$;`

const openFunction = `
create function open_usage_blocks(today date) returns setof date language sql stable as $$
  select distinct ${blockOf('day')} from org_days
  where ${blockOf('day')} + 9 <= today and ${blockOf('day')} not in (select block from closed_blocks)
  order by 1
$$;`

export const reopenBlocks = `
  delete from closed_blocks where block in (select ${blockOf('day')} from fine)`
