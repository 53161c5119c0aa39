/** What the gateway counted of calls that the hosted service bills, by day of UTC and by whatever makes a price. */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../foundation/database/schema.ts'
import type { Span } from '../../foundation/domain/usage-range.ts'
import { at, cutAtMidnight, toDay } from '../../modules/spend/usage/usage-source.store.ts'

export interface ChargedCalls {
  readonly day: string
  readonly endpoint_id: string | null
  /** The profile id or ARN that was invoked. */
  readonly hosted_model: string
  /** As the caller named it, where an ARN does not tell the model; else null. */
  readonly model: string | null
  /** US dollars per million tokens; all null for calls without a price. */
  readonly rate_input: number | null
  readonly rate_output: number | null
  readonly rate_cache_read: number | null
  readonly rate_cache_write_5m: number | null
  readonly rate_cache_write_1h: number | null
  /** The model had no price, and the rates are an estimate. */
  readonly is_price_estimated: boolean
  /** Their usage was estimated, or they were broken off. */
  readonly is_unsure: boolean
  /** How many of the given lengths of a prompt it exceeds. */
  readonly tier: number
  readonly calls: number
  readonly cost_nano_usd: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cache_read_tokens: number
  readonly cache_write_5m_tokens: number
  readonly cache_write_1h_tokens: number
}

/** A day at a time, as partitions are: a month at once might take longer than a statement may. */
export async function readChargedCalls(
  db: Kysely<Schema>,
  range: Span,
  promptLengths: readonly number[],
): Promise<readonly ChargedCalls[]> {
  const found: ChargedCalls[] = []
  for (const day of cutAtMidnight(range)) found.push(...(await readDay(db, day, promptLengths)))
  return found
}

async function readDay(
  db: Kysely<Schema>,
  { startMs, endMs }: Span,
  promptLengths: readonly number[],
): Promise<readonly ChargedCalls[]> {
  const prompt = sql`log.input_tokens::bigint + log.cache_read_tokens + log.cache_write_5m_tokens + log.cache_write_1h_tokens`
  // The threshold itself is still a short prompt.
  const tier =
    promptLengths.length === 0
      ? sql`0`
      : sql`width_bucket((${prompt})::bigint, ${promptLengths.map((one) => one + 1)}::bigint[])`
  const { rows } = await sql<Omit<ChargedCalls, 'day'>>`
    select log.endpoint_id, coalesce(context.hosted_model, log.model) as hosted_model,
      case when context.hosted_model is null or context.hosted_model like 'arn:%' then log.model end as model,
      context.rate_input, context.rate_output, context.rate_cache_read,
      context.rate_cache_write_5m, context.rate_cache_write_1h,
      log.flags & 32 <> 0 as is_price_estimated, log.flags & 3 <> 0 as is_unsure, ${tier} as tier, count(*) as calls,
      sum(log.cost_nano_usd)::bigint as cost_nano_usd, sum(log.input_tokens)::bigint as input_tokens,
      sum(log.output_tokens)::bigint as output_tokens, sum(log.cache_read_tokens)::bigint as cache_read_tokens,
      sum(log.cache_write_5m_tokens)::bigint as cache_write_5m_tokens,
      sum(log.cache_write_1h_tokens)::bigint as cache_write_1h_tokens
    from spend_log as log left join spend_contexts as context on context.id = log.context_id
    where log.at >= ${at(startMs)} and log.at < ${at(endMs)} and (context.rate_input is not null or log.flags & 4 <> 0)
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11`.execute(db)
  const day = toDay(startMs)
  return rows.map((row) => ({ ...row, day }))
}
