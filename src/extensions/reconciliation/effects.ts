/**
 * Why bill and ledger differ, cell by cell. For tokens of one price the difference is exactly the sum of three parts: what
 * another price makes of the counted tokens, what tokens without a price cost beyond their estimate, and what more was billed
 * than counted.
 */
import type { TokenKind } from '../../foundation/domain/usage-type.ts'
import type { Cell, Outside, Pair, SideBySide } from './cells.ts'

export const causeKinds = [
  'unpriced_model',
  'price_differs',
  'outside_place',
  'outside_profile',
  'outside_tier',
  'outside_model',
  'outside_same_profile',
  'outside_same_place',
  'estimated_calls',
  'day_partial',
  'day_not_final',
  'not_billed',
  'not_told',
] as const
export type CauseKind = (typeof causeKinds)[number]

export interface PricePair {
  readonly kind: TokenKind
  readonly reach: string
  /** US dollars per million tokens. */
  readonly billed: number
  readonly gateway: number
}

/** One reason of one day; those of the same kind, model and place are told as one. */
export interface Effect {
  readonly kind: CauseKind
  readonly nanoUsd: number
  readonly day: string
  readonly model: string
  readonly account: string | null
  readonly region: string | null
  readonly profile: string | null
  readonly price: PricePair | undefined
  readonly calls: number
}

export interface EffectTerms {
  readonly isPartial: (day: string) => boolean
  readonly isFinal: (day: string) => boolean
}

export function findEffects({ cells, outside }: SideBySide, terms: EffectTerms): readonly Effect[] {
  return [...outside.map(ofOutside), ...cells.flatMap((cell) => ofCell(cell, terms))]
}

function ofOutside({ why, sum, nanoUsd }: Outside): Effect {
  const { day, model, account, region, profile } = sum
  return { kind: `outside_${why}`, nanoUsd, day, model, account, region, profile, price: undefined, calls: 0 }
}

/** Prices are compared as the bill writes them, with more decimals than the list has. */
const PRICE_TOLERANCE = 0.005

function ofCell(cell: Cell, terms: EffectTerms): readonly Effect[] {
  const effects: Effect[] = []
  const note = (kind: CauseKind, nanoUsd: number, more: Partial<Effect> = {}): void => {
    const { day, model, profile } = cell
    const place = { account: null, region: null, profile }
    if (nanoUsd !== 0) effects.push({ kind, nanoUsd, day, model, ...place, price: undefined, calls: 0, ...more })
  }
  const rest = cell.hasUntold ? untoldRest(cell, note) : toldRest(cell, note)
  noteRest(cell, terms, rest, note)
  return effects
}

type Note = (kind: CauseKind, nanoUsd: number, more?: Partial<Effect>) => void

/** Dollars alone: a price and an amount cannot be told apart. */
function untoldRest(cell: Cell, note: Note): number {
  const difference = cell.billedNanoUsd - cell.countedNanoUsd
  if (cell.calls === 0 || cell.unpricedCalls < cell.calls) return difference
  note('unpriced_model', difference, { calls: cell.unpricedCalls })
  return 0
}

/** What more was billed than counted, at the billed price; the other parts are noted. */
function toldRest(cell: Cell, note: Note): number {
  let rest = 0
  for (const pair of cell.pairs.values()) {
    const { billedTokens, billedNanoUsd, pricedTokens, pricedNanoUsd, unpricedTokens, unpricedNanoUsd } = pair
    if (billedTokens === 0) {
      rest += billedNanoUsd - pricedNanoUsd - unpricedNanoUsd
      continue
    }
    const billed = billedNanoUsd / billedTokens
    note('unpriced_model', unpricedTokens * billed - unpricedNanoUsd, { calls: cell.unpricedCalls })
    notePrice(pair, billed * pricedTokens - pricedNanoUsd, note)
    rest += (billedTokens - pricedTokens - unpricedTokens) * billed
  }
  return rest
}

function notePrice({ kind, reach, ...pair }: Pair, nanoUsd: number, note: Note): void {
  if (pair.pricedTokens === 0) return
  const billed = pair.billedNanoUsd / pair.billedTokens
  const gateway = pair.pricedNanoUsd / pair.pricedTokens
  if (Math.abs(billed - gateway) <= PRICE_TOLERANCE * gateway) return
  // A nano-dollar a token is a thousandth of a dollar per million of them.
  note('price_differs', nanoUsd, { price: { kind, reach, billed: billed / 1_000, gateway: gateway / 1_000 } })
}

/** Of a day that is not there as a whole nothing more can be said; then come the calls that were only estimated. */
function noteRest(cell: Cell, { isPartial, isFinal }: EffectTerms, rest: number, note: Note): void {
  if (isPartial(cell.day)) {
    note('day_partial', rest)
    return
  }
  if (!isFinal(cell.day)) {
    note('day_not_final', rest)
    return
  }
  if (cell.calls === 0) {
    note('outside_model', rest)
    return
  }
  const unsure = Math.max(-cell.unsureNanoUsd, Math.min(cell.unsureNanoUsd, rest))
  note('estimated_calls', unsure, { calls: cell.unsureCalls })
  const left = rest - unsure
  if (cell.hasUntold) note('not_told', left)
  else if (left < 0) note('not_billed', left)
  else note(cell.profile === null ? 'outside_same_place' : 'outside_same_profile', left)
}
