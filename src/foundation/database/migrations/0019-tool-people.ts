/**
 * How many people called a tool, without a row for each of them: people have numbers, and a row has a bit for each of
 * 1,024 neighbouring ones. By endpoint and model, and by team; a few hundred rows a day, however many calls there are.
 */
import { type Kysely, sql } from 'kysely'
import { nobody } from './0010-usage-rollups.ts'
import { rollUpFunctionWith, toolsOfRecords } from './0013-usage-increments.ts'
import { closeFunction, inBlock, reopenBlocks } from './0014-usage-blocks.ts'
import { reopenDays } from './0015-latency-days.ts'

export async function up(tx: Kysely<unknown>): Promise<void> {
  for (const statement of [
    stopCounting,
    tables,
    fill,
    closeFunction(blocksOfTools),
    rollUpFunctionWith(
      { moreSources: toolSources, called: 'select * from called', triesFunction: 'tries_by_endpoint' },
      reopenBlocks,
      reopenDays,
      ...countTools,
    ),
  ])
    await sql.raw(statement).execute(tx)
}

/**
 * Nothing is counted between the filling and the new function. A call of the old one that waits here would go on in its old
 * form afterwards, without these tables: it names a function that is gone then, fails, and whoever made it calls again.
 */
const stopCounting = `
select pg_advisory_xact_lock(7226091839);
alter function spend_tries(jsonb) rename to tries_by_endpoint;`

const kinds = [
  { table: 'path_tool', key: 'facet_id', type: 'bigint' },
  { table: 'team_tool', key: 'team_id', type: 'uuid' },
] as const

const tableOf = (name: string, moment: string, key: string, type: string, options: string): string => `
create table ${name} (
  ${moment} date not null,
  ${key} ${type} not null,
  tool text not null,
  part integer not null,
  calls integer not null,
  people bit(1024) not null,
  primary key (${moment}, ${key}, tool, part)
)${options};`

/** Numbers are given once and never again, so that a bit means the same person in every row. */
const tables = `
create table person_numbers (
  user_id uuid primary key,
  number integer not null unique generated always as identity (minvalue 0 start with 0)
);
${kinds
  .map(
    ({ table, key, type }) =>
      tableOf(`${table}_days`, 'day', key, type, ' with (fillfactor = 80)') +
      tableOf(`${table}_blocks`, 'block', key, type, ''),
  )
  .join('')}`

/** Nobody has no number: such calls count, but for no person. */
const partOf = 'coalesce(number / 1024, 0)'
const bitOf = `case when number is null then B'0'::bit(1024) else B'1'::bit(1024) >> number % 1024 end`

/** Closed blocks stay closed: theirs are made here too. */
const fill = `
insert into person_numbers (user_id)
  select distinct user_id from spend_facets where user_id <> ${nobody};

insert into path_tool_days
  select day, spend_facet(null, null, endpoint_id, model), tool, ${partOf}, sum(calls), bit_or(${bitOf})
  from tool_days join spend_facets as facet on facet.id = facet_id left join person_numbers using (user_id)
  group by 1, 2, 3, 4;

insert into team_tool_days
  select day, team_id, tool, ${partOf}, sum(calls), bit_or(${bitOf})
  from tool_days join spend_facets as facet on facet.id = facet_id left join person_numbers using (user_id)
  group by 1, 2, 3, 4;
${kinds
  .map(
    ({ table, key }) => `
insert into ${table}_blocks
  select block, ${key}, tool, part, sum(calls), bit_or(people)
  from ${table}_days join closed_blocks on day >= block and day < block + 8 group by 1, 2, 3, 4;`,
  )
  .join('')}`

export const blocksOfTools = Object.fromEntries(
  kinds.map(({ table, key }) => [
    `${table}_blocks`,
    `select first_day, ${key}, tool, part, sum(calls), bit_or(people) from ${table}_days where ${inBlock} group by 2, 3, 4`,
  ]),
)

/**
 * New people get their number in the same statement; what it inserts is seen in what it returns only. Bits are made once
 * for each person and gathered once: both are many times as long as a number.
 */
export const toolSources = [
  `
new_people as (
  insert into person_numbers (user_id)
  select distinct person from places where person <> ${nobody}
    and not exists (select from person_numbers as known where known.user_id = places.person)
  returning user_id, number
)`,
  `
called as materialized (${toolsOfRecords})`,
  `
numbered as (
  select person, ${partOf} as part, ${bitOf} as bit
  from (select distinct person from places) as known left join (
    select * from person_numbers union all select user_id, number from new_people
  ) as given on given.user_id = person
)`,
  `
gathered as materialized (
  select day, path_facet_id, team, tool, part, sum(calls) as calls, bit_or(bit) as people
  from called join places using (facet_id) join numbered using (person) group by 1, 2, 3, 4, 5
)`,
]

export const countTools = kinds.map(
  ({ table, key }) => `
insert into ${table}_days as known
  select day, ${key === 'team_id' ? 'team' : 'path_facet_id'}, tool, part, sum(calls), bit_or(people) from gathered
  group by 1, 2, 3, 4
  on conflict (day, ${key}, tool, part) do update set calls = known.calls + excluded.calls, people = known.people | excluded.people`,
)
