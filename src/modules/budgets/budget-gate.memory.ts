/** Admission by budgets: reserves what a call will probably cost from everybody who pays for it, settles what it did cost. */

import { setTimeout as sleep } from 'node:timers/promises'
import {
  type BudgetStatus,
  calculateThreshold,
  decideBudget,
  type PeriodSpan,
  statusOfAction,
} from '../../foundation/domain/budget.ts'
import type { BudgetEventKind, OnBudgetEvent } from '../../foundation/domain/budget-event.ts'
import { type BudgetTerms, budgetTermsNow, listBudgetTerms } from '../../foundation/domain/budget-terms.ts'
import { type Caller, findSubject } from '../../foundation/domain/caller.ts'
import type { ChargedPrice } from '../../foundation/domain/estimated-price.ts'
import { findChargedPrice } from '../../foundation/domain/find-price.ts'
import type { NanoUsd } from '../../foundation/domain/money.ts'
import type { Snapshot } from '../../foundation/domain/snapshot.ts'
import type { SpendRecord } from '../../foundation/domain/spend-record.ts'
import type { BudgetGate, BudgetHold, BudgetRequest, BudgetReservation, BudgetView } from '../../message-path/ports.ts'
import { type Account, calculateLeft, calculateSettled, setTerms, type TakeResult } from './budget-account.memory.ts'
import { type BookOptions, createBudgetBook } from './budget-book.memory.ts'
import { type CallSize, createBudgetEstimates } from './budget-estimates.memory.ts'
import { createUnstoredSpend, type Subject } from './unstored-spend.memory.ts'

export interface GateOptions extends Omit<BookOptions, 'onReading' | 'onAccount'> {
  readonly snapshot: () => Snapshot
  readonly onEvent: OnBudgetEvent
  /** False without a database: no spend is ever stored then, so none waits for it. */
  readonly isStoring: boolean
}

type SpanOfSubject = Subject & PeriodSpan

export interface RunningBudgetGate extends BudgetGate {
  /** Stores records and keeps the accounts in step with what is stored. */
  readonly whileStoring: <R>(records: readonly SpendRecord[], store: () => Promise<R>) => Promise<R>
  /** Reads stored sums and adds what this instance has not stored yet. */
  readonly readSettled: (
    subjects: readonly SpanOfSubject[],
    readStored: () => Promise<readonly NanoUsd[]>,
  ) => Promise<readonly NanoUsd[]>
  /** The ledger has read a record back from its file. */
  readonly recall: (record: SpendRecord) => void
  /** Once a second: gives back what is not needed, learns what others spent. */
  readonly sync: () => Promise<void>
  readonly close: () => Promise<void>
}

/** On a busy instance records are stored once a second, and a reading takes milliseconds. */
const MOST_READS = 3
/** A database that hangs while it stores does not hold up those who read. */
const STORE_WAIT_MS = 200

interface Part {
  readonly account: Account
  readonly amount: NanoUsd
}

