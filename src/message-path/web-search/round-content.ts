/** What the model has said in one round, block by block: for its own history, and to see what it wants searched. */
import { SEARCH_TOOL_NAME } from './search-tool.ts'

export type Fields = Readonly<Record<string, unknown>>

export interface SearchCall {
  /** As the hosted model named it. */
  readonly id: string
  /** Undefined when the model's input is no JSON. */
  readonly input: unknown
}

export interface RoundContent {
  /** Blocks as JSON, to be sent back to the model in the next round. */
  readonly blocks: string[]
  readonly searches: SearchCall[]
  /** Calls of tools that the client has to answer. */
  clientCalls: number
}

export function startRoundContent(): RoundContent {
  return { blocks: [], searches: [], clientCalls: 0 }
}

/** `json` is the block as it came; text is sent back without its citations, as later turns will send it. */
export function noteBlock(content: RoundContent, block: Fields, json: string): void {
  const { type } = block
  if (type === 'text' && (typeof block['text'] !== 'string' || block['text'] === '')) return
  if (type === 'text' && block['citations'] != null) {
    const { citations: _left, ...rest } = block
    content.blocks.push(JSON.stringify(rest))
    return
  }
  content.blocks.push(json)
  if (isSearchCall(block)) content.searches.push({ id: String(block['id']), input: block['input'] })
  else if (type === 'tool_use') content.clientCalls += 1
}

export function isSearchCall(block: Fields): boolean {
  return block['type'] === 'tool_use' && block['name'] === SEARCH_TOOL_NAME
}

/** A block that arrives in pieces. */
export interface OpenBlock {
  readonly start: Fields
  readonly pieces: { text: string; thinking: string; signature: string; input: string; hasInput: boolean }
  /** Of a summary of the conversation, whose block begins empty. */
  summary: Fields
}

export function openBlock(start: Fields): OpenBlock {
  return { start, pieces: { text: '', thinking: '', signature: '', input: '', hasInput: false }, summary: {} }
}

export function noteDelta(block: OpenBlock, delta: Fields): void {
  const { pieces } = block
  const text = (name: string): string => (typeof delta[name] === 'string' ? delta[name] : '')
  switch (delta['type']) {
    case 'text_delta':
      pieces.text += text('text')
      return
    case 'thinking_delta':
      pieces.thinking += text('thinking')
      return
    case 'signature_delta':
      pieces.signature += text('signature')
      return
    case 'input_json_delta':
      pieces.input += text('partial_json')
      pieces.hasInput = true
      return
    case 'compaction_delta': {
      const { type: _, ...summary } = delta
      block.summary = summary
    }
  }
}

export function closeBlock(content: RoundContent, { start, pieces, summary }: OpenBlock): void {
  if (pieces.hasInput) {
    const json = pieces.input === '' ? '{}' : pieces.input
    const input = parse(json)
    const { input: _empty, ...rest } = start
    const head = JSON.stringify(rest).slice(0, -1)
    noteBlock(content, { ...start, input }, `${head},"input":${input === undefined ? '{}' : json}}`)
    return
  }
  const whole: Fields = {
    ...start,
    ...summary,
    ...(start['type'] === 'text' ? { text: `${String(start['text'] ?? '')}${pieces.text}` } : {}),
    ...(pieces.thinking === '' ? {} : { thinking: `${String(start['thinking'] ?? '')}${pieces.thinking}` }),
    ...(pieces.signature === '' ? {} : { signature: pieces.signature }),
  }
  noteBlock(content, whole, JSON.stringify(whole))
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    // failure-modes: unreadable tool input. The model is told, as the result of its call.
    return undefined
  }
}
