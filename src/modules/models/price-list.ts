/** Reads the AWS bulk price list: which models it prices, in which scope, and what it says that is not understood. */

import { isGovCloud } from '../../foundation/domain/model-id.ts'
import type { ModelSeed, SeedModel } from '../../foundation/domain/model-seed.ts'
import type { Price, PriceScope, Rates } from '../../foundation/domain/price.ts'
import { type Dimension, findMarketplaceUsage, type Reach, type TokenKind } from '../../foundation/domain/usage-type.ts'

export type ListedPrice = Omit<Price, 'updatedAt'>

export interface PriceList {
  readonly prices: readonly ListedPrice[]
  /** Models that stay as they are, and why. */
  readonly skipped: readonly { readonly name: string; readonly reason: string }[]
}

export class PriceListError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'PriceListError'
  }
}

/** The region has no list of its own, or none of a model that is known: nothing is wrong with it, and trying again is of no use. */
export class NoPriceListError extends PriceListError {}

const PUBLIC_ADDRESS = 'https://pricing.us-east-1.amazonaws.com'

/** Null is the public address. */
export function priceListBase(config: {
  readonly priceListUrl: string | null
  readonly awsEndpointUrlPricing: string | null
  readonly awsEndpointUrl: string | null
}): string | null {
  return config.priceListUrl ?? config.awsEndpointUrlPricing ?? config.awsEndpointUrl
}

export function priceListUrl(base: string | null, region: string): string {
  const root = (base ?? PUBLIC_ADDRESS).replace(/\/+$/, '')
  return `${root}/offers/v1.0/aws/AmazonBedrockFoundationModels/current/${region}/index.json`
}

const perMillion = new Map([
  ['1M tokens', 1],
  ['1K tokens', 1_000],
])

const NAME_SUFFIX = ' (Amazon Bedrock Edition)'

/** A model that the list prices: one of the seed, or one that only the list knows. */
type ListedModel = Pick<SeedModel, 'hosted_model_id' | 'display_name' | 'long_context'>

type Found = Partial<Record<TokenKind, number>>

interface FoundModel {
  readonly standard: Record<Reach, Found>
  readonly long: Record<Reach, Found>
  isAmbiguous: boolean
}

/** The list of one region. Throws when the file is no price list: nothing is better than half of it. */
export function readPriceList(bytes: Buffer, seed: ModelSeed, region: string): PriceList {
  const file = asObject(parse(bytes))
  const products = asObject(file['products'])
  const onDemand = asObject(asObject(file['terms'])['OnDemand'])
  const models = new Map<string, ListedModel | undefined>(
    seed.models.map((model) => [`${model.display_name}${NAME_SUFFIX}`, model]),
  )
  const found = new Map<ListedModel, FoundModel>()
  for (const [sku, product] of Object.entries(products)) {
    const attributes = asObject(asObject(product)['attributes'])
    // Equality of the whole name: a name that only begins alike is another model.
    const name = String(attributes['servicename'])
    if (!models.has(name)) models.set(name, introduce(name))
    const model = models.get(name)
    const dimension = findMarketplaceUsage(String(attributes['usagetype']))?.dimension
    if (model === undefined || dimension === undefined) continue
    const usd = usdPerMillion(onDemand[sku])
    if (usd !== undefined) note(found, model, dimension, usd)
  }
  if (found.size === 0) throw new NoPriceListError('the price list names no known model')
  return toPrices(found, isGovCloud(region) ? 'us-gov' : 'geo')
}

const NEW_MODEL = /^Claude ([A-Z][a-z]+) (\d+(?:\.\d+)*) \(Amazon Bedrock Edition\)$/

/** A model that is newer than the seed. Its id is written with family and version; `findPrice` allows a date after them. */
function introduce(name: string): ListedModel | undefined {
  const [, family, version] = NEW_MODEL.exec(name) ?? []
  if (family === undefined || version === undefined) return undefined
  return {
    hosted_model_id: ['anthropic.claude', family.toLowerCase(), ...version.split('.')].join('-'),
    display_name: name.slice(0, -NAME_SUFFIX.length),
    long_context: null,
  }
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown
  } catch (error) {
    throw new PriceListError('the price list is not complete JSON', error)
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

const PRICE_SCALE = 1_000_000

/** Undefined for units and amounts that make no sense: a model that seems free is a misread one. */
function usdPerMillion(terms: unknown): number | undefined {
  const rows = Object.values(asObject(terms)).flatMap((term) =>
    Object.values(asObject(asObject(term)['priceDimensions'])).map(asObject),
  )
  const [row, ...others] = rows
  if (row === undefined || others.length > 0) return undefined
  const factor = perMillion.get(String(row['unit']))
  const text = asObject(row['pricePerUnit'])['USD']
  if (factor === undefined || typeof text !== 'string' || !/^\d+(\.\d+)?$/.test(text)) return undefined
  const usd = Math.round(Number(text) * factor * PRICE_SCALE) / PRICE_SCALE
  return usd > 0 && Number.isFinite(usd) ? usd : undefined
}

function note(
  found: Map<ListedModel, FoundModel>,
  model: ListedModel,
  { kind, reach, isLong }: Dimension,
  usd: number,
) {
  const known = found.get(model) ?? {
    standard: { global: {}, local: {} },
    long: { global: {}, local: {} },
    isAmbiguous: false,
  }
  found.set(model, known)
  const rates = (isLong ? known.long : known.standard)[reach]
  if (rates[kind] !== undefined && rates[kind] !== usd) known.isAmbiguous = true
  rates[kind] = usd
}

function toPrices(found: ReadonlyMap<ListedModel, FoundModel>, local: Exclude<PriceScope, 'global'>): PriceList {
  const prices: ListedPrice[] = []
  const skipped: { name: string; reason: string }[] = []
  for (const [model, rows] of found)
    for (const reach of ['global', 'local'] as const) {
      if (Object.keys(rows.standard[reach]).length === 0) continue
      const scope = reach === 'local' ? local : reach
      const price = rows.isAmbiguous ? 'two prices for the same tokens' : toPrice(model, rows, reach, scope)
      if (typeof price === 'string') skipped.push({ name: `${model.display_name} (${scope})`, reason: price })
      else prices.push(price)
    }
  return { prices, skipped }
}

/** The price, or why there is none. The list does not say where the long context begins; that is the seed's to know. */
function toPrice(model: ListedModel, rows: FoundModel, reach: Reach, scope: PriceScope): ListedPrice | string {
  const rates = toRates(rows.standard[reach])
  if (rates === undefined) return 'not every kind of token has a price'
  const hasLong = Object.keys(rows.long[reach]).length > 0
  const longRates = toRates(rows.long[reach])
  if (hasLong !== (model.long_context !== null)) return 'its long context is priced in a way that is not known'
  if (hasLong && longRates === undefined) return 'not every kind of token has a price in the long context'
  const longContext =
    longRates === undefined || model.long_context === null
      ? null
      : { abovePromptTokens: model.long_context.above_prompt_tokens, rates: longRates }
  return { modelId: model.hosted_model_id, scope, rates, longContext, source: 'price_list' }
}

function toRates({ input, output, cacheRead, cacheWrite5m, cacheWrite1h }: Found): Rates | undefined {
  if (input === undefined || output === undefined || cacheRead === undefined || cacheWrite5m === undefined)
    return undefined
  return { input, output, cacheRead, cacheWrite5m, cacheWrite1h: cacheWrite1h ?? null }
}
