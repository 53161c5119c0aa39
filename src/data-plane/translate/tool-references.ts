/** Turns references to searched tools into plain text, for models that know no tool search. */
import { findMember } from '../../platform/json-spans.ts'
import { type JsonEdit, replaceSpan } from '../../platform/json-spans-edit.ts'
import { elementsAt, memberAt, stringMemberAt } from '../../platform/json-spans-read.ts'
import type { MessagesRequest } from './read-request.ts'

/** References stand in the content of tool results. Without tool search every tool is loaded, so naming it is enough. */
export function toolReferenceEdits({ bytes, document }: MessagesRequest): JsonEdit[] {
  const messages = findMember(document, 'messages')
  if (messages === undefined) return []
  return elementsAt(bytes, messages.valueStart)
    .flatMap((message) => contentOf(bytes, message.start))
    .flatMap((block) => contentOf(bytes, block.start))
    .filter((inner) => stringMemberAt(bytes, inner.start, 'type') === 'tool_reference')
    .map((inner) => {
      const name = stringMemberAt(bytes, inner.start, 'tool_name') ?? ''
      return replaceSpan(inner, JSON.stringify({ type: 'text', text: `The tool ${name} is available.` }))
    })
}

function contentOf(bytes: Buffer, at: number) {
  const content = memberAt(bytes, at, 'content')
  return content === undefined ? [] : elementsAt(bytes, content.valueStart)
}
