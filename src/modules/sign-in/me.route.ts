/** Who is calling, whatever their role. */
import { z } from 'zod'
import type { Caller } from '../../foundation/domain/caller.ts'
import { problem } from '../../foundation/domain/errors.ts'
import { forReaders } from '../../foundation/http/answers.ts'
import { grant, id, isoTime, role } from '../../foundation/http/fields.ts'
import { apiRoute, ok, type Route } from '../../foundation/http/route.ts'

const meSchema = z.object({
  signed_in_with: z.enum(['key', 'session', 'jwt']),
  user: z.object({ id, subject: z.string(), email: z.string().nullable(), role }).nullable(),
  role,
  grants: z.array(grant),
  team: z.object({ id, name: z.string() }).nullable(),
  key: z
    .object({
      id,
      name: z.string(),
      prefix: z.string(),
      rate_limit_rpm: z.int().nullable(),
      allowed_models: z.array(z.string()).nullable(),
      expires_at: z.iso.datetime().nullable(),
    })
    .nullable(),
})

export const meRoute: Route = apiRoute({
  method: 'GET',
  path: '/me',
  access: 'self-read',
  tag: 'Me',
  summary: 'Who I am',
  answers: { 200: { text: 'The caller', schema: meSchema }, ...forReaders },
  handle: ({ caller }) => {
    if (caller === undefined) throw problem('missing_credential')
    return ok(describe(caller))
  },
})

function describe(caller: Caller): z.infer<typeof meSchema> {
  const { user, team } = caller
  return {
    signed_in_with: caller.kind,
    user: user === null ? null : { id: user.id, subject: user.subject, email: user.email, role: user.role },
    // A key never carries the powers of its owner.
    role: caller.kind === 'key' ? 'member' : caller.user.role,
    grants: caller.kind === 'key' ? [] : [...caller.user.grants],
    team: team === null ? null : { id: team.id, name: team.name },
    key: caller.kind === 'key' ? describeKey(caller.key) : null,
  }
}

function describeKey(key: Extract<Caller, { kind: 'key' }>['key']) {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    rate_limit_rpm: key.rateLimitRpm,
    allowed_models: key.allowedModels === null ? null : [...key.allowedModels],
    expires_at: isoTime(key.expiresAtMs),
  }
}
