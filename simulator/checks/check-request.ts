import { extraInput, validationError } from '../aws/aws-error.ts'
import type { CatalogModel } from '../aws/model-catalog.ts'
import { isRecord } from '../json-value.ts'
import { isBetaAccepted } from './beta-table.ts'
import { checkCacheBreakpoints } from './check-cache-control.ts'
import type { CheckContext, CheckedRequest } from './check-context.ts'
import { checkMessages, checkSystem } from './check-messages.ts'
import { checkOutputConfig, checkSampling, checkThinking } from './check-model-options.ts'
import { checkSafeguards } from './check-safeguards.ts'
import { checkToolChoice, checkTools } from './check-tools.ts'
import { findRules, type ModelRules } from './model-rules.ts'

const TOP_LEVEL_FIELDS = [
  'anthropic_version',
  'anthropic_beta',
  'max_tokens',
  'messages',
  'system',
  'stop_sequences',
  'temperature',
  'top_p',
  'top_k',
  'tools',
  'tool_choice',
  'thinking',
  'metadata',
  'output_config',
  'context_management',
  'safeguards',
]

const BEDROCK_VERSION = 'bedrock-2023-05-31'
const DATED_VERSION = '2026-10-21'
const BODY_LIMIT_BYTES = 20_000_000

export function parseRequestBody(body: Buffer): CheckedRequest {
  if (body.length > BODY_LIMIT_BYTES) {
    throw validationError(
      `1 validation error detected: Value at 'body' failed to satisfy constraint: Member must have length less than or equal to ${BODY_LIMIT_BYTES}`,
    )
  }
  let parsed: unknown
  try {
    parsed = JSON.parse(body.toString('utf8'))
  } catch {
    throw validationError('Malformed input request, please reformat your input and try again.')
  }
  if (!isRecord(parsed))
    throw validationError(
      'Malformed input request: expected type: JSONObject, found: JSONArray, please reformat your input and try again.',
    )
  return parsed
}

/** Refuses what the hosted service refuses, in its words. */
export function checkRequest(body: CheckedRequest, model: CatalogModel, rulesModelId: string): CheckContext {
  const rules = findRules(rulesModelId)
  const betas = checkBetas(body['anthropic_beta'], rulesModelId)
  const context: CheckContext = { body, rules, betas, model }
  checkVersion(body, rules)
  for (const field of Object.keys(body)) if (!TOP_LEVEL_FIELDS.includes(field)) throw extraInput(field)
  checkMaxTokens(body, model)
  checkStopSequences(body['stop_sequences'])
  checkMetadata(body['metadata'])
  checkSystem(context)
  checkMessages(context)
  checkTools(context)
  checkToolChoice(context)
  checkThinking(context)
  checkSampling(context)
  checkOutputConfig(context)
  checkContextManagement(context)
  checkSafeguards(context)
  checkCacheBreakpoints(body)
  return context
}

function checkBetas(value: unknown, rulesModelId: string): readonly string[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw validationError('anthropic_beta: Input should be a valid list')
  for (const beta of value) {
    if (typeof beta !== 'string' || !isBetaAccepted(rulesModelId, beta)) throw validationError('invalid beta flag')
  }
  return value as string[]
}

function checkVersion(body: CheckedRequest, rules: ModelRules): void {
  const version = body['anthropic_version']
  if (version === undefined) throw validationError('anthropic_version: Field required')
  if (version === BEDROCK_VERSION || (rules.datedVersion && version === DATED_VERSION)) return
  throw validationError(`anthropic_version: Input should be '${BEDROCK_VERSION}'`)
}

function checkMaxTokens(body: CheckedRequest, model: CatalogModel): void {
  const value = body['max_tokens']
  if (value === undefined) throw validationError('max_tokens: Field required')
  if (typeof value !== 'number' || !Number.isInteger(value))
    throw validationError('max_tokens: Input should be a valid integer')
  if (value < 0) throw validationError('max_tokens: Input should be greater than or equal to 0')
  if (value > model.maxOutput) {
    throw validationError(
      `max_tokens: ${value} > ${model.maxOutput}, which is the maximum allowed number of output tokens for ${model.apiModelId}`,
    )
  }
}

function checkStopSequences(value: unknown): void {
  if (value === undefined) return
  if (!Array.isArray(value)) throw validationError('stop_sequences: Input should be a valid list')
  for (const [index, item] of value.entries()) {
    if (typeof item !== 'string') throw validationError(`stop_sequences.${index}: Input should be a valid string`)
    if (item.trim() === '') throw validationError('stop_sequences: each stop sequence must contain non-whitespace')
  }
}

function checkMetadata(value: unknown): void {
  if (value === undefined || value === null) return
  if (!isRecord(value)) throw validationError('metadata: Input should be a valid dictionary')
  for (const key of Object.keys(value)) if (key !== 'user_id') throw extraInput(`metadata.${key}`)
}

const EDIT_BETAS = ['context-management-2025-06-27', 'compact-2026-01-12']
const EDIT_TYPES = ['clear_tool_uses_20250919', 'clear_thinking_20251015', 'compact_20260112']

function checkContextManagement({ body, betas }: CheckContext): void {
  const value = body['context_management']
  if (value === undefined || value === null) return
  if (!betas.some((beta) => EDIT_BETAS.includes(beta))) throw extraInput('context_management')
  const edits = isRecord(value) && Array.isArray(value['edits']) ? value['edits'] : []
  for (const [index, edit] of edits.entries()) {
    const type = isRecord(edit) ? edit['type'] : undefined
    if (typeof type !== 'string' || !EDIT_TYPES.includes(type)) {
      throw validationError(
        `context_management.edits.${index}: Input tag '${type}' found using 'type' does not match any of the expected tags: ${EDIT_TYPES.map((t) => `'${t}'`).join(', ')}`,
      )
    }
    if (type === 'clear_thinking_20251015' && !isThinkingOn(body['thinking'])) {
      throw validationError(
        'context_management.edits: `clear_thinking_20251015` strategy requires `thinking` to be enabled or adaptive',
      )
    }
  }
}

function isThinkingOn(thinking: unknown): boolean {
  return isRecord(thinking) && thinking['type'] !== 'disabled'
}
