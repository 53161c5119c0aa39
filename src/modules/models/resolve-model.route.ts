/** Explains, step by step, which hosted model a requested id means and where it would be invoked. */
import { z } from 'zod'
import { problem } from '../../foundation/domain/errors.ts'
import { MODEL_ID_MAX_LENGTH } from '../../foundation/domain/model-id.ts'
import { badInput, forAdmins, unknownId } from '../../foundation/http/answers.ts'
import { id, text } from '../../foundation/http/fields.ts'
import { apiRoute, ok, type Route } from '../../foundation/http/route.ts'
import { tag } from './model-mappings.routes.ts'
import type { ModelPorts } from './model-ports.ts'

const explanationSchema = z.object({
  model: z.string(),
  resolved: z.boolean(),
  hosted_model_id: z.string().nullable(),
  long_context: z.boolean(),
  steps: z.array(z.object({ step: z.string(), matched: z.boolean(), detail: z.string() })),
  endpoints: z.array(
    z.object({
      endpoint_id: id,
      name: z.string(),
      health_status: z.enum(['healthy', 'unhealthy', 'unknown']),
      invoked_id: z.string().nullable(),
      via: z.string().nullable(),
      detail: z.string(),
    }),
  ),
})

export function resolveModelRoute(ports: ModelPorts): Route {
  return apiRoute({
    method: 'POST',
    path: '/admin/models/resolve',
    access: 'admin',
    grants: ['ops:operate'],
    tag,
    summary: 'Explain what a model id means here',
    description: 'On one endpoint, or on every enabled one. Nothing is stored and no model is invoked.',
    body: z.strictObject({ model: text(MODEL_ID_MAX_LENGTH), endpoint_id: id.optional() }),
    answers: { 200: { text: 'The explanation', schema: explanationSchema }, ...badInput, ...unknownId, ...forAdmins },
    handle: async (call) => {
      const { model, endpoint_id: endpointId } = call.body
      ports.database()
      const endpoint = endpointId === undefined ? undefined : ports.snapshot().endpoints.get(endpointId)
      if (endpointId !== undefined && endpoint === undefined) throw problem('not_found', { what: 'endpoint' })
      const explanation = await ports.explainModel(model, endpoint)
      return ok({
        model,
        resolved: explanation.hostedModelId !== null,
        hosted_model_id: explanation.hostedModelId,
        long_context: explanation.longContext,
        steps: explanation.steps,
        endpoints: explanation.endpoints.map((row) => ({
          endpoint_id: row.endpointId,
          name: row.name,
          health_status: row.healthStatus,
          invoked_id: row.invokedId,
          via: row.via,
          detail: row.detail,
        })),
      })
    },
  })
}
