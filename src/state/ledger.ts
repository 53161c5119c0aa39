/** Spend records on their way to the database: gathered, written in batches, kept until the database has confirmed them. */
import type { Ledger } from '../data-plane/ports.ts'
import type { SpendRecord } from '../domain/spend-record.ts'

export interface LedgerOptions {
  /** Stores a batch; doing it twice changes nothing. */
  readonly write: (records: readonly SpendRecord[]) => Promise<void>
  readonly onError: (error: unknown, waiting: number) => void
}

export interface WritingLedger extends Ledger {
  readonly waiting: () => number
  /** Writes everything gathered so far; throws when the database does not take it. */
  readonly flush: () => Promise<void>
}

/** Small enough to answer quickly, large enough that a busy second is a handful of statements. */
const BATCH_RECORDS = 500

export function createLedger(options: LedgerOptions): WritingLedger {
  let waiting: SpendRecord[] = []
  let writing: Promise<void> = Promise.resolve()

  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_RECORDS)
      try {
        await options.write(batch)
      } catch (error) {
        // failure-modes: spend not written. The records stay and are tried again; calls go on.
        options.onError(error, waiting.length)
        throw error
      }
      waiting = waiting.slice(batch.length)
    }
  }

  return {
    append: (record) => {
      waiting.push(record)
      return Promise.resolve()
    },
    waiting: () => waiting.length,
    flush: () => {
      writing = writing.catch(() => {}).then(writeAll)
      return writing
    },
  }
}
