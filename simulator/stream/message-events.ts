import type { Answer, ContentBlock } from '../answer/answer.ts'
import type { SafeguardResult } from '../answer/safeguard-results.ts'
import type { WireUsage } from '../answer/usage.ts'

export type StreamEvent = Readonly<Record<string, unknown>> & { readonly type: string }

export type MessageParts = {
  readonly id: string
  readonly model: string
  readonly answer: Answer
  /** undefined leaves the usage object out. */
  readonly startUsage: WireUsage | undefined
  readonly deltaUsage: WireUsage | undefined
  readonly metrics: Readonly<Record<string, number>>
  /** Only in answers to requests that asked for verdicts. */
  readonly safeguardResults: readonly SafeguardResult[] | undefined
}

export function toMessage(parts: MessageParts): Record<string, unknown> {
  return {
    id: parts.id,
    type: 'message',
    role: 'assistant',
    model: parts.model,
    content: parts.answer.content,
    stop_reason: parts.answer.stopReason,
    stop_sequence: parts.answer.stopSequence,
    ...(parts.deltaUsage === undefined ? {} : { usage: parts.deltaUsage }),
    ...writeVerdicts(parts),
  }
}

function writeVerdicts({ safeguardResults }: MessageParts): Record<string, unknown> {
  return safeguardResults === undefined ? {} : { safeguard_results: safeguardResults }
}

export function toEvents(parts: MessageParts): readonly StreamEvent[] {
  const { answer } = parts
  const opening = {
    id: parts.id,
    type: 'message',
    role: 'assistant',
    model: parts.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    ...(parts.startUsage === undefined ? {} : { usage: parts.startUsage }),
  }
  return [
    { type: 'message_start', message: opening },
    ...answer.content.flatMap(toBlockEvents),
    {
      type: 'message_delta',
      delta: { stop_reason: answer.stopReason, stop_sequence: answer.stopSequence, ...writeVerdicts(parts) },
      ...(parts.deltaUsage === undefined ? {} : { usage: parts.deltaUsage }),
    },
    { type: 'message_stop', 'amazon-bedrock-invocationMetrics': parts.metrics },
  ]
}

function toBlockEvents(block: ContentBlock, index: number): readonly StreamEvent[] {
  const delta = (value: Readonly<Record<string, unknown>>): StreamEvent => ({
    type: 'content_block_delta',
    index,
    delta: value,
  })
  const { start, deltas } = openBlock(block)
  return [
    { type: 'content_block_start', index, content_block: start },
    ...deltas.map(delta),
    { type: 'content_block_stop', index },
  ]
}

function openBlock(block: ContentBlock): {
  readonly start: Readonly<Record<string, unknown>>
  readonly deltas: readonly Readonly<Record<string, unknown>>[]
} {
  switch (block.type) {
    case 'text':
      return {
        start: { ...block, text: '', ...(listCitations(block).length > 0 ? { citations: [] } : {}) },
        deltas: [
          ...listCitations(block).map((citation) => ({ type: 'citations_delta', citation })),
          ...pieces(String(block['text'])).map((text) => ({ type: 'text_delta', text })),
        ],
      }
    case 'thinking':
      return {
        start: { type: 'thinking', thinking: '', signature: '' },
        deltas: [
          ...pieces(String(block['thinking'])).map((thinking) => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature: block['signature'] },
        ],
      }
    case 'tool_use':
      return {
        start: { ...block, input: {} },
        // The service opens every tool input with an empty piece.
        deltas: ['', ...slices(JSON.stringify(block['input'] ?? {}), 24)].map((partial_json) => ({
          type: 'input_json_delta',
          partial_json,
        })),
      }
    default:
      return { start: block, deltas: [] }
  }
}

function listCitations(block: ContentBlock): readonly unknown[] {
  return Array.isArray(block['citations']) ? block['citations'] : []
}

/** About two words at a time, with the white space kept: joined, the pieces are the text again. */
function pieces(text: string): readonly string[] {
  const words = text.split(/(?<=\s)(?=\S)/)
  const pairs: string[] = []
  for (let at = 0; at < words.length; at += 2) pairs.push(`${words[at]}${words[at + 1] ?? ''}`)
  return text === '' ? [] : pairs
}

/** Cut between code points, because half a surrogate pair cannot travel as UTF-8. */
function slices(text: string, length: number): readonly string[] {
  const points = Array.from(text)
  return Array.from({ length: Math.ceil(points.length / length) }, (_, i) =>
    points.slice(i * length, (i + 1) * length).join(''),
  )
}
