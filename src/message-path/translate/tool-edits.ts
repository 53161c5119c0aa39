/** Edits on the list of tools: which leave, which are replaced, and what becomes of `tool_choice`. */
import { findMember, type JsonMember, type JsonSpan } from '../../foundation/platform/json-spans.ts'
import { type JsonEdit, removeSpans, replaceSpan } from '../../foundation/platform/json-spans-edit.ts'
import { elementsAt, isArrayAt, stringMemberAt } from '../../foundation/platform/json-spans-read.ts'
import type { WebSearchTool } from './plan-request.ts'
import type { MessagesRequest } from './read-request.ts'

export interface ToolEdits {
  readonly edits: readonly JsonEdit[]
  /** Top-level fields that cannot stay: a choice of a tool that is gone, or a list with nothing in it. */
  readonly leavingFields: readonly string[]
}

const none: ToolEdits = { edits: [], leavingFields: [] }

export function toolEdits(
  request: MessagesRequest,
  droppedTypes: readonly string[],
  webSearchTool: WebSearchTool,
): ToolEdits {
  if (request.toolTypes.length === 0) return none
  if (droppedTypes.length === 0 && webSearchTool.kind !== 'replace') return none
  const edits: JsonEdit[] = []
  const leavingNames = new Set<string>()
  let staying = 0
  for (const tools of request.document.members.filter((member) => isToolList(request.bytes, member))) {
    const elements = elementsAt(request.bytes, tools.valueStart)
    const leaving = new Set<number>()
    for (const [index, element] of elements.entries()) {
      const type = stringMemberAt(request.bytes, element.start, 'type') ?? ''
      if (webSearchTool.kind === 'replace' && type.startsWith('web_search_')) {
        edits.push(replaceSpan(element, webSearchTool.json))
      } else if (droppedTypes.includes(type)) {
        leaving.add(index)
        leavingNames.add(readName(request.bytes, element))
      }
    }
    staying += elements.length - leaving.size
    edits.push(...removeSpans(elements, (index) => leaving.has(index)))
  }
  if (staying === 0) return { edits: [], leavingFields: ['tools', 'tool_choice'] }
  return { edits, leavingFields: choosesTool(request, leavingNames) ? ['tool_choice'] : [] }
}

function isToolList(bytes: Buffer, member: JsonMember): boolean {
  return member.key === 'tools' && isArrayAt(bytes, member.valueStart)
}

function readName(bytes: Buffer, tool: JsonSpan): string {
  return stringMemberAt(bytes, tool.start, 'name') ?? ''
}

function choosesTool({ bytes, document }: MessagesRequest, names: ReadonlySet<string>): boolean {
  const choice = findMember(document, 'tool_choice')
  return choice !== undefined && names.has(stringMemberAt(bytes, choice.valueStart, 'name') ?? ' ')
}
