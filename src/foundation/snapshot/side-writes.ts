/** Small writes that no route waits for, or that many routes share: sign-ins, ended sessions, discovered models. */
import { LRUCache } from 'lru-cache'
import { createModelMappingStore } from '../../modules/models/model-mappings.store.ts'
import { signInActor } from '../../modules/people/people-writer.ts'
import { createUserStore } from '../../modules/people/users.store.ts'
import type { EndedSession } from '../../modules/sign-in/ended-session.ts'
import type { SignInEntry } from '../../modules/sign-in/login/password.routes.ts'
import type { RefusedIdentity, SignInOrigin } from '../../modules/sign-in/resolve-user.ts'
import { createSignInStore } from '../../modules/sign-in/sign-ins.store.ts'
import { appendAudit } from '../database/audit.ts'
import { bumpVersions, change } from '../database/change.ts'
import type { DatabaseLink } from '../database/database-link.ts'
import { answerWithin } from '../domain/budget-answer.ts'
import type { ModelMapping } from '../domain/model-mapping.ts'
import type { User } from '../domain/user.ts'
import type { Logger } from '../platform/logger.ts'

export interface SideWrites {
  /** After a committed write: this instance knows it at once. */
  readonly changed: () => Promise<void>
  /** True once the pair is stored and in this instance's snapshot. */
  readonly keepMapping: (mapping: ModelMapping) => Promise<boolean>
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

export function createSideWrites(
  link: DatabaseLink,
  reload: () => Promise<void>,
  /** Sessions that ended where no database is configured. */
  endedSessions: Set<string>,
  log: Logger,
): SideWrites {
  const changed = (): Promise<void> =>
    // failure-modes: snapshot reload. The write is committed; the poll brings it within five seconds.
    reload().catch((error: unknown) => log.warn({ err: error }, 'the snapshot could not be reloaded after a change'))

  const inBackground = async (what: string, work: () => Promise<unknown>): Promise<boolean> => {
    if (link.find() === undefined) return false
    try {
      await work()
      return true
    } catch (error) {
      // failure-modes: side write failed. It is logged; what the caller asked for has happened.
      log.warn({ err: error }, what)
      return false
    }
  }

  // Forgotten on restart, which costs one more entry each.
  const refusedLately = new LRUCache<string, true>({ max: MAX_REFUSED, ttl: REFUSAL_PAUSE_MS })

  return {
    changed,
    keepMapping: (mapping) =>
      inBackground('a discovered model could not be stored', async () => {
        await link
          .require()
          .kysely.transaction()
          .execute(async (tx) => {
            const count = await createModelMappingStore(tx).insertUnlessPresent([mapping])
            if (count > 0) await bumpVersions(tx, ['mappings'])
          })
        // Also when another instance stored it first: the answer promises that the snapshot has it.
        await reload()
      }),
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
