/** The price refresh: where the list is, which models it may price, and when a change reaches this instance. */
import type { DatabaseLink } from '../../foundation/database/database-link.ts'
import type { ModelSeed } from '../../foundation/domain/model-seed.ts'
import type { Snapshot } from '../../foundation/domain/snapshot.ts'
import type { Logger } from '../../foundation/platform/logger.ts'
import type { OutgoingHttp } from '../../foundation/platform/outgoing-http.ts'
import { failureIn, type PriceRefresh, refreshPrices } from './pricing-refresh.loop.ts'

export interface PricingParts {
  /** Of the gateway itself. */
  readonly region: string
  /** Where price lists are read; null is the public address. */
  readonly listBase: string | null
  readonly isRefreshEnabled: boolean
  readonly refreshIntervalSeconds: number
  readonly seed: ModelSeed
  readonly link: DatabaseLink
  readonly outgoing: OutgoingHttp
  readonly snapshot: () => Pick<Snapshot, 'endpoints'>
  readonly changed: () => Promise<void>
  readonly log: Logger
}

export interface Pricing {
  readonly refresh: () => Promise<PriceRefresh>
  /** Undefined when nobody wants the loop. */
  readonly loop: { readonly intervalMs: number; readonly run: (signal: AbortSignal) => Promise<void> } | undefined
  /** Since the list was read, or since the start while it was not; undefined when nobody wants the loop. */
  readonly listAgeMs: () => number | undefined
  /** When a list was last read, by the loop or by an administrator; null when none was since the start. */
  readonly refreshedAtMs: () => number | null
}

export function createPricing(parts: PricingParts): Pricing {
  const { seed, link, outgoing, snapshot, changed, log } = parts
  let readMs = performance.now()
  let refreshedAtMs: number | null = null
  const refresh = async (signal?: AbortSignal): Promise<PriceRefresh> => {
    const result = await refreshPrices({
      database: link.require,
      outgoing,
      seed,
      baseUrl: parts.listBase,
      regions: listRegions(snapshot(), parts.region),
      changed,
      signal,
    })
    if (result.isComplete) readMs = performance.now()
    if (isRead(result)) refreshedAtMs = Date.now()
    for (const { name, reason } of result.skipped) log.warn({ model: name, reason }, 'a listed price was not taken')
    for (const { region, error } of result.regions)
      if (error !== null) log.warn({ region, reason: error }, 'the price list of a region could not be read')
    if (result.changed > 0) log.info({ changed: result.changed, listed: result.listed }, 'prices were refreshed')
    return result
  }
  const isWanted = parts.isRefreshEnabled && link.isConfigured
  const run = async (signal: AbortSignal): Promise<void> => {
    const result = await refresh(signal)
    // failure-modes: price list unreadable. The prices in force stay; the loop tries again soon.
    if (!isRead(result)) throw new Error(failureIn(result))
  }
  return {
    refresh: () => refresh(),
    loop: isWanted ? { intervalMs: parts.refreshIntervalSeconds * 1000, run } : undefined,
    listAgeMs: () => (isWanted ? performance.now() - readMs : undefined),
    refreshedAtMs: () => refreshedAtMs,
  }
}

/** A region may have no list at all; only when nothing could be read is it worth another try soon. */
function isRead({ regions }: PriceRefresh): boolean {
  return regions.some(({ error }) => error === null)
}

/** Everywhere a call may go; before the first endpoint is known, where the gateway itself is. */
function listRegions({ endpoints }: Pick<Snapshot, 'endpoints'>, ownRegion: string): readonly string[] {
  const used = [...endpoints.values()].filter(({ enabled }) => enabled).map(({ region }) => region)
  return used.length === 0 ? [ownRegion] : [...new Set(used)].sort()
}
