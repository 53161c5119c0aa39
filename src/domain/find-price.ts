/** Finds the price of a hosted call: by the profile that is invoked, the region that is asked, and the model behind it. */
import { priceScopeOf } from './model-id.ts'
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
  return findPriceIn(prices, priceScopeOf(call.invokedId, call.region), call.hostedModelId)
}

/** Without a price for GovCloud the geo price is the nearest. */
export function findPriceIn(
  prices: ReadonlyMap<string, Price>,
  scope: PriceScope,
  hostedModelId: PricedCall['hostedModelId'],
): Price | undefined {
  const price = prices.get(keyOf(scope, hostedModelId))
  return price === undefined && scope === 'us-gov' ? prices.get(keyOf('geo', hostedModelId)) : price
}

/** Calls that come together mostly ask for the same model: its key is then the same text, which need not be read again. */
let latest = { scope: '', hostedModelId: '' as string | null | undefined, key: ':' }

function keyOf(scope: PriceScope, hostedModelId: string | null | undefined): string {
  if (latest.scope !== scope || latest.hostedModelId !== hostedModelId)
    latest = { scope, hostedModelId, key: [scope, String(hostedModelId)].join(':') }
  return latest.key
}
