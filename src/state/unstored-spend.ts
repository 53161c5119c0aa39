/**
 * Which accounts the settled calls belong to whose records are not in the database yet. Calls of which only a file knows are not
 * remembered one by one: the file names their accounts by number, so that memory does not grow with the length of an outage.
 */
import type { NanoUsd } from '../domain/money.ts'
import type { SpendRecord } from '../domain/spend-record.ts'
import type { Account } from './budgets/budget-account.ts'

export interface Unstored {
  readonly accounts: readonly Account[]
  readonly cost: NanoUsd
}

/** For the ledger, which decides what memory has room for. */
export interface Payers {
  /** Memory has no room for the record. What is returned is kept beside it, and has a meaning in this process only. */
  readonly forget: (record: SpendRecord) => readonly number[]
  /** The record is in memory again. */
  readonly recall: (record: SpendRecord, payers: readonly number[]) => void
}

export interface UnstoredSpend extends Payers {
  /** False when the call is known already. */
  readonly add: (record: SpendRecord, accounts: readonly Account[]) => boolean
  readonly find: (record: SpendRecord) => Unstored | undefined
  readonly remove: (record: SpendRecord) => void
}

interface Payer {
  readonly account: Account
  readonly number: number
  /** Of calls that are in no memory. */
  calls: number
}

export function createUnstoredSpend(): UnstoredSpend {
  const calls = new Map<string, Unstored>()
  // By the account itself and not by its name: one that is made anew, such as after the clock was set back, never had the cost.
  const payers = new Map<Account, Payer>()
  const byNumber = new Map<number, Payer>()
  let lastNumber = 0

  const payerOf = (account: Account): Payer => {
    const known = payers.get(account)
    if (known !== undefined) return known
    const payer: Payer = { account, number: ++lastNumber, calls: 0 }
    payers.set(account, payer)
    byNumber.set(payer.number, payer)
    return payer
  }

  const oneLess = (payer: Payer): void => {
    payer.calls -= 1
    if (payer.calls > 0) return
    payers.delete(payer.account)
    byNumber.delete(payer.number)
  }

  return {
    add: (record, accounts) => {
      const id = idOf(record)
      if (calls.has(id)) return false
      calls.set(id, { accounts, cost: record.costNanoUsd })
      return true
    },
    find: (record) => calls.get(idOf(record)),
    remove: (record) => void calls.delete(idOf(record)),
    forget: (record) => {
      const id = idOf(record)
      const accounts = calls.get(id)?.accounts ?? []
      calls.delete(id)
      return accounts.map((account) => {
        const payer = payerOf(account)
        payer.calls += 1
        return payer.number
      })
    },
    recall: (record, numbers) => {
      const found = numbers.flatMap((number) => byNumber.get(number) ?? [])
      if (found.length === 0) return
      calls.set(idOf(record), { accounts: found.map(({ account }) => account), cost: record.costNanoUsd })
      found.forEach(oneLess)
    },
  }
}

function idOf(record: SpendRecord): string {
  return record.round === 0 ? record.requestId : `${record.requestId}:${record.round}`
}
