/** Bill and ledger side by side: one cell for each day, model and profile, with a pair of sums for each kind of token. */
import { isGovCloud } from '../../foundation/domain/model-id.ts'
import { nanoFromUsd } from '../../foundation/domain/money.ts'
import { type TokenKind, toModelKey } from '../../foundation/domain/usage-type.ts'
import type { BilledSum } from './billed-usage.ts'
import { type Counted, type Known, readAccountId } from './counted-usage.ts'

/** What both sides have of tokens that have one price. */
export interface Pair {
  readonly kind: TokenKind
  readonly reach: string
  billedTokens: number
  billedNanoUsd: number
  pricedTokens: number
  pricedNanoUsd: number
  unpricedTokens: number
  /** What was charged for them as an estimate. */
  unpricedNanoUsd: number
}

export interface Cell {
  readonly day: string
  readonly model: string
  readonly profile: string | null
  readonly pairs: Map<string, Pair>
  /** Billed without a word about how many tokens of which kind. */
  untoldNanoUsd: number
  hasUntold: boolean
  calls: number
  unpricedCalls: number
  /** Charged for calls whose usage was estimated, or that were broken off. */
  unsureNanoUsd: number
  unsureCalls: number
  countedNanoUsd: number
  billedNanoUsd: number
}

/** A charge that no call of the gateway can have made. */
export interface Outside {
  readonly why: 'place' | 'profile' | 'tier'
  readonly sum: BilledSum
  readonly nanoUsd: number
}

export interface SideBySide {
  readonly cells: readonly Cell[]
  readonly outside: readonly Outside[]
  /** Whether the report names application inference profiles, so that they can be told apart. */
  readonly hasProfiles: boolean
  readonly countTokens: (sum: BilledSum) => number
}

export function putSideBySide(sums: readonly BilledSum[], counted: readonly Counted[], known: Known): SideBySide {
  const hasProfiles = sums.some(({ profile }) => profile !== null)
  const cells = new Map<string, Cell>()
  const findCell = (day: string, model: string, profile: string | null): Cell => {
    const own = hasProfiles ? profile : null
    const key = `${day}|${model}|${own ?? ''}`
    const cell = cells.get(key) ?? newCell(day, model, own)
    cells.set(key, cell)
    return cell
  }
  for (const calls of counted) addCounted(findCell(calls.day, calls.model, calls.profile), calls)
  const whyOutside = createOutside(counted, known)
  const countTokens = createTokenCount(known)
  const outside: Outside[] = []
  for (const sum of sums) {
    const nanoUsd = nanoFromUsd(sum.usd)
    const why = whyOutside(sum)
    if (why === undefined) addBilled(findCell(sum.day, sum.model, sum.profile), sum, nanoUsd, countTokens(sum))
    else outside.push({ why, sum, nanoUsd })
  }
  return { cells: [...cells.values()], outside, hasProfiles, countTokens }
}

function newCell(day: string, model: string, profile: string | null): Cell {
  return {
    day,
    model,
    profile,
    pairs: new Map(),
    untoldNanoUsd: 0,
    hasUntold: false,
    calls: 0,
    unpricedCalls: 0,
    unsureNanoUsd: 0,
    unsureCalls: 0,
    countedNanoUsd: 0,
    billedNanoUsd: 0,
  }
}

interface PairName {
  readonly kind: TokenKind
  readonly reach: string
  readonly isLong: boolean
}

/** What an application profile leads to, only the hosted service knows: its calls are one reach. */
function findPair(cell: Cell, { kind, reach, isLong }: PairName): Pair {
  const shown = `${cell.profile === null ? reach : 'profile'}${isLong ? ', long prompts' : ''}`
  const key = `${kind}|${shown}`
  const pair = cell.pairs.get(key) ?? {
    kind,
    reach: shown,
    billedTokens: 0,
    billedNanoUsd: 0,
    pricedTokens: 0,
    pricedNanoUsd: 0,
    unpricedTokens: 0,
    unpricedNanoUsd: 0,
  }
  cell.pairs.set(key, pair)
  return pair
}

