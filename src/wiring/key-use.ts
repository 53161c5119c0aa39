/** Notes when a key was last used, from the records that are being stored: at most one write a key and half minute. */
import type { SpendRecord } from '../domain/spend-record.ts'
import type { Logger } from '../platform/logger.ts'
import { createKeyStore } from '../stores/keys.ts'
import type { DatabaseLink } from './database-link.ts'

const PAUSE_MS = 30_000
/** Bounds the memory; forgetting a key only costs one more write. */
const MAX_KEYS = 20_000

export function createKeyUse(link: DatabaseLink, log: Logger): (records: readonly SpendRecord[]) => Promise<void> {
  const notedAtMs = new Map<string, number>()
  return async (records) => {
    const latest = new Map<string, number>()
    for (const { keyId, atMs } of records)
      if (keyId !== null && atMs - (notedAtMs.get(keyId) ?? Number.NEGATIVE_INFINITY) >= PAUSE_MS)
        latest.set(keyId, Math.max(atMs, latest.get(keyId) ?? 0))
    if (latest.size === 0) return
    try {
      await createKeyStore(link.require().kysely).touchLastUsed([...latest].map(([id, atMs]) => ({ id, atMs })))
      if (notedAtMs.size > MAX_KEYS) notedAtMs.clear()
      for (const [id, atMs] of latest) notedAtMs.set(id, atMs)
    } catch (error) {
      // failure-modes: side write failed. The records are stored; the next batch of the key tries again.
      log.warn({ err: error }, 'the last use of keys could not be stored')
    }
  }
}
