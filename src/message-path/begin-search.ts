/** Puts a request that speaks of web search into a form that the hosted model knows, and begins its turn. */
import type { Caller } from '../foundation/domain/caller.ts'
import type { Passage } from './passage.ts'
import type { WebSearch } from './ports.ts'
import { withPlainResults } from './web-search/plain-results.ts'
import { rewriteRequest } from './web-search/rewrite-request.ts'
import { isSearchToolType } from './web-search/search-tool.ts'
import { createSearchTurn, type SearchTurn } from './web-search/search-turn.ts'

type Request = ReturnType<Passage['read']>

export interface Begun {
  readonly request: Request
  /** Undefined when the gateway searches nothing: then the tool leaves with what the plan drops. */
  readonly search: SearchTurn | undefined
  /** The same request without blocks that not every hosted model takes. */
  readonly plainer: (() => Request) | undefined
}

export function offersSearch({ toolTypes }: Request): boolean {
  return toolTypes.some(isSearchToolType)
}

export async function beginSearch(passage: Passage, sent: Request, caller: Caller, ports: WebSearch): Promise<Begun> {
  const terms = offersSearch(sent) ? await ports.termsFor(caller) : undefined
  const { bytes, tool, form } = rewriteRequest(sent, terms?.kind === 'on' ? 'replace' : 'leave')
  const request = bytes === sent.bytes ? sent : passage.read(bytes)
  const plainer = form === 'cited' ? createPlainer(passage, request) : undefined
  if (terms?.kind !== 'on' || tool === undefined) return { request, search: undefined, plainer }
  const { response } = passage
  return {
    request,
    plainer,
    search: createSearchTurn({ request, tool, form, provider: terms.provider, search: ports.search, response }),
  }
}

export function createPlainer(passage: Passage, request: Request): () => Request {
  return () => passage.read(withPlainResults(request))
}
