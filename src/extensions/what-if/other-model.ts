/** What calls would have cost at the prices of another model, with the very same tokens. */
import { findPriceIn } from '../../foundation/domain/find-price.ts'
import { findFoundationModelId, isGovCloud } from '../../foundation/domain/model-id.ts'
import type { ModelMapping } from '../../foundation/domain/model-mapping.ts'
import type { NanoUsd } from '../../foundation/domain/money.ts'
import { costAt, type Price, type PriceScope, type Rates } from '../../foundation/domain/price.ts'
import type { Usage } from '../../foundation/domain/usage.ts'

/** A model that has a price, under the name that callers use for it. */
export interface PricedModel {
  readonly model: string
  readonly name: string
  readonly hostedModelId: string
}

type Prices = ReadonlyMap<string, Price>
type Mappings = ReadonlyMap<string, ModelMapping>

/** As calls find it: by the mapping of the name, without the mark for long context, or by an id of the hosted service. */
export function findHostedModel(mappings: Mappings, model: string): string | undefined {
  const name = model.replace(/\[1m\]$/i, '')
  return findFoundationModelId(mappings.get(name)?.hostedModelId ?? name)
}

/** The region of the endpoint knows GovCloud even where the id that was invoked does not say it. */
export function scopeIn(region: string | null, invoked: PriceScope): PriceScope {
  return isGovCloud(region) ? 'us-gov' : invoked
}

/** One for each hosted model: several names mean the same, and the shortest is the one without a date. */
export function pricedModels(mappings: Mappings, prices: Prices): readonly PricedModel[] {
  const known = new Map<string, PricedModel>()
  for (const { vendorPrefix, displayName } of mappings.values()) {
    const hostedModelId = findHostedModel(mappings, vendorPrefix)
    if (hostedModelId === undefined || anyPrice(prices, hostedModelId) === undefined) continue
    const other = known.get(hostedModelId)
    if (other === undefined || isBefore(vendorPrefix, other.model))
      known.set(hostedModelId, { model: vendorPrefix, name: displayName, hostedModelId })
  }
  return [...known.values()].sort((a, b) => byNewest(a.model, b.model))
}

function isBefore(a: string, b: string): boolean {
  return a.length === b.length ? a < b : a.length < b.length
}

function byNewest(a: string, b: string): number {
  return b.localeCompare(a, 'en', { numeric: true })
}

function anyPrice(prices: Prices, hostedModelId: string): Price | undefined {
  return findPriceIn(prices, 'us-gov', hostedModelId) ?? prices.get(`global:${hostedModelId}`)
}

/** `sonnet` of `anthropic.claude-sonnet-5`: the first word that is no number and no version. */
function findFamily(hostedModelId: string): string {
  const [, ...words] = hostedModelId.replace(/^anthropic\./, '').split('-')
  return words.find((word) => /^[a-z]{3,}$/.test(word)) ?? hostedModelId
}

/** The newest of the family that comes next in price: the one with the dearest model that is still cheaper. */
export function findNextCheaper(
  models: readonly PricedModel[],
  prices: Prices,
  hostedModelId: string,
): PricedModel | undefined {
  const findRate = (id: string): number => anyPrice(prices, id)?.rates.input ?? 0
  const family = findFamily(hostedModelId)
  const cheaper = models
    .filter((one) => findFamily(one.hostedModelId) !== family && findRate(one.hostedModelId) < findRate(hostedModelId))
    .toSorted((a, b) => findRate(b.hostedModelId) - findRate(a.hostedModelId))
  const [dearest] = cheaper
  if (dearest === undefined) return undefined
  const next = findFamily(dearest.hostedModelId)
  return cheaper
    .filter((one) => findFamily(one.hostedModelId) === next)
    .toSorted((a, b) => byNewest(a.model, b.model))[0]
}

/** Calls of one kind of price: what they used, and what they cost. */
export interface ChargedPart {
  readonly scope: PriceScope
  /** How many of the lengths at which a price changes their prompts exceed. */
  readonly tier: number
  readonly calls: number
  readonly usage: Usage
  readonly costNanoUsd: NanoUsd
  /** Of the cost, what depends on no model. */
  readonly searchNanoUsd: NanoUsd
}

/** The table in force for prompts that exceed so many of the lengths. */
export function ratesIn(price: Price, tier: number, lengths: readonly number[]): Rates {
  const long = price.longContext
  return long !== null && tier > lengths.indexOf(long.abovePromptTokens) ? long.rates : price.rates
}

/** Rounded once for all calls of the part. */
export function costInstead({ usage, searchNanoUsd }: ChargedPart, rates: Rates): NanoUsd {
  return costAt(usage, rates) + searchNanoUsd
}

/** Whole percents of an amount, exactly: the product of both may be more than a number holds. */
export function takePercent(amount: NanoUsd, percent: number): NanoUsd {
  const product = BigInt(amount) * BigInt(percent)
  return Number((product + 50n) / 100n)
}
