/**
 * What comes too late and what is refused. A late record of a day whose records were dropped is added to the histograms of
 * that day, which can no longer be put together anew. A day or a block whose sums the database refuses is set aside and
 * holds up no other one; its parts are read instead. What was set aside can be counted again once its cause is mended.
 */
import { type Kysely, sql } from 'kysely'
import { rollUpFunctionWith } from './0013-usage-increments.ts'
import { blockOf, closeFunction, inBlock, reopenBlocks } from './0014-usage-blocks.ts'
import { blocksOfTools, countTools, toolSources } from './0019-tool-people.ts'

export async function up(tx: Kysely<unknown>): Promise<void> {
  for (const statement of [
    tables,
    openFunctions,
    countAgain,
    closeFunction(blocksOfTools, teamLatencies),
    rollUpFunctionWith(
      { moreSources: [...toolSources, lateCalls], called: 'select * from called', triesFunction: 'tries_by_endpoint' },
      reopenBlocks,
      reopenDays,
      ...countTools,
      addLate('person', 'facet_id'),
      addLate('team', 'org_facet_id'),
    ),
  ])
    await sql.raw(statement).execute(tx)
}

/** Days that were complete when their records went; those that went before this schema have no record any more. */
const tables = `
select pg_advisory_xact_lock(7226091839);
create table dropped_days (day date primary key);
insert into dropped_days
  select day from latency_marks where is_complete and not exists (
    select from spend_log where at >= day::timestamp at time zone 'UTC' and at < (day + 1)::timestamp at time zone 'UTC');

create table unclosed_periods (
  kind text not null,
  first_day date not null,
  noted_at timestamptz(3) not null default now(),
  code text not null,
  reason text not null,
  primary key (kind, first_day)
);`

const openFunctions = `
create or replace function open_usage_blocks(today date) returns setof date language sql stable as $$
  select distinct ${blockOf('day')} from org_days
  where ${blockOf('day')} + 9 <= today and ${blockOf('day')} not in (select block from closed_blocks)
    and ${blockOf('day')} not in (select first_day from unclosed_periods where kind = 'block')
  order by 1
$$;

create or replace function open_latency_days(today date) returns setof date language sql stable as $$
  select distinct day from org_days
  where day < today and day not in (select day from latency_marks where is_complete)
    and day not in (select first_day from unclosed_periods where kind = 'day')
  order by 1
$$;`

/** They become a batch of this transaction, as if that had stored them; what is still refused is set aside again. */
const countAgain = `
create function count_set_aside_again() returns integer language plpgsql as $$
declare
  records integer;
begin
  perform pg_advisory_xact_lock(7226091839);
  delete from unclosed_periods;
  with taken as (delete from uncounted_records returning request_id, round, at), moved as (
    update spend_log as log set batch = pg_current_xact_id() from taken
    where log.request_id = taken.request_id and log.round = taken.round and log.at = taken.at and log.batch = '0'
    returning log.at
  ), noted as (
    insert into spend_batches select pg_current_xact_id(), min(at), max(at) from moved group by date_trunc('hour', at, 'UTC')
  )
  select count(*) into records from moved;
  return records;
end
$$;`

/**
 * From the histograms of the days, which know what was dropped. A block waits until all of them are complete. One with fewer
 * calls than before is of days that were dropped before there were such histograms.
 */
const teamLatencies = `if exists (select from org_days where ${inBlock} and day not in (select day from latency_marks where is_complete)) then
    return;
  end if;
  if coalesce((select sum(calls) from team_latency_blocks where block = first_day and kind = 0), 0) <=
    coalesce((select sum(one) from team_latency_days cross join unnest(calls) as one where ${inBlock} and kind = 0), 0) then
    delete from team_latency_blocks where block = first_day;
    insert into team_latency_blocks
      select first_day, facet_id, kind, held.bucket, sum(held.calls)
      from team_latency_days cross join unnest(buckets, team_latency_days.calls) as held (bucket, calls)
      where ${inBlock} group by 2, 3, 4;
  end if;`

export const reopenDays = `
  delete from latency_marks where day in (select day from fine) and day not in (select day from dropped_days)`

const timed = (kind: number, column: string): string => `
  select day, facet_id, org_facet_id, ${kind}::smallint as kind, latency_bucket(${column}) as bucket, count(*)::integer as calls
  from records join places using (facet_id)
  where is_call = 1 and ${column} is not null and day in (select day from dropped_days) group by 1, 2, 3, 5`

export const lateCalls = `
late as materialized (${timed(0, 'duration_ms')} union all ${timed(1, 'first_token_ms')})`

export function addLate(who: string, facet: string): string {
  return `
insert into ${who}_latency_days as known (facet_id, day, kind, buckets, calls)
  select facet_id, day, kind, array_agg(bucket order by bucket), array_agg(calls order by bucket) from (
    select ${facet} as facet_id, day, kind, bucket, sum(calls)::integer as calls from late group by 1, 2, 3, 4
  ) as counted group by 1, 2, 3
  on conflict (facet_id, day, kind) do update set (buckets, calls) = (
    select array_agg(bucket order by bucket), array_agg(calls order by bucket) from (
      select bucket, sum(held.calls)::integer as calls from (
        select * from unnest(known.buckets, known.calls)
        union all select * from unnest(excluded.buckets, excluded.calls)
      ) as held (bucket, calls) group by 1
    ) as added
  )`
}
