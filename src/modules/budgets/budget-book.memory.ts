/** The accounts of all budgets in use: takes reservations from leases, asks the database for more, and keeps both in step. */
import type { BudgetPeriod, PeriodSpan } from '../../foundation/domain/budget.ts'
import { periodAt } from '../../foundation/domain/budget.ts'
import { answerWithin } from '../../foundation/domain/budget-answer.ts'
import type { BudgetTerms } from '../../foundation/domain/budget-terms.ts'
import type { NanoUsd } from '../../foundation/domain/money.ts'
import type { Clock } from '../../foundation/platform/clock.ts'
import {
  type Account,
  applyReading,
  calculateRoom,
  calculateSettled,
  createAccount,
  extendLease,
  setTerms,
  startReading,
  sumKept,
  type TakeResult,
  takeAlone,
  takeFromLease,
} from './budget-account.memory.ts'
import type { BudgetAsk, BudgetSpend } from './budget-spend.store.ts'

/** How long a question may take: a second where a call waits for it, else some more. */
export type Patience = 'short' | 'long'

export interface BookOptions {
  readonly clock: Clock
  readonly instanceId: string
  /** Undefined while there is no database. */
  readonly findStore: (patience: Patience) => BudgetSpend | undefined
  readonly onAway: (error: unknown) => void
  readonly onAccount: (account: Account) => void
  /** Spend of this account may have grown. */
  readonly onReading: (account: Account) => void
  /** Somebody waits for records to be stored. */
  readonly hurryStoring: () => void
  readonly waitMs?: number
}

export interface Taken {
  readonly result: TakeResult
  readonly amount: NanoUsd
}

export interface BudgetBook {
  readonly findAccount: (terms: BudgetTerms) => Account
  /** From the lease, without waiting; undefined when the database has to be asked. */
  readonly takeNow: (account: Account, amount: NanoUsd) => TakeResult | undefined
  readonly takeSoon: (account: Account, estimate: () => NanoUsd) => Promise<Taken>
  /** Less is reserved or more is known: those who wait may come in. */
  readonly wake: (account: Account) => void
  /** Tells other instances in the database what these accounts have spent and not stored. */
  readonly cover: (accounts: readonly Account[]) => Promise<void>
  readonly sync: () => Promise<void>
  readonly close: () => Promise<void>
}

/** How long a call waits for running ones to end and free what they reserved. */
const WAIT_MS = 30_000
const POLL_MS = 100
/** The long one is as much as a new connection and a slow answer may take. */
const ANSWER_MS = { short: 1_000, long: 8_000 } as const
const ACTIVE_MS = 10_000
const MOST_AT_ONCE = 200

