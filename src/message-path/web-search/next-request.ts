/** Writes the request of the next round: the same one, with what was said and found since at its end. */
import { findMember } from '../../foundation/platform/json-spans.ts'
import { applyEdits, insertAt, type JsonEdit, replaceSpan } from '../../foundation/platform/json-spans-edit.ts'
import { memberAt, stringMemberAt } from '../../foundation/platform/json-spans-read.ts'
import type { RequestBody } from './rewrite-request.ts'

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
