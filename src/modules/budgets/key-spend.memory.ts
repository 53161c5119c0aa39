/** Remembers what keys were last read to have spent, for moments in which the database cannot be asked. */
import { LRUCache } from 'lru-cache'
import type { NanoUsd } from '../../foundation/domain/money.ts'

/** Losing it is safe: it is only shown, and limits are judged elsewhere. */
const MAX_KEYS = 20_000

export interface KeySpendMemory {
  /** A key that was asked for and is not in `spend` has spent nothing. */
  readonly remember: (keyIds: readonly string[], spend: ReadonlyMap<string, NanoUsd>) => void
  /** Without keys that are not remembered. */
  readonly find: (keyIds: readonly string[]) => ReadonlyMap<string, NanoUsd>
}

export function createKeySpendMemory(): KeySpendMemory {
  const known = new LRUCache<string, NanoUsd>({ max: MAX_KEYS })
  return {
    remember: (keyIds, spend) => {
      for (const id of keyIds) known.set(id, spend.get(id) ?? 0)
    },
    find: (keyIds) => {
      const found = new Map<string, NanoUsd>()
      for (const id of keyIds) {
        const spent = known.get(id)
        if (spent !== undefined) found.set(id, spent)
      }
      return found
    },
  }
}
