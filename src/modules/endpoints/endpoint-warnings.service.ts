/** Finds configurations that probably are mistakes, in what the last check of an endpoint has found. */

import type { AipOverride, Endpoint } from '../../foundation/domain/endpoint.ts'
import type { EndpointWarning } from '../../foundation/domain/endpoint-warning.ts'
import { findFoundationModelId, findProfileParts, isHostedForm } from '../../foundation/domain/model-id.ts'
import type { ModelMapping } from '../../foundation/domain/model-mapping.ts'
import { findByDatedAlias } from '../../message-path/resolve-model/requested-name.ts'
import { selectProfile } from '../../message-path/resolve-model/select-profile.ts'
import type { EndpointHealth } from './endpoint-conditions.memory.ts'

type FindMapping = (id: string) => ModelMapping | undefined

export function listEndpointWarnings(
  endpoint: Endpoint,
  health: EndpointHealth,
  findMapping: FindMapping,
): readonly EndpointWarning[] {
  return [
    ...findMissingProfiles(endpoint, health),
    ...endpoint.aipOverrides.flatMap((override) => findMismatch(override, health, findMapping)),
  ]
}

/** Only a check that could list the profiles proves that there are none. */
function findMissingProfiles(
  { region, routingPrefix }: Endpoint,
  { status, availableModels }: EndpointHealth,
): readonly EndpointWarning[] {
  if (status !== 'healthy' || availableModels === undefined) return []
  if ([...availableModels].some((id) => findProfileParts(id)?.prefix === routingPrefix)) return []
  const message = `${region} has no inference profile with the prefix ${routingPrefix}. This endpoint serves only models with an AIP override. Change its region or its routing prefix.`
  return [{ code: 'no_inference_profile', modelId: null, message }]
}

function findMismatch(
  { modelId, aipArn }: AipOverride,
  { availableModels, modelsBehind }: EndpointHealth,
  findMapping: FindMapping,
): readonly EndpointWarning[] {
  const actual = modelsBehind?.get(aipArn)
  const expected = findExpectedModel(modelId, availableModels, findMapping)
  if (actual === undefined || expected === undefined || actual === expected) return []
  const message = `The override of ${modelId} uses an inference profile of another model: ${actual} instead of ${expected}. Set the ARN of a profile of ${expected}, or remove the override.`
  return [{ code: 'override_model_mismatch', modelId, message }]
}

/** What the name means without the override, in the order of a request. Undefined for a name that only the override has. */
function findExpectedModel(
  modelId: string,
  availableModels: ReadonlySet<string> | undefined,
  findMapping: FindMapping,
): string | undefined {
  const mapping = findMapping(modelId)
  if (mapping !== undefined) return findFoundationModelId(mapping.hostedModelId)
  if (isHostedForm(modelId)) return findFoundationModelId(modelId)
  const listed = [...(availableModels ?? [])].map((profileId) => ({ profileId, name: '' }))
  const alias = (): ModelMapping | undefined => findByDatedAlias(modelId, findMapping)
  return selectProfile(modelId, listed)?.hostedModelId ?? findFoundationModelId(alias()?.hostedModelId ?? '')
}