function addCounted(cell: Cell, calls: Counted): void {
  cell.calls += calls.calls
  cell.countedNanoUsd += calls.nanoUsd
  if (!calls.isPriced) cell.unpricedCalls += calls.calls
  if (calls.isUnsure) {
    cell.unsureCalls += calls.calls
    cell.unsureNanoUsd += calls.nanoUsd
  }
  for (const { kind, tokens, nanoUsd } of calls.kinds) {
    const pair = findPair(cell, { kind, reach: calls.reach, isLong: calls.isLong })
    if (calls.isPriced) {
      pair.pricedTokens += tokens
      pair.pricedNanoUsd += nanoUsd
    } else {
      pair.unpricedTokens += tokens
      pair.unpricedNanoUsd += nanoUsd
    }
  }
}

function addBilled(cell: Cell, { dimension }: BilledSum, nanoUsd: number, tokens: number): void {
  cell.billedNanoUsd += nanoUsd
  if (dimension === undefined || Number.isNaN(tokens)) {
    cell.hasUntold = true
    cell.untoldNanoUsd += nanoUsd
    return
  }
  const pair = findPair(cell, dimension)
  pair.billedTokens += tokens
  pair.billedNanoUsd += nanoUsd
}

/**
 * Undefined where the gateway may have made the call. Calls of an endpoint that was deleted since may have been made
 * anywhere: on their days no place is called foreign for their model.
 */
function createOutside(counted: readonly Counted[], known: Known): (sum: BilledSum) => Outside['why'] | undefined {
  const endpoints = [...known.endpoints.values()].map((one) => ({ region: one.region, account: readAccountId(one) }))
  const called = counted.map(({ place }) => place)
  const places = [...endpoints, ...called.filter(({ region }) => region !== null)]
  const profiles = new Set([
    ...[...known.endpoints.values()].flatMap((one) => [
      one.inferenceProfileArn,
      ...one.aipOverrides.map(({ aipArn }) => aipArn),
    ]),
    ...counted.map(({ profile }) => profile),
  ])
  const anywhere = new Set(
    counted.filter(({ place }) => place.region === null).map(({ day, model }) => `${day}|${model}`),
  )
  return ({ isOtherTier, profile, region, account, day, model }) => {
    if (isOtherTier) return 'tier'
    if (profile !== null) return profiles.has(profile) ? undefined : 'profile'
    if (anywhere.has(`${day}|${model}`)) return undefined
    const isOurs = places.some(
      (place) =>
        (region === null || place.region === region) &&
        (account === null || place.account === null || place.account === account),
    )
    return isOurs ? undefined : 'place'
  }
}

const perUnit: Readonly<Record<string, number>> = {
  '1m tokens': 1_000_000,
  'million tokens': 1_000_000,
  '1k tokens': 1_000,
  tokens: 1,
  token: 1,
}

/**
 * How many tokens an amount is; not a number where nobody can tell. A report often says `Units`: of a unit, a thousand
 * and a million the one is meant whose price comes nearest to the one that the gateway knows.
 */
function createTokenCount(known: Known): (sum: BilledSum) => number {
  const prices = new Map(
    [...known.prices.values()].map((price) => [`${price.scope}:${toModelKey(price.modelId)}`, price]),
  )
  return ({ amount, usd, unit, dimension, model, region }) => {
    if (Number.isNaN(amount) || amount === 0) return amount
    const told = perUnit[unit.trim().toLowerCase()]
    if (told !== undefined) return Math.round(amount * told)
    const scope = dimension?.reach === 'global' ? 'global' : isGovCloud(region) ? 'us-gov' : 'geo'
    const price = prices.get(`${scope}:${model}`)
    const rates = dimension?.isLong === true ? price?.longContext?.rates : price?.rates
    const rate = dimension === undefined ? undefined : rates?.[dimension.kind]
    if (rate == null || !(rate > 0) || !(usd > 0)) return Number.NaN
    const distance = (scale: number): number => Math.abs(Math.log(((usd / amount / scale) * 1_000_000) / rate))
    const scale = [1, 1_000, 1_000_000].sort((a, b) => distance(a) - distance(b))[0] ?? 1
    return Math.round(amount * scale)
  }
}
