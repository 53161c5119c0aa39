/**
 * Automatic caching (`cache_control` beside `messages`), which the hosted service does not know, as what it stands for: a
 * breakpoint on the last block of the conversation that can have one. Left out, every turn would pay for the whole prompt.
 */
import { findMember } from '../../foundation/platform/json-spans.ts'
import { insertAt, type JsonEdit } from '../../foundation/platform/json-spans-edit.ts'
import {
  elementsAt,
  isObjectAt,
  isStringAt,
  memberAt,
  membersAt,
  stringMemberAt,
} from '../../foundation/platform/json-spans-read.ts'
import type { MessagesBody } from './message-blocks.ts'

/** The hosted service takes no more; the one that is asked for beside `messages` is among those in the body. */
const MAX_BREAKPOINTS = 4
const KEY = '"cache_control"'
const EMPTY_STRING_BYTES = 2
const uncachedTypes: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking'])

/** As it is written into a block; undefined when the request asks for something that is no breakpoint. */
export function findBreakpoint({ bytes, document }: MessagesBody, takesTtl: boolean): string | undefined {
  const asked = findMember(document, 'cache_control')
  if (asked === undefined || stringMemberAt(bytes, asked.valueStart, 'type') !== 'ephemeral') return undefined
  const ttl = takesTtl ? stringMemberAt(bytes, asked.valueStart, 'ttl') : undefined
  return JSON.stringify({ type: 'ephemeral', ttl })
}

/** None where the caller has set enough, or has one at the end already. */
export function breakpointEdits(body: MessagesBody, breakpoint: string): readonly JsonEdit[] {
  const { bytes, document } = body
  const messages = findMember(document, 'messages')
  const last = messages && elementsAt(bytes, messages.valueStart).at(-1)
  const content = last && memberAt(bytes, last.start, 'content')
  if (content === undefined || countBreakpoints(KEY, bytes) > MAX_BREAKPOINTS) return []
  if (isStringAt(bytes, content.valueStart)) {
    if (content.end - content.valueStart === EMPTY_STRING_BYTES) return []
    return [
      insertAt(content.valueStart, '[{"type":"text","text":'),
      insertAt(content.end, `,"cache_control":${breakpoint}}]`),
    ]
  }
  const block = elementsAt(bytes, content.valueStart).findLast(({ start }) => mayBeCached(bytes, start))
  if (block === undefined || memberAt(bytes, block.start, 'cache_control') !== undefined) return []
  return [insertAt(block.end - 1, `,"cache_control":${breakpoint}`)]
}

function mayBeCached(bytes: Buffer, at: number): boolean {
  if (!isObjectAt(bytes, at) || membersAt(bytes, at).length === 0) return false
  return !uncachedTypes.has(stringMemberAt(bytes, at, 'type') ?? '') && stringMemberAt(bytes, at, 'text') !== ''
}

/** A key of that name in a schema or an input counts too: too few breakpoints cost money, one too many the whole call. */
function countBreakpoints(text: string, bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + text.length)) count += 1
  return count
}
