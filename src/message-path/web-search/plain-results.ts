/** Writes citable results of searches as plain text, for a hosted model that does not take them as blocks. */
import { findMember, type JsonSpan } from '../../foundation/platform/json-spans.ts'
import { applyEdits, type JsonEdit, replaceSpan } from '../../foundation/platform/json-spans-edit.ts'
import { elementsAt, isArrayAt, memberAt, stringMemberAt } from '../../foundation/platform/json-spans-read.ts'
import type { RequestBody } from './rewrite-request.ts'

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
