/** Turns references to searched tools into plain text, for models that know no tool search. */
import { findMember } from '../../foundation/platform/json-spans.ts'
import { type JsonEdit, replaceSpan } from '../../foundation/platform/json-spans-edit.ts'
import {
  elementsAt,
  isStringAt,
  memberAt,
  membersAt,
  type NestedMember,
  readString,
  stringMemberAt,
} from '../../foundation/platform/json-spans-read.ts'
import type { MessagesRequest } from './read-request.ts'

/** References stand in the content of tool results. Without tool search every tool is loaded, so naming it is enough. */
export function toolReferenceEdits({ bytes, document }: MessagesRequest): JsonEdit[] {
  const messages = findMember(document, 'messages')
  if (messages === undefined) return []
  return elementsAt(bytes, messages.valueStart)
    .flatMap((message) => readContent(bytes, message.start))
    .flatMap((block) => readContent(bytes, block.start))
    .filter((inner) => stringMemberAt(bytes, inner.start, 'type') === 'tool_reference')
    .flatMap((inner) => membersAt(bytes, inner.start).flatMap((member) => textEdit(bytes, member)))
}

/** The rest of a reference stays: it may end a part of the prompt that is cached. */
function textEdit(bytes: Buffer, { key, start, valueStart, end }: NestedMember): JsonEdit[] {
  if (key === 'type') return [replaceSpan({ start: valueStart, end }, '"text"')]
  if (key !== 'tool_name') return []
  const name = (isStringAt(bytes, valueStart) && readString(bytes, valueStart, end)) || ''
  return [replaceSpan({ start, end }, `"text":${JSON.stringify(`The tool ${name} is available.`)}`)]
}

function readContent(bytes: Buffer, at: number) {
  const content = memberAt(bytes, at, 'content')
  return content === undefined ? [] : elementsAt(bytes, content.valueStart)
}
