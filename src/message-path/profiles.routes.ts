/** The inference profiles that clients in the hosted service's mode look for: what the caller's endpoints offer. */
import { z } from 'zod'
import { type Caller, mayCallModel } from '../foundation/domain/caller.ts'
import { type Endpoint, partitionOfRegion } from '../foundation/domain/endpoint.ts'
import { problem } from '../foundation/domain/errors.ts'
import {
  findBedrockArnParts,
  findProfileParts,
  HIDDEN_ACCOUNT,
  modelIdForText,
  toProfileId,
} from '../foundation/domain/model-id.ts'
import { type RawRoute, rawRoute } from '../foundation/http/route.ts'
import { bedrockDialect } from './bedrock-dialect.ts'
import { answeringCaller } from './caller-route.ts'
import type { PathPorts } from './path-ports.ts'
import { findHostedModel } from './route/target.ts'
import { reachableEndpoints } from './route/usable-endpoints.ts'

type ProfilePorts = Pick<PathPorts, 'snapshot' | 'profiles' | 'mappings' | 'authenticate' | 'whyNotReady' | 'log'>

const profileSchema = z.object({
  inferenceProfileName: z.string(),
  inferenceProfileArn: z.string(),
  inferenceProfileId: z.string(),
  models: z.array(z.object({ modelArn: z.string() })),
  status: z.literal('ACTIVE'),
  type: z.enum(['SYSTEM_DEFINED', 'APPLICATION']),
})

export function profileRoutes(ports: ProfilePorts): RawRoute[] {
  const shared = { method: 'GET', access: 'client', tag: 'Messages', errorForm: 'bedrock' } as const
  return [
    rawRoute({
      ...shared,
      path: '/inference-profiles',
      summary: "List inference profiles in the hosted service's form",
      answers: {
        200: {
          text: 'The profiles that you can use',
          schema: z.object({ inferenceProfileSummaries: z.array(profileSchema) }),
        },
      },
      handle: answeringCaller(ports, bedrockDialect, (caller, query) => ({
        inferenceProfileSummaries: query.get('type') === 'APPLICATION' ? [] : listProfiles(caller, ports),
      })),
    }),
    rawRoute({
      ...shared,
      path: '/inference-profiles/{id}',
      summary: "One inference profile in the hosted service's form",
      answers: { 200: { text: 'The profile', schema: profileSchema }, 404: { text: 'Not available to you' } },
      handle: answeringCaller(ports, bedrockDialect, (caller, _query, { params }) => {
        const asked = params['id'] ?? ''
        const id = findBedrockArnParts(asked)?.resourceId ?? asked
        const found =
          findApplicationProfile(asked, caller, ports) ??
          listProfiles(caller, ports).find((profile) => profile.inferenceProfileId === id)
        if (found === undefined) throw problem('model_not_available', { model: modelIdForText(asked) })
        return found
      }),
    }),
  ]
}

function listProfiles(caller: Caller, ports: ProfilePorts) {
  const snapshot = ports.snapshot.current()
  const names = new Map([...snapshot.mappings.values()].map((mapping) => [mapping.hostedModelId, mapping.displayName]))
  const found = new Map<string, Endpoint>()
  for (const endpoint of reachableEndpoints(snapshot, caller)) {
    const known = ports.profiles.availableModels(endpoint.id)
    // Before the first health check every known model is offered, as it is on the message routes.
    const ids = known ?? [...names.keys()].map((model) => toProfileId(endpoint.routingPrefix, model))
    for (const id of ids)
      if (findProfileParts(id) !== undefined && mayCallModel(caller, id, id) && !found.has(id)) found.set(id, endpoint)
  }
  return [...found].map(([id, endpoint]) => toSummary(id, endpoint, names))
}

/** A client whose model is the ARN of an application profile asks which model is behind it, to know what that can do. */
function findApplicationProfile(asked: string, caller: Caller, ports: ProfilePorts) {
  const arn = findBedrockArnParts(asked)
  if (arn?.kind !== 'application-inference-profile' || !mayCallModel(caller, asked, asked)) return undefined
  const snapshot = ports.snapshot.current()
  const override = reachableEndpoints(snapshot, caller)
    .flatMap(({ aipOverrides }) => aipOverrides)
    .find(({ aipArn }) => aipArn === asked)
  const hostedModelId =
    override &&
    (findHostedModel(override, {
      findMapping: (id) => snapshot.mappings.get(id) ?? ports.mappings.findDiscovered(id),
    }) ??
      ports.profiles.modelBehind(override.endpointId, asked))
  if (hostedModelId === undefined) return undefined
  return {
    inferenceProfileName: arn.resourceId,
    inferenceProfileArn: asked,
    inferenceProfileId: arn.resourceId,
    models: [{ modelArn: `arn:${arn.partition}:bedrock:${arn.region}::foundation-model/${hostedModelId}` }],
    status: 'ACTIVE',
    type: 'APPLICATION',
  }
}

/** System profiles are found by their id alone. */
function toSummary(id: string, { region }: Endpoint, names: ReadonlyMap<string, string>) {
  const modelId = findProfileParts(id)?.hostedModelId ?? id
  const place = `arn:${partitionOfRegion(region)}:bedrock:${region}`
  return {
    inferenceProfileName: names.get(modelId) ?? id,
    inferenceProfileArn: `${place}:${HIDDEN_ACCOUNT}:inference-profile/${id}`,
    inferenceProfileId: id,
    models: [{ modelArn: `${place}::foundation-model/${modelId}` }],
    status: 'ACTIVE',
    type: 'SYSTEM_DEFINED',
  }
}
