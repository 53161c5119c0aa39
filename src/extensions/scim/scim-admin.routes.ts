/** What administrators decide about provisioning: a provider's tokens, and its group of administrators. */
import { z } from 'zod'
import { invalidField, problem } from '../../foundation/domain/errors.ts'
import { badInput, forAdmins, unknownId } from '../../foundation/http/answers.ts'
import { id, isoTime, name, time } from '../../foundation/http/fields.ts'
import { describePage, listQuery, mapPage } from '../../foundation/http/lists.ts'
import { type ListShape, pageInMemory } from '../../foundation/http/memory-page.ts'
import { apiRoute, created, noContent, ok, type Route } from '../../foundation/http/route.ts'
import { type RoutePorts, readActor, write } from '../../foundation/http/write-change.ts'
import type { PeopleChanges } from '../../modules/people/people-ports.ts'
import { createIdpStore } from '../../modules/sign-in/idps.store.ts'
import { changeAdminGroup } from './group-changes.service.ts'
import { createScimGroupStore } from './scim-groups.store.ts'
import { createWork } from './scim-ports.service.ts'
import { createScimTokenStore, type ScimTokenRecord } from './scim-tokens.store.ts'
import { makeScimToken } from './scim-tokens.ts'
import { createScimUserStore } from './scim-users.store.ts'

export interface ScimAdminPorts extends RoutePorts {
  readonly people: PeopleChanges
}

const tag = 'Provisioning'
const path = '/admin/idps/{id}'
const params = z.object({ id })
const tokenFields = {
  id,
  name: z.string(),
  prefix: z.string(),
  created_by: z.string(),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
  last_used_at: z.iso.datetime().nullable(),
}
const tokenSchema = z.object(tokenFields)
const settingsSchema = z.object({ scim_admin_group: z.string().nullable(), users: z.int(), groups: z.int() })
const newToken = z.strictObject({ name: name.default('SCIM'), expires_at: time.nullable().default(null) })

const shape: ListShape<ScimTokenRecord> = {
  sorts: { created_at: (token) => token.createdAt, name: (token) => token.name.toLowerCase() },
  defaultSort: 'created_at',
  idOf: (token) => token.id,
  textsOf: (token) => [token.name, token.prefix],
}

export function scimAdminRoutes(ports: ScimAdminPorts): Route[] {
  return [createToken(ports), listTokens(ports), removeToken(ports), readSettings(ports), putSettings(ports)]
}

function tokenBody(token: ScimTokenRecord) {
  return {
    id: token.id,
    name: token.name,
    prefix: token.prefix,
    created_by: token.createdBy,
    created_at: token.createdAt,
    expires_at: isoTime(token.expiresAtMs),
    last_used_at: isoTime(token.lastUsedAtMs),
  }
}

async function requireIdp(db: Parameters<typeof createIdpStore>[0], idpId: string): Promise<string> {
  const idp = await createIdpStore(db).find(idpId)
  if (idp === undefined) throw problem('not_found', { what: 'identity provider' })
  return idp.id
}

function createToken(ports: ScimAdminPorts): Route {
  return apiRoute({
    method: 'POST',
    path: `${path}/scim-tokens`,
    access: 'admin',
    tag,
    summary: 'Make a provisioning token for an identity provider',
    description: 'The token is shown in this answer and never again. It opens `/scim/v2` and nothing else.',
    params,
    body: newToken,
    answers: {
      201: { text: 'The token', schema: z.object({ ...tokenFields, token: z.string() }) },
      ...badInput,
      ...unknownId,
      ...forAdmins,
    },
    handle: async (call) => {
      const { name: label, expires_at: expiresAtMs } = call.body
      if (expiresAtMs !== null && expiresAtMs <= ports.clock.nowMs())
        throw invalidField('expires_at', 'must be in the future')
      const made = makeScimToken()
      const record = await write(ports, call, [], async ({ tx, audit }) => {
        const idpId = await requireIdp(tx, call.params.id)
        const { hash, prefix } = made
        const createdBy = readActor(call).name
        const added = await createScimTokenStore(tx).insert({
          idpId,
          name: label,
          hash,
          prefix,
          createdBy,
          expiresAtMs,
        })
        audit({
          action: 'scim_token.create',
          target: `scim_token:${added.id}`,
          after: { idp_id: idpId, name: label, prefix },
        })
        return added
      })
      return created({ ...tokenBody(record), token: made.token })
    },
  })
}

