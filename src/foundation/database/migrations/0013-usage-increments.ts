/**
 * Roll-ups follow the log a moment later instead of in its transaction: `roll_up_usage` counts the records of many
 * batches at once, which costs a fraction of doing it batch by batch, and storing a record waits for none of it.
 *
 * A batch is what one transaction stored. It is named in `spend_batches` by that transaction and taken out by the one
 * that counts it, so each record is counted once, whatever is killed in between. Times could not say what is new:
 * records come late and out of order.
 */
import { type Kysely, sql } from 'kysely'
import { added, dayOf, measureNames, measures, nobody, ofRecord, rowsOf, slotOf, tried } from './0010-usage-rollups.ts'

export async function up(tx: Kysely<unknown>): Promise<void> {
  for (const statement of [queue, orgHours, rollUpFunction()]) await sql.raw(statement).execute(tx)
}

/**
 * All rows that are there get the number of this transaction, without being rewritten; they are counted already. A row
 * of the queue has an hour at most: one late record does not make the counting read all that lies between.
 */
const queue = `
alter table spend_log add column batch xid8 not null default pg_current_xact_id();

drop trigger spend_log_counts_usage on spend_log;
drop trigger spend_log_counts_usage_summaries on spend_log;
drop function count_usage();
drop function count_usage_summaries();

create table spend_batches (
  batch xid8 not null,
  first_at timestamptz(3) not null,
  last_at timestamptz(3) not null
);

create function note_spend_batch() returns trigger language plpgsql as $$
begin
  insert into spend_batches
  select pg_current_xact_id(), min(at), max(at) from stored group by date_trunc('hour', at, 'UTC');
  return null;
end
$$;
-- Budgets decide by the sums of people and teams, so those stay in the transaction of the records; keys only show theirs.
create or replace function count_spend_days() returns trigger language plpgsql as $$
begin
  insert into spend_days as known (scope, subject_id, day, spent_nano_usd)
  select subject.scope, subject.id, (stored.at at time zone 'UTC')::date as day, sum(stored.cost_nano_usd)
  from stored
  cross join lateral (values ('user', stored.user_id), ('team', stored.team_id)) as subject (scope, id)
  where subject.id is not null and stored.cost_nano_usd > 0
  group by 1, 2, 3
  order by 1, 2, 3
  on conflict (scope, subject_id, day) do update set spent_nano_usd = known.spent_nano_usd + excluded.spent_nano_usd;
  return null;
end
$$;
alter table spend_days set (fillfactor = 80);

create trigger spend_log_notes_batch after insert on spend_log
  referencing new table as stored for each statement execute function note_spend_batch();`

/** A facet without a person. */
const orgHours = `
create table org_hours (
  hour timestamptz(0) not null,
  facet_id bigint not null,${measures},
  primary key (hour, facet_id)
) with (fillfactor = 80);

insert into spend_facets (id, team_id, user_id, endpoint_id, model)
  select distinct on (1) spend_facet(team_id, null, endpoint_id, model), team_id, ${nobody}, endpoint_id, model
  from spend_facets where user_id <> ${nobody} order by 1 on conflict (id) do nothing;

insert into org_hours
  select hour, spend_facet(team_id, null, endpoint_id, model), ${measureNames.map((name) => `sum(${name})`).join(', ')}
  from spend_hours join spend_facets on spend_facets.id = facet_id group by 1, 2;
`

const quarterOf = (time: string): string => `date_bin('15 minutes', ${time}, '2000-01-01 00:00:00Z')`
const summed = (names: readonly string[]): string => names.map((name) => `sum(${name})`).join(', ')
const named = (values: readonly string[]): string =>
  measureNames.map((name, index) => `coalesce(sum(${values[index]}), 0)::bigint as ${name}`).join(', ')
const triedValues = measureNames.map((name) => (name === 'throttles' || name === 'failovers' ? name : '0'))

const freshRows = `(
  select log.* from spans cross join lateral (
    select * from spend_log where at >= spans.first_at and at <= spans.last_at and at >= $2 and at <= $3
      and batch = spans.batch
  ) as log)`

