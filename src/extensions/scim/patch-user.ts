/** What a patch makes of a user. Attributes that are not kept here are passed over, as providers send many. */
import { selectsKeptEmail, type ValueFilter } from './attribute-path.ts'
import { isSameEmail, namesEmail, readEmails, readPreferredEmail } from './emails.ts'
import { readBoolean, requireFields } from './json.fields.ts'
import { type PatchStep, textAfter } from './patch.ts'
import { ScimFailure } from './scim-failure.ts'
import { readUserName, type WantedUser } from './user-resource.ts'

const LENGTH = 320

export function patchUser(before: WantedUser, steps: readonly PatchStep[]): WantedUser {
  return steps.reduce(applyStep, before)
}

function applyStep(user: WantedUser, step: PatchStep): WantedUser {
  switch (step.path.attribute) {
    case 'username':
      if (step.op === 'remove') throw new ScimFailure(400, 'userName cannot be removed.', 'mutability')
      return { ...user, userName: readUserName(step.value) }
    case 'active':
      return { ...user, active: step.op === 'remove' ? null : readBoolean(step.value, 'active') }
    case 'externalid':
      return { ...user, externalId: textAfter(step, 'externalId', LENGTH) }
    case 'displayname':
      return { ...user, displayName: textAfter(step, 'displayName', LENGTH) }
    case 'name':
      return applyName(user, step)
    case 'emails':
      return applyEmail(user, step)
    default:
      return user
  }
}

const nameParts: ReadonlyMap<string, 'givenName' | 'familyName' | 'formattedName'> = new Map([
  ['givenname', 'givenName'],
  ['familyname', 'familyName'],
  ['formatted', 'formattedName'],
])

function applyName(user: WantedUser, step: PatchStep): WantedUser {
  if (step.path.sub !== undefined) {
    const part = nameParts.get(step.path.sub)
    return part === undefined ? user : { ...user, [part]: textAfter(step, `name.${step.path.sub}`, LENGTH) }
  }
  if (step.op === 'remove') return { ...user, givenName: null, familyName: null, formattedName: null }
  return [...requireFields(step.value, 'name')].reduce(
    (one, [sub, value]) => applyName(one, { ...step, path: { ...step.path, sub }, value }),
    user,
  )
}

function applyEmail(user: WantedUser, step: PatchStep): WantedUser {
  const { filters, sub } = step.path
  // `type` and `primary` of the one address that is kept never change.
  if (!meansKeptEmail(user, filters) || (sub !== undefined && sub !== 'value')) return user
  if (step.op === 'remove') {
    const isAll = step.value === undefined || step.value === null
    return isAll || namesEmail(step.value, user.email) ? { ...user, email: null } : user
  }
  if (sub === 'value') return { ...user, email: textAfter(step, 'emails.value', LENGTH) }
  // RFC 7644 3.5.2.1: what is added stands beside what is there. Notifications know people by the address that is kept.
  if (step.adds && filters === undefined && user.email !== null)
    return { ...user, email: readPreferredEmail(step.value) ?? user.email }
  return { ...user, email: readEmails(step.value) }
}

function meansKeptEmail({ email }: WantedUser, filters: readonly ValueFilter[] = []): boolean {
  return filters.every(
    (filter) =>
      selectsKeptEmail(filter) ||
      (filter.attribute === 'value' && filter.operator === 'eq' && isSameEmail(filter.value, email)),
  )
}
