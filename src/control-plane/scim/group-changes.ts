/** What groups mean here: a team for their members, or, for one group of a provider, the role of administrator. */
import type { ScimGroupRecord } from '../../stores/scim-groups.ts'
import { createTeamStore } from '../../stores/teams.ts'
import { createUserStore } from '../../stores/users.ts'
import type { WantedGroup } from './group-resource.ts'
import { invalidValue, notFound } from './scim-failure.ts'
import type { ScimWork } from './scim-ports.ts'

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
  for (const userId of left) await settle(work, userId, was, undefined)
  if (was.teamId !== is.teamId || was.isAdmin !== is.isAdmin)
    for (const userId of members.filter((member) => kept.has(member))) await settle(work, userId, was, is)
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
  for (const userId of members) await settle(work, userId, was, undefined)
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
  for (const userId of await memberIds(work, group.id))
    await settle(work, userId, { teamId: group.teamId, isAdmin: wasAdmin }, { teamId, isAdmin })
}

async function memberIds({ groups }: ScimWork, groupId: string): Promise<readonly string[]> {
  return ((await groups.membersOf([groupId])).get(groupId) ?? []).map((member) => member.userId)
}

async function addMembers(work: ScimWork, groupId: string, userIds: readonly string[], is: Standing): Promise<void> {
  const known = await work.users.findKnown(userIds)
  const unknown = userIds.find((userId) => !known.has(userId))
  if (unknown !== undefined) throw invalidValue(`members: there is no user with the id ${unknown}.`)
  await work.groups.addMembers(groupId, userIds)
  for (const userId of userIds) await settle(work, userId, undefined, is)
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

/**
 * The group joined last decides the team. Who leaves a group falls back to the one joined before it, unless an
 * administrator has moved the person elsewhere in the meantime.
 */
async function settle(
  work: ScimWork,
  userId: string,
  was: Standing | undefined,
  is: Standing | undefined,
): Promise<void> {
  const { change, groups, people } = work
  const users = createUserStore(change.tx)
  const user = await users.find(userId)
  if (user === undefined) return
  let teamId = user.teamId
  if (was === undefined) teamId = is?.teamId ?? teamId
  else if (was.teamId !== (is?.teamId ?? null) && was.teamId === user.teamId) teamId = await groups.findLastTeam(userId)
  if (teamId !== user.teamId) await people.moveUser(change, userId, teamId)

  if (is?.isAdmin === true && user.role !== 'admin') await people.updateUser(change, userId, { role: 'admin' })
  if (was?.isAdmin !== true || is?.isAdmin === true || user.role !== 'admin') return
  // A refusal would hold up everybody else in the same request, so the last administrator stays one.
  if (user.active && !(await users.hasOtherActiveAdmin(userId)))
    change.audit({ action: 'scim_group.last_admin_kept', target: `user:${userId}` })
  else await people.updateUser(change, userId, { role: 'member' })
}

function audited({ displayName, externalId, members }: WantedGroup): object {
  return { display_name: displayName, external_id: externalId, members }
}