export function createBudgetBook(options: BookOptions): BudgetBook {
  const { clock, instanceId } = options
  // Not one map under a joined name: every call would make one for each of its budgets.
  const accounts = { user: byPeriod(), team: byPeriod() }
  const active = new Set<Account>()
  const spans = new Map<BudgetPeriod, PeriodSpan>()
  /**
   * No answer came in time. Until one does, every account is judged alone and at once: calls would otherwise wait again and
   * again for a database that hangs.
   */
  let isAway = false

  const findSpan = (period: BudgetPeriod): PeriodSpan => {
    const nowMs = clock.nowMs()
    let span = spans.get(period)
    // Both sides: the clock may have been set back.
    if (span === undefined || nowMs >= span.endMs || nowMs < span.startMs) {
      span = periodAt(period, nowMs)
      spans.set(period, span)
    }
    return span
  }

  const fromDatabase = async <R>(
    patience: Patience,
    ask: (store: BudgetSpend) => Promise<R>,
  ): Promise<R | undefined> => {
    try {
      const store = options.findStore(patience)
      return store === undefined ? undefined : await answerWithin(ANSWER_MS[patience], ask(store))
    } catch (error) {
      // failure-modes: budget database away. Calls are judged by the last known spend and what was spent here.
      isAway = true
      options.onAway(error)
      return undefined
    }
  }

  /** One question for everybody who waits; answers in order. False when asking again at once is of no use. */
  const askOnce = async (account: Account): Promise<boolean> => {
    const asked = account.queue.slice(0, MOST_AT_ONCE).map((waiter) => ({ waiter, amount: waiter.estimate() }))
    account.lastEstimate = asked[0]?.amount ?? account.lastEstimate
    const reading = startReading(account)
    const askedAtMs = clock.monotonicMs()
    const ask: BudgetAsk = {
      account,
      instanceId,
      // What has landed is in the sums of the database already.
      keepNanoUsd: account.reserved + account.unstored,
      wantedNanoUsd: asked.map(({ amount }) => amount),
      limitNanoUsd: account.blockAtNanoUsd,
      roomNanoUsd: calculateRoom(account),
    }
    const answer = isAway ? undefined : await fromDatabase('short', (store) => store.take(ask))
    if (answer === undefined) {
      for (const { waiter, amount } of asked) {
        const alone = judgeAlone(account, amount)
        if (alone !== 'busy' || clock.monotonicMs() >= waiter.deadlineMs) leave(account, waiter, alone, amount)
      }
      return false
    }
    applyReading(account, reading, answer)
    account.leased = answer.leasedNanoUsd
    extendLease(account, askedAtMs)
    active.add(account)
    for (const { waiter, amount } of asked.slice(0, answer.admitted)) {
      account.reserved += amount
      leave(account, waiter, 'taken', amount)
    }
    options.onReading(account)
    if (isUsedUp(account)) for (const waiter of account.queue.slice()) leave(account, waiter, 'blocked', 0)
    return answer.admitted === asked.length
  }

  const pump = async (account: Account): Promise<void> => {
    if (account.asking) return
    account.asking = true
    try {
      for (let isWorthAsking = true; isWorthAsking && account.queue.length > 0; ) {
        const { wakes } = account
        isWorthAsking = (await askOnce(account)) || wakes !== account.wakes
      }
    } finally {
      account.asking = false
    }
    const nowMs = clock.monotonicMs()
    for (const waiter of account.queue.slice()) if (nowMs >= waiter.deadlineMs) leave(account, waiter, 'busy', 0)
    if (account.queue.length > 0) askLater(account)
  }

  /**
   * The exchange of every second then asks about it, with more patience than a call has: so it finds out when the database
   * is back, and whoever was unknown is known when they come again.
   */
  const judgeAlone = (account: Account, amount: NanoUsd): TakeResult => {
    active.add(account)
    return takeAlone(account, amount)
  }

  const askLater = (account: Account): void => {
    // A database that is away is tried by the loop that stores, and not ten times a second by everybody who waits.
    if (account.unstored > 0 && !isAway) options.hurryStoring()
    if (account.polling) return
    account.polling = true
    setTimeout(() => {
      account.polling = false
      void pump(account)
    }, POLL_MS)
  }

  /** Lowers a lease to what is needed. At once here, so that nobody takes what is being given back. */
  const lowerLease = (account: Account, nowMs: number): NanoUsd => {
    const room = nowMs - account.usedAtMs < ACTIVE_MS ? calculateRoom(account) : 0
    account.leased = Math.min(account.leased, sumKept(account) + room)
    account.callsSinceSync = 0
    return account.leased
  }

  return {
    findAccount: (terms) => {
      const span = findSpan(terms.period)
      const ofScope = accounts[terms.scope][terms.period]
      const known = ofScope.get(terms.subjectId)
      if (known !== undefined && known.startMs === span.startMs) {
        if (known.terms.limitNanoUsd !== terms.limitNanoUsd || known.terms.rules !== terms.rules) setTerms(known, terms)
        return known
      }
      const account = createAccount(terms, span, known)
      options.onAccount(account)
      ofScope.set(terms.subjectId, account)
      return account
    },

    takeNow: (account, amount) => {
      const nowMs = clock.monotonicMs()
      account.usedAtMs = nowMs
      account.callsSinceSync += 1
      account.lastEstimate = amount
      if (takeFromLease(account, amount, nowMs)) return 'taken'
      // Spend never falls within a period, so this needs no question.
      return isUsedUp(account) ? 'blocked' : undefined
    },

    takeSoon: (account, estimate) => {
      if (isAway && account.queue.length === 0) {
        const amount = estimate()
        const result = judgeAlone(account, amount)
        if (result !== 'busy') return Promise.resolve({ result, amount })
      }
      return new Promise((resolve) => {
        account.queue.push({
          estimate,
          deadlineMs: clock.monotonicMs() + (options.waitMs ?? WAIT_MS),
          resolve: (result, amount) => resolve({ result, amount }),
        })
        void pump(account)
      })
    },

    wake: (account) => {
      account.wakes += 1
      if (account.queue.length > 0) void pump(account)
    },

    cover: async (accounts) => {
      for (const account of accounts.slice(0, MOST_AT_ONCE)) {
        if (isAway) return
        if (account.asking) continue
        account.asking = true
        try {
          await askOnce(account)
        } finally {
          account.asking = false
        }
        if (account.queue.length > 0) void pump(account)
      }
    },

    sync: async () => {
      const nowMs = clock.monotonicMs()
      // Nobody is there whose account could be asked about: the next call finds out for itself.
      if (active.size === 0) isAway = false
      const chosen = [...active].filter((account) => !account.asking)
      if (chosen.length === 0) return
      // While it is away no account asks by itself, so nothing has to wait for this question.
      const isPatient = isAway
      if (!isPatient) for (const account of chosen) account.asking = true
      const changes = chosen.map((account) => ({ account, leasedNanoUsd: lowerLease(account, nowMs) }))
      const readings = chosen.map(startReading)
      const seen = await fromDatabase(isPatient ? 'long' : 'short', async (store) => {
        await store.keepLeases(instanceId, changes)
        return await store.read(chosen, instanceId)
      })
      // A late answer is good to know, but no call should wait for the next one.
      if (seen !== undefined) isAway = clock.monotonicMs() - nowMs >= ANSWER_MS.short
      for (const [index, account] of chosen.entries()) {
        if (!isPatient) account.asking = false
        const spend = seen?.[index]
        const reading = readings[index]
        if (spend !== undefined && reading !== undefined) {
          applyReading(account, reading, spend)
          extendLease(account, nowMs)
          options.onReading(account)
        }
        const isIdle = sumKept(account) === 0 && account.leased === 0 && nowMs - account.usedAtMs >= ACTIVE_MS
        if (isIdle) active.delete(account)
        if (account.queue.length > 0) void pump(account)
      }
    },

    close: async () => {
      await fromDatabase('short', (store) => store.forgetInstance(instanceId))
    },
  }
}

/** By what is settled, whether or not it is stored. Not before the stored sum is known. */
function isUsedUp(account: Account): boolean {
  return account.spent !== undefined && calculateSettled(account) >= account.blockAtNanoUsd
}

function leave(account: Account, waiter: Account['queue'][number], result: TakeResult, amount: NanoUsd): void {
  const place = account.queue.indexOf(waiter)
  if (place >= 0) account.queue.splice(place, 1)
  waiter.resolve(result, amount)
}

function byPeriod(): Readonly<Record<BudgetPeriod, Map<string, Account>>> {
  return { daily: new Map(), weekly: new Map(), monthly: new Map() }
}
