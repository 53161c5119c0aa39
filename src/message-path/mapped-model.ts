/** The model that a mapping leads to, for calls and for the list of what can be called. */

import type { AipOverride, Endpoint } from '../foundation/domain/endpoint.ts'
import {
  findBedrockArnParts,
  findFoundationModelId,
  isFoundationModelId,
  isHostedForm,
} from '../foundation/domain/model-id.ts'
import type { ModelMapping } from '../foundation/domain/model-mapping.ts'
import type { ResolvedModel } from './call.ts'
import type { ProfileDirectory } from './ports.ts'

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

export type OverrideNamePorts = Pick<ProfileDirectory, 'modelBehind'>

/** Where nothing says when a model came: the Messages form takes the beginning of time for it. */
const UNKNOWN_DATE = new Date(0).toISOString()

/** Never remembered: the name means nothing any more once the override is gone, and nothing on other endpoints. */
export function findByOverrideName(
  logicalId: string,
  endpoints: readonly Endpoint[],
  ports: OverrideNamePorts,
): ModelMapping | undefined {
  if (isHostedForm(logicalId)) return undefined
  for (const { aipOverrides } of endpoints) {
    const override = aipOverrides.find(({ modelId }) => modelId === logicalId)
    if (override !== undefined) return toMapping(override, ports)
  }
  return undefined
}

/** Until a check has read the profile, its ARN stands for the model. */
function toMapping({ endpointId, modelId, aipArn }: AipOverride, { modelBehind }: OverrideNamePorts): ModelMapping {
  return {
    vendorPrefix: modelId,
    hostedModelId: modelBehind(endpointId, aipArn) ?? aipArn,
    displayName: modelId,
    contextWindow: null,
    maxOutputTokens: null,
    source: 'admin',
    createdAt: UNKNOWN_DATE,
  }
}
