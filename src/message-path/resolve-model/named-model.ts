/** Accepts a hosted id, profile id or ARN as model only when one of the caller's endpoints offers exactly that. */
import type { Endpoint } from '../../foundation/domain/endpoint.ts'
import {
  findBedrockArnParts,
  findFoundationModelId,
  findProfileParts,
  isFoundationModelId,
  toProfileId,
} from '../../foundation/domain/model-id.ts'
import type { ModelMapping } from '../../foundation/domain/model-mapping.ts'
import type { ProfileDirectory } from '../ports.ts'

export interface NamedModel {
  readonly hostedModelId: string
  readonly namedTarget: string | null
}

export interface NamedModelPorts {
  readonly availableModels: ProfileDirectory['availableModels']
  readonly modelBehind: ProfileDirectory['modelBehind']
  readonly findMapping: (id: string) => ModelMapping | undefined
}

export function findNamedModel(
  id: string,
  endpoints: readonly Endpoint[],
  ports: NamedModelPorts,
): NamedModel | undefined {
  const arn = findBedrockArnParts(id)
  if (arn === undefined) return findOfferedId(id, endpoints, ports)
  const configured = findConfiguredArn(id, endpoints, ports)
  if (configured !== undefined || arn.kind === 'application-inference-profile') return configured
  // A system ARN says no more than its tail; invoking by the tail keeps a foreign account number out of the call.
  const inRegion = endpoints.filter((endpoint) => endpoint.region === arn.region)
  return findOfferedId(arn.resourceId, inRegion, ports)
}

/** An ARN that an administrator gave to one of these endpoints; another team's ARN is as unknown as an invented one. */
export function findConfiguredArn(
  arn: string,
  endpoints: readonly Endpoint[],
  ports: Pick<NamedModelPorts, 'findMapping' | 'modelBehind'>,
): NamedModel | undefined {
  for (const endpoint of endpoints) {
    for (const override of endpoint.aipOverrides) {
      if (override.aipArn !== arn) continue
      const mapped = ports.findMapping(override.modelId)?.hostedModelId ?? override.modelId
      const hostedModelId = findFoundationModelId(mapped) ?? ports.modelBehind(endpoint.id, arn) ?? arn
      return { hostedModelId, namedTarget: arn }
    }
    if (endpoint.inferenceProfileArn === arn) {
      return { hostedModelId: findFoundationModelId(arn) ?? arn, namedTarget: arn }
    }
  }
  return undefined
}

function findOfferedId(id: string, endpoints: readonly Endpoint[], ports: NamedModelPorts): NamedModel | undefined {
  const hostedModelId = findFoundationModelId(id)
  if (hostedModelId === undefined) return undefined
  const isBare = isFoundationModelId(id)
  const offered = endpoints.some((endpoint) =>
    isBare ? offersModel(endpoint, id, ports) : offersProfile(endpoint, id, ports),
  )
  if (!offered) return undefined
  return { hostedModelId, namedTarget: isBare ? null : id }
}

/** Before its first check an endpoint is believed to have everything of its own scope. */
function offersProfile(endpoint: Endpoint, profileId: string, ports: NamedModelPorts): boolean {
  const available = ports.availableModels(endpoint.id)
  if (available !== undefined) return available.has(profileId)
  return findProfileParts(profileId)?.prefix === endpoint.routingPrefix
}

function offersModel(endpoint: Endpoint, hostedModelId: string, ports: NamedModelPorts): boolean {
  const available = ports.availableModels(endpoint.id)
  if (available === undefined) return true
  return available.has(toProfileId(endpoint.routingPrefix, hostedModelId)) || available.has(hostedModelId)
}
