/** Decides under which id an endpoint serves a model: AIP override, legacy profile, or the cross-region profile of its own scope. */
import type { AipOverride, Endpoint } from '../../foundation/domain/endpoint.ts'
import { findFoundationModelId, toProfileId } from '../../foundation/domain/model-id.ts'
import type { ModelMapping } from '../../foundation/domain/model-mapping.ts'
import type { Candidate, ResolvedModel } from '../call.ts'
import type { ProfileDirectory } from '../ports.ts'

export interface TargetPorts {
  readonly availableModels: ProfileDirectory['availableModels']
  readonly findMapping: (id: string) => ModelMapping | undefined
}

/**
 * Undefined when the endpoint does not have the model. Everything in the answer comes from this endpoint's own
 * configuration, so a call that moves on never carries another account's ARN (spec: Routing rules 6).
 */
export function findTarget(endpoint: Endpoint, model: ResolvedModel, ports: TargetPorts): Candidate | undefined {
  const { namedTarget } = model
  if (namedTarget !== null && isArn(namedTarget)) {
    return hasArn(endpoint, namedTarget) ? { endpoint, modelId: namedTarget, via: 'named-by-caller' } : undefined
  }
  const override = findOverride(endpoint, model, ports)
  if (override !== undefined) return { endpoint, modelId: override.aipArn, via: 'aip-override' }
  // spec: Routing rules 8. Without any override row the profile's own model is not known yet, so it serves everything.
  if (endpoint.inferenceProfileArn !== null && endpoint.aipOverrides.length === 0) {
    return { endpoint, modelId: endpoint.inferenceProfileArn, via: 'legacy-profile' }
  }
  const modelId = toProfileId(endpoint.routingPrefix, model.hostedModelId)
  const available = ports.availableModels(endpoint.id)
  if (available !== undefined && !available.has(modelId)) return undefined
  return { endpoint, modelId, via: modelId === namedTarget ? 'named-by-caller' : 'cross-region-profile' }
}

function isArn(id: string): boolean {
  return id.startsWith('arn:')
}

function hasArn(endpoint: Endpoint, arn: string): boolean {
  return endpoint.inferenceProfileArn === arn || endpoint.aipOverrides.some((override) => override.aipArn === arn)
}

/** The exact name first; then any other name of the same hosted model, so that a dated alias finds the same override. */
function findOverride(endpoint: Endpoint, model: ResolvedModel, ports: TargetPorts): AipOverride | undefined {
  const overrides = endpoint.aipOverrides
  if (overrides.length === 0) return undefined
  return (
    overrides.find((override) => override.modelId === model.logicalId) ??
    overrides.find((override) => findHostedModel(override, ports) === model.hostedModelId)
  )
}

/** The foundation model that an override is for; undefined when its name is known to nobody. */
export function findHostedModel(override: AipOverride, ports: Pick<TargetPorts, 'findMapping'>): string | undefined {
  return findFoundationModelId(ports.findMapping(override.modelId)?.hostedModelId ?? override.modelId)
}