export function createBudgetGate(options: GateOptions): RunningBudgetGate {
  const { clock, snapshot, onEvent } = options
  const estimates = createBudgetEstimates()
  const unstored = createUnstoredSpend()

  const tell = (account: Account, terms: BudgetTerms, atPercent: number, type: BudgetEventKind): void => {
    const told = `${type} ${atPercent}`
    if (account.told.has(told)) return
    account.told.add(told)
    const { scope, subjectId, period, limitNanoUsd } = terms
    const spendNanoUsd = calculateSettled(account)
    const periodStartMs = account.startMs
    onEvent({ type, scope, subjectId, threshold: atPercent, spendNanoUsd, limitNanoUsd, period, periodStartMs })
  }

  /** A call is paid from the period that it came in, also when it ends after it, and so are its top-ups. */
  const findLastMs = (account: Account): number => account.endMs - 1

  /** By the terms of this moment: a call may end long after its budget was raised, and what is told once is told for good. */
  const tellReached = (account: Account): void => {
    const terms = budgetTermsNow(account, snapshot(), clock.nowMs, findLastMs(account))
    if (terms?.period !== account.period) return
    const settled = calculateSettled(account)
    for (const rule of terms.rules)
      if (settled >= calculateThreshold(rule, terms.limitNanoUsd))
        tell(account, terms, rule.atPercent, toKind(statusOfAction[rule.action]))
  }

  const tellRefused = (account: Account): void => {
    const block = account.terms.rules.find((rule) => rule.action === 'block')
    if (block !== undefined) tell(account, account.terms, block.atPercent, 'blocked')
  }

  const estimateAmount = (size: CallSize, account: Account, price: ChargedPrice | undefined): NanoUsd =>
    estimates.estimate(size, price, account.spent === undefined ? undefined : calculateLeft(account))

  const book = createBudgetBook({ ...options, onReading: tellReached, onAccount: unstored.register })

  const count = (record: SpendRecord): void => {
    for (const account of unstored.add(record)) tellReached(account)
  }

  /** Of requests that no budget applies to: their cost counts for a budget that is created before it is stored. */
  const onlyCounts: BudgetHold = { charge: count, settle: count, release: () => {} }
  const noBudget: BudgetReservation = { kind: 'held', hold: options.isStoring ? onlyCounts : null, view: null }
  /** Records that are on their way to the database, and how often such a way began. */
  const stores = new Set<Promise<unknown>>()
  let storesBegun = 0

  const putBack = (parts: readonly Part[]): void => {
    for (const { account, amount } of parts) {
      account.reserved -= amount
      book.wake(account)
    }
  }

  const createHold = (size: CallSize, parts: readonly Part[]): BudgetHold => {
    let isOpen = true
    const charge = (record: SpendRecord): void => {
      if (!record.flags.includes('estimated')) estimates.learn(size, record.usage)
      count(record)
    }
    const release = (): void => {
      if (isOpen) putBack(parts)
      isOpen = false
    }
    return {
      charge,
      settle: (record) => {
        charge(record)
        release()
      },
      release,
    }
  }

  const refusal = (account: Account, result: Exclude<TakeResult, 'taken'>): BudgetReservation => {
    if (result === 'unknown') return { kind: 'unknown' }
    // Its period has ended while the call waited, which came in it and is paid from it: another try is a call of the new one.
    if (clock.nowMs() >= account.endMs) return { kind: 'busy', view: toView(account) }
    if (result === 'blocked') {
      // A limit that was lowered may have jumped over other rules, of which no call told.
      tellReached(account)
      tellRefused(account)
    }
    return { kind: result, view: toView(account) }
  }

  /** For those who wait: an administrator who raises or removes the budget meanwhile means them too. */
  const followTerms = (account: Account, caller: Caller): void => {
    const terms = listBudgetTerms(caller, snapshot(), clock.nowMs, findLastMs(account)).find(
      ({ scope, subjectId }) => scope === account.scope && subjectId === account.subjectId,
    )
    if (terms === undefined) setTerms(account, { ...account.terms, rules: [] })
    // Another period is another account, which only the next call asks.
    else if (terms.period === account.period) setTerms(account, terms)
  }

  const reserveRest = async (
    caller: Caller,
    size: CallSize,
    accounts: readonly Account[],
    taken: Part[],
    price: ChargedPrice | undefined,
  ): Promise<BudgetReservation> => {
    for (const account of accounts.slice(taken.length)) {
      const { result, amount } = await book.takeSoon(account, () => {
        followTerms(account, caller)
        return estimateAmount(size, account, price)
      })
      if (result !== 'taken') {
        putBack(taken)
        return refusal(account, result)
      }
      taken.push({ account, amount })
    }
    return { kind: 'held', hold: createHold(size, taken), view: strictest(accounts) }
  }

  /** Accounts whose budget was created after the spend that this instance has not stored: others do not know of it yet. */
  const findUncovered = (): readonly Account[] =>
    unstored.listSubjects().flatMap((subject) => {
      const terms = budgetTermsNow(subject, snapshot(), clock.nowMs)
      const account = terms && book.findAccount(terms)
      return account === undefined || account.reserved + account.unstored <= account.leased ? [] : [account]
    })

  return {
    reserve: (request) => {
      const terms = listBudgetTerms(request.caller, snapshot(), clock.nowMs)
      if (terms.length === 0) return noBudget
      const { modelId: invokedId, hostedModelId, region } = request
      const price = findChargedPrice(snapshot().prices, { invokedId, hostedModelId, region })
      const size = measureSize(request)
      const usual = estimates.findUsual(size, price)
      const accounts = terms.map(book.findAccount)
      const taken: Part[] = []
      for (const account of accounts) {
        const amount = usual ?? estimateAmount(size, account, price)
        const result = book.takeNow(account, amount)
        if (result === undefined) return reserveRest(request.caller, size, accounts, taken, price)
        if (result !== 'taken') {
          putBack(taken)
          return refusal(account, result)
        }
        taken.push({ account, amount })
      }
      return { kind: 'held', hold: createHold(size, taken), view: strictest(accounts) }
    },

    whileStoring: async (records, store) => {
      const writing = unstored.findPayers(records)
      for (const account of writing) account.writes += 1
      // Accounts that were created meanwhile count too. Their stored sum was read before the write or after it.
      let paid = writing
      const storing = store()
      stores.add(storing)
      storesBegun += 1
      try {
        const result = await storing
        paid = unstored.findPayers(records)
        unstored.remove(records)
        return result
      } finally {
        stores.delete(storing)
        for (const account of writing) account.writes -= 1
        for (const account of new Set([...writing, ...paid])) {
          account.writeSequence += 1
          book.wake(account)
        }
      }
    },

    readSettled: async (subjects, readStored) => {
      for (let reads = 1; ; reads += 1) {
        // A record whose store is not confirmed yet may be in both sums.
        await Promise.race([Promise.allSettled(stores), sleep(STORE_WAIT_MS, undefined, { ref: false })])
        const before = storesBegun
        const isBetweenStores = stores.size === 0
        const stored = await readStored()
        if ((!isBetweenStores || before !== storesBegun) && reads < MOST_READS) continue
        return subjects.map((subject, index) => (stored[index] ?? 0) + unstored.sumUnstored(subject))
      }
    },

    recall: unstored.recall,

    sync: async () => {
      await book.cover(findUncovered())
      await book.sync()
    },
    close: book.close,
  }
}

