import { type Exchange, readHeader } from '../exchange.ts'
import type { Call } from './call.ts'
import { countTokensOperation } from './count-tokens.ts'
import { putEvents } from './event-bridge.ts'
import { invokeModel, invokeModelWithResponseStream } from './invoke.ts'
import { getInferenceProfile, listFoundationModels, listInferenceProfiles } from './list-models.ts'
import { getObject, listObjects, putObject } from './s3.ts'
import { listServiceQuotas } from './service-quotas.ts'
import { publish } from './sns.ts'
import { assumeRole, getCallerIdentity } from './sts.ts'

export type Operation = {
  readonly name: string
  readonly service: string
  readonly protocol: 'rest' | 'json' | 'query' | 'xml'
  /** The model or profile named in the path, decoded. */
  readonly modelId: string | undefined
  readonly run: (call: Call) => Promise<void> | void
}

const MODEL_PATH = /^(?:\/[^/]+)*?\/model\/([^/]+)\/(invoke|invoke-with-response-stream|count-tokens)$/
const PROFILE_PATH = /\/inference-profiles(?:\/(.+))?$/

const modelOperations = {
  invoke: ['InvokeModel', invokeModel],
  'invoke-with-response-stream': ['InvokeModelWithResponseStream', invokeModelWithResponseStream],
  'count-tokens': ['CountTokens', countTokensOperation],
} as const

const targetOperations: Readonly<Record<string, Pick<Operation, 'name' | 'service' | 'run'>>> = {
  'AWSEvents.PutEvents': { name: 'PutEvents', service: 'events', run: putEvents },
  'ServiceQuotasV20190624.ListServiceQuotas': {
    name: 'ListServiceQuotas',
    service: 'servicequotas',
    run: listServiceQuotas,
  },
}

const formOperations: Readonly<Record<string, Pick<Operation, 'name' | 'service' | 'run'>>> = {
  AssumeRole: { name: 'AssumeRole', service: 'sts', run: assumeRole },
  GetCallerIdentity: { name: 'GetCallerIdentity', service: 'sts', run: getCallerIdentity },
  Publish: { name: 'Publish', service: 'sns', run: publish },
}

/** Which AWS operation a request means: by path, by target header, or by the form's Action. */
export function findOperation(exchange: Exchange): Operation | undefined {
  // Paths of objects are free, so only the signature tells.
  if (readHeader(exchange, 'authorization')?.includes('/s3/aws4_request') === true) return findObjectOperation(exchange)
  const target = readHeader(exchange, 'x-amz-target')
  if (target !== undefined) {
    const found = targetOperations[target]
    return found && { ...found, protocol: 'json', modelId: undefined }
  }
  if (readHeader(exchange, 'content-type')?.startsWith('application/x-www-form-urlencoded')) {
    const action = new URLSearchParams(exchange.body.toString('utf8')).get('Action')
    const found = action === null ? undefined : formOperations[action]
    return found && { ...found, protocol: 'query', modelId: undefined }
  }
  return exchange.method === 'POST' ? findModelOperation(exchange) : findListOperation(exchange)
}

function findModelOperation(exchange: Exchange): Operation | undefined {
  const match = MODEL_PATH.exec(exchange.rawPath)
  if (!match) return undefined
  const modelId = decodeURIComponent(match[1] ?? '')
  const [name, run] = modelOperations[match[2] as keyof typeof modelOperations]
  return { name, service: 'bedrock', protocol: 'rest', modelId, run: (call) => run(call, modelId) }
}

function findListOperation(exchange: Exchange): Operation | undefined {
  if (exchange.method !== 'GET') return undefined
  const common = { service: 'bedrock', protocol: 'rest' } as const
  if (exchange.rawPath.endsWith('/foundation-models')) {
    return { ...common, name: 'ListFoundationModels', modelId: undefined, run: listFoundationModels }
  }
  const match = PROFILE_PATH.exec(exchange.rawPath)
  if (!match) return undefined
  if (match[1] === undefined) {
    return { ...common, name: 'ListInferenceProfiles', modelId: undefined, run: listInferenceProfiles }
  }
  const modelId = decodeURIComponent(match[1])
  return { ...common, name: 'GetInferenceProfile', modelId, run: (call) => getInferenceProfile(call, modelId) }
}

/** The first part of the path is the bucket. */
function findObjectOperation({ method, rawPath }: Exchange): Operation | undefined {
  const [, bucket = '', ...rest] = rawPath.split('/').map(decodeURIComponent)
  const place = { bucket, key: rest.join('/') }
  const common = { service: 's3', protocol: 'xml', modelId: undefined } as const
  if (method === 'PUT' && place.key !== '')
    return { ...common, name: 'PutObject', run: (call) => putObject(call, place) }
  if (method !== 'GET') return undefined
  return place.key === ''
    ? { ...common, name: 'ListObjectsV2', run: (call) => listObjects(call, bucket) }
    : { ...common, name: 'GetObject', run: (call) => getObject(call, place) }
}
