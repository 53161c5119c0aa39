/** Puts searches of earlier turns into the form of the hosted model: tool calls and their results, in the right roles. */
import type { JsonSpan } from '../../foundation/platform/json-spans.ts'
import { insertAt, type JsonEdit, removeSpans, replaceSpan } from '../../foundation/platform/json-spans-edit.ts'
import {
  elementsAt,
  isArrayAt,
  isStringAt,
  memberAt,
  stringMemberAt,
} from '../../foundation/platform/json-spans-read.ts'
import { type ResultForm, toErrorContent, toHostedId, toToolResult } from './result-blocks.ts'
import { SEARCH_TOOL_NAME } from './search-tool.ts'

export function historyEdits(bytes: Buffer, messagesStart: number, form: ResultForm): JsonEdit[] {
  const messages = elementsAt(bytes, messagesStart)
  const edits: JsonEdit[] = []
  const leaving = new Set<number>()
  for (let first = 0; first < messages.length; first += 1) {
    const run = assistantRun(bytes, messages, first)
    const [begin, end] = [run[0], run.at(-1)]
    if (begin === undefined || end === undefined) continue
    const past = first + run.length
    const turn = splitTurn(bytes, run, form)
    if (turn !== undefined) {
      const next = findAnswering(bytes, messages, past)
      const own = next === undefined && turn.open.length > 0 ? [userMessage(turn.open)] : []
      const written = [...turn.messages, ...own]
      if (written.length > 0) edits.push(replaceSpan({ start: begin.start, end: end.end }, written.join(',')))
      else for (let index = first; index < past; index += 1) leaving.add(index)
      if (next !== undefined && turn.open.length > 0) edits.push(prepend(bytes, next, turn.open))
    }
    first = past - 1
  }
  return leaving.size === 0 ? edits : [...edits, ...removeSpans(messages, (index) => leaving.has(index))]
}

/** Messages of the assistant that follow each other are one turn: a search and its results may stand in two of them. */
function assistantRun(bytes: Buffer, messages: readonly JsonSpan[], first: number): readonly JsonSpan[] {
  let past = first
  while (past < messages.length && isAssistantList(bytes, messages[past])) past += 1
  return messages.slice(first, past)
}

function isAssistantList(bytes: Buffer, message: JsonSpan | undefined): boolean {
  if (message === undefined || stringMemberAt(bytes, message.start, 'role') !== 'assistant') return false
  const content = memberAt(bytes, message.start, 'content')
  return content !== undefined && isArrayAt(bytes, content.valueStart)
}

function listBlocks(bytes: Buffer, message: JsonSpan): readonly JsonSpan[] {
  const content = memberAt(bytes, message.start, 'content')
  return content === undefined ? [] : elementsAt(bytes, content.valueStart)
}

/** The results of a turn that ended with them belong in front of whatever the client answers. */
function findAnswering(bytes: Buffer, messages: readonly JsonSpan[], from: number): JsonSpan | undefined {
  for (let index = from; index < messages.length; index += 1) {
    const message = messages[index]
    const role = message && stringMemberAt(bytes, message.start, 'role')
    if (role !== 'system') return role === 'user' ? message : undefined
  }
  return undefined
}

interface Turn {
  readonly messages: readonly string[]
  /** Results that no message carries yet. */
  readonly open: readonly string[]
}