function measureSize({ caller, hostedModelId, requestBytes, maxTokens }: BudgetRequest): CallSize {
  return { subject: findSubject(caller), hostedModelId, requestBytes, maxTokens }
}

function toKind(status: BudgetStatus): BudgetEventKind {
  return status === 'ok' ? 'warning' : status
}

function toView(account: Account): BudgetView {
  const { limitNanoUsd, rules } = account.terms
  const spentNanoUsd = calculateSettled(account)
  const decision = decideBudget(spentNanoUsd, limitNanoUsd, rules)
  return { ...decision, terms: account.terms, spentNanoUsd, resetsAtMs: account.endMs }
}

const order: Readonly<Record<BudgetStatus, number>> = { ok: 0, warning: 1, shaped: 2, blocked: 3 }

/** Of two budgets the one that stands worse is what the caller is told about; the slower pace holds. */
function strictest(accounts: readonly Account[]): BudgetView | null {
  let worst: BudgetView | null = null
  for (const account of accounts) {
    // Nothing is known of it, because the database never answered, or it was removed meanwhile: nothing is said.
    if (account.spent === undefined || account.terms.rules.length === 0) continue
    const view = toView(account)
    if (worst === null || isWorse(view, worst)) worst = view
  }
  return worst
}

function isWorse(one: BudgetView, other: BudgetView): boolean {
  if (one.status !== other.status) return order[one.status] > order[other.status]
  if (one.rpm !== null && other.rpm !== null && one.rpm !== other.rpm) return one.rpm < other.rpm
  if (one.percent !== other.percent) return one.percent > other.percent
  // At the beginning of a period all stand alike, and the smallest is used up first.
  return one.remainingNanoUsd < other.remainingNanoUsd
}
