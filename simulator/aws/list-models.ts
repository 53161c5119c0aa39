import { sendJson } from '../exchange.ts'
import { awsError, validationError } from './aws-error.ts'
import type { Call } from './call.ts'
import { foreignModels } from './model-catalog.ts'
import type { InferenceProfile } from './profiles.ts'

const CREATED_AT = '2026-01-01T00:00:00Z'

function toWireProfile(profile: InferenceProfile): Record<string, unknown> {
  return {
    inferenceProfileName: profile.name,
    inferenceProfileArn: profile.arn,
    inferenceProfileId: profile.id,
    description: `Routes requests to ${profile.name}.`,
    models: profile.modelArns.map((modelArn) => ({ modelArn })),
    status: 'ACTIVE',
    type: profile.type,
    createdAt: CREATED_AT,
    updatedAt: CREATED_AT,
  }
}

/** Pages are small whatever the caller asks for, because a caller that ignores `nextToken` must be found out. */
export function listInferenceProfiles(call: Call): void {
  const { query } = call.exchange
  const type = query.get('type')
  const all = listProfiles(call, type)
  const from = parsePageToken(query.get('nextToken'))
  const asked = Number(query.get('maxResults') ?? call.state.settings.profilePageSize)
  if (!(asked >= 1 && asked <= 1000)) throw validationError('maxResults must be between 1 and 1000')
  const to = from + Math.min(asked, call.state.settings.profilePageSize)
  reply(call, {
    inferenceProfileSummaries: all.slice(from, to).map(toWireProfile),
    ...(to < all.length ? { nextToken: toPageToken(to) } : {}),
  })
}

function listProfiles(call: Call, type: string | null): readonly InferenceProfile[] {
  const { account, region } = call.caller
  const { profiles } = call.state
  if (type === 'APPLICATION') return profiles.applications(account, region)
  if (type === null || type === 'SYSTEM_DEFINED') return profiles.systemProfiles(account, region)
  throw validationError(
    `1 validation error detected: Value '${type}' at 'type' failed to satisfy constraint: Member must satisfy enum value set: [SYSTEM_DEFINED, APPLICATION]`,
  )
}

export function toPageToken(offset: number): string {
  return Buffer.from(`offset=${offset}`, 'utf8').toString('base64url')
}

export function parsePageToken(token: string | null | undefined): number {
  if (token === null || token === undefined) return 0
  const match = /^offset=(\d+)$/.exec(Buffer.from(token, 'base64url').toString('utf8'))
  if (!match) throw validationError('The provided nextToken is invalid.')
  return Number(match[1])
}

export function getInferenceProfile(call: Call, idOrArn: string): void {
  const { account, region } = call.caller
  const { profiles } = call.state
  const known = [...profiles.systemProfiles(account, region), ...profiles.applications(account, region)]
  const found = known.find((profile) => profile.id === idOrArn || profile.arn === idOrArn)
  if (!found) throw awsError(404, 'ResourceNotFoundException', 'The specified inference profile is not found.')
  reply(call, toWireProfile(found))
}

export function listFoundationModels(call: Call): void {
  const { query } = call.exchange
  const provider = query.get('byProvider')?.toLowerCase()
  const inferenceType = query.get('byInferenceType')
  const claude = call.state.profiles.models().map((model) => ({
    ...toSummary(call, model.foundationModelId, model.displayName, 'Anthropic'),
    inferenceTypesSupported: ['INFERENCE_PROFILE'],
  }))
  const foreign = foreignModels.map((model) => ({
    ...toSummary(call, model.id, model.name, model.provider),
    inferenceTypesSupported: ['ON_DEMAND'],
  }))
  const modelSummaries = [...claude, ...foreign].filter(
    (model) =>
      (provider === undefined || model.providerName.toLowerCase() === provider) &&
      (inferenceType === null || model.inferenceTypesSupported.includes(inferenceType)),
  )
  reply(call, { modelSummaries })
}

function toSummary(call: Call, id: string, name: string, provider: string) {
  return {
    modelArn: `arn:aws:bedrock:${call.caller.region}::foundation-model/${id}`,
    modelId: id,
    modelName: name,
    providerName: provider,
    inputModalities: ['TEXT', 'IMAGE'],
    outputModalities: ['TEXT'],
    responseStreamingSupported: true,
    customizationsSupported: [],
    modelLifecycle: { status: 'ACTIVE' },
  }
}

function reply(call: Call, body: unknown): void {
  call.entry.status = 200
  call.entry.completed = true
  sendJson(call.exchange.response, 200, body, { 'x-amzn-requestid': call.entry.requestId })
}
