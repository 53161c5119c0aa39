/** Runs one search at one provider: asked once, within its time, and every failure told in words of our own. */
import {
  MAX_SEARCH_RESULTS,
  type RunSearch,
  type SearchOutcome,
  type SearchProvider,
  type SearchProviderType,
  type SearchQuery,
} from '../../foundation/domain/web-search.ts'
import { defined } from '../../foundation/platform/defined.ts'
import { type OutgoingAnswer, type OutgoingHttp, OutgoingHttpError } from '../../foundation/platform/outgoing-http.ts'
import { cleanHits } from './clean-hits.ts'
import { custom } from './custom.ts'
import { duckDuckGo } from './duckduckgo.ts'
import type { Engine } from './engine.ts'
import { searxng } from './searxng.ts'
import { serper } from './serper.ts'
import { tavily } from './tavily.ts'

const engines: Readonly<Record<SearchProviderType, Engine>> = {
  duckduckgo: duckDuckGo,
  tavily,
  serper,
  custom,
  searxng,
}

export const SEARCH_TIMEOUT_MS = 10_000
const MAX_ANSWER_BYTES = 1024 * 1024

export interface SearchOptions {
  readonly http: Pick<OutgoingHttp, 'request'>
  /** For the providers of single people: what administrators may reach by their configuration is not theirs to knock at. */
  readonly ownHttp: Pick<OutgoingHttp, 'request'>
  /** Tests shorten it. */
  readonly timeoutMs?: number
}

/** The provider comes with every call and nothing of it is kept: one person's key never serves another. */
export function createSearch({ http, ownHttp, timeoutMs = SEARCH_TIMEOUT_MS }: SearchOptions): RunSearch {
  return async (provider, query, signal) => {
    const engine = engines[provider.type]
    try {
      const { url, ...request } = engine.toCall(provider, query, countFor(provider, query))
      const limits = defined({ timeoutMs, maxBytes: MAX_ANSWER_BYTES, signal })
      const client = provider.isOwn ? ownHttp : http
      return toOutcome(engine, await client.request(url, { ...request, ...limits }), provider, query)
    } catch (error) {
      // failure-modes: search engine away
      if (error instanceof OutgoingHttpError) return failed(wordsFor(error, timeoutMs))
      throw error
    }
  }
}

/** Where results may be filtered out again, more of them are asked for. */
function countFor({ maxResults }: SearchProvider, { allowedDomains, blockedDomains }: SearchQuery): number {
  return allowedDomains.length + blockedDomains.length === 0 ? maxResults : MAX_SEARCH_RESULTS
}

function toOutcome(
  engine: Engine,
  answer: OutgoingAnswer,
  { apiKey, maxResults }: SearchProvider,
  query: SearchQuery,
): SearchOutcome {
  const { status } = answer
  if (status === 429 || (status < 300 && engine.isRefusal?.(answer) === true))
    return {
      kind: 'failed',
      reason: 'too_many_requests',
      message: 'The search engine takes no more questions for now.',
    }
  if (apiKey !== null && (status === 401 || status === 403))
    return failed(`The search engine refused the API key (${status}).`)
  if (status < 200 || status >= 300) return failed(`The search engine answered with status ${status}.`)
  const hits = engine.readHits(answer)
  if (hits === undefined) return failed('The answer of the search engine cannot be read.')
  return { kind: 'found', hits: cleanHits(hits, query, maxResults) }
}

function failed(message: string): SearchOutcome {
  return { kind: 'failed', reason: 'unavailable', message }
}

function wordsFor({ kind, message }: OutgoingHttpError, timeoutMs: number): string {
  switch (kind) {
    case 'timeout':
      return `The search engine did not answer within ${timeoutMs / 1000} seconds.`
    case 'refused':
      return `The gateway may not call the address of the search engine: ${message}.`
    case 'too-large':
      return 'The answer of the search engine is too large.'
    default:
      return `The search engine cannot be used: ${message}.`
  }
}
