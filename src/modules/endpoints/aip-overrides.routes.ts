/** Models that an endpoint invokes through an application inference profile of its own account. */
import { z } from 'zod'
import type { Endpoint } from '../../foundation/domain/endpoint.ts'
import type { EndpointWarning } from '../../foundation/domain/endpoint-warning.ts'
import { problem } from '../../foundation/domain/errors.ts'
import { findBedrockArnParts, MODEL_ID_MAX_LENGTH } from '../../foundation/domain/model-id.ts'
import { badInput, forAdmins, unknownId } from '../../foundation/http/answers.ts'
import { id, text } from '../../foundation/http/fields.ts'
import { apiRoute, noContent, ok, type Route } from '../../foundation/http/route.ts'
import { write } from '../../foundation/http/write-change.ts'
import { defined } from '../../foundation/platform/defined.ts'
import { type AipOverrideRecord, createAipOverrideStore } from './aip-overrides.store.ts'
import type { EndpointPorts } from './endpoint-ports.ts'
import {
  aipOverrideBody,
  aipOverrideFields,
  requireEndpoint,
  warningBody,
  warningsSchema,
} from './endpoint-records.fields.ts'
import { createEndpointStore } from './endpoints.store.ts'

const tag = 'Endpoints'
const path = '/admin/endpoints/{id}/aip-overrides'

const overrideSchema = z.object({
  ...aipOverrideFields,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  warnings: warningsSchema,
})

const modelId = text(MODEL_ID_MAX_LENGTH).refine(
  (model) => !/\[1m\]$/i.test(model),
  'names the model without [1m]: the variant uses the same override',
)

const aipArn = z
  .string()
  .max(2_048)
  .refine((arn) => {
    const parts = findBedrockArnParts(arn)
    return parts?.kind === 'application-inference-profile' && parts.accountId !== ''
  }, 'must be the ARN of an application inference profile')

const newOverride = z.strictObject({
  model_id: modelId,
  aip_arn: aipArn,
  reason: text(500).nullable().default(null),
})

export function aipOverrideRoutes(ports: EndpointPorts): Route[] {
  return [listOverrides(ports), putOverride(ports), removeOverride(ports)]
}

function overrideBody(record: AipOverrideRecord, warnings: readonly EndpointWarning[]) {
  return {
    ...aipOverrideBody(record),
    created_at: record.createdAt,
    updated_at: record.updatedAt,
    warnings: warnings.filter(({ modelId }) => modelId === record.modelId).map(warningBody),
  }
}

function listOverrides(ports: EndpointPorts): Route {
  return apiRoute({
    method: 'GET',
    path,
    access: 'admin',
    tag,
    summary: 'List the AIP overrides of an endpoint',
    params: z.object({ id }),
    answers: {
      200: { text: 'Overrides', schema: z.object({ data: z.array(overrideSchema) }) },
      ...badInput,
      ...unknownId,
      ...forAdmins,
    },
    handle: async (call) => {
      const { kysely } = ports.database()
      const endpoint = await requireEndpoint(createEndpointStore(kysely), call.params.id)
      const warnings = ports.listWarnings(endpoint)
      const records = await createAipOverrideStore(kysely).list(endpoint.id)
      return ok({ data: records.map((record) => overrideBody(record, warnings)) })
    },
  })
}

function putOverride(ports: EndpointPorts): Route {
  return apiRoute({
    method: 'POST',
    path,
    access: 'admin',
    tag,
    summary: 'Set the AIP override of a model',
    description:
      'An override of the same model is replaced. `warnings` says when the profile belongs to another model. The endpoint is checked again within seconds.',
    params: z.object({ id }),
    body: newOverride,
    answers: {
      200: { text: 'The override, replaced', schema: overrideSchema },
      201: { text: 'The override, new', schema: overrideSchema },
      ...badInput,
      ...unknownId,
      ...forAdmins,
    },
    handle: async (call) => {
      const { model_id, aip_arn, reason } = call.body
      const found = await requireEndpoint(createEndpointStore(ports.database().kysely), call.params.id)
      await readModelBehind(found, aip_arn, ports)
      const stored = await write(ports, call, ['endpoints'], async ({ tx, audit }) => {
        const endpoint = await requireEndpoint(createEndpointStore(tx), call.params.id)
        const before = endpoint.aipOverrides.find((override) => override.modelId === model_id)
        const put = await createAipOverrideStore(tx).put({
          endpointId: endpoint.id,
          modelId: model_id,
          aipArn: aip_arn,
          reason,
          setBy: 'admin',
        })
        audit({
          action: 'aip_override.put',
          target: `endpoint:${endpoint.id}`,
          ...defined({ before: before && aipOverrideBody(before) }),
          after: aipOverrideBody(put.record),
        })
        return { ...put, endpoint: await requireEndpoint(createEndpointStore(tx), endpoint.id) }
      })
      const warnings = ports.listWarnings(stored.endpoint)
      return { status: stored.created ? 201 : 200, body: overrideBody(stored.record, warnings) }
    },
  })
}

/** Asked before the transaction begins: no lock waits for Amazon Bedrock. */
async function readModelBehind(endpoint: Endpoint, arn: string, ports: EndpointPorts): Promise<void> {
  try {
    await ports.getProfile(endpoint, arn)
  } catch {
    // failure-modes: override profile not readable. The next health check reads it and gives the reason.
  }
}

function removeOverride(ports: EndpointPorts): Route {
  return apiRoute({
    method: 'DELETE',
    path: `${path}/{model_id}`,
    access: 'admin',
    tag,
    summary: 'Remove the AIP override of a model',
    description: '`model_id` is URL-encoded. The model is then invoked through the cross-region profile again.',
    params: z.object({ id, model_id: z.string() }),
    answers: { 204: { text: 'Removed' }, ...badInput, ...unknownId, ...forAdmins },
    handle: async (call) => {
      const { id: endpointId, model_id: wanted } = call.params
      await write(ports, call, ['endpoints'], async ({ tx, audit }) => {
        const endpoint = await requireEndpoint(createEndpointStore(tx), endpointId)
        const before = endpoint.aipOverrides.find((override) => override.modelId === wanted)
        if (before === undefined) throw problem('not_found', { what: 'override of a model' })
        await createAipOverrideStore(tx).remove(endpointId, wanted)
        audit({ action: 'aip_override.delete', target: `endpoint:${endpointId}`, before: aipOverrideBody(before) })
      })
      return noContent
    },
  })
}
