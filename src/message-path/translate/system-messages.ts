/**
 * Gives role-system messages to a model that refuses them, as user text in `<system-reminder>` tags. The text joins a
 * neighbouring user message, so that roles still alternate, and always behind tool results, which must come first.
 */
import { findMember, type JsonSpan } from '../../foundation/platform/json-spans.ts'
import { insertAt, type JsonEdit, removeSpans, replaceSpan } from '../../foundation/platform/json-spans-edit.ts'
import {
  elementsAt,
  isArrayAt,
  isStringAt,
  memberAt,
  type NestedMember,
  stringMemberAt,
} from '../../foundation/platform/json-spans-read.ts'
import type { MessagesRequest } from './read-request.ts'

const OPENING = '<system-reminder>\\n'
const CLOSING = '\\n</system-reminder>'

interface Turn {
  readonly span: JsonSpan
  readonly role: string
}

/** What joins one user message, on either side of its own content. */
interface Joining {
  readonly ahead: string[]
  readonly behind: string[]
}

export function systemMessagesAsUserText({ bytes, document }: MessagesRequest): JsonEdit[] {
  const messages = findMember(document, 'messages')
  if (messages === undefined) return []
  const turns = elementsAt(bytes, messages.valueStart).map((span): Turn => {
    return { span, role: stringMemberAt(bytes, span.start, 'role') ?? '' }
  })
  const edits: JsonEdit[] = []
  const leaving = new Set<number>()
  const joinings = new Map<Turn, Joining>()
  for (let first = 0; first < turns.length; first++) {
    if (turns[first]?.role !== 'system') continue
    let last = first
    while (turns[last + 1]?.role === 'system') last++
    const run = turns.slice(first, last + 1)
    for (let index = first; index <= last; index++) leaving.add(index)
    const blocks = run.flatMap(({ span }) => reminderBlocks(bytes, span))
    const host = findHost(bytes, turns[first - 1], turns[last + 1])
    if (host !== undefined) findJoining(joinings, host.turn)[host.place].push(...blocks)
    else if (blocks.length > 0) {
      leaving.delete(first)
      edits.push(replaceSpan(run[0]?.span ?? messages, `{"role":"user","content":[${blocks.join(',')}]}`))
    }
    first = last
  }
  for (const [turn, joining] of joinings) edits.push(...joinTo(bytes, turn.span, joining))
  const spans = turns.map((turn) => turn.span)
  return [...edits, ...removeSpans(spans, (index) => leaving.has(index))]
}

/** Takes out those without content: they only set the effort of their turn, and are refused when that is left out. */
export function contentlessSystemMessages({
  bytes,
  document,
}: Pick<MessagesRequest, 'bytes' | 'document'>): JsonEdit[] {
  const messages = findMember(document, 'messages')
  if (messages === undefined) return []
  const spans = elementsAt(bytes, messages.valueStart)
  return removeSpans(spans, (index) => setsEffortOnly(bytes, spans[index]?.start ?? 0))
}

function readText(bytes: Buffer, { valueStart, end }: NestedMember): string {
  return bytes.toString('latin1', valueStart, end)
}

function setsEffortOnly(bytes: Buffer, start: number): boolean {
  if (stringMemberAt(bytes, start, 'role') !== 'system') return false
  if (memberAt(bytes, start, 'output_config') === undefined) return false
  const content = memberAt(bytes, start, 'content')
  if (content === undefined) return true
  return content.end - content.valueStart <= 'null'.length && /^(?:null|""|\[\s*\])$/.test(readText(bytes, content))
}

/** The user message before is the better host: the reminder was written after it. */
function findHost(
  bytes: Buffer,
  before: Turn | undefined,
  after: Turn | undefined,
): { readonly turn: Turn; readonly place: keyof Joining } | undefined {
  if (before?.role === 'user') return { turn: before, place: 'behind' }
  if (after?.role === 'user')
    return { turn: after, place: beginsWithToolResult(bytes, after.span) ? 'behind' : 'ahead' }
  return undefined
}

function findJoining(joinings: Map<Turn, Joining>, turn: Turn): Joining {
  const known = joinings.get(turn)
  if (known !== undefined) return known
  const joining: Joining = { ahead: [], behind: [] }
  joinings.set(turn, joining)
  return joining
}

/** Text blocks keep their own members, such as `cache_control`; one on the message itself goes to the last block. */
function reminderBlocks(bytes: Buffer, message: JsonSpan): string[] {
  const content = memberAt(bytes, message.start, 'content')
  if (content === undefined) return []
  const blocks = isStringAt(bytes, content.valueStart)
    ? [`{"type":"text","text":${wrapped(bytes, content.valueStart, content.end)}}`]
    : elementsAt(bytes, content.valueStart).map((block) => reminderBlock(bytes, block))
  const cache = memberAt(bytes, message.start, 'cache_control')
  const last = blocks.at(-1)
  if (cache === undefined || last === undefined || last.includes('"cache_control"')) return blocks
  const marked = `${last.slice(0, -1)},"cache_control":${bytes.toString('utf8', cache.valueStart, cache.end)}}`
  return [...blocks.slice(0, -1), marked]
}

function reminderBlock(bytes: Buffer, block: JsonSpan): string {
  const text = memberAt(bytes, block.start, 'text')
  if (text === undefined || !isStringAt(bytes, text.valueStart)) return bytes.toString('utf8', block.start, block.end)
  return (
    bytes.toString('utf8', block.start, text.valueStart) +
    wrapped(bytes, text.valueStart, text.end) +
    bytes.toString('utf8', text.end, block.end)
  )
}

/** The string between `start` and `end` in tags; its own escapes stay as they are. */
function wrapped(bytes: Buffer, start: number, end: number): string {
  return `"${OPENING}${bytes.toString('utf8', start + 1, end - 1)}${CLOSING}"`
}

function beginsWithToolResult(bytes: Buffer, message: JsonSpan): boolean {
  const content = memberAt(bytes, message.start, 'content')
  const first = content && elementsAt(bytes, content.valueStart)[0]
  return first !== undefined && stringMemberAt(bytes, first.start, 'type') === 'tool_result'
}

function joinTo(bytes: Buffer, message: JsonSpan, { ahead, behind }: Joining): JsonEdit[] {
  const content = memberAt(bytes, message.start, 'content')
  if (content === undefined || ahead.length + behind.length === 0) return []
  if (isStringAt(bytes, content.valueStart)) {
    return [
      insertAt(content.valueStart, `[${ahead.map((block) => `${block},`).join('')}{"type":"text","text":`),
      insertAt(content.end, `}${behind.map((block) => `,${block}`).join('')}]`),
    ]
  }
  if (!isArrayAt(bytes, content.valueStart)) return []
  const isEmpty = elementsAt(bytes, content.valueStart).length === 0
  if (isEmpty) return [insertAt(content.valueStart + 1, [...ahead, ...behind].join(','))]
  return [
    insertAt(content.valueStart + 1, ahead.map((block) => `${block},`).join('')),
    insertAt(content.end - 1, behind.map((block) => `,${block}`).join('')),
  ]
}
