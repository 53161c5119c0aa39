/**
 * Tells a model that does not know changes of the tools in mid-conversation about them as text. Tools that were defined
 * there join the list, where every model finds them.
 */
import { findMember, type JsonSpan } from '../../foundation/platform/json-spans.ts'
import { insertAt, type JsonEdit, replaceSpan } from '../../foundation/platform/json-spans-edit.ts'
import {
  elementsAt,
  isArrayAt,
  memberAt,
  type NestedMember,
  stringMemberAt,
} from '../../foundation/platform/json-spans-read.ts'
import { type Block, listBlocks, type MessagesBody } from './message-blocks.ts'

export function isToolChange(type: string): boolean {
  return type === 'tool_addition' || type === 'tool_removal'
}

export function toolChangeEdits(body: MessagesBody): JsonEdit[] {
  const changes = listBlocks(body).filter(({ type }) => isToolChange(type))
  return [
    ...changes.map((change) => replaceSpan(change.span, asText(body.bytes, change))),
    ...additionEdits(body, changes),
  ]
}

function asText(bytes: Buffer, { span, type }: Block): string {
  const tool = memberAt(bytes, span.start, 'tool')?.valueStart ?? span.start
  const definition = memberAt(bytes, tool, 'definition')
  const named = definition?.valueStart ?? tool
  const name = stringMemberAt(bytes, named, 'name') ?? `of ${stringMemberAt(bytes, named, 'server_name')}`
  const isThere = type === 'tool_addition' && (definition === undefined || readDefinition(bytes, span).length > 0)
  const words = isThere ? 'is available from now on' : 'is not available from now on'
  const caching = memberAt(bytes, span.start, 'cache_control')
  const more = caching === undefined ? '' : `,"cache_control":${toJson(bytes, caching)}`
  return `{"type":"text","text":${JSON.stringify(`The tool ${name} ${words}.`)}${more}}`
}

function additionEdits({ bytes, document }: MessagesBody, changes: readonly Block[]): JsonEdit[] {
  const tools = findMember(document, 'tools')
  const isList = tools !== undefined && isArrayAt(bytes, tools.valueStart)
  const listed = isList ? elementsAt(bytes, tools.valueStart) : []
  const added = new Map(changes.flatMap(({ span }) => readDefinition(bytes, span)))
  for (const { start } of listed) added.delete(stringMemberAt(bytes, start, 'name') ?? '')
  if (added.size === 0) return []
  const json = [...added.values()].join(',')
  if (isList) return [insertAt(tools.end - 1, listed.length === 0 ? json : `,${json}`)]
  return tools === undefined ? [insertAt(document.start + 1, `"tools":[${json}],`)] : []
}

const definingFields = ['name', 'description', 'input_schema']

/** Of a tool that the client runs, with what every model takes; other kinds may be refused themselves. */
function readDefinition(bytes: Buffer, { start }: JsonSpan): [name: string, json: string][] {
  const tool = memberAt(bytes, start, 'tool')
  const definition = tool && memberAt(bytes, tool.valueStart, 'definition')
  if (definition === undefined) return []
  const name = stringMemberAt(bytes, definition.valueStart, 'name')
  const type = stringMemberAt(bytes, definition.valueStart, 'type') ?? 'custom'
  if (name === undefined || type !== 'custom') return []
  const fields = definingFields.flatMap((key) => {
    const member = memberAt(bytes, definition.valueStart, key)
    return member === undefined ? [] : [`"${key}":${toJson(bytes, member)}`]
  })
  return [[name, `{${fields.join(',')}}`]]
}

function toJson(bytes: Buffer, { valueStart, end }: NestedMember): string {
  return bytes.toString('utf8', valueStart, end)
}
