/** Writes a conversation whose earlier turns keep the translation that they were first sent with. */
import { findMember, scanObject } from '../../foundation/platform/json-spans.ts'
import { applyEdits, removeSpans, replaceSpan } from '../../foundation/platform/json-spans-edit.ts'
import { elementsAt } from '../../foundation/platform/json-spans-read.ts'
import type { PinnedTurns } from '../ports.ts'
import { decidePlan, isRefused, type RequestPlan } from './plan-request.ts'
import type { MessagesRequest } from './read-request.ts'
import { edited, type HostedBody, sized, toHostedRequest } from './to-hosted-request.ts'

export function countMessages({ bytes, document }: MessagesRequest): number {
  const messages = findMember(document, 'messages')
  return messages === undefined ? 0 : elementsAt(bytes, messages.valueStart).length
}

export function writeTurns(plan: RequestPlan, earlier: readonly PinnedTurns[]): HostedBody {
  const { request } = plan.input
  if (earlier.length === 0) return toHostedRequest(request, plan)
  const betas = new Set(plan.betas)
  const total = countMessages(request)
  const pieces: Buffer[] = []
  let from = 0
  for (const { messages, verdicts, refusedFields } of earlier) {
    const to = Math.min(messages, total)
    if (to <= from) continue
    const turns = messagesBetween(request, from, to)
    const verdict: typeof plan.input.verdict = (feature) => verdicts.get(feature) ?? plan.input.verdict(feature)
    const decided = decidePlan({ ...plan.input, request: turns, verdict, refusedFields })
    // The fields of these turns need their betas, unless those were refused themselves.
    for (const beta of decided.betas) if (!isRefused(plan.input.verdict(beta))) betas.add(beta)
    // Only the end of the whole conversation gets a mark for the cache.
    pieces.push(writeMessages(toHostedRequest(turns, { ...decided, breakpoint: undefined })))
    from = to
  }
  if (from < total) pieces.push(writeMessages(toHostedRequest(messagesBetween(request, from, total), plan)))
  return withMessages(toHostedRequest(request, { ...plan, betas: [...betas] }), pieces)
}

function messagesBetween(request: MessagesRequest, from: number, to: number): MessagesRequest {
  const messages = findMember(request.document, 'messages')
  if (messages === undefined) return request
  const spans = elementsAt(request.bytes, messages.valueStart)
  return edited(
    request,
    removeSpans(spans, (index) => index < from || index >= to),
  )
}

/** What stands between the brackets. */
function writeMessages({ body }: HostedBody): Buffer {
  const bytes = Buffer.concat(body)
  const messages = findMember(scanObject(bytes), 'messages')
  const spans = messages === undefined ? [] : elementsAt(bytes, messages.valueStart)
  const [first, last] = [spans[0], spans.at(-1)]
  return first === undefined || last === undefined ? Buffer.alloc(0) : bytes.subarray(first.start, last.end)
}

function withMessages({ body }: HostedBody, pieces: readonly Buffer[]): HostedBody {
  const bytes = Buffer.concat(body)
  const messages = findMember(scanObject(bytes), 'messages')
  if (messages === undefined) return { body, bytes: bytes.length }
  const json = pieces.filter(({ length }) => length > 0).map((piece) => piece.toString('utf8'))
  const span = { start: messages.valueStart, end: messages.end }
  return sized(applyEdits(bytes, [replaceSpan(span, `[${json.join(',')}]`)]))
}
