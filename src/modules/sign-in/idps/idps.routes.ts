/** Identity providers: who may vouch for people. */
import { z } from 'zod'
import { invalidField, problem } from '../../../foundation/domain/errors.ts'
import { badInput, forAdmins, unknownId } from '../../../foundation/http/answers.ts'
import { id } from '../../../foundation/http/fields.ts'
import { describePage, listQuery, mapPage } from '../../../foundation/http/lists.ts'
import { type ListShape, pageInMemory } from '../../../foundation/http/memory-page.ts'
import { apiRoute, created, noContent, ok, type Route } from '../../../foundation/http/route.ts'
import { write } from '../../../foundation/http/write-change.ts'
import { createIdpStore, type IdpPatch, type IdpRecord, type IdpStore } from '../idps.store.ts'
import {
  clientSecretContext,
  type IdpPatchBody,
  idpBody,
  idpPatch,
  idpSchema,
  newIdp,
  requireUsableUrls,
  toIdpPatch,
} from './idp.fields.ts'
import type { IdpPorts } from './idp-ports.ts'
import { idpTestRoute } from './idp-test.route.ts'

const tag = 'Identity providers'
const path = '/admin/idps/{id}'
const params = z.object({ id })
const taken = { 409: { text: 'There is already one with this issuer and audience' } } as const

const shape: ListShape<IdpRecord> = {
  sorts: { name: (idp) => idp.name.toLowerCase(), created_at: (idp) => idp.createdAt },
  defaultSort: 'created_at',
  idOf: (idp) => idp.id,
  textsOf: (idp) => [idp.name, idp.issuerUrl],
}

export function idpRoutes(ports: IdpPorts): Route[] {
  return [
    createIdp(ports),
    listIdps(ports),
    idpTestRoute(ports, tag),
    readIdp(ports),
    updateIdp(ports),
    removeIdp(ports),
  ]
}

async function requireIdp(idps: IdpStore, idpId: string): Promise<IdpRecord> {
  const idp = await idps.find(idpId)
  if (idp === undefined) throw problem('not_found', { what: 'identity provider' })
  return idp
}

function createIdp(ports: IdpPorts): Route {
  return apiRoute({
    method: 'POST',
    path: '/admin/idps',
    access: 'admin',
    tag,
    summary: 'Add an identity provider',
    body: newIdp,
    answers: { 201: { text: 'The provider', schema: idpSchema }, ...badInput, ...taken, ...forAdmins },
    handle: async (call) => {
      const { body } = call
      requireUsableUrls(ports, body)
      const idp = await write(ports, call, ['idps'], async ({ tx, audit }) => {
        const idps = createIdpStore(tx)
        const values = {
          name: body.name,
          issuerUrl: body.issuer_url,
          audience: body.audience,
          clientId: body.client_id,
          jwksUrl: body.jwks_url,
          userClaim: body.user_claim,
          autoProvision: body.auto_provision,
          defaultRole: body.default_role,
          allowedDomains: body.allowed_domains,
          enabled: body.enabled,
          logout: body.logout,
          clientSecret: null,
        }
        const bare = await idps.insert(values)
        const added = (await idps.update(bare.id, sealed(ports, bare.id, body.client_secret ?? undefined))) ?? bare
        audit({ action: 'idp.create', target: `idp:${added.id}`, after: idpBody(added) })
        return added
      })
      return created(idpBody(idp))
    },
  })
}

/** Undefined keeps what is stored, null removes it. */
function sealed(ports: IdpPorts, idpId: string, secret: string | null | undefined): IdpPatch {
  if (secret === undefined) return {}
  return { clientSecret: secret === null ? null : ports.encryptSecret(secret, clientSecretContext(idpId)) }
}

function listIdps(ports: IdpPorts): Route {
  return apiRoute({
    method: 'GET',
    path: '/admin/idps',
    access: 'admin',
    tag,
    summary: 'List identity providers',
    description: '`q` looks in names and issuers. `sort`: created_at (default), name.',
    query: z.strictObject(listQuery),
    answers: { 200: { text: 'Providers', schema: describePage(idpSchema) }, ...badInput, ...forAdmins },
    handle: async (call) => {
      const all = await createIdpStore(ports.database().kysely).list()
      return ok(mapPage(pageInMemory(all, shape, call.query), idpBody))
    },
  })
}

function readIdp(ports: IdpPorts): Route {
  return apiRoute({
    method: 'GET',
    path,
    access: 'admin',
    tag,
    summary: 'Read an identity provider',
    params,
    answers: { 200: { text: 'The provider', schema: idpSchema }, ...badInput, ...unknownId, ...forAdmins },
    handle: async (call) => ok(idpBody(await requireIdp(createIdpStore(ports.database().kysely), call.params.id))),
  })
}

function updateIdp(ports: IdpPorts): Route {
  return apiRoute({
    method: 'PATCH',
    path,
    access: 'admin',
    tag,
    summary: 'Change an identity provider',
    description:
      'An omitted field keeps its value; null clears it. A new `issuer_url` needs the `client_secret` again, or null.',
    params,
    body: idpPatch,
    answers: { 200: { text: 'The provider', schema: idpSchema }, ...badInput, ...unknownId, ...taken, ...forAdmins },
    handle: async (call) => {
      const { body } = call
      const idpId = call.params.id
      requireUsableUrls(ports, body)
      const idp = await write(ports, call, ['idps'], async ({ tx, audit }) => {
        const idps = createIdpStore(tx)
        const before = await requireIdp(idps, idpId)
        requireSecretForNewIssuer(before, body)
        const after = await idps.update(idpId, { ...toIdpPatch(body), ...sealed(ports, idpId, body.client_secret) })
        if (after === undefined) throw problem('not_found', { what: 'identity provider' })
        audit({ action: 'idp.update', target: `idp:${idpId}`, before: idpBody(before), after: idpBody(after) })
        return after
      })
      return ok(idpBody(idp))
    },
  })
}

/** A stored secret goes to the host that it was stored for and to no other. */
function requireSecretForNewIssuer(before: IdpRecord, body: IdpPatchBody): void {
  const moves = body.issuer_url !== undefined && body.issuer_url !== before.issuerUrl
  if (moves && before.hasClientSecret && body.client_secret === undefined)
    throw invalidField('client_secret', 'must be sent again with a new issuer_url, or null to remove it')
}

function removeIdp(ports: IdpPorts): Route {
  return apiRoute({
    method: 'DELETE',
    path,
    access: 'admin',
    tag,
    summary: 'Delete an identity provider',
    description: 'Its tokens are refused at once here and within 5 seconds everywhere. Users stay.',
    params,
    answers: { 204: { text: 'Deleted' }, ...badInput, ...unknownId, ...forAdmins },
    handle: async (call) => {
      await write(ports, call, ['idps'], async ({ tx, audit }) => {
        const idps = createIdpStore(tx)
        const before = await requireIdp(idps, call.params.id)
        await idps.remove(before.id)
        audit({ action: 'idp.delete', target: `idp:${before.id}`, before: idpBody(before) })
      })
      return noContent
    },
  })
}
