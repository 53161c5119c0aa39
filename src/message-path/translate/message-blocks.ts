/** The blocks of a conversation, in order, with who says them. */
import { findMember, type JsonSpan } from '../../foundation/platform/json-spans.ts'
import { elementsAt, memberAt, stringMemberAt } from '../../foundation/platform/json-spans-read.ts'
import type { MessagesRequest } from './read-request.ts'

export type MessagesBody = Pick<MessagesRequest, 'bytes' | 'document'>

export interface Block {
  readonly span: JsonSpan
  readonly type: string
  readonly role: string | undefined
}

export function listBlocks({ bytes, document }: MessagesBody): Block[] {
  const messages = findMember(document, 'messages')
  if (messages === undefined) return []
  return elementsAt(bytes, messages.valueStart).flatMap(({ start }) => {
    const role = stringMemberAt(bytes, start, 'role')
    const content = memberAt(bytes, start, 'content')
    const spans = content === undefined ? [] : elementsAt(bytes, content.valueStart)
    return spans.map((span) => ({ span, type: stringMemberAt(bytes, span.start, 'type') ?? '', role }))
  })
}

/** Where nobody but this role can say a block, its refusal elsewhere tells nothing about the model. */
export function isOnlySaidBy(role: 'assistant' | 'system', type: string, body: MessagesBody): boolean {
  return listBlocks(body).every((block) => block.type !== type || block.role === role)
}
