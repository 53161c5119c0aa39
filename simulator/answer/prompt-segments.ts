import { isRecord } from '../json-value.ts'

export type CacheTtl = '5m' | '1h'

/** One block of the prompt in the order the cache sees it: tools, then system, then messages. */
export type PromptSegment = {
  /** Enters the prefix hash: any change here makes later cache entries miss. */
  readonly identity: string
  /** What is counted. */
  readonly text: string
  /** For blocks without text, such as images. */
  readonly fixedTokens: number
  readonly breakpoint: CacheTtl | undefined
}

const IMAGE_TOKENS = 1_500
const DOCUMENT_TOKENS = 3_000

export function toPromptSegments(body: Readonly<Record<string, unknown>>): readonly PromptSegment[] {
  const tools = toList(body['tools']).map((tool) => toSegment('tool', tool, JSON.stringify(withoutCacheControl(tool))))
  const system = toBlocks(body['system']).map((block) => toSegment('system', block, readText(block)))
  const messages = toList(body['messages']).flatMap((message) => {
    const role = isRecord(message) ? String(message['role']) : ''
    return toBlocks(isRecord(message) ? message['content'] : undefined).map((block) =>
      toSegment(role, block, readText(block)),
    )
  })
  return [...tools, ...system, ...messages]
}

function toSegment(place: string, block: unknown, text: string): PromptSegment {
  return {
    identity: `${place}\n${JSON.stringify(withoutCacheControl(block))}`,
    text,
    fixedTokens: countFixedTokens(block),
    breakpoint: readBreakpoint(block),
  }
}

function withoutCacheControl(block: unknown): unknown {
  if (!isRecord(block)) return block
  const { cache_control: _, ...rest } = block
  return rest
}

function readBreakpoint(block: unknown): CacheTtl | undefined {
  const control = isRecord(block) ? block['cache_control'] : undefined
  if (!isRecord(control)) return undefined
  return control['ttl'] === '1h' ? '1h' : '5m'
}

function countFixedTokens(block: unknown): number {
  const type = isRecord(block) ? block['type'] : undefined
  if (type === 'image') return IMAGE_TOKENS
  if (type === 'document') return DOCUMENT_TOKENS
  if (type === 'tool_result' && isRecord(block)) {
    return toList(block['content']).reduce<number>((sum, item) => sum + countFixedTokens(item), 0)
  }
  return 0
}

export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A string is shorthand for one text block. */
export function toBlocks(content: unknown): readonly unknown[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : toList(content)
}

export function readText(block: unknown): string {
  if (typeof block === 'string') return block
  if (!isRecord(block)) return ''
  switch (block['type']) {
    case 'text':
      return String(block['text'] ?? '')
    case 'thinking':
      return String(block['thinking'] ?? '')
    case 'tool_use':
      return `${block['name']}\n${JSON.stringify(block['input'] ?? {})}`
    case 'tool_result':
      return toBlocks(block['content']).map(readText).join('\n')
    default:
      return ''
  }
}
