/** What a patch makes of a group. */
import { readGroupExternalId, readGroupName, readMembers, type WantedGroup } from './group-resource.ts'
import type { PatchStep } from './patch.ts'
import { ScimFailure } from './scim-failure.ts'

export function patchGroup(before: WantedGroup, steps: readonly PatchStep[]): WantedGroup {
  return steps.reduce(applyStep, before)
}

function applyStep(group: WantedGroup, step: PatchStep): WantedGroup {
  switch (step.path.attribute) {
    case 'displayname':
      if (step.op === 'remove') throw new ScimFailure(400, 'displayName cannot be removed.', 'mutability')
      return { ...group, displayName: readGroupName(step.value) }
    case 'externalid':
      return { ...group, externalId: step.op === 'remove' ? null : readGroupExternalId(step.value) }
    case 'members':
      return { ...group, members: membersAfter(group.members, step) }
    default:
      return group
  }
}

/** `members[value eq "id"]`, or `members` with a list of whom to remove, or `members` alone for all of them. */
function membersAfter(members: readonly string[], step: PatchStep): readonly string[] {
  const { filter } = step.path
  if (filter !== undefined && (filter.attribute !== 'value' || filter.operator !== 'eq'))
    throw new ScimFailure(400, 'members can be chosen by [value eq "id"] only.', 'invalidPath')
  if (step.op === 'remove') {
    if (filter === undefined && (step.value === undefined || step.value === null)) return []
    const gone = new Set(readMembers(filter === undefined ? step.value : filter.value))
    return members.filter((member) => !gone.has(member))
  }
  const named = readMembers(filter === undefined ? step.value : filter.value)
  // Replacing one chosen member leaves the others alone.
  return step.adds || filter !== undefined ? [...new Set([...members, ...named])] : named
}
