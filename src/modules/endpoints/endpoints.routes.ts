/** Endpoints: the accounts and regions that models are invoked in. */
import { z } from 'zod'
import type { Change } from '../../foundation/database/change.ts'
import type { Endpoint } from '../../foundation/domain/endpoint.ts'
import { problem } from '../../foundation/domain/errors.ts'
import { badInput, forAdmins, unknownId } from '../../foundation/http/answers.ts'
import { id, nothing } from '../../foundation/http/fields.ts'
import { describePage, listQuery, mapPage } from '../../foundation/http/lists.ts'
import { type ListShape, pageInMemory } from '../../foundation/http/memory-page.ts'
import { apiRoute, noContent, ok, type Route } from '../../foundation/http/route.ts'
import { write } from '../../foundation/http/write-change.ts'
import { newId } from '../../foundation/platform/ids.ts'
import { affectedTeamsBody, readAffectedTeams } from './affected-teams.service.ts'
import { endpointPatch, newEndpoint, toEndpointPatch, toNewEndpoint } from './endpoint.fields.ts'
import type { EndpointPorts } from './endpoint-ports.ts'
import {
  endpointBody,
  endpointConfigBody,
  endpointSchema,
  legacyHeaders,
  requireEndpoint,
} from './endpoint-records.fields.ts'
import { createEndpointStore } from './endpoints.store.ts'
import { addOverrideOfProfile, findModelOfProfile } from './legacy-profile.service.ts'

export const tag = 'Endpoints'
export const path = '/admin/endpoints/{id}'
export const params = z.object({ id })

const shown = { 200: { text: 'The endpoint', schema: endpointSchema } } as const
const nameTaken = 'another endpoint has this name'

const shape: ListShape<Endpoint> = {
  sorts: {
    priority: (endpoint) => endpoint.priority,
    name: (endpoint) => endpoint.name.toLowerCase(),
    created_at: (endpoint) => endpoint.createdAt,
  },
  defaultSort: 'priority',
  idOf: (endpoint) => endpoint.id,
  textsOf: (endpoint) => [endpoint.name, endpoint.region, endpoint.roleArn],
}

export function endpointRoutes(ports: EndpointPorts): Route[] {
  return [
    listEndpoints(ports),
    createEndpoint(ports),
    readEndpoint(ports),
    updateEndpoint(ports),
    removeEndpoint(ports),
    makeDefault(ports),
  ]
}

function toBody(endpoint: Endpoint, ports: EndpointPorts) {
  return { body: endpointBody(endpoint, ports), headers: legacyHeaders([endpoint]) }
}

function listEndpoints(ports: EndpointPorts): Route {
  return apiRoute({
    method: 'GET',
    path: '/admin/endpoints',
    access: 'admin',
    grants: ['ops:operate'],
    tag,
    summary: 'List endpoints with their health and statistics',
    description:
      '`q` looks in names, regions and roles. `sort`: priority (default), name, created_at. `stats` counts the calls of the last hour on all instances that run; those of other instances than the answering one are up to 5 seconds old.',
    query: z.strictObject(listQuery),
    answers: { 200: { text: 'Endpoints', schema: describePage(endpointSchema) }, ...badInput, ...forAdmins },
    handle: async (call) => {
      const page = pageInMemory(await createEndpointStore(ports.database().kysely).list(), shape, call.query)
      return ok(
        mapPage(page, (endpoint) => endpointBody(endpoint, ports)),
        legacyHeaders(page.data),
      )
    },
  })
}

function createEndpoint(ports: EndpointPorts): Route {
  return apiRoute({
    method: 'POST',
    path: '/admin/endpoints',
    access: 'admin',
    tag,
    summary: 'Add an endpoint',
    description:
      'The first endpoint becomes the default. `inference_profile_arn` is deprecated: use the AIP overrides instead. With it the answer carries `Deprecation` and `Sunset`.',
    body: newEndpoint,
    answers: {
      201: { text: 'The endpoint', schema: endpointSchema },
      ...badInput,
      409: { text: `There is a conflict: ${nameTaken}` },
      ...forAdmins,
    },
    handle: async (call) => {
      const values = toNewEndpoint(call.body)
      const unstored = { ...values, id: newId(), isDefault: false, aipOverrides: [], createdAt: '' }
      // Throws where there is no database, before anybody else is asked.
      ports.database()
      const modelId = await findModelOfProfile(ports, unstored)
      const endpoint = await write(ports, call, ['endpoints'], async (change) => {
        const endpoints = createEndpointStore(change.tx)
        const bare = await endpoints.insert(values)
        await addOverrideOfProfile(change, bare, modelId)
        const added = await requireEndpoint(endpoints, bare.id)
        change.audit({ action: 'endpoint.create', target: `endpoint:${added.id}`, after: endpointConfigBody(added) })
        return added
      })
      return { status: 201, ...toBody(endpoint, ports) }
    },
  })
}

