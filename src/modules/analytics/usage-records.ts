/** Sums of usage as the wire writes them. */
import { z } from 'zod'
import { usdFromNano } from '../../foundation/domain/money.ts'
import type { NamedSums, PersonSums, UsageTotals } from '../spend/usage/usage-totals.store.ts'

export const totalsSchema = z.object({
  requests: z.int(),
  active_users: z.int(),
  spend_usd: z.number(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  cache_read_tokens: z.int(),
  cache_write_tokens: z.int(),
  cache_hit_rate: z.number(),
  cache_savings_usd: z.number(),
  errors: z.int(),
  avg_duration_ms: z.number(),
  tool_calls: z.int(),
  unpriced_requests: z.int().describe('Requests to models without a price; their cost is an estimate.'),
})

export function totalsBody(sums: UsageTotals): z.infer<typeof totalsSchema> {
  return {
    requests: sums.requests,
    active_users: sums.active_users,
    spend_usd: usdFromNano(sums.cost_nano_usd),
    input_tokens: sums.input_tokens,
    output_tokens: sums.output_tokens,
    cache_read_tokens: sums.cache_read_tokens,
    cache_write_tokens: sums.cache_write_tokens,
    cache_hit_rate: hitRate(sums),
    cache_savings_usd: usdFromNano(sums.saved_nano_usd),
    errors: sums.errors,
    avg_duration_ms: share(sums.duration_ms, sums.calls),
    tool_calls: sums.tool_calls,
    unpriced_requests: sums.unpriced,
  }
}

export const namedSpendSchema = z.object({
  name: z.string(),
  spend_usd: z.number(),
  requests: z.int(),
  tokens: z.int(),
})

export function namedSpend(rows: readonly NamedSums[], kind: NamedSums['kind']): z.infer<typeof namedSpendSchema>[] {
  return rows.filter((row) => row.kind === kind).map(toSpend)
}

/** The spend of a model without a price is an estimate, or 0 when no price is known. The count shows that. */
export const modelSpendSchema = namedSpendSchema.extend({ unpriced_requests: z.int() })

export function modelSpend(rows: readonly NamedSums[]): z.infer<typeof modelSpendSchema>[] {
  return rows.filter((row) => row.kind === 'model').map((row) => ({ ...toSpend(row), unpriced_requests: row.unpriced }))
}

function toSpend(row: NamedSums): z.infer<typeof namedSpendSchema> {
  return {
    name: row.name,
    spend_usd: usdFromNano(row.cost_nano_usd),
    requests: row.requests,
    tokens: row.input_tokens + row.output_tokens + row.cache_read_tokens + row.cache_write_tokens,
  }
}

interface PromptSums {
  readonly input_tokens: number
  readonly cache_read_tokens: number
  readonly cache_write_tokens: number
}

export function personSpend(rows: readonly PersonSums[]): z.infer<typeof namedSpendSchema>[] {
  return rows.map(({ name, cost_nano_usd, requests, tokens }) => ({
    name,
    spend_usd: usdFromNano(cost_nano_usd),
    requests,
    tokens,
  }))
}

/** The share of prompt tokens that came from the cache. */
export function hitRate(sums: PromptSums): number {
  return share(sums.cache_read_tokens, promptTokens(sums))
}

export function promptTokens({ input_tokens, cache_read_tokens, cache_write_tokens }: PromptSums): number {
  return input_tokens + cache_read_tokens + cache_write_tokens
}

export function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}

export function bucketTime(startMs: number): string {
  return new Date(startMs).toISOString()
}
