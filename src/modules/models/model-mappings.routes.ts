/** Which hosted model a requested id means. Matched by equality of the whole id, never by its beginning. */
import { z } from 'zod'
import { invalidParameter, problem } from '../../foundation/domain/errors.ts'
import { findFoundationModelId, isHostedForm, MODEL_ID_MAX_LENGTH } from '../../foundation/domain/model-id.ts'
import type { ModelMapping } from '../../foundation/domain/model-mapping.ts'
import { badInput, forAdmins, unknownId } from '../../foundation/http/answers.ts'
import { text } from '../../foundation/http/fields.ts'
import { describePage, listQuery, mapPage } from '../../foundation/http/lists.ts'
import { apiRoute, noContent, ok, type Route } from '../../foundation/http/route.ts'
import { type RoutePorts, write } from '../../foundation/http/write-change.ts'
import { defined } from '../../foundation/platform/defined.ts'
import { createModelMappingStore } from './model-mappings.store.ts'

export const tag = 'Models'
const path = '/admin/model-mappings/{vendor_prefix}'
const params = z.object({ vendor_prefix: z.string() })

const mappingSchema = z.object({
  vendor_prefix: z.string(),
  hosted_model_id: z.string(),
  display_name: z.string(),
  context_window: z.int().nullable(),
  max_output_tokens: z.int().nullable(),
  source: z.enum(['seed', 'discovery', 'admin']),
  created_at: z.iso.datetime(),
})

const newMapping = z.strictObject({
  hosted_model_id: text(MODEL_ID_MAX_LENGTH).refine(
    isHostedForm,
    'must be a hosted model id, a profile id or the ARN of a profile',
  ),
  display_name: text(100).optional(),
})

export function modelMappingRoutes(ports: RoutePorts): Route[] {
  return [listMappings(ports), putMapping(ports), removeMapping(ports)]
}

function mappingBody(mapping: ModelMapping) {
  return {
    vendor_prefix: mapping.vendorPrefix,
    hosted_model_id: mapping.hostedModelId,
    display_name: mapping.displayName,
    context_window: mapping.contextWindow,
    max_output_tokens: mapping.maxOutputTokens,
    source: mapping.source,
    created_at: mapping.createdAt,
  }
}

function listMappings(ports: RoutePorts): Route {
  return apiRoute({
    method: 'GET',
    path: '/admin/model-mappings',
    access: 'admin',
    grants: ['ops:operate'],
    tag,
    summary: 'List model mappings',
    description: '`q` looks in both ids and in names. `sort`: vendor_prefix (default), created_at.',
    query: z.strictObject(listQuery),
    answers: { 200: { text: 'Mappings', schema: describePage(mappingSchema) }, ...badInput, ...forAdmins },
    handle: async (call) =>
      ok(mapPage(await createModelMappingStore(ports.database().kysely).list(call.query), mappingBody)),
  })
}

/** spec: Rules 6. A key is a full version identifier; `[1m]` is taken off before the look-up, so no key can end in it. */
function requireKey(vendorPrefix: string): void {
  const refuse = (reason: string) => invalidParameter('vendor_prefix', reason)
  const isText = text(MODEL_ID_MAX_LENGTH).safeParse(vendorPrefix)
  if (!isText.success || isText.data !== vendorPrefix)
    throw refuse(`must have 1 to ${MODEL_ID_MAX_LENGTH} characters and no control characters or spaces around it.`)
  if (/\[1m\]$/i.test(vendorPrefix)) throw refuse('names the model without [1m].')
  if (/^(?:claude-?)?\d*$/i.test(vendorPrefix))
    throw refuse('must be a full version identifier such as claude-sonnet-4-5, not a bare version.')
}

function putMapping(ports: RoutePorts): Route {
  return apiRoute({
    method: 'PUT',
    path,
    access: 'admin',
    tag,
    summary: 'Map a requested model id to a hosted model',
    description: '`vendor_prefix` is the exact requested id, URL-encoded. An existing mapping is replaced.',
    params,
    body: newMapping,
    answers: { 200: { text: 'The mapping', schema: mappingSchema }, ...badInput, ...forAdmins },
    handle: async (call) => {
      const { vendor_prefix: vendorPrefix } = call.params
      requireKey(vendorPrefix)
      const { hosted_model_id: hostedModelId, display_name: displayName } = call.body
      const sibling = findSibling(hostedModelId, ports)
      const mapping = await write(ports, call, ['mappings'], async ({ tx, audit }) => {
        const mappings = createModelMappingStore(tx)
        const before = await mappings.find(vendorPrefix)
        const after = await mappings.put({
          vendorPrefix,
          hostedModelId,
          displayName: displayName ?? before?.displayName ?? sibling?.displayName ?? vendorPrefix,
          contextWindow: sibling?.contextWindow ?? null,
          maxOutputTokens: sibling?.maxOutputTokens ?? null,
          source: 'admin',
        })
        audit({
          action: 'model_mapping.put',
          target: `model:${vendorPrefix}`,
          ...defined({ before: before && mappingBody(before) }),
          after: mappingBody(after),
        })
        return after
      })
      return ok(mappingBody(mapping))
    },
  })
}

/** Another name of the same hosted model knows its facts. */
function findSibling(hostedModelId: string, ports: RoutePorts): ModelMapping | undefined {
  const wanted = findFoundationModelId(hostedModelId)
  for (const mapping of ports.snapshot().mappings.values())
    if (wanted !== undefined && findFoundationModelId(mapping.hostedModelId) === wanted) return mapping
  return undefined
}

function removeMapping(ports: RoutePorts): Route {
  return apiRoute({
    method: 'DELETE',
    path,
    access: 'admin',
    tag,
    summary: 'Remove a model mapping',
    description: 'The id then goes to discovery. Built-in mappings come back at the next start.',
    params,
    answers: { 204: { text: 'Removed' }, ...badInput, ...unknownId, ...forAdmins },
    handle: async (call) => {
      const { vendor_prefix: vendorPrefix } = call.params
      requireKey(vendorPrefix)
      await write(ports, call, ['mappings'], async ({ tx, audit }) => {
        const mappings = createModelMappingStore(tx)
        const before = await mappings.find(vendorPrefix)
        if (before === undefined) throw problem('not_found', { what: 'model mapping' })
        await mappings.remove(vendorPrefix)
        audit({ action: 'model_mapping.delete', target: `model:${vendorPrefix}`, before: mappingBody(before) })
      })
      return noContent
    },
  })
}
