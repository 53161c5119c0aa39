/** Inference profiles of an endpoint's account and region. */
import type { Endpoint } from '../foundation/domain/endpoint.ts'
import { defined } from '../foundation/platform/defined.ts'
import { broken, ProviderError } from './failures.ts'
import { callForJson, collectPages, type JsonObject, objectsIn, textIn } from './json-call.ts'
import type { ServiceCaller } from './service-caller.ts'
import { encodeUriLabel } from './sigv4.ts'

export interface InferenceProfile {
  readonly profileId: string
  readonly arn: string
  readonly name: string
  readonly status: string
  readonly type: string
  /** Foundation model ids behind it; one model in several regions gives one id. */
  readonly modelIds: readonly string[]
}

/** Only system-defined ones: application profiles belong to somebody's budget and are named by override. */
export function listInferenceProfiles(
  service: ServiceCaller,
  endpoint: Endpoint,
): Promise<readonly InferenceProfile[]> {
  return collectPages(async (token) => {
    const query = { maxResults: '1000', type: 'SYSTEM_DEFINED', ...defined({ nextToken: token }) }
    const path = '/inference-profiles'
    const page = await callForJson(service, { service: 'bedrock', endpoint, method: 'GET', path, query })
    return { items: objectsIn(page['inferenceProfileSummaries']).flatMap(readProfile), next: page['nextToken'] }
  })
}

export async function getInferenceProfile(
  service: ServiceCaller,
  endpoint: Endpoint,
  idOrArn: string,
): Promise<InferenceProfile> {
  const path = `/inference-profiles/${encodeUriLabel(idOrArn)}`
  const answer = await callForJson(service, { service: 'bedrock', endpoint, method: 'GET', path })
  const profile = readProfile(answer)[0]
  if (profile === undefined) throw new ProviderError(broken('the answer is not an inference profile'))
  return profile
}

/** Nothing for an entry without an id: it could not be invoked. */
function readProfile(fields: JsonObject): readonly InferenceProfile[] {
  const profileId = textIn(fields, 'inferenceProfileId')
  if (profileId === '') return []
  const modelIds = objectsIn(fields['models']).map((model) => modelIdOfArn(textIn(model, 'modelArn')))
  return [
    {
      profileId,
      arn: textIn(fields, 'inferenceProfileArn'),
      name: textIn(fields, 'inferenceProfileName'),
      status: textIn(fields, 'status'),
      type: textIn(fields, 'type'),
      modelIds: [...new Set(modelIds)].filter((modelId) => modelId !== ''),
    },
  ]
}

function modelIdOfArn(arn: string): string {
  return arn.slice(arn.lastIndexOf('/') + 1)
}
