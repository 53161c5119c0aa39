/**
 * What a price is made of, by day: the tokens of charged calls with both kinds of cache writes apart, by the scope that was
 * invoked and by the length of the prompt. A question such as "at the prices of another model" then reads sums, also of days
 * whose records were dropped. Its facets name nobody: a person has few enough records to read them.
 */
import { type Kysely, sql } from 'kysely'
import { dayOf } from './0010-usage-rollups.ts'
import { rollUpFunctionWith } from './0013-usage-increments.ts'
import { reopenBlocks } from './0014-usage-blocks.ts'
import { countTools, toolSources } from './0019-tool-people.ts'
import { addLate, lateCalls, reopenDays } from './0020-late-and-refused.ts'

export async function up(tx: Kysely<unknown>): Promise<void> {
  for (const statement of [stopCounting, table, view, fill, countCharged]) await sql.raw(statement).execute(tx)
}

/**
 * Nothing is counted between the filling and the new function. A call of the old one that waits here would go on in its old
 * form afterwards, without this table: it names a function that is gone then, fails, and whoever made it calls again.
 */
const stopCounting = `
select pg_advisory_xact_lock(7226091839);
alter function tries_by_endpoint(jsonb) rename to tries_of_endpoints;`

/**
 * `tier` says how many of the lengths in `charged_tier` the prompt exceeds. `search_nano_usd` is the part of the cost that web
 * searches made: it depends on no model.
 */
const table = `
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

create function charged_scope(hosted_model text) returns text language sql immutable parallel safe as $$
  select case
    when hosted_model ~ '^(arn:aws-us-gov:|us-gov[.])' then 'us-gov'
    when hosted_model ~ '(^|/)global[.]' then 'global'
    else 'geo'
  end
$$;

create function charged_tier(prompt_tokens bigint) returns smallint language sql immutable parallel safe as $$
  select ((prompt_tokens > 100000)::integer + (prompt_tokens > 200000)::integer)::smallint
$$;`

/** Calls that were priced when they were made, without our own probes. */
const chargedOf = (from: string): string => `
  select log.*, charged_scope(coalesce(context.hosted_model, log.model)) as scope,
    log.input_tokens::bigint + log.cache_read_tokens + log.cache_write_5m_tokens + log.cache_write_1h_tokens as prompt_tokens,
    case when log.web_searches = 0 then 0 else greatest(0, log.cost_nano_usd - floor(0.5 + 1000 * (
      log.input_tokens * context.rate_input + log.output_tokens * context.rate_output
      + log.cache_read_tokens * context.rate_cache_read + log.cache_write_5m_tokens * context.rate_cache_write_5m
      + log.cache_write_1h_tokens * coalesce(context.rate_cache_write_1h, context.rate_cache_write_5m)))) end::bigint
      as search_nano_usd
  from ${from} as log join spend_contexts as context on context.id = log.context_id
  where log.flags & 8 = 0 and context.rate_input is not null`

const sums = [
  'cost_nano_usd',
  'search_nano_usd',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_5m_tokens',
  'cache_write_1h_tokens',
]

const summed = (charged: string): string => `
  select ${dayOf('at')}, spend_facet(team_id, null, endpoint_id, model), scope, charged_tier(prompt_tokens), count(*), ${sums.map((name) => `sum(${name})`).join(', ')}
  from ${charged} as charged group by 1, 2, 3, 4`

/** Single calls, for the edges of a range. What was set aside is in no other sum either. */
const view = `
create view charged_facts as
  select at, batch, team_id, user_id, endpoint_id, model, scope, prompt_tokens, ${sums.join(', ')}
  from (${chargedOf(`(select * from spend_log where batch <> '0')`)}) as charged;`

/** Of what waits to be counted nothing: it is added when it is. */
const fill = `
insert into charged_days ${summed('(select * from charged_facts where batch not in (select batch from spend_batches))')};`

const countCharged = rollUpFunctionWith(
  { moreSources: [...toolSources, lateCalls], called: 'select * from called', triesFunction: 'tries_of_endpoints' },
  reopenBlocks,
  reopenDays,
  ...countTools,
  addLate('person', 'facet_id'),
  addLate('team', 'org_facet_id'),
  `
insert into charged_days as known ${summed(`(${chargedOf('records')})`)}
  on conflict (day, facet_id, scope, tier) do update set
    ${['calls', ...sums].map((name) => `${name} = known.${name} + excluded.${name}`).join(', ')}`,
)
