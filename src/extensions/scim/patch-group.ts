/** What a patch makes of a group. */
import type { ValueFilter } from './attribute-path.ts'
import { readGroupExternalId, readGroupName, readMembers, type WantedGroup } from './group-resource.fields.ts'
import { requireFields } from './json.fields.ts'
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
  const { filters, sub } = step.path
  const chosen = filters === undefined ? undefined : chosenBy(filters)
  const isReplacement = step.op === 'set' && !step.adds
  if (isReplacement && chosen !== undefined && !chosen.some((member) => members.includes(member)))
    throw new ScimFailure(400, 'The group has no such member.', 'noTarget')
  // Only ids are kept: the name of a member is that of the user.
  if (sub !== undefined && sub !== 'value') return members
  if (step.op === 'remove') {
    if (chosen === undefined && (step.value === undefined || step.value === null)) return []
    const gone = new Set(chosen ?? readMembers(step.value))
    return members.filter((member) => !gone.has(member))
  }
  if (step.adds) return [...new Set([...members, ...(chosen ?? readMembers(step.value))])]
  if (chosen === undefined) return readMembers(step.value)
  return [
    ...new Set(members.flatMap((member) => (chosen.includes(member) ? listSuccessors(member, step.value) : member))),
  ]
}

/** `type eq "User"` may stand beside the id, and holds for every member. */
function chosenBy(filters: readonly ValueFilter[]): readonly string[] {
  const ids = filters.filter(({ attribute }) => attribute === 'value')
  const types = filters.filter(({ attribute }) => attribute === 'type')
  if (ids.length === 0 || ids.length + types.length < filters.length || filters.some((one) => one.operator !== 'eq'))
    throw new ScimFailure(400, 'members can be chosen by [value eq "id"] only.', 'invalidPath')
  if (types.some(({ value }) => String(value).toLowerCase() !== 'user')) return []
  const lists = ids.map(({ value }) => readMembers(value))
  return lists.reduce((chosen, more) => chosen.filter((id) => more.includes(id)))
}

/** What the value leaves out stays as it was: without an id it is still the same member (RFC 7644 3.5.2.3). */
function listSuccessors(member: string, value: unknown): readonly string[] {
  const entries = Array.isArray(value) ? (value as unknown[]) : [value]
  const named = readMembers(entries.filter(hasId))
  return named.length === 0 ? [member] : named
}

function hasId(entry: unknown): boolean {
  if (entry === undefined || entry === null) return false
  return typeof entry === 'string' || requireFields(entry, 'An entry of members').get('value') !== undefined
}
