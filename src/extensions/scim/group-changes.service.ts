/** What groups mean here: a team for their members, or, for one group of a provider, the role of administrator. */
import type { User } from '../../foundation/domain/user.ts'
import { createTeamStore } from '../../modules/people/teams.store.ts'
import { createUserStore } from '../../modules/people/users.store.ts'
import type { WantedGroup } from './group-resource.fields.ts'
import { invalidValue, notFound } from './scim-failure.ts'
import type { ScimGroupRecord } from './scim-groups.store.ts'
import { createScimMoveStore } from './scim-moves.store.ts'
import type { ScimWork } from './scim-ports.service.ts'

/** What a membership gives. */
interface Standing {
  readonly teamId: string | null
  readonly isAdmin: boolean
}

export async function requireScimGroup(work: Pick<ScimWork, 'groups'>, groupId: string): Promise<ScimGroupRecord> {
  const group = await work.groups.find(groupId)
  if (group === undefined) throw notFound('group')
  return group
}

export async function createScimGroup(work: ScimWork, wanted: WantedGroup): Promise<ScimGroupRecord> {
  const { change, groups } = work
  const isAdmin = isSameGroup(wanted.displayName, await groups.findAdminGroup())
  const teamId = isAdmin ? null : await decideTeam(work, undefined, wanted.displayName)
  const group = await groups.insert({ displayName: wanted.displayName, externalId: wanted.externalId, teamId })
  change.audit({ action: 'scim_group.create', target: `scim_group:${group.id}`, after: audited(wanted) })
  await addMembers(work, group.id, wanted.members, { teamId, isAdmin })
  return group
}

export async function replaceScimGroup(
  work: ScimWork,
  groupId: string,
  decide: (before: WantedGroup) => WantedGroup,
): Promise<ScimGroupRecord> {
  const { change, groups } = work
  const group = await requireScimGroup(work, groupId)
  const members = await memberIds(work, groupId)
  const before: WantedGroup = { displayName: group.displayName, externalId: group.externalId, members }
  const wanted = decide(before)
  const adminGroup = await groups.findAdminGroup()
  const was: Standing = { teamId: group.teamId, isAdmin: isSameGroup(group.displayName, adminGroup) }
  const isAdmin = isSameGroup(wanted.displayName, adminGroup)
  const is: Standing = { teamId: isAdmin ? null : await decideTeam(work, group, wanted.displayName), isAdmin }
  await groups.update(groupId, { displayName: wanted.displayName, externalId: wanted.externalId, teamId: is.teamId })

  const known = new Set(members)
  const kept = new Set(wanted.members)
  const left = members.filter((member) => !kept.has(member))
  const joined = wanted.members.filter((member) => !known.has(member))
  await groups.removeMembers(groupId, left)
  await settle(work, left, was, undefined)
  if (was.teamId !== is.teamId || was.isAdmin !== is.isAdmin) {
    const stayed = members.filter((member) => kept.has(member))
    await settle(work, stayed, was, is)
  }
  await addMembers(work, groupId, joined, is)
  const isRenamed = before.displayName !== wanted.displayName || before.externalId !== wanted.externalId
  // Who came and who went, not everybody: a group of thousands is patched member by member.
  if (isRenamed || joined.length > 0 || left.length > 0)
    change.audit({
      action: 'scim_group.update',
      target: `scim_group:${groupId}`,
      before: audited({ ...before, members: left }),
      after: audited({ ...wanted, members: joined }),
    })
  return await requireScimGroup(work, groupId)
}

/** The team stays: it has a budget, keys and a history of its own. */
export async function removeScimGroup(work: ScimWork, groupId: string): Promise<void> {
  const { change, groups } = work
  const group = await requireScimGroup(work, groupId)
  const members = await memberIds(work, groupId)
  const was = { teamId: group.teamId, isAdmin: isSameGroup(group.displayName, await groups.findAdminGroup()) }
  await groups.remove(groupId)
  await settle(work, members, was, undefined)
  const { displayName, externalId } = group
  change.audit({
    action: 'scim_group.delete',
    target: `scim_group:${groupId}`,
    before: audited({ displayName, externalId, members }),
  })
}

/** Another group makes administrators from now on. The new ones come first, so that the last one is never in the way. */
export async function changeAdminGroup(work: ScimWork, name: string | null): Promise<void> {
  const { groups } = work
  const nameBefore = await groups.findAdminGroup()
  await groups.setAdminGroup(name)
  if (name === nameBefore || isSameGroup(name ?? '', nameBefore)) return
  const becomes = name === null ? undefined : await groups.findByName(name)
  if (becomes !== undefined) await restand(work, becomes, false, true)
  const ends = nameBefore === null ? undefined : await groups.findByName(nameBefore)
  if (ends !== undefined) await restand(work, ends, true, false)
}

