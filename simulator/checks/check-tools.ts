import { extraInput, validationError } from '../aws/aws-error.ts'
import { isRecord } from '../json-value.ts'
import { TOOL_EXAMPLES_BETA, TOOL_SEARCH_BETA } from './beta-table.ts'
import { checkCacheControl } from './check-cache-control.ts'
import type { CheckContext } from './check-context.ts'

const CUSTOM_FIELDS = ['type', 'name', 'description', 'input_schema', 'cache_control']

/** Tools the client runs itself; the service only knows their shape. */
const CLIENT_TOOL = /^(bash|text_editor|memory|computer)_\d{8}$|^browser_toolset_20260801$/

export function checkTools(context: CheckContext): void {
  const tools = context.body['tools']
  if (tools === undefined) return
  if (!Array.isArray(tools)) throw validationError('tools: Input should be a valid list')
  const names = new Set<string>()
  for (const [index, tool] of tools.entries()) {
    if (!isRecord(tool)) throw validationError(`tools.${index}: Input should be a valid dictionary`)
    const type = tool['type'] ?? 'custom'
    if (type === 'custom') checkCustomTool(context, tool, `tools.${index}.custom`)
    else checkTypedTool(context, String(type))
    checkCacheControl(tool['cache_control'], `tools.${index}.${type}.cache_control`, context.rules)
    const name = String(tool['name'])
    if (names.has(name)) throw validationError('tools: Tool names must be unique.')
    names.add(name)
  }
}

function checkTypedTool({ betas }: CheckContext, type: string): void {
  if (CLIENT_TOOL.test(type)) return
  if (type === 'tool_search_tool_regex_20251119' && betas.includes(TOOL_SEARCH_BETA)) return
  throw validationError(`tool type '${type}' is not supported for this model`)
}

function checkCustomTool({ betas, rules }: CheckContext, tool: Record<string, unknown>, path: string): void {
  for (const field of Object.keys(tool)) {
    if (CUSTOM_FIELDS.includes(field)) continue
    if (field === 'defer_loading' && betas.includes(TOOL_SEARCH_BETA)) continue
    if (field === 'input_examples' && betas.includes(TOOL_EXAMPLES_BETA)) continue
    if (field === 'strict' && rules.structuredOutput) continue
    throw extraInput(`${path}.${field}`)
  }
  const name = tool['name']
  if (typeof name !== 'string') throw validationError(`${path}.name: Field required`)
  if (!/^[a-zA-Z0-9_-]{1,128}$/.test(name)) {
    throw validationError(`${path}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`)
  }
  const schema = tool['input_schema']
  if (!isRecord(schema)) throw validationError(`${path}.input_schema: Field required`)
  if (schema['type'] !== 'object') throw validationError(`${path}.input_schema.type: Input should be 'object'`)
}

const CHOICE_TYPES = ['auto', 'any', 'tool', 'none']

export function checkToolChoice({ body, rules }: CheckContext): void {
  const choice = body['tool_choice']
  if (choice === undefined || choice === null) return
  const type = isRecord(choice) ? choice['type'] : undefined
  if (!isRecord(choice) || typeof type !== 'string' || !CHOICE_TYPES.includes(type)) {
    throw validationError(
      `tool_choice: Input tag '${type}' found using 'type' does not match any of the expected tags: 'auto', 'any', 'tool', 'none'`,
    )
  }
  const tools = Array.isArray(body['tools']) ? body['tools'] : []
  if (tools.length === 0) throw validationError('tool_choice may only be specified while providing tools.')
  const isForced = type === 'any' || type === 'tool'
  if (isForced && !rules.forcedToolChoice) {
    throw validationError(`tool_choice: \`${type}\` is not supported for this model.`)
  }
  if (isForced && isRecord(body['thinking']) && body['thinking']['type'] === 'enabled') {
    throw validationError('Thinking may not be enabled when tool_choice forces tool use.')
  }
  if (type === 'tool' && !tools.some((tool) => isRecord(tool) && tool['name'] === choice['name'])) {
    throw validationError(`Tool '${choice['name']}' not found in provided tools`)
  }
}
