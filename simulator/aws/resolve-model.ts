import type { SimulatorState } from '../state.ts'
import { accountOfArn } from './accounts.ts'
import type { Caller } from './authenticate.ts'
import { awsError, validationError } from './aws-error.ts'
import { type CatalogModel, foreignModels } from './model-catalog.ts'

const INVALID = 'The provided model identifier is invalid.'

/** The foundation model behind an id or ARN, without any judgement: for the ledger and for matching scripts. */
export function findFoundationModelId(state: SimulatorState, caller: Caller, modelId: string): string | undefined {
  const application = state.profiles.findApplication(modelId)
  if (application) return application.foundationModelId
  const id = modelId.startsWith('arn:') ? modelId.slice(modelId.lastIndexOf('/') + 1) : modelId
  if (state.profiles.findModel(id)) return id
  return state.profiles.systemProfiles(caller.account, caller.region).find((profile) => profile.id === id)
    ?.foundationModelId
}

/** Decides whether this caller may invoke this id in this region, and which model answers. */
export function resolveModel(state: SimulatorState, caller: Caller, modelId: string): CatalogModel {
  const foundationModelId = resolveId(state, caller, modelId)
  const model = state.profiles.findModel(foundationModelId)
  if (!model) {
    throw validationError(
      'Malformed input request: #: required key [inputText] not found, please reformat your input and try again.',
    )
  }
  if (state.accounts.deniedModels.get(caller.account)?.has(foundationModelId)) {
    throw awsError(403, 'AccessDeniedException', "You don't have access to the model with the specified model ID.")
  }
  return model
}

function resolveId(state: SimulatorState, caller: Caller, modelId: string): string {
  if (modelId.startsWith('arn:')) return resolveArn(state, caller, modelId)
  const profile = state.profiles.systemProfiles(caller.account, caller.region).find((item) => item.id === modelId)
  if (profile) return profile.foundationModelId
  if (state.profiles.findModel(modelId)) throw onDemandUnsupported(modelId)
  if (foreignModels.some((item) => item.id === modelId)) return modelId
  throw validationError(INVALID)
}

function resolveArn(state: SimulatorState, caller: Caller, arn: string): string {
  const [, , service, region, , resource = ''] = arn.split(':')
  if (service !== 'bedrock') throw validationError(INVALID)
  if (resource.startsWith('foundation-model/')) throw onDemandUnsupported(arn)
  if (accountOfArn(arn) !== caller.account) {
    throw awsError(
      403,
      'AccessDeniedException',
      `User: ${callerArn(caller)} is not authorized to perform: bedrock:InvokeModel on resource: ${arn}`,
    )
  }
  const application = state.profiles.findApplication(arn)
  if (application && region === caller.region) return application.foundationModelId
  const profile = state.profiles.systemProfiles(caller.account, caller.region).find((item) => item.arn === arn)
  if (profile) return profile.foundationModelId
  throw awsError(404, 'ResourceNotFoundException', 'The provided inference profile ARN is not found')
}

export function callerArn(caller: Caller): string {
  if (caller.roleArn === undefined) return `arn:aws:iam::${caller.account}:user/simulator`
  const role = caller.roleArn.slice(caller.roleArn.lastIndexOf('/') + 1)
  return `arn:aws:sts::${caller.account}:assumed-role/${role}/${caller.sessionName ?? 'session'}`
}

function onDemandUnsupported(modelId: string): Error {
  return validationError(
    `Invocation of model ID ${modelId} with on-demand throughput isn't supported. Retry your request with the ID or ARN of an inference profile that contains this model.`,
  )
}
