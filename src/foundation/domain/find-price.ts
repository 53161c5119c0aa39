/** Finds the price of a hosted call: by the profile that is invoked, the region that is asked, and the model behind it. */
import { type ChargedPrice, estimatePrice } from './estimated-price.ts'
import { findPriceScope } from './model-id.ts'
import type { Price, PriceScope } from './price.ts'

export interface PricedCall {
  /** Profile id, foundation id or ARN. */
  readonly invokedId: string
  readonly hostedModelId: string | null | undefined
  /** Null when nobody knows it any more; the invoked id then decides alone. */
  readonly region: string | null
}

/** A failover that changes the prefix changes the price. */
export function findPrice(prices: ReadonlyMap<string, Price>, call: PricedCall): Price | undefined {
  return findPriceIn(prices, findPriceScope(call.invokedId, call.region), call.hostedModelId)
}

/** What a request is charged at: its price, else an estimate. Undefined only when no price of any model is known. */
export function findChargedPrice(prices: ReadonlyMap<string, Price>, call: PricedCall): ChargedPrice | undefined {
  const scope = findPriceScope(call.invokedId, call.region)
  return (
    findPriceIn(prices, scope, call.hostedModelId) ?? estimatePrice(prices, scope, call.hostedModelId ?? call.invokedId)
  )
}

/** Without a price for GovCloud the geo price is the nearest. */
export function findPriceIn(
  prices: ReadonlyMap<string, Price>,
  scope: PriceScope,
  hostedModelId: PricedCall['hostedModelId'],
): Price | undefined {
  const price = prices.get(`${scope}:${hostedModelId}`) ?? findListedPrice(prices, scope, hostedModelId)
  return price === undefined && scope === 'us-gov' ? findPriceIn(prices, 'geo', hostedModelId) : price
}

const DATE_AND_REVISION = /(?:-20\d{6})?(?:-v\d+(?::\d+)?)?$/

/**
 * The price list names family and version, and an id may add a date and a revision to them. Nothing else is left out, so
 * `claude-zeta-9-5` never has the price of `claude-zeta-9`.
 */
function findListedPrice(
  prices: ReadonlyMap<string, Price>,
  scope: PriceScope,
  hostedModelId: PricedCall['hostedModelId'],
): Price | undefined {
  const named = hostedModelId?.replace(DATE_AND_REVISION, '')
  if (named === hostedModelId) return undefined
  const price = prices.get(`${scope}:${named}`)
  return price?.source === 'price_list' ? price : undefined
}
