/** Notes when a key and its owner were last seen, from the records that are being stored: at most one write each in half a minute. */

import type { DatabaseLink } from '../../foundation/database/database-link.ts'
import type { SpendRecord } from '../../foundation/domain/spend-record.ts'
import type { Logger } from '../../foundation/platform/logger.ts'
import { createUserStore } from '../people/users.store.ts'
import type { NoteKeyUse } from './key-ports.ts'
import { createKeyStore } from './keys.store.ts'

const PAUSE_MS = 30_000
/** Bounds the memory; forgetting a name only costs one more write. */
const MAX_NAMES = 20_000

export function createKeyUse(link: DatabaseLink, log: Logger): NoteKeyUse {
  const notedAtMs = new Map<string, number>()
  const due = (records: readonly SpendRecord[], idOf: (record: SpendRecord) => string | null) => {
    const latest = new Map<string, number>()
    for (const record of records) {
      const [id, { atMs }] = [idOf(record), record]
      if (id !== null && atMs - (notedAtMs.get(id) ?? Number.NEGATIVE_INFINITY) >= PAUSE_MS)
        latest.set(id, Math.max(atMs, latest.get(id) ?? 0))
    }
    return [...latest].map(([id, atMs]) => ({ id, atMs }))
  }
  return async (records) => {
    // A rejected credential was not used.
    const used = records.filter(({ reason }) => reason?.kind !== 'credential')
    const keys = due(used, ({ keyId }) => keyId)
    const people = due(used, ({ userId }) => userId)
    if (keys.length === 0 && people.length === 0) return
    try {
      const db = link.require().kysely
      await createKeyStore(db).touchLastUsed(keys)
      await createUserStore(db).touchLastSeen(people)
      if (notedAtMs.size > MAX_NAMES) notedAtMs.clear()
      for (const { id, atMs } of [...keys, ...people]) notedAtMs.set(id, atMs)
    } catch (error) {
      // failure-modes: side write failed. The records are stored; the next batch of the key tries again.
      log.warn({ err: error }, 'the last use of keys could not be stored')
    }
  }
}
