/** What a provider may do to users: its own ones, and those that nobody manages and that are not somebody else's. */

import { isSameReservedName } from '../../foundation/domain/user-name.ts'
import { createUserStore } from '../../modules/people/users.store.ts'
import { notFound, ScimFailure, taken } from './scim-failure.ts'
import type { ScimWork } from './scim-ports.service.ts'
import type { ScimClient } from './scim-tokens.store.ts'
import type { NameHolder, ScimProfile, ScimUserRecord } from './scim-users.store.ts'
import { type SentUser, toWanted, type WantedUser } from './user-resource.ts'

export async function requireScimUser(work: Pick<ScimWork, 'users'>, userId: string): Promise<ScimUserRecord> {
  const record = await work.users.find(userId)
  if (record === undefined) throw notFound('user')
  return record
}

export async function createScimUser(work: ScimWork, client: ScimClient, sent: SentUser): Promise<ScimUserRecord> {
  const { change, users } = work
  await requireUnreserved(work, sent.userName)
  const [holder, ...others] = await users.findNameHolders(sent.userName)
  if (holder !== undefined && (others.length > 0 || !mayAdopt(holder, client)))
    throw taken('There is already a user with this userName.')
  const wanted = { ...sent, active: sent.active ?? holder?.user.active ?? true }
  if (holder !== undefined) {
    await users.manage(holder.user.id, toProfile(wanted))
    change.audit({ action: 'scim_user.adopt', target: `user:${holder.user.id}`, after: audited(wanted) })
    // An address that an administrator has entered is not lost because the provider has none.
    const email = wanted.email ?? holder.user.email
    return await applyUser(work, await requireScimUser(work, holder.user.id), { ...wanted, email })
  }
  const store = createUserStore(change.tx)
  const user = await store.insert({ subject: wanted.userName, email: wanted.email, role: 'member' })
  if (!wanted.active) await store.update(user.id, { active: false })
  await users.manage(user.id, toProfile(wanted))
  change.audit({ action: 'user.create', target: `user:${user.id}`, after: { ...audited(wanted), role: 'member' } })
  return await requireScimUser(work, user.id)
}

/**
 * An administrator who has not signed in yet stays out of reach: renamed and then signed in to, the account would give
 * a provider's ordinary user powers that only an administrator of this gateway can give.
 */
function mayAdopt({ user, idpId }: NameHolder, client: ScimClient): boolean {
  if (idpId !== null || user.bootstrap) return false
  return user.identity === null ? user.role === 'member' : user.identity.issuer === client.issuerUrl
}

async function requireUnreserved({ users }: ScimWork, userName: string): Promise<void> {
  const reserved = await users.findBootstrapName()
  if (reserved !== undefined && isSameReservedName(userName, reserved))
    throw taken('This userName is reserved on this gateway.')
}

/** Writes only what differs, so that a provider's nightly full run leaves no traces of nothing. */
export async function applyUser(work: ScimWork, record: ScimUserRecord, wanted: WantedUser): Promise<ScimUserRecord> {
  const { change, users, people } = work
  const before = toWanted(record)
  const userId = record.user.id
  if (wanted.userName !== before.userName) await rename(work, record, wanted.userName)
  const isActive = wanted.active ?? false
  const patch = {
    ...(wanted.email === before.email ? {} : { email: wanted.email }),
    ...(isActive === record.user.active ? {} : { active: isActive }),
  }
  if (Object.keys(patch).length > 0) await people.updateUser(change, userId, patch)
  if (JSON.stringify(audited(before)) !== JSON.stringify(audited(wanted))) {
    await users.update(userId, toProfile(wanted))
    change.audit({
      action: 'scim_user.update',
      target: `user:${userId}`,
      before: audited(before),
      after: audited(wanted),
    })
  }
  return await requireScimUser(work, userId)
}

async function rename(work: ScimWork, { user }: ScimUserRecord, userName: string): Promise<void> {
  await requireUnreserved(work, userName)
  const holders = await work.users.findNameHolders(userName)
  if (holders.some((holder) => holder.user.id !== user.id)) throw taken('There is already a user with this userName.')
  if (user.role === 'admin' && user.identity === null)
    throw new ScimFailure(409, 'An administrator can be renamed only after the first sign-in.', 'mutability')
  await work.users.rename(user.id, userName)
}

export async function removeScimUser(work: ScimWork, userId: string): Promise<void> {
  await requireScimUser(work, userId)
  await work.people.removeUser(work.change, userId)
}

function toProfile(wanted: WantedUser): ScimProfile {
  const { externalId, displayName, givenName, familyName, formattedName } = wanted
  return { externalId, displayName, givenName, familyName, formattedName, activeUnassigned: wanted.active === null }
}

function audited(wanted: WantedUser): object {
  return {
    subject: wanted.userName,
    email: wanted.email,
    active: wanted.active,
    external_id: wanted.externalId,
    display_name: wanted.displayName,
    given_name: wanted.givenName,
    family_name: wanted.familyName,
    formatted_name: wanted.formattedName,
  }
}
