/** Writes a request that speaks of web search as one that the hosted model can read. */
import { findMember, type JsonObject } from '../../foundation/platform/json-spans.ts'
import { applyEdits, type JsonEdit, replaceSpan } from '../../foundation/platform/json-spans-edit.ts'
import { elementsAt, stringMemberAt } from '../../foundation/platform/json-spans-read.ts'
import type { ResultForm } from './result-blocks.ts'
import { historyEdits } from './rewrite-history.ts'
import { isSearchToolType, requireSearchTool, type SearchTool } from './search-tool.ts'

export interface RequestBody {
  readonly bytes: Buffer
  readonly document: JsonObject
}

export interface RewrittenRequest {
  readonly bytes: Buffer
  /** Undefined when the request does not offer the tool. */
  readonly tool: SearchTool | undefined
  readonly form: ResultForm
}

/** `tool: 'leave'` is for requests whose tool will be taken out; their history must be readable all the same. */
export function rewriteRequest(
  body: RequestBody,
  tool: 'replace' | 'leave',
  form: ResultForm = resultFormFor(body.bytes),
): RewrittenRequest {
  const edits: JsonEdit[] = []
  const messages = findMember(body.document, 'messages')
  if (messages !== undefined) edits.push(...historyEdits(body.bytes, messages.valueStart, form))
  const found = tool === 'replace' ? replaceTool(body, edits) : undefined
  const bytes = edits.length === 0 ? body.bytes : Buffer.concat(applyEdits(body.bytes, edits))
  return { bytes, tool: found, form }
}

function replaceTool({ bytes, document }: RequestBody, edits: JsonEdit[]): SearchTool | undefined {
  const tools = findMember(document, 'tools')
  let found: SearchTool | undefined
  if (tools === undefined) return undefined
  for (const [index, element] of elementsAt(bytes, tools.valueStart).entries()) {
    if (!isSearchToolType(stringMemberAt(bytes, element.start, 'type') ?? '')) continue
    const tool = requireSearchTool(bytes, element, index)
    found ??= tool
    edits.push(replaceSpan(element, tool.json))
  }
  return found
}

/**
 * Either all sources of a request are cited or none, and never together with a fixed form of the answer: a client that
 * brings sources of its own, or such a form, gets results as plain text.
 */
const excludesCitations = ['"search_result"', '"document"', '"json_schema"', '"output_format"']

function resultFormFor(bytes: Buffer): ResultForm {
  return excludesCitations.some((mark) => bytes.includes(mark)) ? 'plain' : 'cited'
}
