/** Notes when a session was last used, when somebody's client last asked for the models and from where keys are used: in memory, stored by a loop. */

import type { DatabaseLink } from '../../foundation/database/database-link.ts'
import type { Stamp } from '../../foundation/database/newer-stamps.ts'
import type { Caller } from '../../foundation/domain/caller.ts'
import type { VirtualKey } from '../../foundation/domain/virtual-key.ts'
import { systemClock } from '../../foundation/platform/clock.ts'
import type { Logger } from '../../foundation/platform/logger.ts'
import { createTrouble } from '../../foundation/platform/trouble.ts'
import { createKeyAddresses, type KeyVisit } from '../keys/key-addresses.store.ts'
import { createUserStore } from '../people/users.store.ts'
import { createSignInStore, type SeenSession, USE_PAUSE_MS } from '../sign-in/sign-ins.store.ts'
import { createRareNotes } from './rare-notes.memory.ts'

export interface Sightings {
  readonly sessionUsed: (session: Omit<SeenSession, 'seenAtMs'>) => void
  readonly modelsListed: (caller: Caller) => void
  readonly callMade: (caller: Caller, sourceAddress: string) => void
  readonly flush: () => Promise<void>
}

/** Somebody waits for it with the page open, but a client in a loop must not write all the time. */
const MODELS_PAUSE_MS = 30_000
const MAX_NAMES = 20_000
/** How often one address of a key is worth a write. */
const ADDRESS_PAUSE_MS = 300_000
/** How long a key that goes on from where it was costs no look-up by both names. */
const SAME_ADDRESS_MS = 10_000

export function createSightings(link: DatabaseLink, log: Logger): Sightings {
  const clock = systemClock
  const unstored = createTrouble()
  const sessions = createRareNotes<SeenSession>({ clock, pauseMs: USE_PAUSE_MS, maxNames: MAX_NAMES })
  const listings = createRareNotes<Stamp>({ clock, pauseMs: MODELS_PAUSE_MS, maxNames: MAX_NAMES })
  const visits = createRareNotes<KeyVisit>({ clock, pauseMs: ADDRESS_PAUSE_MS, maxNames: MAX_NAMES })
  let latest = new WeakMap<VirtualKey, { readonly address: string; readonly untilMs: number }>()
  return {
    sessionUsed: (session) => sessions.note(session.id, (seenAtMs) => ({ ...session, seenAtMs })),
    modelsListed: ({ user }) => {
      if (user !== null) listings.note(user.id, (atMs) => ({ id: user.id, atMs }))
    },
    callMade: (caller, address) => {
      // Without one the connection was closed before anybody looked.
      if (caller.kind !== 'key' || address === '') return
      const { key } = caller
      const known = latest.get(key)
      const nowMs = clock.nowMs()
      if (known?.address === address && nowMs < known.untilMs) return
      latest.set(key, { address, untilMs: nowMs + SAME_ADDRESS_MS })
      visits.note(`${key.id} ${address}`, (atMs) => ({ keyId: key.id, address, atMs }))
    },
    flush: async () => {
      const database = link.find()
      if (database === undefined) return
      const [seen, listed, visited] = [sessions.take(), listings.take(), visits.take()]
      if (seen.length === 0 && listed.length === 0 && visited.length === 0) return
      try {
        await createKeyAddresses(database.kysely).note(visited)
        await createSignInStore(database.kysely).noteUse(seen)
        const users = createUserStore(database.kysely)
        await users.touchModelsListed(listed)
        await users.touchLastSeen(latestOfEach(seen, listed))
        unstored.over()
      } catch (error) {
        // failure-modes: side write failed. The next use of each tries again.
        sessions.forget()
        listings.forget()
        visits.forget()
        latest = new WeakMap()
        unstored.met(() => log.warn({ err: error }, 'the last use of sessions and keys could not be stored'))
      }
    },
  }
}

/** One row each: an update from two rows for the same person would take either. */
function latestOfEach(seen: readonly SeenSession[], listed: readonly Stamp[]): readonly Stamp[] {
  const latest = new Map<string, number>()
  const visits = [...seen.map(({ userId, seenAtMs }) => ({ id: userId, atMs: seenAtMs })), ...listed]
  for (const { id, atMs } of visits) latest.set(id, Math.max(atMs, latest.get(id) ?? 0))
  return [...latest].map(([id, atMs]) => ({ id, atMs }))
}
