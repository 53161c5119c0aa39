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

/** A failover that changes the prefix changes the price. Without a price for GovCloud the geo price is the nearest. */
export function findPrice(prices: ReadonlyMap<string, Price>, call: PricedCall): Price | undefined {
  const scope = priceScopeOf(call.invokedId, call.region)
  const price = prices.get(keyOf(scope, call.hostedModelId))
  return price === undefined && scope === 'us-gov' ? prices.get(keyOf('geo', call.hostedModelId)) : price
}

/** Calls that come together mostly ask for the same model: its key is then the same text, which need not be read again. */
let latest = { scope: '', hostedModelId: '' as string | null | undefined, key: ':' }

function keyOf(scope: PriceScope, hostedModelId: string | null | undefined): string {
  if (latest.scope !== scope || latest.hostedModelId !== hostedModelId)
    latest = { scope, hostedModelId, key: [scope, String(hostedModelId)].join(':') }
  return latest.key
}
