/** The model that a mapping leads to, for calls and for the list of what can be called. */
import { findBedrockArnParts, findFoundationModelId, isFoundationModelId } from '../foundation/domain/model-id.ts'
import type { ModelMapping } from '../foundation/domain/model-mapping.ts'
import type { ResolvedModel } from './call.ts'

export function modelOfMapping(
  requestedId: string,
  split: Pick<ResolvedModel, 'logicalId' | 'longContext'>,
  mapping: ModelMapping,
): ResolvedModel {
  const { hostedModelId } = mapping
  const base = { requestedId, logicalId: split.logicalId, longContext: split.longContext, mapping }
  if (isFoundationModelId(hostedModelId)) return { ...base, hostedModelId, namedTarget: null }
  // Administrators may map to a profile id or an ARN; endpoints add their own scope, so only the model counts.
  const namedTarget =
    findBedrockArnParts(hostedModelId)?.kind === 'application-inference-profile' ? hostedModelId : null
  return { ...base, hostedModelId: findFoundationModelId(hostedModelId) ?? hostedModelId, namedTarget }
}
