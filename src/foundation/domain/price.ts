/** Prices per million tokens and what a call costs. Every rate is stored; none is computed from another. */
import type { NanoUsd } from './money.ts'
import { promptTokens, type Usage } from './usage.ts'

/** `us-gov` prices what runs in GovCloud, `geo` every other profile whose prefix is not `global`, and the bare in-region ids. */
export const priceScopes = ['global', 'geo', 'us-gov'] as const
export type PriceScope = (typeof priceScopes)[number]

export type PriceSource = 'seed' | 'price_list' | 'admin'

/** US dollars per million tokens; null where the hosted service offers no such kind. */
export interface Rates {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite5m: number
  readonly cacheWrite1h: number | null
}

export interface Price {
  readonly modelId: string
  readonly scope: PriceScope
  readonly rates: Rates
  /** When the prompt is longer, every token of the call costs the second table. */
  readonly longContext: { readonly abovePromptTokens: number; readonly rates: Rates } | null
  readonly source: PriceSource
  readonly updatedAt: string
}

/** A rate of 1 USD per million tokens is 1,000 nano-dollars a token. */
const NANO_PER_TOKEN_AT_ONE_USD = 1_000

export function ratesFor(price: Pick<Price, 'rates' | 'longContext'>, usage: Usage): Rates {
  const tier = price.longContext
  return tier !== null && promptTokens(usage) > tier.abovePromptTokens ? tier.rates : price.rates
}

export function calculateCost(usage: Usage, price: Pick<Price, 'rates' | 'longContext'>): NanoUsd {
  return costAt(usage, ratesFor(price, usage))
}

/** Rounded once, at the end: half-nano rates occur (0.1375 USD), and rounding each kind would add up. */
export function costAt(usage: Usage, rates: Rates): NanoUsd {
  const usdPerMillion =
    usage.inputTokens * rates.input +
    usage.outputTokens * rates.output +
    usage.cacheReadTokens * rates.cacheRead +
    usage.cacheWrite5mTokens * rates.cacheWrite5m +
    usage.cacheWrite1hTokens * (rates.cacheWrite1h ?? rates.cacheWrite5m)
  return Math.round(usdPerMillion * NANO_PER_TOKEN_AT_ONE_USD)
}
