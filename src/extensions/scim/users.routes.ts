/** Users under `/scim/v2/Users`, each visible to the provider that manages it. */

import { id } from '../../foundation/http/fields.ts'
import type { Route } from '../../foundation/http/route.ts'
import { parseFilter } from './attribute-path.ts'
import { listResponse, readListRequest, readSelection, selected } from './listing.ts'
import { readPatch } from './patch.ts'
import { patchUser } from './patch-user.ts'
import { listDocument, patchDocument, userDocument, userResourceDocument } from './scim-documents.ts'
import { notFound } from './scim-failure.ts'
import { userAttributes } from './scim-filter.store.ts'
import { type ScimPorts, scimWrite } from './scim-ports.service.ts'
import { type ScimAnswer, type ScimCall, scimRoute } from './scim-route.service.ts'
import { createScimUserStore, type ScimUserRecord, type ScimUserStore } from './scim-users.store.ts'
import { applyUser, createScimUser, removeScimUser, requireScimUser } from './user-changes.service.ts'
import { readSentUser, toWanted, userResource } from './user-resource.ts'

const path = '/Users/{id}'
const invalid = { 400: 'The request is not understood' } as const
const unknown = { 404: 'This provider manages no such user' } as const
const conflict = { 409: 'The name is taken, or an administrator is protected' } as const

export function scimUserRoutes(ports: ScimPorts): Route[] {
  return [listUsers(ports), addUser(ports), readUser(ports), putUser(ports), patchOneUser(ports), deleteUser(ports)]
}

function findStore(ports: ScimPorts, call: ScimCall): ScimUserStore {
  return createScimUserStore(ports.database().kysely, call.idpId)
}

/** Ids are opaque to a provider: one that cannot be ours is as unknown as one that is not. */
function requireUserId(call: ScimCall): string {
  const result = id.safeParse(call.params['id'])
  if (!result.success) throw notFound('user')
  return result.data
}

function answerWith(call: ScimCall, record: ScimUserRecord, status = 200): ScimAnswer {
  const body = selected(userResource(record, call.root), readSelection(call.query))
  return { status, body, location: `${call.root}/Users/${record.user.id}` }
}

function listUsers(ports: ScimPorts): Route {
  return scimRoute(ports, {
    method: 'GET',
    path: '/Users',
    summary: 'List or search users',
    description:
      '`filter` knows eq, co, sw and `and` on userName, externalId, emails.value, active, displayName and id. ' +
      'Pages by `startIndex` and `count` (up to 200).',
    answer: listDocument(userResourceDocument),
    answers: { 200: 'Users', ...invalid },
    handle: async (call) => {
      const filter = call.query.get('filter')
      const conditions = filter === null ? [] : parseFilter(filter, userAttributes)
      const request = readListRequest(call.query)
      const isWanted = readSelection(call.query)
      const users = findStore(ports, call)
      const records = request.limit === 0 ? [] : await users.list(conditions, request)
      const resources = records.map((record) => selected(userResource(record, call.root), isWanted))
      return { status: 200, body: listResponse(await users.count(conditions), request, resources) }
    },
  })
}

function addUser(ports: ScimPorts): Route {
  return scimRoute(ports, {
    method: 'POST',
    path: '/Users',
    summary: 'Add a user',
    description:
      'A member, bound at the first sign-in through this provider. A user of this name whom nobody manages yet, and ' +
      'who is not bound to another provider, is taken over.',
    body: userDocument,
    answer: userResourceDocument,
    answers: { 201: 'The user', ...invalid, ...conflict },
    handle: async (call) => {
      const sent = readSentUser(call.body)
      const record = await scimWrite(ports, call, ['people'], (work) => createScimUser(work, call.client, sent))
      return answerWith(call, record, 201)
    },
  })
}

function readUser(ports: ScimPorts): Route {
  return scimRoute(ports, {
    method: 'GET',
    path,
    summary: 'Read a user',
    answer: userResourceDocument,
    answers: { 200: 'The user', ...unknown },
    handle: async (call) =>
      answerWith(call, await requireScimUser({ users: findStore(ports, call) }, requireUserId(call))),
  })
}

function putUser(ports: ScimPorts): Route {
  return scimRoute(ports, {
    method: 'PUT',
    path,
    summary: 'Replace a user',
    description: 'What is left out is cleared, except `active`.',
    body: userDocument,
    answer: userResourceDocument,
    answers: { 200: 'The user', ...invalid, ...unknown, ...conflict },
    handle: async (call) => {
      const userId = requireUserId(call)
      const record = await scimWrite(ports, call, ['people'], async (work) => {
        const before = await requireScimUser(work, userId)
        const sent = readSentUser(call.body)
        return await applyUser(work, before, { ...sent, active: sent.active ?? toWanted(before).active })
      })
      return answerWith(call, record)
    },
  })
}

function patchOneUser(ports: ScimPorts): Route {
  return scimRoute(ports, {
    method: 'PATCH',
    path,
    summary: 'Change a user',
    description:
      '`active: false`, or removing `active`, ends the sessions and stops the keys of the user. Unknown attributes are ' +
      'passed over.',
    body: patchDocument,
    answer: userResourceDocument,
    answers: { 200: 'The user', ...invalid, ...unknown, ...conflict },
    handle: async (call) => {
      const userId = requireUserId(call)
      const steps = readPatch(call.body)
      const record = await scimWrite(ports, call, ['people'], async (work) => {
        const before = await requireScimUser(work, userId)
        return await applyUser(work, before, patchUser(toWanted(before), steps))
      })
      return answerWith(call, record)
    },
  })
}

function deleteUser(ports: ScimPorts): Route {
  return scimRoute(ports, {
    method: 'DELETE',
    path,
    summary: 'Delete a user',
    description: 'Keys and budget of the user go too; spend records stay.',
    answers: { 204: 'Deleted', ...unknown, ...conflict },
    handle: async (call) => {
      const userId = requireUserId(call)
      await scimWrite(ports, call, ['people', 'keys', 'budgets'], (work) => removeScimUser(work, userId))
      return { status: 204 }
    },
  })
}
