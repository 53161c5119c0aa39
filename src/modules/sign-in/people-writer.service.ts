/** Stores people at their first sign-in through a provider; without a database they exist for as long as they are seen. */
import { createHash } from 'node:crypto'
import type { Actor } from '../../foundation/database/audit.ts'
import { change } from '../../foundation/database/change.ts'
import type { Database } from '../../foundation/database/database.ts'
import { DatabaseUnavailableError } from '../../foundation/database/store-errors.ts'
import { problem } from '../../foundation/domain/errors.ts'
import { comparableSubject } from '../../foundation/domain/people.ts'
import type { User } from '../../foundation/domain/user.ts'
import { createUserStore } from '../people/users.store.ts'
import type { PinnedIdentity } from './identity-binding.ts'
import type { ResolveUserPorts, SignInOrigin } from './resolve-user.ts'

export type PeopleWriter = Pick<ResolveUserPorts, 'bindUser' | 'provisionUser'>

/** The actor of what a sign-in stores about its user. */
export function signInActor(origin: SignInOrigin | undefined): Actor {
  return { name: 'sign-in', sourceAddress: origin?.sourceAddress ?? null, requestId: origin?.requestId ?? null }
}

/** Whoever checks credentials knows no stores: a database that is away says nothing about the person. */
function whenAway(error: unknown): never {
  if (error instanceof DatabaseUnavailableError) throw problem('database_unavailable', {}, { cause: error })
  throw error
}

export function createPeopleWriter(database: () => Database, changed: () => Promise<void>): PeopleWriter {
  return {
    bindUser: async (userId, { issuer, subject }, origin) => {
      const options = { sections: ['people'], actor: signInActor(origin) } as const
      const bound = await change(database(), options, async ({ tx, audit }) => {
        const users = createUserStore(tx)
        const user = await users.bindIdentity(userId, issuer, subject)
        // Somebody else's by now: the caller sees whose, and says no.
        if (user === undefined) return await users.find(userId)
        audit({ action: 'user.bind', target: `user:${userId}`, after: { issuer, subject } })
        return user
      }).catch(whenAway)
      if (bound === undefined) throw problem('identity_mismatch')
      await changed()
      return bound
    },
    provisionUser: async (user, origin) => {
      const { issuer, subject } = user.identity
      const options = { sections: ['people'], actor: signInActor(origin) } as const
      const stored = await change(database(), options, async ({ tx, audit }) => {
        const users = createUserStore(tx)
        const known = (await users.findByIdentity(issuer, subject)) ?? (await users.findNamesake(user.subject))
        if (known !== undefined) return known
        const added = await users.insert(user)
        audit({
          action: 'user.provision',
          target: `user:${added.id}`,
          after: { subject: added.subject, role: added.role },
        })
        return added
      }).catch(whenAway)
      await changed()
      return stored
    },
  }
}

/**
 * No database: the same identity always gets the same id, so that logs and sticky routing know it again. An administrator of
 * ADMIN_USERS is whoever comes first under that name, for as long as the process runs.
 */
export function createPassingPeople(adminUsers: readonly string[]): PeopleWriter {
  const adminNames = new Set(adminUsers.map(comparableSubject))
  const admins = new Map<string, User>()
  return {
    bindUser: () => Promise.reject(problem('database_required')),
    provisionUser: ({ subject, email, role, identity }) => {
      const isAdmin = adminNames.has(subject)
      const user: User = admins.get(subject) ?? {
        id: idOf(identity),
        subject,
        email,
        role: isAdmin ? 'admin' : role,
        grants: [],
        teamId: null,
        active: true,
        identity,
        bootstrap: false,
        sessionEpoch: 0,
        createdAt: new Date(0).toISOString(),
      }
      if (isAdmin) admins.set(subject, user)
      return Promise.resolve(user)
    },
  }
}

function idOf({ issuer, subject }: PinnedIdentity): string {
  const hex = createHash('sha256').update(`${issuer}\n${subject}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
