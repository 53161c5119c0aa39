/** Puts a request that speaks of web search into a form that the hosted model knows, and begins its turn. */
import type { Operation, Routed } from './call.ts'
import type { WebSearch } from './ports.ts'
import { mayHaveSearchHistory } from './translate/request-watch.ts'
import { rewriteRequest, withPlainResults } from './web-search/rewrite-request.ts'
import { isSearchToolType } from './web-search/search-tool.ts'
import { createSearchTurn, type SearchTurn } from './web-search/search-turn.ts'

type Request = ReturnType<Operation['read']>

export interface Begun {
  readonly request: Request
  /** Undefined when the gateway searches nothing: then the tool leaves with what the plan drops. */
  readonly search: SearchTurn | undefined
  /** The same request without blocks that not every hosted model takes. */
  readonly plainer: (() => Request) | undefined
}

function offersSearch({ toolTypes }: Request): boolean {
  return toolTypes.some(isSearchToolType)
}

/** A request that does not speak of web search stays as it is, and costs two looks. */
export async function beginSearch(call: Routed, sent: Request, ports: WebSearch): Promise<Begun> {
  const isAboutSearch = call.dialect.form === 'messages' && (offersSearch(sent) || mayHaveSearchHistory(sent))
  return isAboutSearch
    ? await rewriteForSearch(call, sent, ports)
    : { request: sent, search: undefined, plainer: undefined }
}

async function rewriteForSearch(call: Routed, sent: Request, ports: WebSearch): Promise<Begun> {
  const terms = offersSearch(sent) ? await ports.termsFor(call.caller) : undefined
  const { bytes, tool, form } = rewriteRequest(sent, terms?.kind === 'on' ? 'replace' : 'leave')
  const request = bytes === sent.bytes ? sent : call.read(bytes)
  const plainer = form === 'cited' ? createPlainer(call, request) : undefined
  if (terms?.kind !== 'on' || tool === undefined) return { request, search: undefined, plainer }
  const { response } = call
  return {
    request,
    plainer,
    search: createSearchTurn({ request, tool, form, provider: terms.provider, search: ports.search, response }),
  }
}

export function createPlainer(call: Operation, request: Request): () => Request {
  return () => call.read(withPlainResults(request))
}