/** Undefined when nothing in the messages must change. */
function splitTurn(bytes: Buffer, run: readonly JsonSpan[], form: ResultForm): Turn | undefined {
  const messages: string[] = []
  let blocks: string[] = []
  let results: string[] = []
  const unanswered = new Set<string>()
  let isChanged = false

  const close = (): void => {
    for (const id of unanswered) results.push(toToolResult(id, toErrorContent('unavailable'), form))
    unanswered.clear()
    if (blocks.length > 0) messages.push(assistantMessage(blocks))
    blocks = []
  }

  for (const block of run.flatMap((message) => listBlocks(bytes, message))) {
    const type = stringMemberAt(bytes, block.start, 'type')
    if (type === 'web_search_tool_result') {
      isChanged = true
      const id = toHostedId(stringMemberAt(bytes, block.start, 'tool_use_id') ?? '')
      // A result whose call is gone cannot be told to the model.
      if (!unanswered.delete(id)) continue
      results.push(toToolResult(id, parsedMember(bytes, block, 'content'), form, readCacheControl(bytes, block)))
      continue
    }
    // Results end a round: what follows them the model has said in the next.
    if (results.length > 0) {
      close()
      messages.push(userMessage(results))
      results = []
    }
    if (type === 'server_tool_use' && stringMemberAt(bytes, block.start, 'name') === SEARCH_TOOL_NAME) {
      isChanged = true
      const id = toHostedId(stringMemberAt(bytes, block.start, 'id') ?? '')
      unanswered.add(id)
      blocks.push(toolCall(bytes, block, id))
    } else {
      const json = type === 'text' ? withoutCitations(bytes, block) : undefined
      if (json !== undefined) isChanged = true
      blocks.push(json ?? readText(bytes, block))
    }
  }
  if (!isChanged) return undefined
  close()
  return { messages, open: results }
}

function toolCall(bytes: Buffer, block: JsonSpan, id: string): string {
  const input = memberAt(bytes, block.start, 'input')
  const json = input === undefined ? '{}' : bytes.toString('utf8', input.valueStart, input.end)
  const more = JSON.stringify(readCacheControl(bytes, block)).slice(1, -1)
  return `{"type":"tool_use","id":${JSON.stringify(id)},"name":"${SEARCH_TOOL_NAME}","input":${json}${more === '' ? '' : `,${more}`}}`
}

/** The hosted model does not know the client's form of a citation. Undefined when there is none. */
function withoutCitations(bytes: Buffer, block: JsonSpan): string | undefined {
  const citations = memberAt(bytes, block.start, 'citations')
  if (citations === undefined || !isArrayAt(bytes, citations.valueStart)) return undefined
  if (!bytes.toString('latin1', citations.valueStart, citations.end).includes('web_search_result_location'))
    return undefined
  const text = memberAt(bytes, block.start, 'text')
  const words = text === undefined ? '""' : bytes.toString('utf8', text.valueStart, text.end)
  const more = JSON.stringify(readCacheControl(bytes, block)).slice(1, -1)
  return `{"type":"text","text":${words}${more === '' ? '' : `,${more}`}}`
}

function readCacheControl(bytes: Buffer, block: JsonSpan): object {
  const caching = parsedMember(bytes, block, 'cache_control')
  return caching == null ? {} : { cache_control: caching }
}

function parsedMember(bytes: Buffer, block: JsonSpan, key: string): unknown {
  const member = memberAt(bytes, block.start, key)
  if (member === undefined) return undefined
  try {
    return JSON.parse(bytes.toString('utf8', member.valueStart, member.end))
  } catch {
    // failure-modes: bad escape in a request
    return undefined
  }
}

function readText(bytes: Buffer, { start, end }: JsonSpan): string {
  return bytes.toString('utf8', start, end)
}

function assistantMessage(blocks: readonly string[]): string {
  return `{"role":"assistant","content":[${blocks.join(',')}]}`
}

export function userMessage(blocks: readonly string[]): string {
  return `{"role":"user","content":[${blocks.join(',')}]}`
}

function prepend(bytes: Buffer, message: JsonSpan, results: readonly string[]): JsonEdit {
  const content = memberAt(bytes, message.start, 'content')
  if (content === undefined) return insertAt(message.start, `${userMessage(results)},`)
  const { valueStart, end } = content
  if (isArrayAt(bytes, valueStart)) {
    const isEmpty = elementsAt(bytes, valueStart).length === 0
    return insertAt(valueStart + 1, results.join(',') + (isEmpty ? '' : ','))
  }
  const isText = isStringAt(bytes, valueStart) && end - valueStart > 2
  const text = isText ? [`{"type":"text","text":${bytes.toString('utf8', valueStart, end)}}`] : []
  return replaceSpan({ start: valueStart, end }, `[${[...results, ...text].join(',')}]`)
}
