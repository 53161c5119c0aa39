/** Turns the embedded model data into mapping and price rows. The data itself lies in `startup/model-seed.json`. */
import type { ModelMapping } from './model-mapping.ts'
import type { Price, Rates } from './price.ts'

/** US dollars per million tokens in the `global` scope. */
export interface SeedRates {
  readonly input: number
  readonly output: number
  readonly cache_read: number
  readonly cache_write_5m: number
  readonly cache_write_1h: number | null
}

export interface SeedModel {
  readonly hosted_model_id: string
  /** Each is an exact key. Dated and undated names are separate entries; none is derived from another. */
  readonly client_ids: readonly string[]
  readonly display_name: string
  readonly context_window: number
  readonly max_output_tokens: number
  /** Scopes in which a profile is known to exist; the health check has the last word. */
  readonly routing_prefixes: readonly string[]
  /** Null while no price is known. */
  readonly usd_per_mtok: SeedRates | null
  readonly long_context: (SeedRates & { readonly above_prompt_tokens: number }) | null
  /** What every scope but `global` and `us-gov` costs, as a multiple. */
  readonly geo_price_factor: number
}

export interface ModelSeed {
  readonly models: readonly SeedModel[]
}

/** The same for every model that is known to be there. */
const US_GOV_PRICE_FACTOR = 1.2

export function seedMappings(seed: ModelSeed, createdAt: string): readonly ModelMapping[] {
  return seed.models.flatMap((model) =>
    model.client_ids.map(
      (clientId): ModelMapping => ({
        vendorPrefix: clientId,
        hostedModelId: model.hosted_model_id,
        displayName: model.display_name,
        contextWindow: model.context_window,
        maxOutputTokens: model.max_output_tokens,
        source: 'seed',
        createdAt,
      }),
    ),
  )
}

export function seedPrices(seed: ModelSeed, updatedAt: string): readonly Price[] {
  return seed.models.flatMap((model) => {
    const rates = model.usd_per_mtok
    if (rates === null) return []
    return [
      toPrice(model, rates, 'global', 1, updatedAt),
      toPrice(model, rates, 'geo', model.geo_price_factor, updatedAt),
      ...(model.routing_prefixes.includes('us-gov')
        ? [toPrice(model, rates, 'us-gov', US_GOV_PRICE_FACTOR, updatedAt)]
        : []),
    ]
  })
}

function toPrice(model: SeedModel, rates: SeedRates, scope: Price['scope'], factor: number, updatedAt: string): Price {
  const tier = model.long_context
  return {
    modelId: model.hosted_model_id,
    scope,
    rates: ratesTimes(rates, factor),
    longContext:
      tier === null ? null : { abovePromptTokens: tier.above_prompt_tokens, rates: ratesTimes(tier, factor) },
    source: 'seed',
    updatedAt,
  }
}

function ratesTimes(rates: SeedRates, factor: number): Rates {
  return {
    input: timesDecimal(rates.input, factor),
    output: timesDecimal(rates.output, factor),
    cacheRead: timesDecimal(rates.cache_read, factor),
    cacheWrite5m: timesDecimal(rates.cache_write_5m, factor),
    cacheWrite1h: rates.cache_write_1h === null ? null : timesDecimal(rates.cache_write_1h, factor),
  }
}

const RATE_SCALE = 1_000_000
const FACTOR_SCALE = 1_000

/**
 * Decimal product, rounded half up to six places. Both sides are made whole numbers first: 0.1 × 1.1 in floating point
 * is 0.11000000000000001, and a price must be the number that a person would write.
 */
export function timesDecimal(usd: number, factor: number): number {
  const product = Math.round(usd * RATE_SCALE) * Math.round(factor * FACTOR_SCALE)
  return Math.round(product / FACTOR_SCALE) / RATE_SCALE
}
