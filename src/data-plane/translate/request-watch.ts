/** Which nested keys the scan of a request looks out for, so that most bodies need no second look inside. */
import { createKeyWatch, ESCAPED_KEY_MARK, type JsonMember, type JsonObject } from '../../platform/json-spans.ts'
import { hasFieldAt } from '../../platform/json-spans-fields.ts'
import { features } from './feature-table.ts'

const marks = new Map<string, number>()

function markOf(key: string): number {
  const known = marks.get(key)
  if (known !== undefined) return known
  const mark = 1 << marks.size
  marks.set(key, mark)
  return mark
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}

/** Only a typed tool can be a server tool; plain ones have no `type`, while their schemas are full of it. */
const TYPED_TOOL_MARK = markOf('type of a tool')

const watchedKeys = new Set(
  features
    .flatMap((feature) => feature.fields)
    .filter((path) => path.includes('.'))
    .map(lastSegment),
)

export const requestWatch = createKeyWatch([
  { name: 'type', mark: TYPED_TOOL_MARK, depth: 3 },
  ...[...watchedKeys, 'tool_name'].map((name) => ({ name, mark: markOf(name) })),
])

/**
 * Whether the path leads to a field. Under `messages` the answer may be a false yes, when only another field has the
 * same name: to be sure would cost as much as the edit, and an edit that finds nothing changes nothing.
 */
export function hasField(bytes: Buffer, document: JsonObject, path: string): boolean {
  if (!mayContain(document, path)) return false
  const [top, ...rest] = path.split('.')
  if (rest.length === 0 || top === 'messages') return true
  return document.members.some(({ key, valueStart }) => key === top && hasFieldAt(bytes, valueStart, rest))
}

/** False only when the path certainly leads nowhere in this document. */
export function mayContain(document: JsonObject, path: string): boolean {
  const dot = path.indexOf('.')
  const top = dot < 0 ? path : path.slice(0, dot)
  const mark = dot < 0 ? undefined : marks.get(lastSegment(path))
  return document.members.some(
    (member) => member.key === top && (mark === undefined || (member.marks & (mark | ESCAPED_KEY_MARK)) !== 0),
  )
}

export function mayHaveTypedTools(tools: JsonMember): boolean {
  return (tools.marks & (TYPED_TOOL_MARK | ESCAPED_KEY_MARK)) !== 0
}
