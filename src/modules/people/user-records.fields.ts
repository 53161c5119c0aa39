/** Users as the API shows them. */
import { z } from 'zod'
import { grant, id, isoTime, role } from '../../foundation/http/fields.ts'
import type { UserRecord } from './users.store.ts'

export const userSchema = z.object({
  id,
  subject: z.string(),
  email: z.string().nullable(),
  role,
  grants: z.array(grant),
  team_id: id.nullable(),
  active: z.boolean(),
  /** The identity at a provider that this user is pinned to since the first sign-in. */
  identity: z.object({ issuer: z.string(), subject: z.string() }).nullable(),
  bootstrap: z.boolean(),
  last_seen_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
})

export function userBody(user: UserRecord) {
  return {
    id: user.id,
    subject: user.subject,
    email: user.email,
    role: user.role,
    grants: user.grants,
    team_id: user.teamId,
    active: user.active,
    identity: user.identity,
    bootstrap: user.bootstrap,
    last_seen_at: isoTime(user.lastSeenAtMs),
    created_at: user.createdAt,
  }
}
