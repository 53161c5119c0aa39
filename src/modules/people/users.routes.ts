/** Users: who may sign in, as what, and in which team. */

import { z } from 'zod'
import { problem } from '../../foundation/domain/errors.ts'
import { toUserName } from '../../foundation/domain/user-name.ts'
import { badInput, forAdmins, unknownId } from '../../foundation/http/answers.ts'
import { grant, grantList, id, role } from '../../foundation/http/fields.ts'
import { describePage, idsQuery, listQuery, mapPage } from '../../foundation/http/lists.ts'
import { apiRoute, created, noContent, ok, type Route } from '../../foundation/http/route.ts'
import { type RoutePorts, write } from '../../foundation/http/write-change.ts'
import { defined } from '../../foundation/platform/defined.ts'
import { adoptionStages } from './adoption.store.ts'
import type { PeoplePorts } from './people-ports.ts'
import { auditedUser, moveUser, releaseIdentity, removeUser, requireUser, updateUser } from './user-changes.service.ts'
import { userBody, userSchema } from './user-records.fields.ts'
import { createUserStore, type UserPatch } from './users.store.ts'

const tag = 'Users'
const path = '/admin/users/{user_id}'
const params = z.object({ user_id: id })

/** In the spelling in which a sign-in is compared, so that one person cannot be entered twice. */
const subject = z
  .string()
  .meta({ minLength: 1, maxLength: 320 })
  .transform((value, issues) => {
    const userName = toUserName(value)
    if (userName === undefined)
      issues.addIssue({ code: 'custom', message: 'must have 1 to 320 characters, none of them invisible' })
    return userName ?? z.NEVER
  })

const email = z
  .string()
  .trim()
  .max(320)
  .regex(/^[^\s@\p{Cc}\p{Cf}\p{Cs}]+@[^\s@\p{Cc}\p{Cf}\p{Cs}]+$/u, 'must be an e-mail address')

const newUser = z.strictObject({
  subject,
  email: email.nullable().default(null),
  role: role.default('member'),
  grants: grantList.default([]),
  team_id: id.nullable().default(null),
})

const userPatch = z.strictObject({
  email: email.nullable().optional(),
  role: role.optional(),
  grants: grantList.optional(),
  active: z.boolean().optional(),
})

const userFilter = z.strictObject({
  ...listQuery,
  ...idsQuery,
  team_id: id.optional(),
  role: role.optional(),
  grant: grant.optional(),
  active: z.enum(['true', 'false']).optional(),
  adoption: z
    .enum(adoptionStages)
    .optional()
    .meta({ description: 'Who may sign in, who has ever connected a client, who made a call in the last seven days.' }),
})

const protectedAdmin = { 409: { text: 'It is the last active administrator, or the bootstrap administrator' } } as const

export function userRoutes(ports: PeoplePorts): Route[] {
  return [
    createUser(ports),
    listUsers(ports),
    readUser(ports),
    patchUser(ports),
    deleteUser(ports),
    putTeam(ports),
    deleteIdentity(ports),
  ]
}

function createUser(ports: RoutePorts): Route {
  return apiRoute({
    method: 'POST',
    path: '/admin/users',
    access: 'admin',
    tag,
    summary: 'Create a user',
    description:
      'The user is bound to an identity at the first sign-in. Subjects with an @ are kept in lower case. `role` defaults to member, `grants` and `team_id` to none.',
    body: newUser,
    answers: {
      201: { text: 'The user', schema: userSchema },
      ...badInput,
      409: { text: 'Another user has this subject' },
      ...forAdmins,
    },
    handle: async (call) => {
      const user = await write(ports, call, ['people'], async ({ tx, audit }) => {
        const users = createUserStore(tx)
        if ((await users.findNamesake(call.body.subject)) !== undefined)
          throw problem('conflict', { reason: 'There is already a user with this subject.' })
        const { team_id: teamId, ...named } = call.body
        const added = await users.insert({ ...named, teamId })
        audit({ action: 'user.create', target: `user:${added.id}`, after: auditedUser(added) })
        return added
      })
      return created(userBody(user))
    },
  })
}

