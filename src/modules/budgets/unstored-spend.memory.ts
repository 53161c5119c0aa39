/**
 * Spend that is settled here and not in the database yet, by subject and UTC day. Requests that no budget applies to are
 * counted too, so that a budget which is created later begins with what they cost. Memory grows with the number of
 * subjects, not with the number of requests that wait.
 *
 * Losing it is safe: the journal has the records, and the next process stores them.
 */
import type { NanoUsd } from '../../foundation/domain/money.ts'
import type { SpendRecord } from '../../foundation/domain/spend-record.ts'
import type { Account } from './budget-account.memory.ts'
import type { SpendAccount } from './budget-spend.store.ts'

type Scope = SpendAccount['scope']
export type Subject = Pick<SpendAccount, 'scope' | 'subjectId'>

export interface UnstoredSpend {
  /** Gives the accounts that pay; none when the record is counted already. */
  readonly add: (record: SpendRecord) => readonly Account[]
  /** The record was read back from its file: it is counted already, and another object now. */
  readonly recall: (record: SpendRecord) => void
  /** The records are in the database now. */
  readonly remove: (records: readonly SpendRecord[]) => void
  /** The accounts that pay for these records. */
  readonly findPayers: (records: readonly SpendRecord[]) => ReadonlySet<Account>
  /** Gives a new account what is unstored of its period, and keeps it up to date from now on. */
  readonly register: (account: Account) => void
  readonly sumUnstored: (account: Subject & Pick<SpendAccount, 'startMs' | 'endMs'>) => NanoUsd
  /** Those with unstored spend. */
  readonly listSubjects: () => readonly Subject[]
}

interface SubjectSpend extends Subject {
  /** By the first moment of the day. */
  readonly days: Map<number, NanoUsd>
  accounts: readonly Account[]
}

const DAY_MS = 86_400_000
const noAccounts: readonly Account[] = []

export function createUnstoredSpend(): UnstoredSpend {
  const known: Readonly<Record<Scope, Map<string, SubjectSpend>>> = { user: new Map(), team: new Map() }
  /** Only these: the ledger also stores records of earlier processes, which were never counted here. */
  const counted = new WeakSet<SpendRecord>()

  const requireSubject = (scope: Scope, subjectId: string): SubjectSpend => {
    const found = known[scope].get(subjectId)
    if (found !== undefined) return found
    const subject = { scope, subjectId, days: new Map(), accounts: noAccounts }
    known[scope].set(subjectId, subject)
    return subject
  }

  const findSubjects = ({ userId, teamId }: SpendRecord): SubjectSpend[] => {
    const subjects: SubjectSpend[] = []
    if (userId !== null) subjects.push(requireSubject('user', userId))
    if (teamId !== null) subjects.push(requireSubject('team', teamId))
    return subjects
  }

  const change = (subject: SubjectSpend, atMs: number, cost: NanoUsd): void => {
    const day = atMs - (atMs % DAY_MS)
    const sum = (subject.days.get(day) ?? 0) + cost
    if (sum === 0) subject.days.delete(day)
    else subject.days.set(day, sum)
    if (subject.days.size === 0 && subject.accounts.length === 0) known[subject.scope].delete(subject.subjectId)
  }

  const sumIn = ({ days }: SubjectSpend, startMs: number, endMs: number): NanoUsd => {
    let sum = 0
    for (const [day, cost] of days) if (day >= startMs && day < endMs) sum += cost
    return sum
  }

  return {
    add: (record) => {
      const { atMs, costNanoUsd } = record
      if (costNanoUsd <= 0 || counted.has(record)) return noAccounts
      counted.add(record)
      const paying: Account[] = []
      for (const subject of findSubjects(record)) {
        change(subject, atMs, costNanoUsd)
        for (const account of subject.accounts) {
          if (!spans(account, atMs)) continue
          account.unstored += costNanoUsd
          paying.push(account)
        }
      }
      return paying
    },
    recall: (record) => {
      if (record.costNanoUsd > 0) counted.add(record)
    },
    remove: (records) => {
      for (const record of records) {
        const { atMs, costNanoUsd } = record
        if (!counted.delete(record)) continue
        for (const subject of findSubjects(record)) {
          for (const account of subject.accounts) {
            if (!spans(account, atMs)) continue
            account.unstored -= costNanoUsd
            account.landed += costNanoUsd
          }
          change(subject, atMs, -costNanoUsd)
        }
      }
    },
    findPayers: (records) => {
      const payers = new Set<Account>()
      for (const record of records) {
        if (!counted.has(record)) continue
        for (const { accounts } of findSubjects(record))
          for (const account of accounts) if (spans(account, record.atMs)) payers.add(account)
      }
      return payers
    },
    register: (account) => {
      const subject = requireSubject(account.scope, account.subjectId)
      account.unstored = sumIn(subject, account.startMs, account.endMs)
      // The account of an earlier period goes when nothing of it is open any more.
      const needed = subject.accounts.filter(
        (other) => other.period !== account.period || other.reserved > 0 || other.unstored > 0,
      )
      subject.accounts = [...needed, account]
    },
    sumUnstored: ({ scope, subjectId, startMs, endMs }) => {
      const subject = known[scope].get(subjectId)
      return subject === undefined ? 0 : sumIn(subject, startMs, endMs)
    },
    listSubjects: () => [...known.user.values(), ...known.team.values()].filter(({ days }) => days.size > 0),
  }
}

function spans({ startMs, endMs }: Account, atMs: number): boolean {
  return atMs >= startMs && atMs < endMs
}
