/** Small writes around a sign-in that no route waits for, or that many routes share. */
import { LRUCache } from 'lru-cache'
import { appendAudit } from '../../foundation/database/audit.ts'
import { change } from '../../foundation/database/change.ts'
import type { DatabaseLink } from '../../foundation/database/database-link.ts'
import { answerWithin } from '../../foundation/domain/budget-answer.ts'
import type { User } from '../../foundation/domain/user.ts'
import type { Logger } from '../../foundation/platform/logger.ts'
import { createUserStore } from '../people/users.store.ts'
import type { EndedSession } from './ended-session.ts'
import type { SignInEntry } from './login/password.routes.ts'
import { signInActor } from './people-writer.service.ts'
import type { RefusedIdentity, SignInOrigin } from './resolve-user.ts'
import { createSignInStore } from './sign-ins.store.ts'

export interface SignInWriteParts {
  readonly link: DatabaseLink
  /** Brings the snapshot of this instance up to date after a write; never fails. */
  readonly changed: () => Promise<void>
  /** Sessions that ended where no database is configured. */
  readonly endedSessions: Set<string>
  readonly log: Logger
}

export interface SignInWrites {
  /** The person as stored now, for whom a session is about to be made; as given when the database does not answer. */
  readonly asStored: (user: User) => Promise<User>
  readonly recordSignIn: (entry: SignInEntry) => void
  /** Stores the address that the provider has now for this user. Never fails: the sign-in goes on with the old one. */
  readonly followEmail: (user: User, email: string, origin: SignInOrigin) => Promise<User>
  /** Shows administrators that somebody came under the name of another person. */
  readonly recordRefusal: (refused: RefusedIdentity) => void
  readonly revokeSession: (ended: EndedSession) => Promise<void>
}

/** A client comes back with the same token for as long as it runs: once in this time is enough to be seen. */
const REFUSAL_PAUSE_MS = 3_600_000
const MAX_REFUSED = 1_000
/** The break-glass administrator signs in while the database hangs, and does not wait for it. */
const STORED_WAIT_MS = 1_000
/** Only users whose address has changed wait, and only while the database hangs. */
const EMAIL_WAIT_MS = 5_000

export function createSignInWrites({ link, changed, endedSessions, log }: SignInWriteParts): SignInWrites {
  const inBackground = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    if (link.find() === undefined) return
    try {
      await work()
    } catch (error) {
      // failure-modes: side write failed. It is logged; what the caller asked for has happened.
      log.warn({ err: error }, what)
    }
  }

  // Forgotten on restart, which costs one more entry each.
  const refusedLately = new LRUCache<string, true>({ max: MAX_REFUSED, ttl: REFUSAL_PAUSE_MS })

  return {
    asStored: async (user) => {
      const database = link.find()
      if (database === undefined) return user
      try {
        const stored = await answerWithin(STORED_WAIT_MS, createUserStore(database.hot).find(user.id))
        if (stored === undefined || stored.sessionEpoch === user.sessionEpoch) return user
        // Another instance has ended this person's sessions; one made for the epoch before would be dead at its first use.
        await changed()
        return stored
      } catch (error) {
        // failure-modes: database away. Known people sign in from memory.
        log.warn({ err: error }, 'a person who signs in could not be read')
        return user
      }
    },
    followEmail: async (user, email, origin) => {
      const database = link.find()
      if (database === undefined || user.email?.toLowerCase() === email.toLowerCase()) return user
      const follow = async (): Promise<User> => {
        // Before the change, which makes every instance read the people again.
        if ((await createUserStore(database.hot).findWithOtherEmail(user.id, email)) === undefined) return user
        const options = { sections: ['people'], actor: signInActor(origin) } as const
        const stored = await change(database, options, async ({ tx, audit }) => {
          const users = createUserStore(tx)
          const before = await users.findWithOtherEmail(user.id, email)
          if (before === undefined) return undefined
          audit({ action: 'user.update', target: `user:${user.id}`, before: { email: before.email }, after: { email } })
          return await users.update(user.id, { email })
        })
        await changed()
        return stored ?? user
      }
      try {
        return await answerWithin(EMAIL_WAIT_MS, follow())
      } catch (error) {
        // failure-modes: side write failed. No rule looks at the stored address, and the next sign-in tries again.
        log.warn({ id: origin.requestId, err: error }, 'the new email address of a user could not be stored')
        return user
      }
    },
    recordSignIn: ({ user, session, client, requestId, sourceAddress }) =>
      void inBackground('a sign-in could not be recorded', () =>
        link
          .require()
          .kysely.transaction()
          .execute(async (tx) => {
            const { id, via, epoch: sessionEpoch, issuedAtMs: createdAtMs, expiresAtMs } = session
            const kept = { id, userId: user.id, via, sessionEpoch, client, sourceAddress, createdAtMs, expiresAtMs }
            await createSignInStore(tx).keep(kept)
            await appendAudit(tx, { name: user.subject, sourceAddress, requestId }, [
              { action: 'sign-in', target: `user:${user.id}`, after: { via } },
            ])
          }),
      ),
    recordRefusal: ({ reason, idpId, identity: { issuer, subject }, claimed, origin }) => {
      // Strangers and people who have left are refused every day; only this one is about somebody else's account.
      const name = JSON.stringify([issuer, subject, claimed])
      if (reason !== 'identity_mismatch' || refusedLately.has(name)) return
      refusedLately.set(name, true)
      void inBackground('a refused identity could not be recorded', async () => {
        const { kysely } = link.require()
        const meant = await createUserStore(kysely).findNamesake(claimed)
        const target = meant === undefined ? null : `user:${meant.id}`
        const after = { reason, claimed, idp_id: idpId, issuer, subject }
        await appendAudit(kysely, signInActor(origin), [{ action: 'sign-in.refused', target, after }])
      })
    },
    revokeSession: async ({ sessionId, user, sourceAddress, requestId }) => {
      if (!link.isConfigured) {
        endedSessions.add(sessionId)
        return
      }
      const actor = { name: user.subject, sourceAddress, requestId }
      await change(link.require(), { sections: ['sessions'], actor }, async ({ tx, audit }) => {
        await createSignInStore(tx).end(sessionId, Date.now())
        audit({ action: 'sign-out', target: `user:${user.id}` })
      })
      await changed()
    },
  }
}