/**
 * The records of the batches, and their sums by quarter of an hour and facet, from which all others are added up. Tries
 * belong to the endpoint that was tried. `places` says what each facet stands for, and which coarser ones it is part of.
 */
const sources = (triesFunction: string): string => `
picked as (delete from spend_batches where batch = any($1) returning *),
spans as (
  select batch, min(first_at) as first_at, max(last_at) as last_at
  from picked group by batch, date_trunc('hour', first_at, 'UTC')
),
records as materialized (
  select row.*, spend_facet(team_id, user_id, endpoint_id, model) as facet_id, ${dayOf('at')} as day, ${quarterOf('at')} as quarter
  from (${rowsOf(freshRows)}) as row
),
tries as materialized (
  select log.quarter, spend_facet(log.team_id, log.user_id, tried.endpoint_id, log.model) as facet_id, log.team_id, log.user_id,
    tried.endpoint_id, log.model, tried.throttles, tried.failovers
  ${tried('records').replace('spend_tries', triesFunction)}
),
places as materialized (
  select facet_id, team, person, endpoint, model, spend_facet(team, null, endpoint, model) as org_facet_id,
    spend_facet(null, null, endpoint, model) as path_facet_id
  from (
    select distinct on (facet_id) facet_id, coalesce(team_id, ${nobody}) as team, coalesce(user_id, ${nobody}) as person,
      coalesce(endpoint_id, ${nobody}) as endpoint, model
    from (
      select facet_id, team_id, user_id, endpoint_id, model from records
      union all select facet_id, team_id, user_id, endpoint_id, model from tries
    ) as found
  ) as place
),
moments as (
  select quarter, facet_id, true as is_use, ${named(ofRecord)} from records group by 1, 2
  union all select quarter, facet_id, false, ${named(triedValues)} from tries group by 1, 2
),
fine as materialized (
  select moments.*, ${dayOf('quarter')} as day, date_trunc('hour', quarter, 'UTC') as hour,
    case when is_use then ${slotOf('quarter')} else B'0'::bit(96) end as slots, places.team, places.person, places.org_facet_id
  from moments join places using (facet_id)
)`

type Names = Readonly<Record<string, string>>

/** `key` and `columns` say what each column of the table is made of; tries are not in every table. */
function countInto(table: string, key: Names, columns: Names, { slots = false, tries = false } = {}): string {
  const [names, values] = [Object.keys(key), Object.values(key)]
  return `
insert into ${table} as known (${[...names, ...(slots ? ['slots'] : []), ...Object.keys(columns)].join(', ')})
  select ${[...values, ...(slots ? ['bit_or(slots)'] : []), summed(Object.values(columns))].join(', ')}
  from fine ${tries ? '' : 'where is_use '}group by ${values.join(', ')}
  on conflict (${names.join(', ')}) do update set ${slots ? 'slots = known.slots | excluded.slots, ' : ''}${added(Object.keys(columns))}`
}

const same = (names: readonly string[]): Names => Object.fromEntries(names.map((name) => [name, name]))
const everything = same(measureNames)
const teamSums = same(['requests', 'cost_nano_usd', 'input_tokens', 'cache_read_tokens', 'cache_write_tokens'])
const personSums = {
  requests: 'requests',
  cost_nano_usd: 'cost_nano_usd',
  tokens: 'input_tokens + output_tokens + cache_read_tokens + cache_write_tokens',
}

const sumsOfSums = [
  countInto('usage_days', { day: 'day', facet_id: 'facet_id' }, everything, { slots: true, tries: true }),
  countInto('person_days', { day: 'day', user_id: 'person' }, personSums, { slots: true }),
  countInto('spend_hours', { facet_id: 'facet_id', hour: 'hour' }, everything, { tries: true }),
  countInto('org_days', { day: 'day', facet_id: 'org_facet_id' }, everything, { tries: true }),
  countInto('org_hours', { hour: 'hour', facet_id: 'org_facet_id' }, everything, { tries: true }),
  countInto('spend_quarters', { quarter: 'quarter', facet_id: 'org_facet_id' }, { ...teamSums, errors: 'errors' }),
  countInto('team_hours', { hour: 'hour', team_id: 'team' }, teamSums),
  countInto('team_quarters', { quarter: 'quarter', team_id: 'team' }, teamSums),
]