function listUsers(ports: PeoplePorts): Route {
  return apiRoute({
    method: 'GET',
    path: '/admin/users',
    access: 'admin',
    grants: ['audit:read'],
    tag,
    summary: 'List users',
    description: '`q` looks in subjects and e-mail addresses. `sort`: subject (default), created_at, last_seen_at.',
    query: userFilter,
    answers: { 200: { text: 'Users', schema: describePage(userSchema) }, ...badInput, ...forAdmins },
    handle: async ({ query: { team_id: teamId, role: wanted, grant: held, active, adoption: stage, ...request } }) => {
      const database = ports.database()
      // Who has called is known from the sums, which follow the log by seconds.
      if (stage !== undefined) await ports.catchUpUsage(database)
      const page = await createUserStore(database.kysely).list({
        ...request,
        ...defined({
          teamId,
          role: wanted,
          grant: held,
          active: active === undefined ? undefined : active === 'true',
          adoption: stage === undefined ? undefined : { stage, nowMs: ports.clock.nowMs() },
        }),
      })
      return ok(mapPage(page, userBody))
    },
  })
}

function readUser(ports: RoutePorts): Route {
  return apiRoute({
    method: 'GET',
    path,
    access: 'admin',
    grants: ['audit:read'],
    tag,
    summary: 'Read a user',
    params,
    answers: { 200: { text: 'The user', schema: userSchema }, ...badInput, ...unknownId, ...forAdmins },
    handle: async (call) =>
      ok(userBody(await requireUser(createUserStore(ports.database().kysely), call.params.user_id))),
  })
}

function patchUser(ports: RoutePorts): Route {
  return apiRoute({
    method: 'PATCH',
    path,
    access: 'admin',
    tag,
    summary: 'Change a user',
    description:
      'A new role and a deactivation end the sessions of the user; a deactivation also stops the keys. `grants` is the whole list; it counts within 5 seconds on every instance, also for sessions that are open.',
    params,
    body: userPatch,
    answers: {
      200: { text: 'The user', schema: userSchema },
      ...badInput,
      ...unknownId,
      ...protectedAdmin,
      ...forAdmins,
    },
    handle: async (call) => {
      const patch = toUserPatch(call.body)
      const user = await write(ports, call, ['people'], (change) => updateUser(change, call.params.user_id, patch))
      return ok(userBody(user))
    },
  })
}

function toUserPatch(body: z.infer<typeof userPatch>): UserPatch {
  return defined({ email: body.email, role: body.role, grants: body.grants, active: body.active })
}

function deleteUser(ports: RoutePorts): Route {
  return apiRoute({
    method: 'DELETE',
    path,
    access: 'admin',
    tag,
    summary: 'Delete a user',
    description: 'Keys and budget of the user go too; spend records stay.',
    params,
    answers: { 204: { text: 'Deleted' }, ...badInput, ...unknownId, ...protectedAdmin, ...forAdmins },
    handle: async (call) => {
      await write(ports, call, ['people', 'keys', 'budgets'], (change) => removeUser(change, call.params.user_id))
      return noContent
    },
  })
}

function putTeam(ports: PeoplePorts): Route {
  return apiRoute({
    method: 'PUT',
    path: `${path}/team`,
    access: 'admin',
    tag,
    summary: 'Put a user into a team',
    description:
      'null takes the user out of the team. Keys of the user that were charged to the old team follow. Whoever leaves a team loses the grant `team:lead`.',
    params,
    body: z.strictObject({ team_id: id.nullable() }),
    answers: { 200: { text: 'The user', schema: userSchema }, ...badInput, ...unknownId, ...forAdmins },
    handle: async (call) => {
      const user = await write(ports, call, ['people', 'keys'], (change) =>
        moveUser(change, call.params.user_id, call.body.team_id, ports.moveKeys),
      )
      return ok(userBody(user))
    },
  })
}

function deleteIdentity(ports: RoutePorts): Route {
  return apiRoute({
    method: 'DELETE',
    path: `${path}/identity`,
    access: 'admin',
    tag,
    summary: 'Release a user from the pinned identity',
    description:
      'The next sign-in through a provider binds the user again. Sessions of the user end; keys stay. For a move to another identity provider, or a new account at the same one.',
    params,
    answers: { 200: { text: 'The user', schema: userSchema }, ...badInput, ...unknownId, ...forAdmins },
    handle: async (call) =>
      ok(userBody(await write(ports, call, ['people'], (change) => releaseIdentity(change, call.params.user_id)))),
  })
}
