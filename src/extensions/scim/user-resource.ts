/** Users as provisioning writes and reads them. */

import { toUserName } from '../../foundation/domain/user-name.ts'
import { defined } from '../../foundation/platform/defined.ts'
import { readEmails } from './emails.ts'
import { type Fields, readBoolean, readText, requireFields } from './json.fields.ts'
import { invalidValue } from './scim-failure.ts'
import type { ScimProfile, ScimUserRecord } from './scim-users.store.ts'

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'

/** Everything of a user that a provider decides. */
export interface WantedUser extends Omit<ScimProfile, 'activeUnassigned'> {
  readonly userName: string
  readonly email: string | null
  /** Null when the provider removed it: such a user is inactive. */
  readonly active: boolean | null
}

/** An omitted `active` is what it was: a provider that leaves it out does not mean to let somebody in again. */
export interface SentUser extends Omit<WantedUser, 'active'> {
  readonly active: boolean | undefined
}

const NAME_LENGTH = 320

export function toWanted({ user, profile }: ScimUserRecord): WantedUser {
  const { activeUnassigned, ...kept } = profile
  const active = user.active || !activeUnassigned ? user.active : null
  return { ...kept, userName: user.subject, email: user.email, active }
}

export function readSentUser(body: unknown): SentUser {
  const fields = requireFields(body, 'A user')
  const name = fields.get('name')
  const nameFields: Fields = name === undefined || name === null ? new Map() : requireFields(name, 'name')
  const active = fields.get('active')
  return {
    userName: readUserName(fields.get('username')),
    externalId: readText(fields.get('externalid'), 'externalId', NAME_LENGTH),
    displayName: readText(fields.get('displayname'), 'displayName', NAME_LENGTH),
    givenName: readText(nameFields.get('givenname'), 'name.givenName', NAME_LENGTH),
    familyName: readText(nameFields.get('familyname'), 'name.familyName', NAME_LENGTH),
    formattedName: readText(nameFields.get('formatted'), 'name.formatted', NAME_LENGTH),
    email: readEmails(fields.get('emails')),
    active: active === undefined || active === null ? undefined : readBoolean(active, 'active'),
  }
}

/** The same characters that a sign-in may name somebody with, or the user could never be bound. */
export function readUserName(value: unknown): string {
  const name = readText(value, 'userName', NAME_LENGTH)
  if (name === null) throw invalidValue('userName is missing.')
  if (toUserName(name) === undefined) throw invalidValue('userName has characters that cannot be seen.')
  return name
}

export function userResource(record: ScimUserRecord, root: string): Record<string, unknown> {
  const { user, profile } = record
  const { active } = toWanted(record)
  const name = {
    ...optional('formatted', profile.formattedName),
    ...optional('givenName', profile.givenName),
    ...optional('familyName', profile.familyName),
  }
  return {
    schemas: [USER_SCHEMA],
    id: user.id,
    ...optional('externalId', profile.externalId),
    userName: user.subject,
    ...optional('displayName', profile.displayName),
    ...(Object.keys(name).length === 0 ? {} : { name }),
    ...defined({ active: active ?? undefined }),
    ...(user.email === null ? {} : { emails: [{ value: user.email, type: 'work', primary: true }] }),
    groups: record.groups.map((group) => ({
      value: group.id,
      display: group.displayName,
      $ref: `${root}/Groups/${group.id}`,
    })),
    meta: {
      resourceType: 'User',
      created: record.createdAt,
      lastModified: record.updatedAt,
      location: `${root}/Users/${user.id}`,
    },
  }
}

function optional(name: string, value: string | null): Record<string, string> {
  return value === null ? {} : { [name]: value }
}
