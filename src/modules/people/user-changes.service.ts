/** Changes of users that must hold against each other: the last administrator stays, keys follow their owner. */

import type { Change } from '../../foundation/database/change.ts'
import { problem } from '../../foundation/domain/errors.ts'
import type { MoveKeys } from './people-ports.ts'
import { createUserStore, type UserPatch, type UserRecord, type UserStore } from './users.store.ts'

export async function requireUser(users: Pick<UserStore, 'find'>, userId: string): Promise<UserRecord> {
  const user = await users.find(userId)
  if (user === undefined) throw problem('not_found', { what: 'user' })
  return user
}

/** For the audit trail: the fields that administrators decide. */
export function auditedUser(user: UserRecord): object {
  const { subject, email, role, grants, teamId, active } = user
  return { subject, email, role, grants, team_id: teamId, active }
}

export async function updateUser({ tx, audit }: Change, userId: string, patch: UserPatch): Promise<UserRecord> {
  const users = createUserStore(tx)
  const before = await requireUser(users, userId)
  if (patch.role === 'member' || patch.active === false) await requireDispensable(users, before)
  const after = await users.update(userId, patch)
  if (after === undefined) throw problem('not_found', { what: 'user' })
  audit({ action: 'user.update', target: `user:${userId}`, before: auditedUser(before), after: auditedUser(after) })
  return after
}

export async function removeUser({ tx, audit }: Change, userId: string): Promise<void> {
  const users = createUserStore(tx)
  const before = await requireUser(users, userId)
  await requireDispensable(users, before)
  await users.remove(userId)
  audit({ action: 'user.delete', target: `user:${userId}`, before: auditedUser(before) })
}

/** For a person whom another provider, or a new account at the same one, vouches for from now on. */
export async function releaseIdentity({ tx, audit }: Change, userId: string): Promise<UserRecord> {
  const users = createUserStore(tx)
  const { identity } = await requireUser(users, userId)
  const after = await users.releaseIdentity(userId)
  if (after === undefined) throw problem('not_found', { what: 'user' })
  audit({ action: 'user.release-identity', target: `user:${userId}`, before: { identity }, after: { identity: null } })
  return after
}

/** The versions' row locks make such changes wait for each other, so the answer holds until the commit. */
async function requireDispensable(users: UserStore, user: UserRecord): Promise<void> {
  // The way back in when every identity provider is down must not depend on who is an administrator today.
  if (user.bootstrap)
    throw problem('conflict', {
      reason:
        'The bootstrap administrator cannot be deleted, deactivated or demoted. Switch admin_login_enabled off instead.',
    })
  if (user.role === 'admin' && user.active && !(await users.hasOtherActiveAdmin(user.id)))
    throw problem('conflict', { reason: 'This is the last active administrator. Make another one first.' })
}

export async function moveUser(
  { tx, audit }: Change,
  userId: string,
  teamId: string | null,
  moveKeys: MoveKeys,
): Promise<UserRecord> {
  const users = createUserStore(tx)
  const before = await requireUser(users, userId)
  const after = await users.update(userId, { teamId })
  if (after === undefined) throw problem('not_found', { what: 'user' })
  if (before.teamId !== null && before.teamId !== teamId)
    await moveKeys(tx, { userId, from: before.teamId, to: teamId })
  audit({ action: 'user.move', target: `user:${userId}`, before: auditedUser(before), after: auditedUser(after) })
  return after
}
