import { toBlocks, toList } from '../answer/prompt-segments.ts'
import { isOwnSignature, signThinking } from '../answer/thinking-signature.ts'
import { extraInput, validationError } from '../aws/aws-error.ts'
import { isRecord } from '../json-value.ts'
import { TURN_EFFORT_BETAS } from './beta-table.ts'
import { checkCacheControl } from './check-cache-control.ts'
import type { CheckContext } from './check-context.ts'

const BLOCK_FIELDS: Readonly<Record<string, readonly string[]>> = {
  text: ['text', 'citations'],
  image: ['source'],
  document: ['source', 'title', 'context', 'citations'],
  search_result: ['source', 'title', 'content', 'citations'],
  tool_use: ['id', 'name', 'input', 'caller'],
  tool_result: ['tool_use_id', 'content', 'is_error'],
  tool_reference: ['tool_name'],
  thinking: ['thinking', 'signature'],
  redacted_thinking: ['data'],
  compaction: ['content'],
}

const ROLES_IN_ORDER = ['user', 'assistant']

export function checkSystem({ body, rules }: CheckContext): void {
  const system = body['system']
  if (system === undefined || typeof system === 'string') return
  if (!Array.isArray(system)) throw validationError('system: Input should be a valid list')
  for (const [index, block] of system.entries()) {
    const path = `system.${index}`
    if (!isRecord(block) || block['type'] !== 'text') throw validationError(`${path}.type: Input should be 'text'`)
    if (block['text'] === '') throw validationError('system: text content blocks must be non-empty')
    for (const field of Object.keys(block)) {
      if (!['type', 'text', 'cache_control', 'citations'].includes(field)) throw extraInput(`${path}.${field}`)
    }
    checkCacheControl(block['cache_control'], `${path}.cache_control`, rules)
  }
}

export function checkMessages(context: CheckContext): void {
  const messages = context.body['messages']
  if (messages === undefined) throw validationError('messages: Field required')
  if (!Array.isArray(messages)) throw validationError('messages: Input should be a valid list')
  if (messages.length === 0) throw validationError('messages: at least one message is required')
  for (const [index, message] of messages.entries()) checkMessage(context, message, `messages.${index}`)
  if (messages[0].role !== 'user') throw validationError('messages: first message must use the "user" role')
  checkToolPairs(messages)
}

function checkMessage(context: CheckContext, message: unknown, path: string): void {
  if (!isRecord(message)) throw validationError(`${path}: Input should be a valid dictionary`)
  for (const field of Object.keys(message)) {
    if (field === 'output_config' && setsTurnEffort(context, message)) continue
    if (field !== 'role' && field !== 'content') throw extraInput(`${path}.${field}`)
  }
  const role = message['role']
  if (role === 'system' && !context.rules.systemRoleMessages) {
    throw validationError(
      'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.',
    )
  }
  if (role !== 'system' && !ROLES_IN_ORDER.includes(String(role))) {
    throw validationError(`messages: Unexpected role "${role}". Allowed roles are "user" or "assistant"`)
  }
  const content = message['content']
  if (content === undefined) throw validationError(`${path}.content: Field required`)
  if (typeof content !== 'string' && !Array.isArray(content)) {
    throw validationError(`${path}.content: Input should be a valid list`)
  }
  if (role === 'user' && content.length === 0)
    throw validationError(`${path}: user messages must have non-empty content`)
  for (const [index, block] of toBlocks(content).entries()) checkBlock(context, block, `${path}.content.${index}`)
}

function setsTurnEffort({ betas }: CheckContext, message: Readonly<Record<string, unknown>>): boolean {
  return message['role'] === 'system' && TURN_EFFORT_BETAS.some((beta) => betas.includes(beta))
}

function checkBlock(context: CheckContext, block: unknown, path: string): void {
  const type = isRecord(block) ? block['type'] : undefined
  const fields = typeof type === 'string' ? BLOCK_FIELDS[type] : undefined
  if (!isRecord(block) || typeof type !== 'string' || !fields) {
    const expected = Object.keys(BLOCK_FIELDS).map((tag) => `'${tag}'`)
    throw validationError(
      `${path}: Input tag '${type}' found using 'type' does not match any of the expected tags: ${expected.join(', ')}`,
    )
  }
  for (const field of Object.keys(block)) {
    if (field !== 'type' && field !== 'cache_control' && !fields.includes(field))
      throw extraInput(`${path}.${type}.${field}`)
  }
  checkCacheControl(block['cache_control'], `${path}.${type}.cache_control`, context.rules)
  if (type === 'text' && block['text'] === '') throw validationError('messages: text content blocks must be non-empty')
  if (type === 'image' || type === 'document') checkSource(block['source'], `${path}.${type}.source`)
  if (type === 'thinking') checkSignature(block, path)
  if (type === 'tool_result' && Array.isArray(block['content'])) {
    for (const [index, inner] of block['content'].entries()) {
      checkBlock(context, inner, `${path}.tool_result.content.${index}`)
    }
  }
}

function checkSource(source: unknown, path: string): void {
  const type = isRecord(source) ? source['type'] : undefined
  if (type === 'base64' || type === 'text' || type === 'content') return
  if (type === 'url') throw validationError(`${path}.type: URL sources are not supported`)
  throw validationError(
    `${path}: Input tag '${type}' found using 'type' does not match any of the expected tags: 'base64'`,
  )
}

/** Only signatures that came from here can be judged; a recorded conversation brings foreign ones. */
function checkSignature(block: Readonly<Record<string, unknown>>, path: string): void {
  const signature = block['signature']
  if (typeof signature !== 'string') throw validationError(`${path}.thinking.signature: Field required`)
  if (isOwnSignature(signature) && signature !== signThinking(String(block['thinking']))) {
    throw validationError(`${path}: Invalid \`signature\` in \`thinking\` block`)
  }
}

function checkToolPairs(all: readonly Record<string, unknown>[]): void {
  // System messages may stand between a tool call and its result.
  const messages = all
    .map((message, index) => ({ message, index }))
    .filter(({ message }) => message['role'] !== 'system')
  for (const [at, { message, index }] of messages.entries()) {
    const next = messages[at + 1]?.message
    const previous = messages[at - 1]?.message
    if (message['role'] === 'assistant' && next) {
      const answered = idsIn(next, 'tool_result', 'tool_use_id')
      const missing = idsIn(message, 'tool_use', 'id').filter((id) => !answered.includes(id))
      if (missing.length > 0) {
        throw validationError(
          `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
        )
      }
    }
    const called = previous ? idsIn(previous, 'tool_use', 'id') : []
    const stray = idsIn(message, 'tool_result', 'tool_use_id').find((id) => !called.includes(id))
    if (stray !== undefined) {
      throw validationError(
        `messages.${index}.content: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      )
    }
  }
}

function idsIn(message: Readonly<Record<string, unknown>>, type: string, field: string): readonly string[] {
  return toList(message['content']).flatMap((block) =>
    isRecord(block) && block['type'] === type ? [String(block[field])] : [],
  )
}
