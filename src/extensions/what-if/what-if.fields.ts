/** What a comparison with another model says. */
import { z } from 'zod'
import { usdFromNano } from '../../foundation/domain/money.ts'
import { priceScopes, type Rates } from '../../foundation/domain/price.ts'
import type { Snapshot } from '../../foundation/domain/snapshot.ts'
import type { Usage } from '../../foundation/domain/usage.ts'
import { rangeSchema } from '../../modules/analytics/usage-query.ts'
import { share } from '../../modules/analytics/usage-records.ts'
import { type PricedModel, takePercent } from './other-model.ts'
import { findName, type PricedPart } from './priced-parts.ts'

const rates = z.object({
  input_usd_per_mtok: z.number(),
  output_usd_per_mtok: z.number(),
  cache_read_usd_per_mtok: z.number(),
  cache_write_5m_usd_per_mtok: z.number(),
  cache_write_1h_usd_per_mtok: z.number().nullable(),
})
const tokens = z.object({
  input: z.int(),
  output: z.int(),
  cache_read: z.int(),
  cache_write_5m: z.int(),
  cache_write_1h: z.int(),
})
const named = z.object({ model: z.string(), name: z.string() })

const part = z.object({
  scope: z.enum(priceScopes),
  /** Whether the other model has the prices of long prompts for these. */
  long_context: z.boolean(),
  calls: z.int(),
  spend_usd: z.number(),
  would_cost_usd: z.number(),
  tokens,
  from_rates: rates.nullable(),
  to_rates: rates,
})

const whatIf = z.object({
  from: named.extend({ calls: z.int(), unpriced_calls: z.int(), spend_usd: z.number() }),
  to: named,
  moved: z.object({ calls: z.int(), spend_usd: z.number(), would_cost_usd: z.number() }),
  would_spend_usd: z.number(),
  difference_usd: z.number(),
  /** Of what was spent; null when that was nothing. */
  difference_share: z.number().nullable(),
  tokens,
  parts: z.array(part),
})

export const answerSchema = z.object({
  range: rangeSchema,
  share: z.int(),
  spend_usd: z.number(),
  what_if: whatIf.nullable(),
  reason: z.enum(['no_calls', 'no_other_model']).nullable(),
  choices: z.object({ from: z.array(named), to: z.array(named) }),
  assumptions: z.array(z.string()),
})

export const assumptions = [
  'The tokens are those that were recorded: the other model is taken to read and write as many of each kind.',
  'Models may count the tokens of the same text differently, and may need more or fewer turns for the same work.',
  'Nothing is said about the quality of the answers.',
  'The calls that move are average ones: the same share of every kind of token.',
  'The other model has the prices in force now, in the scope in which each call was made; what was spent stays as recorded, at the prices of its day.',
  'Web searches cost the same. Calls that had no price, and the probes of the gateway itself, do not move.',
]

export function shown({ model: id, name }: PricedModel): z.infer<typeof named> {
  return { model: id, name }
}

export function compared(parts: readonly PricedPart[], spent: number, percent: number) {
  const total = (read: (one: PricedPart) => number): number => parts.reduce((sum, one) => sum + read(one), 0)
  const [moved, instead] = [
    takePercent(
      total(({ costNanoUsd }) => costNanoUsd),
      percent,
    ),
    takePercent(
      total(({ wouldCostNanoUsd }) => wouldCostNanoUsd),
      percent,
    ),
  ]
  const kind = (name: keyof Usage): number => total(({ usage }) => usage[name])
  return {
    moved: {
      calls: Math.round((total(({ calls }) => calls) * percent) / 100),
      spend_usd: usdFromNano(moved),
      would_cost_usd: usdFromNano(instead),
    },
    would_spend_usd: usdFromNano(spent - moved + instead),
    difference_usd: usdFromNano(instead - moved),
    difference_share: spent === 0 ? null : share(instead - moved, spent),
    tokens: {
      input: kind('inputTokens'),
      output: kind('outputTokens'),
      cache_read: kind('cacheReadTokens'),
      cache_write_5m: kind('cacheWrite5mTokens'),
      cache_write_1h: kind('cacheWrite1hTokens'),
    },
    parts: parts.map(partBody),
  }
}

export function fromBody(known: Snapshot, id: string, unpricedCalls: number, parts: readonly PricedPart[]) {
  return {
    ...findName(known, id),
    calls: parts.reduce((sum, { calls }) => sum + calls, 0),
    unpriced_calls: unpricedCalls,
    spend_usd: usdFromNano(parts.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0)),
  }
}

function partBody(one: PricedPart): z.infer<typeof part> {
  const { usage } = one
  return {
    scope: one.scope,
    long_context: one.isLong,
    calls: one.calls,
    spend_usd: usdFromNano(one.costNanoUsd),
    would_cost_usd: usdFromNano(one.wouldCostNanoUsd),
    tokens: {
      input: usage.inputTokens,
      output: usage.outputTokens,
      cache_read: usage.cacheReadTokens,
      cache_write_5m: usage.cacheWrite5mTokens,
      cache_write_1h: usage.cacheWrite1hTokens,
    },
    from_rates: one.fromRates === null ? null : ratesBody(one.fromRates),
    to_rates: ratesBody(one.toRates),
  }
}

function ratesBody(table: Rates): z.infer<typeof rates> {
  return {
    input_usd_per_mtok: table.input,
    output_usd_per_mtok: table.output,
    cache_read_usd_per_mtok: table.cacheRead,
    cache_write_5m_usd_per_mtok: table.cacheWrite5m,
    cache_write_1h_usd_per_mtok: table.cacheWrite1h,
  }
}
