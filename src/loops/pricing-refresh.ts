/** Fetches the price list and stores what changed. Whatever goes wrong leaves the known prices in force. */
import type { ModelSeed } from '../domain/model-seed.ts'
import type { OutgoingHttp } from '../platform/outgoing-http.ts'
import { PriceListError, priceListUrl, readPriceList } from '../provider/price-list.ts'
import { bumpVersions } from '../stores/change.ts'
import type { Database } from '../stores/database.ts'
import { createModelPriceStore } from '../stores/model-prices.ts'

export interface PriceRefreshPorts {
  readonly database: () => Database
  readonly outgoing: Pick<OutgoingHttp, 'request'>
  readonly seed: ModelSeed
  /** Undefined base: the public address. */
  readonly baseUrl: string | null
  readonly region: string
  readonly changed: () => Promise<void>
}

export interface PriceRefresh {
  /** Prices that the list gives. */
  readonly listed: number
  /** Rows that are different from before. */
  readonly changed: number
  readonly skipped: readonly { readonly name: string; readonly reason: string }[]
}

/** The files of all regions together are 6 MB. */
const MAX_LIST_BYTES = 64 * 1024 * 1024
const TIMEOUT_MS = 60_000

export async function refreshPrices(ports: PriceRefreshPorts): Promise<PriceRefresh> {
  const database = ports.database()
  const answer = await ports.outgoing.request(priceListUrl(ports.baseUrl, ports.region), {
    maxBytes: MAX_LIST_BYTES,
    timeoutMs: TIMEOUT_MS,
  })
  if (answer.status !== 200) throw new PriceListError(`the price list answered with status ${answer.status}`)
  const { prices, skipped } = readPriceList(answer.body, ports.seed)
  const changed = await database.kysely.transaction().execute(async (tx) => {
    const count = await createModelPriceStore(tx).put(prices)
    // A list without news must not make every other instance reload.
    if (count > 0) await bumpVersions(tx, ['prices'])
    return count
  })
  if (changed > 0) await ports.changed()
  return { listed: prices.length, changed, skipped }
}