async function restand(work: ScimWork, group: ScimGroupRecord, wasAdmin: boolean, isAdmin: boolean): Promise<void> {
  const { displayName, externalId } = group
  const teamId = isAdmin ? null : await decideTeam(work, group, displayName)
  await work.groups.update(group.id, { displayName, externalId, teamId })
  const members = await memberIds(work, group.id)
  await settle(work, members, { teamId: group.teamId, isAdmin: wasAdmin }, { teamId, isAdmin })
}

async function memberIds({ groups }: ScimWork, groupId: string): Promise<readonly string[]> {
  return ((await groups.listMembers([groupId])).get(groupId) ?? []).map((member) => member.userId)
}

async function addMembers(work: ScimWork, groupId: string, userIds: readonly string[], is: Standing): Promise<void> {
  const known = await work.users.findKnown(userIds)
  const unknown = userIds.find((userId) => !known.has(userId))
  if (unknown !== undefined) throw invalidValue(`members: there is no user with the id ${unknown}.`)
  await work.groups.addMembers(groupId, userIds)
  await settle(work, userIds, undefined, is)
}

function isSameGroup(displayName: string, adminGroup: string | null): boolean {
  return adminGroup !== null && displayName.toLowerCase() === adminGroup.toLowerCase()
}

/** The team with the group's name. A renamed group takes its team along, unless another group means the same team. */
async function decideTeam(work: ScimWork, group: ScimGroupRecord | undefined, name: string): Promise<string> {
  const { change, groups } = work
  const teams = createTeamStore(change.tx)
  const named = await groups.findTeamByName(name)
  const current = group?.teamId ?? undefined
  if (group !== undefined && current !== undefined && group.displayName === name) return current
  if (named !== undefined && named !== current) return named
  if (group !== undefined && current !== undefined && !(await groups.isTeamShared(current, group.id))) {
    const before = await teams.find(current)
    await teams.rename(current, name)
    change.audit({ action: 'team.update', target: `team:${current}`, before: { name: before?.name }, after: { name } })
    return current
  }
  if (named !== undefined) return named
  const added = await teams.insert(name)
  change.audit({ action: 'team.create', target: `team:${added.id}`, after: { name } })
  return added.id
}

async function settle(
  work: ScimWork,
  userIds: readonly string[],
  was: Standing | undefined,
  is: Standing | undefined,
): Promise<void> {
  if (userIds.length === 0) return
  await settleTeams(work, userIds, was, is)
  const wasAdmin = was?.isAdmin === true
  const isAdmin = is?.isAdmin === true
  if (wasAdmin !== isAdmin) for (const userId of userIds) await settleRole(work, userId, isAdmin)
}

async function settleTeams(
  { change }: ScimWork,
  userIds: readonly string[],
  was: Standing | undefined,
  is: Standing | undefined,
): Promise<void> {
  const store = createScimMoveStore(change.tx)
  const lastTeams = await store.findLastTeams(userIds)
  const moves = (await store.findUsers(userIds))
    .map((user) => ({ user, to: teamAfter(user.teamId, was, is, lastTeams.get(user.id) ?? null) }))
    .filter(({ user, to }) => to !== user.teamId)
  if (moves.length === 0) return
  await store.move(moves.map(({ user, to }) => ({ userId: user.id, from: user.teamId, to })))
  for (const { user, to } of moves) {
    const lead = lostLead(user)
    change.audit({
      action: 'user.move',
      target: `user:${user.id}`,
      before: { subject: user.subject, team_id: user.teamId, ...lead.before },
      after: { subject: user.subject, team_id: to, ...lead.after },
    })
  }
}

/** Whoever leads the team that is left leads no other: the database takes the grant with the move. */
function lostLead({ teamId, grants }: User): { readonly before: object; readonly after: object } {
  if (teamId === null || !grants.includes('team:lead')) return { before: {}, after: {} }
  return { before: { grants }, after: { grants: grants.filter((grant) => grant !== 'team:lead') } }
}

/**
 * The group joined last decides the team. Who leaves a group falls back to the one joined before it, unless an
 * administrator has moved the person elsewhere in the meantime.
 */
function teamAfter(
  current: string | null,
  was: Standing | undefined,
  is: Standing | undefined,
  lastJoined: string | null,
): string | null {
  if (was === undefined) return is?.teamId ?? current
  return was.teamId !== (is?.teamId ?? null) && was.teamId === current ? lastJoined : current
}

async function settleRole({ change, people }: ScimWork, userId: string, isAdmin: boolean): Promise<void> {
  const users = createUserStore(change.tx)
  const user = await users.find(userId)
  if (user === undefined || (user.role === 'admin') === isAdmin) return
  // A refusal would hold up everybody else in the same request, so the last administrator stays one.
  if (!isAdmin && user.active && !(await users.hasOtherActiveAdmin(userId)))
    change.audit({ action: 'scim_group.last_admin_kept', target: `user:${userId}` })
  else await people.updateUser(change, userId, { role: isAdmin ? 'admin' : 'member' })
}

function audited({ displayName, externalId, members }: WantedGroup): object {
  return { display_name: displayName, external_id: externalId, members }
}
