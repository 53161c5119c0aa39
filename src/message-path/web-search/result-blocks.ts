/** Results of a search in the client's form, and the same results as the hosted model reads them. */
import type { SearchHit, SearchOutcome } from '../../foundation/domain/web-search.ts'

/** As the Messages form names them. */
export type SearchErrorCode =
  | 'invalid_tool_input'
  | 'max_uses_exceeded'
  | 'query_too_long'
  | 'too_many_requests'
  | 'unavailable'

interface ResultBlock {
  readonly type: 'web_search_result'
  readonly url: string
  readonly title: string
  readonly page_age: string | null
  readonly encrypted_content: string
}

export type ResultContent =
  | readonly ResultBlock[]
  | { readonly type: 'web_search_tool_result_error'; readonly error_code: SearchErrorCode }

/** Citations need results in blocks; where the request excludes them, results are plain text. */
export type ResultForm = 'cited' | 'plain'

/**
 * Opaque to clients, which send it back with the next turn. Encoded and not encrypted: it is text of public pages, and
 * whoever holds it could as well write the whole history anew.
 */
const CONTENT_MARK = 'cw1.'

export function toContent(outcome: SearchOutcome): ResultContent {
  if (outcome.kind === 'failed') return toErrorContent(outcome.reason)
  return outcome.hits.map(({ url, title, text, pageAge }) => ({
    type: 'web_search_result',
    url,
    title,
    page_age: pageAge,
    encrypted_content: CONTENT_MARK + Buffer.from(text).toString('base64url'),
  }))
}

export function toErrorContent(code: SearchErrorCode): ResultContent {
  return { type: 'web_search_tool_result_error', error_code: code }
}

const errorTexts: Readonly<Record<SearchErrorCode, string>> = {
  invalid_tool_input: 'The search was not made: the input must be an object with a text "query".',
  max_uses_exceeded: 'The search was not made: no more searches are allowed in this turn. Answer with what you have.',
  query_too_long: 'The search was not made: the query is too long.',
  too_many_requests: 'The search engine takes no more questions for now.',
  unavailable: 'The search failed: web search is not available now.',
}

/** The answer to the hosted model's tool call. Made from the client's form, so that later turns read the very same. */
export function toToolResult(hostedCallId: string, content: unknown, form: ResultForm, more: object = {}): string {
  const result = { type: 'tool_result', tool_use_id: hostedCallId }
  if (!Array.isArray(content)) {
    const code = (content as { error_code?: unknown } | null)?.error_code
    const text = errorTexts[code as SearchErrorCode] ?? errorTexts.unavailable
    return JSON.stringify({ ...result, content: text, is_error: true, ...more })
  }
  const hits = content.map(toHit)
  if (hits.length === 0) return JSON.stringify({ ...result, content: 'The search found nothing.', ...more })
  return JSON.stringify({ ...result, content: form === 'cited' ? hits.map(toCitable) : toText(hits), ...more })
}

function toHit(block: unknown): SearchHit {
  const fields = (typeof block === 'object' && block !== null ? block : {}) as Readonly<Record<string, unknown>>
  const text = (name: string): string => (typeof fields[name] === 'string' ? fields[name] : '')
  const pageAge = text('page_age')
  const sealed = text('encrypted_content')
  return {
    url: text('url') || 'about:blank',
    title: text('title') || text('url') || 'A page',
    // What another service has sealed cannot be read here; title and address remain.
    text: sealed.startsWith(CONTENT_MARK) ? decode(sealed.slice(CONTENT_MARK.length)) : '',
    pageAge: pageAge === '' ? null : pageAge,
  }
}

function decode(text: string): string {
  return Buffer.from(text, 'base64url').toString('utf8')
}

function writeHit({ title, text, pageAge }: SearchHit): string {
  // Blocks must not be empty.
  const words = text.trim() === '' ? title : text
  return pageAge === null ? words : `(${pageAge}) ${words}`
}

function toCitable(hit: SearchHit): object {
  return {
    type: 'search_result',
    source: hit.url,
    title: hit.title,
    content: [{ type: 'text', text: writeHit(hit) }],
    citations: { enabled: true },
  }
}

function toText(hits: readonly SearchHit[]): string {
  return hits.map((hit, index) => `${index + 1}. ${hit.title}\n${hit.url}\n${writeHit(hit)}`).join('\n\n')
}

const SERVER_PREFIX = 'srv'

/** Ids of the client's form begin with `srvtoolu_`. */
export function toServerId(hostedCallId: string): string {
  return SERVER_PREFIX + hostedCallId
}

export function toHostedId(serverId: string): string {
  return serverId.startsWith(SERVER_PREFIX) ? serverId.slice(SERVER_PREFIX.length) : serverId
}

/** A place in a result as the hosted model cites it, in the client's form; others are left as they are. */
export function toClientCitation(citation: unknown): unknown {
  const place = citation as Readonly<Record<string, unknown>> | null
  if (place?.['type'] !== 'search_result_location') return citation
  return {
    type: 'web_search_result_location',
    cited_text: place['cited_text'],
    url: place['source'],
    title: place['title'] ?? null,
    encrypted_index: `${CONTENT_MARK}${String(place['search_result_index'])}`,
  }
}