function listTokens(ports: ScimAdminPorts): Route {
  return apiRoute({
    method: 'GET',
    path: `${path}/scim-tokens`,
    access: 'admin',
    tag,
    summary: 'List the provisioning tokens of an identity provider',
    description: '`q` looks in names and prefixes. `sort`: created_at (default), name.',
    params,
    query: z.strictObject(listQuery),
    answers: { 200: { text: 'Tokens', schema: describePage(tokenSchema) }, ...badInput, ...unknownId, ...forAdmins },
    handle: async (call) => {
      const { kysely } = ports.database()
      const tokens = await createScimTokenStore(kysely).list(await requireIdp(kysely, call.params.id))
      return ok(mapPage(pageInMemory(tokens, shape, call.query), tokenBody))
    },
  })
}

function removeToken(ports: ScimAdminPorts): Route {
  return apiRoute({
    method: 'DELETE',
    path: `${path}/scim-tokens/{token_id}`,
    access: 'admin',
    tag,
    summary: 'Delete a provisioning token',
    description: 'It is refused at once, on every instance.',
    params: z.object({ id, token_id: id }),
    answers: { 204: { text: 'Deleted' }, ...badInput, ...unknownId, ...forAdmins },
    handle: async (call) => {
      const { id: idpId, token_id: tokenId } = call.params
      await write(ports, call, [], async ({ tx, audit }) => {
        const before = await createScimTokenStore(tx).remove(idpId, tokenId)
        if (before === undefined) throw problem('not_found', { what: 'token' })
        const { name: label, prefix } = before
        audit({
          action: 'scim_token.delete',
          target: `scim_token:${tokenId}`,
          before: { idp_id: idpId, name: label, prefix },
        })
      })
      return noContent
    },
  })
}

async function settingsBody(db: Parameters<typeof createIdpStore>[0], idpId: string) {
  const groups = createScimGroupStore(db, idpId)
  return {
    scim_admin_group: await groups.findAdminGroup(),
    users: await createScimUserStore(db, idpId).count([]),
    groups: await groups.count([]),
  }
}

function readSettings(ports: ScimAdminPorts): Route {
  return apiRoute({
    method: 'GET',
    path: `${path}/scim`,
    access: 'admin',
    tag,
    summary: 'Read how an identity provider provisions',
    params,
    answers: { 200: { text: 'Settings and counts', schema: settingsSchema }, ...badInput, ...unknownId, ...forAdmins },
    handle: async (call) => {
      const { kysely } = ports.database()
      return ok(await settingsBody(kysely, await requireIdp(kysely, call.params.id)))
    },
  })
}

function putSettings(ports: ScimAdminPorts): Route {
  return apiRoute({
    method: 'PUT',
    path: `${path}/scim`,
    access: 'admin',
    tag,
    summary: 'Decide which group of an identity provider makes administrators',
    description: 'Members of the named group become administrators at once; those of the one before lose the role.',
    params,
    body: z.strictObject({ scim_admin_group: name.nullable() }),
    answers: { 200: { text: 'Settings and counts', schema: settingsSchema }, ...badInput, ...unknownId, ...forAdmins },
    handle: async (call) => {
      const { scim_admin_group: wanted } = call.body
      const body = await write(ports, call, ['people', 'keys'], async (change) => {
        const idpId = await requireIdp(change.tx, call.params.id)
        const before = await settingsBody(change.tx, idpId)
        await changeAdminGroup(createWork(ports.people, idpId, change), wanted)
        change.audit({
          action: 'idp.scim',
          target: `idp:${idpId}`,
          before: { scim_admin_group: before.scim_admin_group },
          after: { scim_admin_group: wanted },
        })
        return { ...before, scim_admin_group: wanted }
      })
      return ok(body)
    },
  })
}
