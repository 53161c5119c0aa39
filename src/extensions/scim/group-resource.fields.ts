/** Groups as provisioning writes and reads them. */

import { id } from '../../foundation/http/fields.ts'
import { defined } from '../../foundation/platform/defined.ts'
import { readText, requireFields } from './json.fields.ts'
import { invalidValue } from './scim-failure.ts'
import type { ScimGroupRecord, ScimMember } from './scim-groups.store.ts'

export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'

/** Everything of a group that a provider decides; members in the order of joining. */
export interface WantedGroup {
  readonly displayName: string
  readonly externalId: string | null
  readonly members: readonly string[]
}

const EXTERNAL_ID_LENGTH = 320

export function readWantedGroup(body: unknown): WantedGroup {
  const fields = requireFields(body, 'A group')
  return {
    displayName: readGroupName(fields.get('displayname')),
    externalId: readGroupExternalId(fields.get('externalid')),
    members: readMembers(fields.get('members')),
  }
}

/** As long as the name of a team may be: the group becomes one. */
export function readGroupName(value: unknown): string {
  const name = readText(value, 'displayName', 100)
  if (name === null) throw invalidValue('displayName is missing.')
  return name
}

export function readGroupExternalId(value: unknown): string | null {
  return readText(value, 'externalId', EXTERNAL_ID_LENGTH)
}

/** Ids of users: `[{"value": id}]`, one such object, or the ids themselves. */
export function readMembers(value: unknown): readonly string[] {
  if (value === undefined || value === null) return []
  const entries = Array.isArray(value) ? (value as unknown[]) : [value]
  return [...new Set(entries.map(readMember))]
}

function readMember(entry: unknown): string {
  const value = typeof entry === 'string' ? entry : requireFields(entry, 'An entry of members').get('value')
  const result = id.safeParse(value)
  if (!result.success) throw invalidValue('members.value must be the id of a user.')
  return result.data
}

/** `members` is undefined when the caller does not want them. */
export function groupResource(
  group: ScimGroupRecord,
  members: readonly ScimMember[] | undefined,
  root: string,
): Record<string, unknown> {
  return {
    schemas: [GROUP_SCHEMA],
    id: group.id,
    ...defined({ externalId: group.externalId ?? undefined }),
    displayName: group.displayName,
    ...(members === undefined
      ? {}
      : {
          members: members.map((member) => ({
            value: member.userId,
            display: member.userName,
            type: 'User',
            $ref: `${root}/Users/${member.userId}`,
          })),
        }),
    meta: {
      resourceType: 'Group',
      created: group.createdAt,
      lastModified: group.updatedAt,
      location: `${root}/Groups/${group.id}`,
    },
  }
}
