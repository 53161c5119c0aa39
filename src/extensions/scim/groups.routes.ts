/** Groups under `/scim/v2/Groups`: each is a team, or the provider's group of administrators. */

import { id } from '../../foundation/http/fields.ts'
import type { Route } from '../../foundation/http/route.ts'
import { parseFilter } from './attribute-path.ts'
import { createScimGroup, removeScimGroup, replaceScimGroup, requireScimGroup } from './group-changes.service.ts'
import { groupResource, readWantedGroup } from './group-resource.fields.ts'
import { listResponse, readListRequest, readSelection, selected } from './listing.ts'
import { readPatch } from './patch.ts'
import { patchGroup } from './patch-group.ts'
import { groupDocument, groupResourceDocument, listDocument, patchDocument } from './scim-documents.ts'
import { notFound } from './scim-failure.ts'
import { groupAttributes } from './scim-filter.store.ts'
import { createScimGroupStore, type ScimGroupRecord, type ScimGroupStore } from './scim-groups.store.ts'
import { type ScimPorts, scimWrite } from './scim-ports.service.ts'
import { type ScimAnswer, type ScimCall, scimRoute } from './scim-route.service.ts'

const path = '/Groups/{id}'
const invalid = { 400: 'The request is not understood, or a member is unknown' } as const
const unknown = { 404: 'This provider has no such group' } as const
const conflict = { 409: 'The name is taken' } as const

export function scimGroupRoutes(ports: ScimPorts): Route[] {
  return [
    listGroups(ports),
    addGroup(ports),
    readGroup(ports),
    putGroup(ports),
    patchOneGroup(ports),
    deleteGroup(ports),
  ]
}

function findStore(ports: ScimPorts, call: ScimCall): ScimGroupStore {
  return createScimGroupStore(ports.database().kysely, call.idpId)
}

function requireGroupId(call: ScimCall): string {
  const result = id.safeParse(call.params['id'])
  if (!result.success) throw notFound('group')
  return result.data
}

/** Members are read only when they are shown: groups are large, and providers ask for them without. */
async function toResources(ports: ScimPorts, call: ScimCall, groups: readonly ScimGroupRecord[]): Promise<object[]> {
  const isWanted = readSelection(call.query)
  const ids = isWanted('members') ? groups.map((group) => group.id) : []
  const members = await findStore(ports, call).listMembers(ids)
  return groups.map((group) => selected(groupResource(group, members.get(group.id), call.root), isWanted))
}

async function answerWith(ports: ScimPorts, call: ScimCall, group: ScimGroupRecord, status = 200): Promise<ScimAnswer> {
  const [body = {}] = await toResources(ports, call, [group])
  return { status, body, location: `${call.root}/Groups/${group.id}` }
}

function listGroups(ports: ScimPorts): Route {
  return scimRoute(ports, {
    method: 'GET',
    path: '/Groups',
    summary: 'List or search groups',
    description: '`filter` knows eq, co, sw and `and` on displayName, externalId, members.value and id.',
    answer: listDocument(groupResourceDocument),
    answers: { 200: 'Groups', 400: 'The request is not understood' },
    handle: async (call) => {
      const filter = call.query.get('filter')
      const conditions = filter === null ? [] : parseFilter(filter, groupAttributes)
      const request = readListRequest(call.query)
      const groups = findStore(ports, call)
      const records = request.limit === 0 ? [] : await groups.list(conditions, request)
      const resources = await toResources(ports, call, records)
      return { status: 200, body: listResponse(await groups.count(conditions), request, resources) }
    },
  })
}

function addGroup(ports: ScimPorts): Route {
  return scimRoute(ports, {
    method: 'POST',
    path: '/Groups',
    summary: 'Add a group',
    description:
      'Its members join the team of the same name, which is made when there is none. Of several groups the one ' +
      'joined last decides the team. The group named by `scim_admin_group` gives the role of administrator instead.',
    body: groupDocument,
    answer: groupResourceDocument,
    answers: { 201: 'The group', ...invalid, ...conflict },
    handle: async (call) => {
      const wanted = readWantedGroup(call.body)
      const group = await scimWrite(ports, call, ['people', 'keys'], (work) => createScimGroup(work, wanted))
      return await answerWith(ports, call, group, 201)
    },
  })
}

function readGroup(ports: ScimPorts): Route {
  return scimRoute(ports, {
    method: 'GET',
    path,
    summary: 'Read a group',
    answer: groupResourceDocument,
    answers: { 200: 'The group', ...unknown },
    handle: async (call) =>
      answerWith(ports, call, await requireScimGroup({ groups: findStore(ports, call) }, requireGroupId(call))),
  })
}

function putGroup(ports: ScimPorts): Route {
  return scimRoute(ports, {
    method: 'PUT',
    path,
    summary: 'Replace a group',
    description: 'A new name renames the team, or joins the team that already has it.',
    body: groupDocument,
    answer: groupResourceDocument,
    answers: { 200: 'The group', ...invalid, ...unknown, ...conflict },
    handle: async (call) => {
      const groupId = requireGroupId(call)
      const wanted = readWantedGroup(call.body)
      const group = await scimWrite(ports, call, ['people', 'keys'], (work) =>
        replaceScimGroup(work, groupId, () => wanted),
      )
      return await answerWith(ports, call, group)
    },
  })
}

function patchOneGroup(ports: ScimPorts): Route {
  return scimRoute(ports, {
    method: 'PATCH',
    path,
    summary: 'Change a group',
    description: 'Answers without a body: a group may have thousands of members.',
    body: patchDocument,
    answers: { 204: 'Changed', ...invalid, ...unknown, ...conflict },
    handle: async (call) => {
      const groupId = requireGroupId(call)
      const steps = readPatch(call.body)
      await scimWrite(ports, call, ['people', 'keys'], (work) =>
        replaceScimGroup(work, groupId, (before) => patchGroup(before, steps)),
      )
      return { status: 204 }
    },
  })
}

function deleteGroup(ports: ScimPorts): Route {
  return scimRoute(ports, {
    method: 'DELETE',
    path,
    summary: 'Delete a group',
    description: 'Its team stays. Members fall back to the group they joined before it, or have no team.',
    answers: { 204: 'Deleted', ...unknown },
    handle: async (call) => {
      const groupId = requireGroupId(call)
      await scimWrite(ports, call, ['people', 'keys'], (work) => removeScimGroup(work, groupId))
      return { status: 204 }
    },
  })
}
