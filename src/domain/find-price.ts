/** Finds the price of a hosted call: by the profile that is invoked, the region that is asked, and the model behind it. */
import { priceScopeOf } from './model-id.ts'
import type { Price } from './price.ts'

export interface PricedCall {
  /** Profile id, foundation id or ARN. */
  readonly invokedId: string
  readonly hostedModelId: string | null | undefined
  /** Null when nobody knows it any more; the invoked id then decides alone. */
  readonly region: string | null
}

/** A failover that changes the prefix changes the price. Without a price for GovCloud the geo price is the nearest. */
export function findPrice(prices: ReadonlyMap<string, Price>, call: PricedCall): Price | undefined {
  const scope = priceScopeOf(call.invokedId, call.region)
  const price = prices.get(`${scope}:${call.hostedModelId}`)
  return price === undefined && scope === 'us-gov' ? prices.get(`geo:${call.hostedModelId}`) : price
}
