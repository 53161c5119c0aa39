/** Writes a request that speaks of web search as one that the hosted model can read. */
import { findMember, type JsonObject, type JsonSpan } from '../../foundation/platform/json-spans.ts'
import { applyEdits, insertAt, type JsonEdit, replaceSpan } from '../../foundation/platform/json-spans-edit.ts'
import { elementsAt, isArrayAt, memberAt, stringMemberAt } from '../../foundation/platform/json-spans-read.ts'
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

/** `answer` asks for words: the model has searched as often as it may. */
export type NextStep = 'go on' | 'answer'

export function nextRequest(body: RequestBody, added: readonly string[], step: NextStep): Buffer {
  const messages = findMember(body.document, 'messages')
  if (messages === undefined) throw new Error('a request without messages cannot go on')
  const edits = [insertAt(messages.end - 1, `,${added.join(',')}`), ...choiceEdits(body, step)]
  return Buffer.concat(applyEdits(body.bytes, edits))
}

/** A choice that was forced is used up by the first search: forcing it again would search for ever. */
function choiceEdits({ bytes, document }: RequestBody, step: NextStep): JsonEdit[] {
  const choice = findMember(document, 'tool_choice')
  if (choice === undefined)
    return step === 'answer' ? [insertAt(document.start + 1, '"tool_choice":{"type":"none"},')] : []
  const value = { start: choice.valueStart, end: choice.end }
  if (step === 'answer') return [replaceSpan(value, '{"type":"none"}')]
  const type = stringMemberAt(bytes, choice.valueStart, 'type')
  if (type !== 'tool' && type !== 'any') return []
  const alone = memberAt(bytes, choice.valueStart, 'disable_parallel_tool_use')
  const more =
    alone === undefined ? '' : `,"disable_parallel_tool_use":${bytes.toString('utf8', alone.valueStart, alone.end)}`
  return [replaceSpan(value, `{"type":"auto"${more}}`)]
}

/** Only for requests whose citable blocks are all ours. */
export function withPlainResults({ bytes, document }: RequestBody): Buffer {
  const messages = findMember(document, 'messages')
  if (messages === undefined) return bytes
  const edits = elementsAt(bytes, messages.valueStart).flatMap((message) => messageEdits(bytes, message))
  return Buffer.concat(applyEdits(bytes, edits))
}

function messageEdits(bytes: Buffer, message: JsonSpan): JsonEdit[] {
  const content = memberAt(bytes, message.start, 'content')
  if (content === undefined) return []
  return elementsAt(bytes, content.valueStart).flatMap((block) => {
    if (stringMemberAt(bytes, block.start, 'type') !== 'tool_result') return []
    const results = memberAt(bytes, block.start, 'content')
    if (results === undefined || !isArrayAt(bytes, results.valueStart)) return []
    const blocks = elementsAt(bytes, results.valueStart)
    const isOurs =
      blocks.length > 0 && blocks.every(({ start }) => stringMemberAt(bytes, start, 'type') === 'search_result')
    if (!isOurs) return []
    const text = blocks.map((one, index) => toText(bytes, one, index + 1)).join('\n\n')
    return [replaceSpan({ start: results.valueStart, end: results.end }, JSON.stringify(text))]
  })
}

function toText(bytes: Buffer, { start }: JsonSpan, number: number): string {
  const content = memberAt(bytes, start, 'content')
  const [words] = content === undefined ? [] : elementsAt(bytes, content.valueStart)
  const lines = [
    `${number}. ${stringMemberAt(bytes, start, 'title') ?? ''}`,
    stringMemberAt(bytes, start, 'source'),
    words === undefined ? undefined : stringMemberAt(bytes, words.start, 'text'),
  ]
  return lines.filter((line) => line !== undefined).join('\n')
}
