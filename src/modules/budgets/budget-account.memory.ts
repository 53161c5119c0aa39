/** What this instance knows of one subject's spend in one period, and what it holds of it. */
import { type BudgetPeriod, blockingNanoUsd, type PeriodSpan } from '../../foundation/domain/budget.ts'
import type { BudgetTerms } from '../../foundation/domain/budget-terms.ts'
import type { NanoUsd } from '../../foundation/domain/money.ts'
import type { BudgetAnswer, SpendAccount } from './budget-spend.store.ts'

export type TakeResult = 'taken' | 'blocked' | 'busy' | 'unknown'

export interface Waiter {
  /** Asked again each time: running calls teach what this one will cost. */
  readonly estimate: () => NanoUsd
  readonly deadlineMs: number
  readonly resolve: (result: TakeResult, amount: NanoUsd) => void
}

export interface Account extends SpendAccount {
  readonly period: BudgetPeriod
  /** As of the last call or event; a changed budget changes them. */
  terms: BudgetTerms
  /** A call is admitted while spend and reservations are below it. */
  blockAtNanoUsd: NanoUsd
  isBlocking: boolean
  /** In the database at the last reading; undefined before the first. */
  spent: NanoUsd | undefined
  /** The spend of the period before was read: in a new one it is nothing so far, as far as this instance can tell. */
  readonly isKnown: boolean
  /** Stored since the last reading. */
  landed: NanoUsd
  /** Settled and not stored yet. */
  unstored: NanoUsd
  /** Of running calls. */
  reserved: NanoUsd
  leased: NanoUsd
  /** Monotonic; later the database may have given the lease away. */
  leaseEndsMs: number
  others: NanoUsd
  lastEstimate: NanoUsd
  callsSinceSync: number
  usedAtMs: number
  /** A question about this account is on its way; the next waits. */
  asking: boolean
  /** The next question has its time already. */
  polling: boolean
  /** Counts the moments at which those who wait may come in. */
  wakes: number
  readonly queue: Waiter[]
  /** Storing its records now; a reading meanwhile may count them twice. */
  writes: number
  writeSequence: number
  /** Kinds of events with their percentages that were told: a rule may be made stricter at the same percentage. */
  readonly told: Set<string>
}

/** Longer than two exchanges, shorter than the lease in the database. */
const LEASE_TRUST_MS = 10_000
const ROOM_CALLS = 16
/** Room is a small part of what is left, so that several instances find some. */
const ROOM_SHARE = 32

export function createAccount(terms: BudgetTerms, span: PeriodSpan, before?: Account): Account {
  const day = new Date(span.startMs).toISOString().slice(0, 10)
  const account: Account = {
    key: `${terms.scope}:${terms.subjectId}:${terms.period}:${day}`,
    scope: terms.scope,
    subjectId: terms.subjectId,
    period: terms.period,
    ...span,
    terms,
    blockAtNanoUsd: 0,
    isBlocking: false,
    spent: undefined,
    isKnown: before !== undefined && before.endMs <= span.startMs && (before.isKnown || before.spent !== undefined),
    landed: 0,
    unstored: 0,
    reserved: 0,
    leased: 0,
    leaseEndsMs: 0,
    others: 0,
    lastEstimate: 0,
    callsSinceSync: 0,
    usedAtMs: 0,
    asking: false,
    polling: false,
    wakes: 0,
    queue: [],
    writes: 0,
    writeSequence: 0,
    told: new Set(),
  }
  setTerms(account, terms)
  return account
}

export function setTerms(account: Account, terms: BudgetTerms): void {
  const blockAt = blockingNanoUsd(terms)
  account.terms = terms
  account.isBlocking = blockAt !== undefined
  // Whole nano-dollars are spent, so reaching a fraction means reaching the next whole one.
  account.blockAtNanoUsd = blockAt === undefined ? Number.MAX_SAFE_INTEGER : Math.ceil(blockAt)
}

/** Running, settled or stored since the last reading: what the lease has to cover. */
export function sumKept(account: Account): NanoUsd {
  return account.reserved + account.unstored + account.landed
}

export function calculateSettled(account: Account): NanoUsd {
  return (account.spent ?? 0) + account.landed + account.unstored
}

export function calculateLeft(account: Account): NanoUsd {
  return account.blockAtNanoUsd - calculateSettled(account)
}

/** How much to hold beyond what runs; 0 near the limit, where every call asks. */
export function calculateRoom(account: Account): NanoUsd {
  const wanted = account.lastEstimate * Math.max(ROOM_CALLS, 2 * account.callsSinceSync)
  const left = account.blockAtNanoUsd - (account.spent ?? 0) - account.others - sumKept(account)
  const room = Math.min(wanted, left / ROOM_SHARE)
  return room < account.lastEstimate ? 0 : Math.floor(room)
}

/**
 * Takes the amount out of the lease without asking anybody, if it is there. The last call that fits may have been given more
 * than was left, for its worst case: what others hold then decides how much of that further calls may use.
 */
export function takeFromLease(account: Account, amount: NanoUsd, nowMs: number): boolean {
  const kept = sumKept(account)
  if (account.spent === undefined || account.queue.length > 0 || nowMs >= account.leaseEndsMs) return false
  if (kept + amount > account.leased || account.spent + account.others + kept >= account.blockAtNanoUsd) return false
  account.reserved += amount
  return true
}

/** Judged alone, because the database is away: by the last known spend and what was spent here. */
export function takeAlone(account: Account, amount: NanoUsd): TakeResult {
  if (account.spent === undefined && !account.isKnown && account.isBlocking) return 'unknown'
  const settled = calculateSettled(account)
  if (settled >= account.blockAtNanoUsd) return 'blocked'
  if (settled + account.reserved >= account.blockAtNanoUsd) return 'busy'
  account.reserved += amount
  return 'taken'
}

export interface Reading {
  readonly sequence: number
  readonly landed: NanoUsd
}

export function startReading(account: Account): Reading {
  return { sequence: account.writeSequence, landed: account.landed }
}

/** A reading beside a write of the same account cannot tell whether it saw it; it is then left out, also when the write has only begun. */
export function applyReading(
  account: Account,
  reading: Reading,
  seen: Pick<BudgetAnswer, 'spentNanoUsd' | 'othersNanoUsd'>,
): void {
  // A write that was under way at the beginning is still, or has raised the sequence.
  const isClear = account.writes === 0 && reading.sequence === account.writeSequence
  if (!isClear && account.spent !== undefined) {
    // What others hold falls when it is in the sums, of which this reading is not taken.
    account.others = Math.max(account.others, seen.othersNanoUsd)
    return
  }
  account.others = seen.othersNanoUsd
  account.spent = seen.spentNanoUsd
  account.landed -= reading.landed
}

export function extendLease(account: Account, askedAtMs: number): void {
  account.leaseEndsMs = askedAtMs + LEASE_TRUST_MS
}
