/** Fetches the price list of every region in use and stores what changed. Whatever goes wrong leaves the known prices in force. */

import { bumpVersions } from '../../foundation/database/change.ts'
import type { Database } from '../../foundation/database/database.ts'
import { isGovCloud } from '../../foundation/domain/model-id.ts'
import type { ModelSeed } from '../../foundation/domain/model-seed.ts'
import type { Price } from '../../foundation/domain/price.ts'
import { defined } from '../../foundation/platform/defined.ts'
import type { OutgoingHttp } from '../../foundation/platform/outgoing-http.ts'
import { createModelPriceStore } from './model-prices.store.ts'
import { type ListedPrice, NoPriceListError, PriceListError, priceListUrl, readPriceList } from './price-list.ts'

export interface PriceRefreshPorts {
  readonly database: () => Database
  readonly outgoing: Pick<OutgoingHttp, 'request'>
  readonly seed: ModelSeed
  /** Undefined base: the public address. */
  readonly baseUrl: string | null
  /** Where calls are made; each region has a file of its own. */
  readonly regions: readonly string[]
  readonly changed: () => Promise<void>
  /** The process ends: nobody waits for the lists any more. */
  readonly signal?: AbortSignal | undefined
}

export interface PriceRefresh {
  /** Prices that the lists give. */
  readonly listed: number
  /** Rows that are different from before. */
  readonly changed: number
  readonly skipped: readonly { readonly name: string; readonly reason: string }[]
  /** What came of the file of each region; one that cannot be read changes nothing and stops no other. */
  readonly regions: readonly RegionRefresh[]
  /** At least one file was read, and every other region has none. */
  readonly isComplete: boolean
}

export interface RegionRefresh {
  readonly region: string
  readonly listed: number
  /** Null when the file was read. */
  readonly error: string | null
}

/** The files of all regions together are 6 MB. */
const MAX_LIST_BYTES = 64 * 1024 * 1024
const TIMEOUT_MS = 60_000

type Skipped = PriceRefresh['skipped'][number]

interface RegionList extends RegionRefresh {
  /** There may well be a list, which could not be read this time. */
  readonly isUnread: boolean
  readonly prices: readonly ListedPrice[]
  readonly skipped: readonly Skipped[]
}

export async function refreshPrices(ports: PriceRefreshPorts): Promise<PriceRefresh> {
  const database = ports.database()
  const lists: RegionList[] = []
  for (const region of ports.regions) lists.push(await readRegion(region, ports))
  ports.signal?.throwIfAborted()
  const { prices, differing } = joinRegions(lists)
  const unread = lists.filter(({ isUnread }) => isUnread).map(({ region }) => region)
  const { changed, kept } = await database.kysely.transaction().execute(async (tx) => {
    const store = createModelPriceStore(tx)
    const known = unread.length === 0 ? [] : dearerInForce(prices, await store.list(), unread)
    const count = await store.put(prices.filter((price) => !known.includes(price)))
    // A list without news must not make every other instance reload.
    if (count > 0) await bumpVersions(tx, ['prices'])
    return { changed: count, kept: known }
  })
  if (changed > 0) await ports.changed()
  const reason = `cheaper than the price in force, which may be that of ${unread.join(' or ')}, whose list could not be read`
  return {
    listed: prices.length,
    changed,
    skipped: [
      ...lists.flatMap((list) => list.skipped),
      ...differing,
      ...kept.map((price) => ({ name: toName(price), reason })),
    ],
    regions: lists.map(({ region, listed, error }) => ({ region, listed, error })),
    isComplete: unread.length === 0 && lists.some(({ error }) => error === null),
  }
}

/** The dearest of all regions holds, and one that could not be read this time may be the dearest. */
function dearerInForce(
  prices: readonly ListedPrice[],
  stored: readonly Price[],
  unread: readonly string[],
): readonly ListedPrice[] {
  const inForce = new Map(stored.filter(({ source }) => source === 'price_list').map((price) => [toKey(price), price]))
  return prices.filter((price) => {
    const known = inForce.get(toKey(price))
    const isPricedThere = unread.some((region) => isGovCloud(region) === (price.scope === 'us-gov'))
    return isPricedThere && known !== undefined && calculateWeight(known) > calculateWeight(price)
  })
}

/** One sentence for all regions that failed; undefined when none did. */
export function failureIn({ regions }: Pick<PriceRefresh, 'regions'>): string | undefined {
  const failed = regions.filter(({ error }) => error !== null)
  return failed.length === 0 ? undefined : failed.map(({ region, error }) => `${region}: ${error}`).join('; ')
}

async function readRegion(region: string, ports: PriceRefreshPorts): Promise<RegionList> {
  try {
    const answer = await ports.outgoing.request(priceListUrl(ports.baseUrl, region), {
      maxBytes: MAX_LIST_BYTES,
      timeoutMs: TIMEOUT_MS,
      ...defined({ signal: ports.signal }),
    })
    if (answer.status !== 200) throw refusedWith(answer.status)
    const { prices, skipped } = readPriceList(answer.body, ports.seed, region)
    return {
      region,
      listed: prices.length,
      error: null,
      isUnread: false,
      prices,
      skipped: skipped.map(({ name, reason }) => ({ name: `${name} in ${region}`, reason })),
    }
  } catch (error) {
    // failure-modes: price list unreadable. The prices in force stay; the other regions are read all the same.
    const reason = error instanceof Error ? error.message : 'the price list could not be read'
    return { region, listed: 0, error: reason, isUnread: !(error instanceof NoPriceListError), prices: [], skipped: [] }
  }
}

/** The public address says either of these about a file that it does not have. */
function refusedWith(status: number): PriceListError {
  const reason = `the price list answered with status ${status}`
  return status === 404 || status === 403 ? new NoPriceListError(reason) : new PriceListError(reason)
}

/** Prices are kept by scope and not by region. Where regions differ the dearest holds: spend is never shown too low. */
function joinRegions(lists: readonly RegionList[]): {
  readonly prices: readonly ListedPrice[]
  readonly differing: readonly Skipped[]
} {
  const joined = new Map<string, { readonly price: ListedPrice; readonly region: string }>()
  const differing = new Map<string, Skipped>()
  for (const { region, prices } of lists)
    for (const price of prices) {
      const key = toKey(price)
      const known = joined.get(key)
      const isDearer = known === undefined || calculateWeight(price) > calculateWeight(known.price)
      if (isDearer) joined.set(key, { price, region })
      if (known !== undefined && calculateWeight(price) !== calculateWeight(known.price)) {
        const reason = `regions have different prices; that of ${isDearer ? region : known.region} is used, the dearest`
        differing.set(key, { name: toName(price), reason })
      }
    }
  return { prices: [...joined.values()].map(({ price }) => price), differing: [...differing.values()] }
}

function toKey({ scope, modelId }: ListedPrice): string {
  return `${scope}:${modelId}`
}

function toName({ scope, modelId }: ListedPrice): string {
  return `${modelId} (${scope})`
}

function calculateWeight({ rates, longContext }: ListedPrice): number {
  const sum = ({ input, output, cacheRead, cacheWrite5m, cacheWrite1h }: ListedPrice['rates']) =>
    input + output + cacheRead + cacheWrite5m + (cacheWrite1h ?? 0)
  return sum(rates) + (longContext === null ? 0 : sum(longContext.rates))
}
