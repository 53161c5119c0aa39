/** Who and what the ids in a report are: the organization, its people and its teams, which the vendor calls workspaces. */
import { type ZodType, z } from 'zod'
import { invalidParameter, problem } from '../../foundation/domain/errors.ts'
import type { Team } from '../../foundation/domain/team.ts'
import type { Role, User } from '../../foundation/domain/user.ts'
import { badInput, forAdmins, forAdminsFromMemory, unknownId } from '../../foundation/http/answers.ts'
import { id, text } from '../../foundation/http/fields.ts'
import { apiRoute, ok, type Route } from '../../foundation/http/route.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'
import { createDirectory, type DirectoryPage, type PlaceRequest } from '../../modules/people/directory.store.ts'
import { createTeamStore } from '../../modules/people/teams.store.ts'
import { createUserStore } from '../../modules/people/users.store.ts'
import { asked, describeSeveral, knownIds } from './vendor-lists.fields.ts'

const shared = { method: 'GET', access: 'admin', grants: ['billing:read'], tag: 'Organization' } as const

export function directoryRoutes(ports: RoutePorts): Route[] {
  return [organization(), listUsers(ports), readUser(ports), listWorkspaces(ports), readWorkspace(ports)]
}

/** A gateway serves one organization and has no name for it. */
function organization(): Route {
  return apiRoute({
    ...shared,
    path: '/v1/organizations/me',
    summary: 'The organization, as the vendor shows it',
    description: 'Always the same: a gateway serves one organization.',
    answers: {
      200: {
        text: 'The organization',
        schema: z.object({ id: z.string(), type: z.literal('organization'), name: z.string() }),
      },
      ...forAdminsFromMemory,
    },
    handle: () => ok({ id: 'causeway', type: 'organization', name: 'Causeway' }),
  })
}

const placeQuery = {
  limit: z.coerce.number().int().min(1).max(1_000).default(20),
  after_id: id.optional().meta({ description: 'The `last_id` of the page before.' }),
  before_id: id.optional().meta({ description: 'The `first_id` of the page after.' }),
}

function findPlace(request: {
  readonly limit: number
  readonly after_id?: string | undefined
  readonly before_id?: string | undefined
}): PlaceRequest {
  const { limit, after_id: afterId, before_id: beforeId } = request
  if (afterId !== undefined && beforeId !== undefined) throw invalidParameter('before_id', 'goes without after_id.')
  return { limit, afterId, beforeId }
}

function describeDirectory(item: ZodType): ZodType {
  return z.object({
    data: z.array(item),
    has_more: z.boolean(),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
  })
}

function pageBody<T extends { readonly id: string }>({ data, hasMore }: DirectoryPage<T>, toBody: (item: T) => object) {
  return {
    data: data.map(toBody),
    has_more: hasMore,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  }
}

/** `user` is the plain member in every kind of organization that the vendor has, so every program knows it. */
const vendorRoles = { admin: 'admin', member: 'user' } as const satisfies Record<Role, string>

const userSchema = z.object({
  id,
  type: z.literal('user'),
  email: z.string(),
  name: z.string(),
  role: z.enum(Object.values(vendorRoles)),
  added_at: z.iso.datetime(),
})

function userBody(user: User): z.infer<typeof userSchema> {
  return {
    id: user.id,
    type: 'user',
    email: user.email ?? user.subject,
    name: user.subject,
    role: vendorRoles[user.role],
    added_at: user.createdAt,
  }
}

function listUsers(ports: RoutePorts): Route {
  return apiRoute({
    ...shared,
    path: '/v1/organizations/users',
    summary: 'List people, as the vendor lists them',
    description:
      'In the order in which they came, the deactivated too: reports name them. `email` is the name that somebody signs in with where no address is known, and looks for exactly what is shown. `role` is `admin` or `user`.',
    query: z.strictObject({
      ...placeQuery,
      email: text(320).optional(),
      ...describeSeveral('roles', text(100)),
    }),
    answers: { 200: { text: 'People', schema: describeDirectory(userSchema) }, ...badInput, ...forAdmins },
    handle: async ({ query: { email, roles, 'roles[]': listed, ...request } }) => {
      const wanted = asked(roles, listed)
      const page = await createDirectory(ports.database().kysely).people({
        ...findPlace(request),
        email,
        roles: wanted && (['admin', 'member'] as const).filter((role) => wanted.includes(vendorRoles[role])),
      })
      return ok(pageBody(page, userBody))
    },
  })
}

function readUser(ports: RoutePorts): Route {
  return apiRoute({
    ...shared,
    path: '/v1/organizations/users/{user_id}',
    summary: 'Read a person, as the vendor shows one',
    params: z.object({ user_id: id }),
    answers: { 200: { text: 'The person', schema: userSchema }, ...badInput, ...unknownId, ...forAdmins },
    handle: async ({ params }) => {
      const user = await createUserStore(ports.database().kysely).find(params.user_id)
      if (user === undefined) throw problem('not_found', { what: 'user' })
      return ok(userBody(user))
    },
  })
}

/** Of the vendor's console, which gives every workspace one; teams have none. */
const DISPLAY_COLOR = '#6C5BB9'

const workspaceSchema = z.object({
  id,
  type: z.literal('workspace'),
  name: z.string(),
  created_at: z.iso.datetime(),
  archived_at: z.null(),
  display_color: z.string(),
  compartment_id: z.null(),
  data_residency: z.null(),
  external_key_id: z.null(),
  tags: z.object({}),
  user_profile_id: z.null(),
})

/** What the vendor has of a workspace and a team does not is null rather than made up. */
function workspaceBody(team: Team): z.infer<typeof workspaceSchema> {
  return {
    id: team.id,
    type: 'workspace',
    name: team.name,
    created_at: team.createdAt,
    archived_at: null,
    display_color: DISPLAY_COLOR,
    compartment_id: null,
    data_residency: null,
    external_key_id: null,
    tags: {},
    user_profile_id: null,
  }
}

const yesOrNo = z.enum(['true', 'false']).optional()

function listWorkspaces(ports: RoutePorts): Route {
  return apiRoute({
    ...shared,
    path: '/v1/organizations/workspaces',
    summary: 'List teams, as the vendor lists workspaces',
    description:
      'In the order in which they came. A team is never archived and none is the default one, so `include_archived` and `include_default` change nothing.',
    query: z.strictObject({
      ...placeQuery,
      include_archived: yesOrNo,
      include_default: yesOrNo,
      ...describeSeveral('ids', text(200)),
    }),
    answers: { 200: { text: 'Teams', schema: describeDirectory(workspaceSchema) }, ...badInput, ...forAdmins },
    handle: async ({ query: { ids, 'ids[]': listed, ...request } }) => {
      const page = await createDirectory(ports.database().kysely).teams({
        ...findPlace(request),
        ids: knownIds(asked(ids, listed)),
      })
      return ok(pageBody(page, workspaceBody))
    },
  })
}

function readWorkspace(ports: RoutePorts): Route {
  return apiRoute({
    ...shared,
    path: '/v1/organizations/workspaces/{workspace_id}',
    summary: 'Read a team, as the vendor shows a workspace',
    params: z.object({ workspace_id: id }),
    answers: { 200: { text: 'The team', schema: workspaceSchema }, ...badInput, ...unknownId, ...forAdmins },
    handle: async ({ params }) => {
      const team = await createTeamStore(ports.database().kysely).find(params.workspace_id)
      if (team === undefined) throw problem('not_found', { what: 'team' })
      return ok(workspaceBody(team))
    },
  })
}
