/** Bill and ledger by where calls were made: account, region and inference profile, beside the endpoints that are there. */
import { nanoFromUsd } from '../../foundation/domain/money.ts'
import type { BilledSum } from './billed-usage.ts'
import { type Counted, type Known, type Place, readAccountId } from './counted-usage.ts'

export interface PlaceRow extends Place {
  readonly profile: string | null
  /** Names of the endpoints that call there; none for what is called from elsewhere. */
  readonly endpoints: readonly string[]
  billedNanoUsd: number
  countedNanoUsd: number
}

/** Nothing for a report that names no places. */
export function listPlaces(sums: readonly BilledSum[], counted: readonly Counted[], known: Known): readonly PlaceRow[] {
  const isTold = sums.some(({ account, region, profile }) => account !== null || region !== null || profile !== null)
  if (!isTold) return []
  const accounts = accountsByRegion(sums)
  const hasProfiles = sums.some(({ profile }) => profile !== null)
  const claimed = new Set([...known.endpoints.values()].map((one) => `${one.region}|${readAccountId(one)}`))
  /** An endpoint without a role works in the gateway's own account: the one that nobody else claims, if there is but one. */
  const resolved = ({ account, region }: Place): Place => {
    if (account !== null) return { account, region }
    const open = [...(accounts.get(region) ?? [])].filter((one) => !claimed.has(`${region}|${one}`))
    return { account: open.length === 1 ? (open[0] ?? null) : null, region }
  }
  const rows = new Map<string, PlaceRow & { endpoints: string[] }>()
  const findRow = (place: Place, profile: string | null) => {
    const own = hasProfiles ? profile : null
    const key = `${place.account}|${place.region}|${own}`
    const row = rows.get(key) ?? { ...place, profile: own, endpoints: [], billedNanoUsd: 0, countedNanoUsd: 0 }
    rows.set(key, row)
    return row
  }
  for (const { account, region, profile, usd } of sums)
    findRow({ account, region }, profile).billedNanoUsd += nanoFromUsd(usd)
  for (const { place, profile, nanoUsd, endpoint } of counted) {
    const row = findRow(resolved(place), profile)
    row.countedNanoUsd += nanoUsd
    if (endpoint !== undefined && !row.endpoints.includes(endpoint.name)) row.endpoints.push(endpoint.name)
  }
  return [...rows.values()].sort((a, b) => b.billedNanoUsd - a.billedNanoUsd)
}

function accountsByRegion(sums: readonly BilledSum[]): ReadonlyMap<string | null, ReadonlySet<string>> {
  const found = new Map<string | null, Set<string>>()
  for (const { account, region } of sums)
    if (account !== null) found.set(region, (found.get(region) ?? new Set()).add(account))
  return found
}