function readEndpoint(ports: EndpointPorts): Route {
  return apiRoute({
    method: 'GET',
    path,
    access: 'admin',
    grants: ['ops:operate'],
    tag,
    summary: 'Read an endpoint',
    params,
    answers: { ...shown, ...badInput, ...unknownId, ...forAdmins },
    handle: async (call) => {
      const endpoint = await requireEndpoint(createEndpointStore(ports.database().kysely), call.params.id)
      return { status: 200, ...toBody(endpoint, ports) }
    },
  })
}

function updateEndpoint(ports: EndpointPorts): Route {
  return apiRoute({
    method: 'PUT',
    path,
    access: 'admin',
    tag,
    summary: 'Change an endpoint',
    description: 'Any subset of the fields. An omitted field keeps its value; null clears an optional one.',
    params,
    body: endpointPatch,
    answers: {
      ...shown,
      ...badInput,
      ...unknownId,
      409: { text: `There is a conflict: ${nameTaken}, or the default endpoint would be disabled` },
      ...forAdmins,
    },
    handle: async (call) => {
      const endpointId = call.params.id
      const patch = toEndpointPatch(call.body)
      const stored = await requireEndpoint(createEndpointStore(ports.database().kysely), endpointId)
      const isNewProfile = patch.inferenceProfileArn != null && patch.inferenceProfileArn !== stored.inferenceProfileArn
      const modelId = isNewProfile ? await findModelOfProfile(ports, { ...stored, ...patch }) : undefined
      const endpoint = await write(ports, call, ['endpoints'], async (change) => {
        const endpoints = createEndpointStore(change.tx)
        const before = await requireEndpoint(endpoints, endpointId)
        if (before.isDefault && patch.enabled === false)
          throw problem('conflict', { reason: 'This is the default endpoint. Make another one the default first.' })
        await endpoints.update(endpointId, patch)
        await addOverrideOfProfile(change, { ...before, ...patch }, modelId)
        const after = await requireEndpoint(endpoints, endpointId)
        const affected = before.enabled && !after.enabled ? await readAffectedTeams(change.tx, endpointId) : []
        change.audit({
          action: 'endpoint.update',
          target: `endpoint:${endpointId}`,
          before: endpointConfigBody(before),
          after: { ...endpointConfigBody(after), ...affectedTeamsBody(affected, 'ifDisabled') },
        })
        return after
      })
      return { status: 200, ...toBody(endpoint, ports) }
    },
  })
}

function removeEndpoint(ports: EndpointPorts): Route {
  return apiRoute({
    method: 'DELETE',
    path,
    access: 'admin',
    tag,
    summary: 'Delete an endpoint',
    description:
      'Teams that had no other endpoint assigned use the default one from then on. `GET /admin/endpoints/{id}/drain` lists them beforehand.',
    params,
    answers: {
      204: { text: 'Deleted' },
      ...badInput,
      ...unknownId,
      409: { text: 'It is the default endpoint' },
      ...forAdmins,
    },
    handle: async (call) => {
      await write(ports, call, ['endpoints', 'capabilities'], (change) => remove(change, call.params.id))
      return noContent
    },
  })
}

async function remove({ tx, audit }: Change, endpointId: string): Promise<void> {
  const endpoints = createEndpointStore(tx)
  const before = await requireEndpoint(endpoints, endpointId)
  const after = affectedTeamsBody(await readAffectedTeams(tx, endpointId), 'ifDeleted')
  if (!(await endpoints.remove(endpointId)))
    throw problem('conflict', { reason: 'This is the default endpoint. Make another one the default first.' })
  audit({
    action: 'endpoint.delete',
    target: `endpoint:${endpointId}`,
    before: endpointConfigBody(before),
    ...(Object.keys(after).length === 0 ? {} : { after }),
  })
}

function makeDefault(ports: EndpointPorts): Route {
  return apiRoute({
    method: 'PUT',
    path: `${path}/default`,
    access: 'admin',
    tag,
    summary: 'Make an endpoint the default',
    params,
    body: nothing,
    answers: {
      ...shown,
      ...badInput,
      ...unknownId,
      409: { text: 'It is disabled' },
      ...forAdmins,
    },
    handle: async (call) => {
      const endpointId = call.params.id
      const endpoint = await write(ports, call, ['endpoints'], async ({ tx, audit }) => {
        const endpoints = createEndpointStore(tx)
        await requireEndpoint(endpoints, endpointId)
        const before = (await endpoints.list()).find((other) => other.isDefault)
        const after = await endpoints.makeDefault(endpointId)
        if (after === undefined)
          throw problem('conflict', { reason: 'This endpoint is disabled. Enable it before it becomes the default.' })
        audit({
          action: 'endpoint.make_default',
          target: `endpoint:${endpointId}`,
          before: { default_endpoint_id: before?.id ?? null },
          after: { default_endpoint_id: endpointId },
        })
        return after
      })
      return { status: 200, ...toBody(endpoint, ports) }
    },
  })
}
