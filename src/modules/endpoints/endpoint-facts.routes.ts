/** What an endpoint's account offers and allows, asked from the hosted service. */
import { z } from 'zod'
import { ProviderError } from '../../bedrock/failures.ts'
import type { InferenceProfile } from '../../bedrock/profiles.ts'
import type { Endpoint } from '../../foundation/domain/endpoint.ts'
import { badInput, forAdmins, unknownId } from '../../foundation/http/answers.ts'
import { id, isoTime, nothing } from '../../foundation/http/fields.ts'
import { apiRoute, ok, type Route } from '../../foundation/http/route.ts'
import type { EndpointPorts } from './endpoint-ports.ts'
import { endpointSchema, requireEndpoint, warningBody, warningsSchema } from './endpoint-records.fields.ts'
import { params, path, tag } from './endpoints.routes.ts'
import { createEndpointStore } from './endpoints.store.ts'

const reason = z.string().optional().meta({ description: 'Why nothing can be shown, when nothing can.' })

const quotasSchema = z.object({
  data: z.array(
    z.object({ code: z.string(), name: z.string(), value: z.number(), unit: z.string(), adjustable: z.boolean() }),
  ),
  fetched_at: z.iso.datetime(),
  unavailable_reason: reason,
})

const modelsSchema = z.object({
  data: z.array(
    z.object({
      profile_id: z.string(),
      model_id: z.string(),
      name: z.string(),
      status: z.string(),
      type: z.string(),
    }),
  ),
  unavailable_reason: reason,
})

const checkSchema = z.object({
  endpoint_id: id,
  checked_at: z.iso.datetime(),
  health_status: endpointSchema.shape.health_status,
  health_reason: z.string().nullable(),
  available_models: z.array(z.string()),
  warnings: warningsSchema,
  permissions: z.array(
    z.object({
      permission: z.enum(['invoke', 'stream', 'list', 'get', 'quotas']),
      status: z.enum(['ok', 'denied', 'failed', 'not_checked']),
      message: z.string().nullable(),
      target: z.string().nullable(),
    }),
  ),
})

export function endpointFactRoutes(ports: EndpointPorts): Route[] {
  return [readQuotas(ports), readModels(ports), checkNow(ports)]
}

/** Undefined lets a mistake of the program through; what the account refused is an answer, not an error. */
function toRefusal(error: unknown): string {
  if (error instanceof ProviderError) return error.failure.message || error.failure.name || 'the account did not answer'
  throw error
}

function readQuotas(ports: EndpointPorts): Route {
  return apiRoute({
    method: 'GET',
    path: `${path}/quotas`,
    access: 'admin',
    grants: ['ops:operate'],
    tag,
    summary: "Read the endpoint's service quotas",
    description: 'Kept for 5 minutes. Without the permission to list them, `data` is empty and the reason is given.',
    params,
    answers: { 200: { text: 'Quotas', schema: quotasSchema }, ...badInput, ...unknownId, ...forAdmins },
    handle: async (call) => {
      const endpoint = await requireEndpoint(createEndpointStore(ports.database().kysely), call.params.id)
      try {
        const { quotas, fetchedAtMs } = await ports.findQuotas(endpoint)
        const data = quotas.map(({ code, name, value, unit, isAdjustable }) => ({
          code,
          name,
          value,
          unit,
          adjustable: isAdjustable,
        }))
        return ok({ data, fetched_at: isoTime(fetchedAtMs) })
      } catch (error) {
        // failure-modes: quotas not readable
        return ok({ data: [], fetched_at: isoTime(ports.clock.nowMs()), unavailable_reason: toRefusal(error) })
      }
    },
  })
}

function readModels(ports: EndpointPorts): Route {
  return apiRoute({
    method: 'GET',
    path: `${path}/models`,
    access: 'admin',
    grants: ['ops:operate'],
    tag,
    summary: 'List the inference profiles that this endpoint can invoke',
    description: 'System profiles of the routing prefix, then the application profiles of the overrides.',
    params,
    answers: { 200: { text: 'Profiles', schema: modelsSchema }, ...badInput, ...unknownId, ...forAdmins },
    handle: async (call) => {
      const endpoint = await requireEndpoint(createEndpointStore(ports.database().kysely), call.params.id)
      try {
        return ok({ data: (await listProfiles(endpoint, ports)).map(profileBody) })
      } catch (error) {
        // failure-modes: profiles not readable
        return ok({ data: [], unavailable_reason: toRefusal(error) })
      }
    },
  })
}

async function listProfiles(endpoint: Endpoint, ports: EndpointPorts): Promise<readonly InferenceProfile[]> {
  const listed = await ports.listProfiles(endpoint)
  const own = await Promise.allSettled(
    endpoint.aipOverrides.map((override) => ports.getProfile(endpoint, override.aipArn)),
  )
  return [
    ...listed.filter((profile) => profile.profileId.startsWith(`${endpoint.routingPrefix}.`)),
    // One that does not resolve is what the health says; the others are still on offer.
    ...own.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])),
  ]
}

function profileBody(profile: InferenceProfile) {
  return {
    profile_id: profile.profileId,
    model_id: profile.modelIds[0] ?? '',
    name: profile.name,
    status: profile.status,
    type: profile.type,
  }
}

function checkNow(ports: EndpointPorts): Route {
  return apiRoute({
    method: 'POST',
    path: `${path}/check`,
    access: 'admin',
    grants: ['ops:operate'],
    tag,
    summary: 'Check an endpoint now',
    description:
      'Runs the health check and tries every permission. Invoking costs two single-token calls on the cheapest model on offer; they are recorded like every call.',
    params,
    body: nothing,
    answers: {
      200: { text: 'What each permission answered', schema: checkSchema },
      ...badInput,
      ...unknownId,
      ...forAdmins,
    },
    handle: async (call) => {
      const endpoint = await requireEndpoint(createEndpointStore(ports.database().kysely), call.params.id)
      const { health, permissions } = await ports.checkNow(endpoint)
      return ok({
        endpoint_id: endpoint.id,
        checked_at: isoTime(health.checkedAtMs ?? ports.clock.nowMs()),
        health_status: health.status,
        health_reason: health.reason,
        available_models: [...(health.availableModels ?? [])].sort(),
        warnings: ports.listWarnings(endpoint).map(warningBody),
        permissions,
      })
    },
  })
}
