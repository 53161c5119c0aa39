/** What profiles are known to take, and the administrators' own verdicts, which no probe and no traffic changes. */
import { z } from 'zod'
import type { CapabilityKey, CapabilityOverride } from '../../foundation/domain/capability.ts'
import { invalidField, problem } from '../../foundation/domain/errors.ts'
import { badInput, forAdmins } from '../../foundation/http/answers.ts'
import { id, isoTime, text } from '../../foundation/http/fields.ts'
import { describePage, listQuery, mapPage } from '../../foundation/http/lists.ts'
import { type ListShape, pageInMemory } from '../../foundation/http/memory-page.ts'
import { apiRoute, noContent, ok, type Route } from '../../foundation/http/route.ts'
import { requirePerson, write } from '../../foundation/http/write-change.ts'
import { defined } from '../../foundation/platform/defined.ts'
import { createCapabilityOverrideStore } from './capability-overrides.store.ts'
import type { EndpointPorts, KnownCapability } from './endpoint-ports.ts'
import { createEndpointStore } from './endpoints.store.ts'

const tag = 'Capabilities'
const path = '/admin/capabilities/overrides'

const key = {
  endpoint_id: id,
  profile_id: text(2_048),
  beta_name: z.string().regex(/^[A-Za-z0-9][\w.-]{0,199}$/, 'must be the name of a beta such as context-1m-2025-08-07'),
}

const keyShown = { endpoint_id: id, profile_id: z.string(), beta_name: z.string() }

const capabilitySchema = z.object({
  ...keyShown,
  endpoint_name: z.string().nullable(),
  verdict: z.enum(['supported', 'unsupported', 'suspected']),
  source: z.enum(['learned', 'override']),
  reason: z.string().nullable(),
  expires_at: z.iso.datetime().nullable(),
})

const overrideSchema = z.object({
  ...keyShown,
  supported: z.boolean(),
  reason: z.string().nullable(),
  set_by: z.string(),
  updated_at: z.iso.datetime(),
})

const shape: ListShape<KnownCapability> = {
  sorts: { profile_id: (entry) => entry.profileId, beta_name: (entry) => entry.feature },
  defaultSort: 'profile_id',
  idOf: (entry) => `${entry.endpointId} ${entry.profileId} ${entry.feature}`,
  textsOf: (entry) => [entry.profileId, entry.feature],
}

export function capabilityRoutes(ports: EndpointPorts): Route[] {
  return [listCapabilities(ports), putOverride(ports), removeOverride(ports)]
}

function toKey(body: { endpoint_id: string; profile_id: string; beta_name: string }): CapabilityKey {
  return { endpointId: body.endpoint_id, profileId: body.profile_id, feature: body.beta_name }
}

function overrideBody(override: CapabilityOverride) {
  return {
    endpoint_id: override.endpointId,
    profile_id: override.profileId,
    beta_name: override.feature,
    supported: override.supported,
    reason: override.reason,
    set_by: override.setBy,
    updated_at: override.updatedAt,
  }
}

function isSame(one: CapabilityKey, other: CapabilityKey): boolean {
  return one.endpointId === other.endpointId && one.profileId === other.profileId && one.feature === other.feature
}

function listCapabilities(ports: EndpointPorts): Route {
  return apiRoute({
    method: 'GET',
    path: '/admin/capabilities',
    access: 'admin',
    grants: ['ops:operate'],
    tag,
    summary: 'List what profiles are known to take',
    description:
      'As this instance knows it: by probes, from traffic, or by an override. `beta_name` may also be the path of a body field. `q` looks in profiles and betas. `sort`: profile_id (default), beta_name.',
    query: z.strictObject({ ...listQuery, endpoint_id: id.optional() }),
    answers: { 200: { text: 'Capabilities', schema: describePage(capabilitySchema) }, ...badInput, ...forAdmins },
    handle: (call) => {
      ports.database()
      const { endpoints, capabilityOverrides } = ports.snapshot()
      const wanted = call.query.endpoint_id
      const entries = ports.listCapabilities().filter((entry) => wanted === undefined || entry.endpointId === wanted)
      const nowMs = ports.clock.nowMs()
      const toBody = (entry: KnownCapability) => ({
        endpoint_id: entry.endpointId,
        endpoint_name: endpoints.get(entry.endpointId)?.name ?? null,
        profile_id: entry.profileId,
        beta_name: entry.feature,
        verdict: entry.verdict,
        source: entry.source,
        reason: capabilityOverrides.find((override) => isSame(override, entry))?.reason ?? null,
        expires_at: isoTime(entry.expiresInMs === null ? null : nowMs + entry.expiresInMs),
      })
      return ok(mapPage(pageInMemory(entries, shape, call.query), toBody))
    },
  })
}

function putOverride(ports: EndpointPorts): Route {
  return apiRoute({
    method: 'PUT',
    path,
    access: 'admin',
    tag,
    summary: 'Decide whether a profile takes a beta',
    description: 'The decision has no end and survives restarts. `causeway betas override` calls this.',
    body: z.strictObject({ ...key, supported: z.boolean(), reason: text(500).nullable().default(null) }),
    answers: { 200: { text: 'The override', schema: overrideSchema }, ...badInput, ...forAdmins },
    handle: async (call) => {
      const wanted = toKey(call.body)
      const setBy = requirePerson(call).subject
      const override = await write(ports, call, ['capabilities'], async ({ tx, audit }) => {
        if ((await createEndpointStore(tx).find(wanted.endpointId)) === undefined)
          throw invalidField('endpoint_id', 'There is no endpoint with this id.')
        const overrides = createCapabilityOverrideStore(tx)
        const before = (await overrides.list()).find((other) => isSame(other, wanted))
        const { supported, reason } = call.body
        const after = await overrides.put({ ...wanted, supported, reason, setBy })
        audit({
          action: 'capability_override.put',
          target: `endpoint:${wanted.endpointId}`,
          ...defined({ before: before && overrideBody(before) }),
          after: overrideBody(after),
        })
        return after
      })
      return ok(overrideBody(override))
    },
  })
}

function removeOverride(ports: EndpointPorts): Route {
  return apiRoute({
    method: 'DELETE',
    path,
    access: 'admin',
    tag,
    summary: 'Take back a decision about a beta',
    description: 'Probes and traffic decide again. The body names the pair.',
    body: z.strictObject(key),
    answers: { 204: { text: 'Taken back' }, ...badInput, 404: { text: 'There is no such override' }, ...forAdmins },
    handle: async (call) => {
      const wanted = toKey(call.body)
      await write(ports, call, ['capabilities'], async ({ tx, audit }) => {
        const overrides = createCapabilityOverrideStore(tx)
        const before = (await overrides.list()).find((other) => isSame(other, wanted))
        if (before === undefined) throw problem('not_found', { what: 'override' })
        await overrides.remove(wanted)
        audit({
          action: 'capability_override.delete',
          target: `endpoint:${wanted.endpointId}`,
          before: overrideBody(before),
        })
      })
      return noContent
    },
  })
}
