/** Hourly sums of the spend log. */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../foundation/database/schema.ts'
import { catchUpUsage } from './usage/usage-rollup.store.ts'

export interface SpendTotals {
  readonly requests: number
  readonly errors: number
  readonly costNanoUsd: number
  readonly inputTokens: number
  readonly outputTokens: number
}

export function createSpendHours(db: Kysely<Schema>) {
  return {
    /** Over whole hours: `fromMs` and `toMs` are rounded down. */
    totals: async (fromMs: number, toMs: number): Promise<SpendTotals> => {
      await catchUpUsage(db)
      const { rows } = await sql<SpendTotals>`
        select coalesce(sum(requests), 0)::bigint as requests, coalesce(sum(errors), 0)::bigint as errors,
          coalesce(sum(cost_nano_usd), 0)::bigint as "costNanoUsd",
          coalesce(sum(input_tokens), 0)::bigint as "inputTokens",
          coalesce(sum(output_tokens), 0)::bigint as "outputTokens"
        from spend_hours
        where hour >= date_trunc('hour', ${new Date(fromMs)}::timestamptz)
          and hour < date_trunc('hour', ${new Date(toMs)}::timestamptz)`.execute(db)
      return rows[0] ?? { requests: 0, errors: 0, costNanoUsd: 0, inputTokens: 0, outputTokens: 0 }
    },

    /**
     * Models that were called without a price, the busiest first; a call of the last seconds may be missing. From the hours
     * without people: those of a large organization are millions in a month, and the status has a second.
     */
    unpricedSince: async (
      timeMs: number,
    ): Promise<readonly { readonly model: string; readonly requests: number; readonly lastAt: string }[]> => {
      const { rows } = await sql<{ model: string; requests: number; last_at: Date }>`
        select model, sum(unpriced)::bigint as requests, max(hour) as last_at
        from org_hours join spend_facets on spend_facets.id = facet_id
        where hour >= ${new Date(timeMs)}::timestamptz and unpriced > 0
        group by model order by requests desc, model limit 100`.execute(db)
      return rows.map(({ model, requests, last_at }) => ({ model, requests, lastAt: last_at.toISOString() }))
    },
  }
}
