import { countPrompt } from '../answer/prompt-cache.ts'
import { toList, toPromptSegments } from '../answer/prompt-segments.ts'
import { checkRequest, parseRequestBody } from '../checks/check-request.ts'
import { findRules } from '../checks/model-rules.ts'
import { sendJson } from '../exchange.ts'
import { isRecord, parseJson } from '../json-value.ts'
import { extraInput, validationError } from './aws-error.ts'
import type { Call } from './call.ts'

const TOOL_FIELDS = ['type', 'name', 'description', 'input_schema', 'cache_control']

/** Takes foundation ids only, and only of the models that can count. */
export async function countTokensOperation(call: Call, modelId: string): Promise<void> {
  const { state, entry, exchange } = call
  const model = state.profiles.findModel(modelId)
  if (!model) throw validationError('The provided model identifier is invalid.')
  if (!findRules(state.profiles.rulesModelId(modelId)).countTokens) {
    throw validationError("The provided model doesn't support counting tokens.")
  }
  const body = parseRequestBody(readInvokeBody(exchange.body))
  if (body['anthropic_version'] === undefined) throw validationError('anthropic_version: Field required')
  if (body['max_tokens'] === undefined) throw validationError('max_tokens: Field required')
  if (!Array.isArray(body['messages'])) throw validationError('messages: Field required')
  for (const field of ['model', 'stream']) if (field in body) throw extraInput(field)
  for (const [index, tool] of toList(body['tools']).entries()) {
    for (const field of Object.keys(isRecord(tool) ? tool : {})) {
      if (!TOOL_FIELDS.includes(field)) throw extraInput(`tools.${index}.custom.${field}`)
    }
  }
  // What is counted is a request: it is refused for what would be refused if it were sent.
  if (state.settings.checks === 'strict') checkRequest(body, model, state.profiles.rulesModelId(modelId))
  const inputTokens = await countPrompt(toPromptSegments(body))
  entry.status = 200
  entry.completed = true
  sendJson(exchange.response, 200, { inputTokens }, { 'x-amzn-requestid': entry.requestId })
}

function readInvokeBody(body: Buffer): Buffer {
  const parsed = parseJson(body)
  const input = isRecord(parsed) ? parsed['input'] : undefined
  const invoke = isRecord(input) ? input['invokeModel'] : undefined
  const encoded = isRecord(invoke) ? invoke['body'] : undefined
  if (typeof encoded !== 'string') throw validationError('input.invokeModel.body: Field required')
  return Buffer.from(encoded, 'base64')
}
