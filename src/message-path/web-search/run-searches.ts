/** Runs the searches of one round at the same time, within what the client and the gateway allow for a turn. */
import type { RunSearch, SearchProvider } from '../../foundation/domain/web-search.ts'
import { type ResultContent, type ResultForm, toContent, toErrorContent, toToolResult } from './result-blocks.ts'
import type { SearchCall } from './round-content.ts'
import type { SearchTool } from './search-tool.ts'

/** Some engines take no longer ones. */
const MAX_QUERY_CHARACTERS = 400
/** Whatever the client allows: a model that searches for ever must not search for ever. */
const MAX_SEARCHES = 20

export interface AnsweredSearch {
  /** As the hosted model named the call. */
  readonly id: string
  readonly content: ResultContent
  /** For the model's next round. */
  readonly toolResult: string
  readonly isFound: boolean
  readonly isRefused: boolean
}

export interface SearchesInput {
  readonly tool: SearchTool
  /** Null when nobody can say which one it is. */
  readonly provider: SearchProvider | null
  readonly search: RunSearch
  readonly form: ResultForm
}

export function createSearches({ tool, provider, search, form }: SearchesInput) {
  const limit = Math.min(tool.maxUses ?? MAX_SEARCHES, MAX_SEARCHES)
  let used = 0

  const answer = (id: string, content: ResultContent, words?: string): AnsweredSearch => ({
    id,
    content,
    toolResult: toToolResult(id, content, form, words === undefined ? {} : { content: words }),
    isFound: Array.isArray(content),
    isRefused: 'error_code' in content && content.error_code === 'max_uses_exceeded',
  })

  const run = async ({ id, input }: SearchCall, signal: AbortSignal): Promise<AnsweredSearch> => {
    const text = readQuery(input)
    if (text === undefined) return answer(id, toErrorContent('invalid_tool_input'))
    if (text.length > MAX_QUERY_CHARACTERS) return answer(id, toErrorContent('query_too_long'))
    if (used >= limit) return answer(id, toErrorContent('max_uses_exceeded'))
    used += 1
    if (provider === null) return answer(id, toErrorContent('unavailable'))
    const { allowedDomains, blockedDomains, location } = tool
    const outcome = await search(provider, { text, allowedDomains, blockedDomains, location }, signal)
    return answer(id, toContent(outcome), outcome.kind === 'failed' ? outcome.message : undefined)
  }

  return {
    run: (calls: readonly SearchCall[], signal: AbortSignal): Promise<readonly AnsweredSearch[]> =>
      Promise.all(calls.map((call) => run(call, signal))),
  }
}

function readQuery(input: unknown): string | undefined {
  const query = typeof input === 'object' && input !== null ? (input as { query?: unknown }).query : undefined
  return typeof query === 'string' && query.trim() !== '' ? query.trim() : undefined
}
