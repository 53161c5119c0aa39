/**
 * Tells a model that does not know the blocks of server tools what they were, as text. A conversation that began elsewhere
 * has them, and the tools themselves may have left the request.
 */
import type { JsonSpan } from '../../foundation/platform/json-spans.ts'
import { type JsonEdit, replaceSpan } from '../../foundation/platform/json-spans-edit.ts'
import { memberAt, stringMemberAt } from '../../foundation/platform/json-spans-read.ts'
import { listBlocks, type MessagesBody } from './message-blocks.ts'

/** Calls and results of tools that the client does not run itself. */
const serverToolBlock = /^(?:server_tool_use|mcp_tool_use|[a-z][a-z0-9_]*_tool_result)$/

export function isServerToolBlock(type: string): boolean {
  return serverToolBlock.test(type)
}

/** Blocks of these types, and what belongs to them: a call without its result is refused as well, and the reverse. */
export function serverToolTextEdits(body: MessagesBody, types: readonly string[]): JsonEdit[] {
  const { bytes } = body
  const blocks = listBlocks(body).filter(({ type }) => isServerToolBlock(type))
  const refused = new Set(blocks.filter(({ type }) => types.includes(type)).map(({ span }) => readCallId(bytes, span)))
  return blocks
    .filter(({ span, type }) => types.includes(type) || refused.has(readCallId(bytes, span)))
    .map(({ span }) => replaceSpan(span, asText(bytes, span)))
}

function readCallId(bytes: Buffer, { start }: JsonSpan): string {
  return stringMemberAt(bytes, start, 'tool_use_id') ?? stringMemberAt(bytes, start, 'id') ?? ''
}

function asText(bytes: Buffer, { start }: JsonSpan): string {
  const toJson = (key: string): string | undefined => {
    const member = memberAt(bytes, start, key)
    return member && bytes.toString('utf8', member.valueStart, member.end)
  }
  const name = stringMemberAt(bytes, start, 'name')
  const words =
    name === undefined ? `Result of the tool: ${toJson('content')}` : `Call of the tool ${name}: ${toJson('input')}`
  const caching = toJson('cache_control')
  return `{"type":"text","text":${JSON.stringify(words)}${caching === undefined ? '' : `,"cache_control":${caching}`}}`
}
