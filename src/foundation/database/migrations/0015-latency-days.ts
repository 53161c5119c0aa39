/**
 * How long the calls of people and teams took, by day: one row for a facet, with the buckets of its histogram in an array.
 *
 * A day is put together once, after it is over, from its records. Counting them as they come would change a row for
 * almost every call. A record that comes later takes the mark of its day away, and until the day is put together anew its
 * records are read.
 */
import { type Kysely, sql } from 'kysely'
import { rollUpFunction } from './0013-usage-increments.ts'
import { reopenBlocks } from './0014-usage-blocks.ts'

export async function up(tx: Kysely<unknown>): Promise<void> {
  for (const statement of [tables, functions, rollUpFunction(reopenBlocks, reopenDays)])
    await sql.raw(statement).execute(tx)
}

const histograms = (name: string): string => `
create table ${name} (
  facet_id bigint not null,
  day date not null,
  kind smallint not null,
  buckets smallint[] not null,
  calls integer[] not null,
  primary key (facet_id, day, kind)
);
create index ${name}_by_day on ${name} using brin (day) with (pages_per_range = 16);`

const tables = `
create table latency_marks (
  day date primary key,
  is_complete boolean not null
);
${histograms('person_latency_days')}
${histograms('team_latency_days')}`

/** The same calls as in `latency_days`. */
const timed = `
    select log.team_id, log.user_id, log.endpoint_id, log.model, timed.kind, latency_bucket(timed.ms) as bucket,
      count(*)::integer as calls
    from spend_log as log left join spend_contexts as context on context.id = log.context_id
    cross join lateral (values (0::smallint, log.duration_ms), (1::smallint, log.first_token_ms)) as timed (kind, ms)
    where log.at >= wanted::timestamp at time zone 'UTC' and log.at < (wanted + 1)::timestamp at time zone 'UTC'
      and log.flags & 8 = 0 and log.status < 400 and (context.rate_input is not null or log.flags & 4 <> 0)
      and timed.ms is not null
    group by 1, 2, 3, 4, 5, 6`

const arrays = (facet: string): string => `
    select facet_id, wanted, kind, array_agg(bucket order by bucket), array_agg(calls order by bucket) from (
      select ${facet} as facet_id, kind, bucket, sum(calls)::integer as calls from timed group by 1, 2, 3
    ) as counted group by 1, 3`

/**
 * Without the lock of the counting, which everybody who asks waits for: the mark is there before the records are read,
 * so whatever they miss is counted later and takes the mark away; then there is nothing left to complete. Histograms with
 * more calls than the log has are left as they are: records that they were made of have been dropped.
 */
const functions = `
create function close_latency_day(wanted date) returns void language plpgsql
set work_mem = '64MB' set jit = off as $$
begin
  perform pg_advisory_xact_lock(7226091840);
  if exists (select from latency_marks where day = wanted and is_complete) then return; end if;
  if coalesce((select sum(one) from person_latency_days cross join unnest(calls) as one where day = wanted and kind = 0), 0) <=
    (select count(*) from spend_log where at >= wanted::timestamp at time zone 'UTC'
      and at < (wanted + 1)::timestamp at time zone 'UTC' and flags & 8 = 0 and status < 400) then
    delete from person_latency_days where day = wanted;
    delete from team_latency_days where day = wanted;
    with timed as materialized (${timed}
    ), people as (
      insert into person_latency_days ${arrays('spend_facet(team_id, user_id, endpoint_id, model)')}
    )
    insert into team_latency_days ${arrays('spend_facet(team_id, null, endpoint_id, model)')};
  end if;
  update latency_marks set is_complete = true where day = wanted;
end
$$;

create function open_latency_days(today date) returns setof date language sql stable as $$
  select distinct day from org_days
  where day < today and day not in (select day from latency_marks where is_complete)
  order by 1
$$;`

export const reopenDays = `
  delete from latency_marks where day in (select day from fine)`
