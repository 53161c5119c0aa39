/**
 * Tells a model that does not know the blocks of server tools what they were, as text. A conversation that began elsewhere
 * has them, and the tools themselves may have left the request.
 */
import type { JsonSpan } from '../../foundation/platform/json-spans.ts'
import { type JsonEdit, replaceSpan } from '../../foundation/platform/json-spans-edit.ts'
import { memberAt, stringMemberAt } from '../../foundation/platform/json-spans-read.ts'
import { blocksOf, type MessagesBody } from './message-blocks.ts'

/** Calls and results of tools that the client does not run itself. */
const serverToolBlock = /^(?:server_tool_use|mcp_tool_use|[a-z][a-z0-9_]*_tool_result)$/

export function isServerToolBlock(type: string): boolean {
  return serverToolBlock.test(type)
}

/** Blocks of these types, and what belongs to them: a call without its result is refused as well, and the reverse. */
export function serverToolTextEdits(body: MessagesBody, types: readonly string[]): JsonEdit[] {
  const { bytes } = body
  const blocks = blocksOf(body).filter(({ type }) => isServerToolBlock(type))
  const refused = new Set(blocks.filter(({ type }) => types.includes(type)).map(({ span }) => callIdOf(bytes, span)))
  return blocks
    .filter(({ span, type }) => types.includes(type) || refused.has(callIdOf(bytes, span)))
    .map(({ span }) => replaceSpan(span, asText(bytes, span)))
}

function callIdOf(bytes: Buffer, { start }: JsonSpan): string {
  return stringMemberAt(bytes, start, 'tool_use_id') ?? stringMemberAt(bytes, start, 'id') ?? ''
}

function asText(bytes: Buffer, { start }: JsonSpan): string {
  const jsonOf = (key: string): string | undefined => {
    const member = memberAt(bytes, start, key)
    return member && bytes.toString('utf8', member.valueStart, member.end)
  }
  const name = stringMemberAt(bytes, start, 'name')
  const words =
    name === undefined ? `Result of the tool: ${jsonOf('content')}` : `Call of the tool ${name}: ${jsonOf('input')}`
  const caching = jsonOf('cache_control')
  return `{"type":"text","text":${JSON.stringify(words)}${caching === undefined ? '' : `,"cache_control":${caching}`}}`
}