const sessionSums = [
  'requests',
  'errors',
  'cost_nano_usd',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
]

/** Sessions are summed by who they are of first: ids have no smallest one, and as texts they are slow. */
const sessions = `
insert into spend_sessions as known
  select session_id, min(label), min(user_id::text)::uuid, min(team_id::text)::uuid, min(key_id::text)::uuid,
    min(first_at), max(last_at), ${summed(sessionSums)}
  from (
    select session_id, user_id, team_id, key_id, min(case when extra is not null then extra -> 'ids' ->> 'session' end) as label,
      min(at) as first_at, max(at) as last_at, sum(is_request) as requests, sum(is_error) as errors,
      sum(cost_nano_usd) as cost_nano_usd, sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens,
      sum(cache_read_tokens) as cache_read_tokens, sum(written) as cache_write_tokens
    from records where session_id is not null group by 1, 2, 3, 4
  ) as parts group by 1
  on conflict (session_id) do update set started_at = least(known.started_at, excluded.started_at),
    last_at = greatest(known.last_at, excluded.last_at), ${added(sessionSums)}`

const latencyOf = (kind: number, column: string): string => `
  select day, path_facet_id, ${kind}::smallint as kind, latency_bucket(${column}) as bucket, count(*) as calls
  from records join places using (facet_id) where is_call = 1 and ${column} is not null group by 1, 2, 4`

export const toolsOfRecords = `
  select day, facet_id, tool, count(*) as calls from records cross join lateral unnest(string_to_array(tools, E'\\n')) as tool
  where tools is not null and flags & 8 = 0 group by 1, 2, 3`

const sumsOfRecords = (called: string): readonly string[] => [
  `
insert into spend_facets (id, team_id, user_id, endpoint_id, model)
  select distinct on (id) wanted.* from (
    select facet_id, team, person, endpoint, model from places
    union all select org_facet_id, team, ${nobody}, endpoint, model from places
    union all select path_facet_id, ${nobody}, ${nobody}, endpoint, model from places
  ) as wanted (id, team, person, endpoint, model)
  where not exists (select from spend_facets as known where known.id = wanted.id)
  on conflict (id) do nothing`,
  `
insert into latency_days as known ${latencyOf(0, 'duration_ms')} union all ${latencyOf(1, 'first_token_ms')}
  on conflict (day, facet_id, kind, bucket) do update set calls = known.calls + excluded.calls`,
  `
insert into tool_days as known ${called}
  on conflict (day, facet_id, tool) do update set calls = known.calls + excluded.calls`,
  `
insert into first_calls as known
  select user_id, min(at) from records where user_id is not null group by 1
  on conflict (user_id) do update set at = excluded.at where excluded.at < known.at`,
  `
insert into spend_days as known (scope, subject_id, day, spent_nano_usd)
  select 'key', key_id, day, sum(cost_nano_usd) from records where key_id is not null and cost_nano_usd > 0 group by 2, 3
  on conflict (scope, subject_id, day) do update set spent_nano_usd = known.spent_nano_usd + excluded.spent_nano_usd`,
  sessions,
]

/**
 * One at a time, so that rows need no order; whoever waited sees what the one before has counted. The statement is
 * planned anew each time: it then looks at the partitions that it needs and at no others.
 */
export const rollUpFunction = (...more: readonly string[]): string => rollUpFunctionWith({}, ...more)

interface RollUpOptions {
  /** Further tables for the statements to be made of. */
  readonly moreSources?: readonly string[]
  /** Calls of tools by day and facet. */
  readonly called?: string
  readonly triesFunction?: string
}

export const rollUpFunctionWith = (
  { moreSources = [], called = toolsOfRecords, triesFunction = 'spend_tries' }: RollUpOptions,
  ...more: readonly string[]
): string => `
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
  execute $count$
    with ${[sources(triesFunction), ...moreSources, ...[...sumsOfRecords(called), ...sumsOfSums, ...more].map((statement, index) => `count${index} as (${statement})`)].join(',\n')}
    select 1
  $count$ using batches, first_at, last_at;
  return cardinality(batches);
end
$$;`
